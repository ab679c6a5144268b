// SPDX-License-Identifier: MIT
#include "lib/cli/completion/completion.h"
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/output.h"
#include "lib/base/nearest.h"

#include <string.h>

static const struct {
	const char *name;
	void (*add)(struct str *out, const struct command *const *commands);
} shells[] = {
	{ "bash", completion_add_bash },
	{ "zsh", completion_add_zsh },
	{ "fish", completion_add_fish },
};

static struct error *unknown_shell(const char *name)
{
	const char *names[ARRAY_SIZE(shells) + 1] = { 0 };
	const char *near;

	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		names[i] = shells[i].name;
	near = nearest_word(name, names);
	if (!near)
		return error_new(ERROR_USAGE,
		                 "expected bash, zsh or fish, found '%s'",
		                 name);
	return error_new(ERROR_USAGE,
	                 "expected bash, zsh or fish, found '%s'; did you mean "
	                 "'%s'?",
	                 name, near);
}

static enum exit_status completion_run(const struct command_line *line)
{
	SCOPED(str_release) struct str script = { 0 };
	SCOPED(error_drop) struct error *err = NULL;

	if (line->operand_count > 1)
		return notice_usage(&console, "unexpected operand '%s'",
		                    line->operands[1]);
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++) {
		if (strcmp(shells[i].name, line->operands[0]) != 0)
			continue;
		shells[i].add(&script, commands);
		return output_print(&console, &script);
	}
	err = unknown_shell(line->operands[0]);
	notice_error(&console, NULL, err);
	return EXIT_USAGE;
}

static const struct example examples[] = {
	{ "apmtool completion bash > apmtool.bash",
	  "write the script, to be sourced in ~/.bashrc" },
	{ "apmtool completion zsh > _apmtool",
	  "write it for a directory in $fpath" },
	{ "apmtool completion fish > apmtool.fish",
	  "write it for ~/.config/fish/completions" },
	{ NULL, NULL },
};

const struct command completion_command = {
	.name = "completion",
	.topic = COMMAND_TOOLS,
	.summary = "print a shell completion script",
	.operands = "bash|zsh|fish",
	.description =
	        "The script completes commands, options and option values. "
	        "Installing apmtool installs the scripts of all three shells.",
	.examples = examples,
	.run = completion_run,
};
