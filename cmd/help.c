// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/output.h"

static enum exit_status help_run(const struct command_line *line)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t width = console_width();

	if (!line->operand_count)
		command_describe_all(commands, width, &text);
	for (size_t i = 0; i < line->operand_count; i++) {
		const struct command *command =
		        command_find(commands, line->operands[i]);

		if (!command) {
			SCOPED(error_drop)
			struct error *err =
			        command_unknown(commands, line->operands[i]);

			notice_error(&console, NULL, err);
			return EXIT_USAGE;
		}
		if (i)
			str_add_char(&text, '\n');
		command_describe(command, width, &text);
	}
	return output_print(&console, &text);
}

static const struct example examples[] = {
	{ "apmtool help", "list the commands" },
	{ "apmtool help doctor", "the same as 'apmtool doctor --help'" },
	{ "apmtool help help version", "several at once" },
	{ NULL, NULL },
};

const struct command help_command = {
	.name = "help",
	.topic = COMMAND_TOOLS,
	.summary = "show help for a command, or list all commands",
	.operands = "[<command>...]",
	.examples = examples,
	.run = help_run,
};
