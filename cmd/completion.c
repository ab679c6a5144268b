#include "cmd/completion.h"

#include "lib/base/nearest.h"

#include <string.h>

static const struct {
	const char *name;
	void (*add)(struct str *out);
} shells[] = {
	{ "bash", completion_add_bash },
	{ "zsh", completion_add_zsh },
	{ "fish", completion_add_fish },
};

static bool is_one_of(const char *value, const char *const *names)
{
	for (; *names; names++)
		if (strstr(value, *names))
			return true;
	return false;
}

enum completion_kind completion_of_value(const struct option *option)
{
	static const char *const paths[] = { "<path>", "<file>", "<folder>",
		                             "<dir>", NULL };

	if (option->kind == OPTION_CHOICE)
		return COMPLETE_WORDS;
	if (option->value && is_one_of(option->value, paths))
		return COMPLETE_FILES;
	return COMPLETE_NOTHING;
}

enum completion_kind completion_of_operands(const struct command *command)
{
	// Most operands are inputs, whatever they are called.
	static const char *const no_paths[] = { "<address>", "<name>", NULL };
	const char *operands = command->operands;

	if (!operands || is_one_of(operands, no_paths))
		return COMPLETE_NOTHING;
	if (strstr(operands, "<command>"))
		return COMPLETE_COMMANDS;
	return strchr(operands, '|') ? COMPLETE_WORDS : COMPLETE_FILES;
}

void completion_add_words(struct str *out, const char *alternatives)
{
	for (; *alternatives; alternatives++)
		str_add_char(out, *alternatives == '|' ? ' ' : *alternatives);
}

void completion_add_commands(struct str *out)
{
	for (size_t i = 0; commands[i]; i++)
		str_addf(out, "%s%s", i ? " " : "", commands[i]->name);
}

const struct option *completion_options(const struct command *command)
{
	static const struct option none = OPT_END;

	return command->options ? command->options : &none;
}

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
		return command_usage("unexpected operand '%s'",
		                     line->operands[1]);
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++) {
		if (strcmp(shells[i].name, line->operands[0]) != 0)
			continue;
		shells[i].add(&script);
		return command_print(&script);
	}
	err = unknown_shell(line->operands[0]);
	command_error(err);
	return EXIT_USAGE;
}

static const struct example examples[] = {
	{ "apmtool completion bash > apmtool.bash",
	  "write the script; 'source' it in ~/.bashrc" },
	{ "apmtool completion zsh > _apmtool",
	  "put it into a folder of $fpath" },
	{ "apmtool completion fish > apmtool.fish",
	  "put it into ~/.config/fish/completions" },
	{ NULL, NULL },
};

const struct command completion_command = {
	.name = "completion",
	.summary = "print a completion script for a shell",
	.operands = "bash|zsh|fish",
	.description =
	        "The script completes commands, options and the values that "
	        "options can have. An installed apmtool brings all three.",
	.examples = examples,
	.run = completion_run,
};
