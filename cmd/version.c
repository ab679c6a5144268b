#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/output.h"

static enum exit_status version_run(const struct command_line *line UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add(&text, "apmtool " APMTOOL_VERSION "\n");
	return output_print(&console, &text);
}

static const struct example examples[] = {
	{ "apmtool version", "one line: name and version" },
	{ "apmtool --version", "the same" },
	{ "apmtool version | cut -d ' ' -f 2", "the number alone" },
	{ NULL, NULL },
};

const struct command version_command = {
	.name = "version",
	.topic = COMMAND_TOOLS,
	.summary = "print the version",
	.examples = examples,
	.run = version_run,
};
