// SPDX-License-Identifier: MIT
#include "lib/cli/completion/completion.h"

#include "lib/base/limit.h"

#include <string.h>

static bool is_one_of(const char *value, const char *const *names)
{
	for (; *names; names++)
		if (strstr(value, *names))
			return true;
	return false;
}

enum completion_kind completion_of_value(const struct option *option)
{
	static const char *const paths[] = { "<path>", "<file>", "<directory>",
		                             "<dir>", NULL };

	if (option->kind == OPTION_CHOICE || option->kind == OPTION_NAME ||
	    option->words)
		return COMPLETE_WORDS;
	if (option->kind == OPTION_LIMIT)
		return COMPLETE_LIMITS;
	if (option->value && is_one_of(option->value, paths))
		return COMPLETE_FILES;
	return COMPLETE_NOTHING;
}

enum completion_kind completion_of_operands(const struct command *command)
{
	// Most operands are paths, under any name.
	static const char *const no_paths[] = { "<address>", "<name>", NULL };
	const char *operands = command->operands;

	if (command->operand_names)
		return COMPLETE_WORDS;
	if (!operands || is_one_of(operands, no_paths))
		return COMPLETE_NOTHING;
	if (strstr(operands, "<command>"))
		return COMPLETE_COMMANDS;
	return strchr(operands, '|') ? COMPLETE_WORDS : COMPLETE_FILES;
}

void completion_add_operands(struct str *out, const struct command *command)
{
	const struct option_names *names = command->operand_names;
	const char *name;

	if (!names) {
		str_add(out, command->operands ? command->operands : "");
		return;
	}
	for (size_t i = 0; (name = names->at(0, i)); i++)
		str_addf(out, "%s%s", i ? "|" : "", name);
}

void completion_add_words(struct str *out, const char *alternatives)
{
	for (; *alternatives; alternatives++)
		str_add_char(out, *alternatives == '|' ? ' ' : *alternatives);
}

void completion_add_values(struct str *out, const struct option *option)
{
	SCOPED(str_release) struct str value = { 0 };

	if (option->kind != OPTION_LIMIT) {
		if (option->words)
			str_add(&value, option->words);
		else
			option_add_value(option, &value);
		completion_add_words(out, str_cstr(&value));
		return;
	}
	for (size_t i = 0; i < LIMITS; i++)
		str_addf(out, "%s%s=", i ? " " : "", limit_rows[i].name);
}

void completion_add_names(struct str *out,
                          const struct command *const *commands)
{
	for (size_t i = 0; commands[i]; i++)
		str_addf(out, "%s%s", i ? " " : "", commands[i]->name);
}
