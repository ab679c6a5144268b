// SPDX-License-Identifier: MIT
#include "cmd/version.h"

#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/output.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/text/gzip.h"
#include "lib/text/json/json.h"
#include "lib/text/plist/plist.h"
#include "lib/text/regex.h"
#include "lib/text/yaml.h"

static enum exit_status version_run(const struct command_line *line UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "apmtool " APMTOOL_VERSION "\ncommit %s\n",
	         apmtool_commit);
	str_addf(&text,
	         "cJSON %s, %s, libyaml %s, pcre2 %s, expat %s, "
	         "zlib %s\n",
	         json_library_version(), debug_info_library(),
	         yml_library_version(), regex_library_version(),
	         plist_library_version(), gzip_library_version());
	return output_print(&console, &text);
}

static const struct example examples[] = {
	{ "apmtool version",
	  "the version, the commit it was built from, and its libraries" },
	{ "apmtool --version", "the same" },
	{ "apmtool version | sed -n 's/^apmtool //p'", "the number alone" },
	{ NULL, NULL },
};

const struct command version_command = {
	.name = "version",
	.topic = COMMAND_TOOLS,
	.summary = "print the version, the commit and the libraries",
	.examples = examples,
	.run = version_run,
};
