// SPDX-License-Identifier: MIT
#include "lib/cli/completion/completion.h"

static const char head[] =
        "#compdef apmtool\n"
        "# zsh completion for apmtool; made by 'apmtool completion zsh'\n";

static const char middle[] = "\n"
                             "_apmtool() {\n"
                             "\tlocal curcontext=$curcontext state line\n"
                             "\tlocal -a commands\n"
                             "\n"
                             "\tcommands=(\n";

static const char tail[] =
        "\t)\n"
        "\t_arguments -C \\\n"
        "\t\t'(- *)'{-h,--help}'[print help]' \\\n"
        "\t\t'(- *)--version[print the version]' \\\n"
        "\t\t'1:command:->command' \\\n"
        "\t\t'*::operand:->operand' && return\n"
        "\tcase $state in\n"
        "\tcommand) _describe -t commands command commands ;;\n"
        "\toperand) (( $+functions[_apmtool_$words[1]] )) &&\n"
        "\t\t_apmtool_$words[1] ;;\n"
        "\tesac\n"
        "}\n"
        "\n"
        "# Autoloaded from $fpath, or sourced.\n"
        "if [[ $funcstack[1] == _apmtool ]]; then\n"
        "\t_apmtool \"$@\"\n"
        "else\n"
        "\tcompdef _apmtool apmtool\n"
        "fi\n";

/** Append text in single quotes, in which `[`, `]` and `:` are special. */
static void add_escaped(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'') {
			str_add(out, "'\\''");
			continue;
		}
		if (*text == '[' || *text == ']' || *text == ':' ||
		    *text == '\\')
			str_add_char(out, '\\');
		str_add_char(out, *text);
	}
}

/** `report` for `[<report>...]`: zsh shows it above the choices. */
static void add_label(struct str *out, const char *value)
{
	struct text label = text_from(value);
	size_t start = text_find_char(label, '<');

	if (start == TEXT_NOWHERE) {
		str_add(out, "value");
		return;
	}
	label = text_after(label, start + 1);
	str_add_text(out, text_first(label, text_find_char(label, '>')));
}

/** The completer of a value, after its label: `:_files`. */
static void add_action(struct str *out, const struct command *const *commands,
                       enum completion_kind kind, const char *alternatives)
{
	switch (kind) {
	case COMPLETE_FILES:
		str_add(out, ":_files");
		break;
	case COMPLETE_WORDS:
		str_add(out, ":(");
		completion_add_words(out, alternatives);
		str_add(out, ")");
		break;
	case COMPLETE_LIMITS:
		str_addf(out, ":{compadd -S \"\" -- %s}", alternatives);
		break;
	case COMPLETE_COMMANDS:
		str_add(out, ":(");
		completion_add_names(out, commands);
		str_add(out, ")");
		break;
	case COMPLETE_NOTHING:
		// A blank: zsh shows the label and offers nothing.
		str_add(out, ": ");
		break;
	}
}

/** One spelling of an option, as _arguments wants it. */
static void add_spelling(struct str *out, const struct option *option,
                         const char *spelling, const char *joint)
{
	bool has_value = option->kind != OPTION_FLAG;

	str_add(out, " \\\n\t\t'");
	if (option->kind == OPTION_LIST || option->kind == OPTION_LIMIT)
		str_add_char(out, '*');
	else if (option->letter && option->name)
		str_addf(out, "(-%c --%s)", option->letter, option->name);
	str_addf(out, "%s%s[", spelling, has_value ? joint : "");
	add_escaped(out, option->help);
	str_add_char(out, ']');
	if (has_value) {
		SCOPED(str_release) struct str value = { 0 };

		completion_add_values(&value, option);
		str_add_char(out, ':');
		add_label(out, option->value);
		add_action(out, NULL, completion_of_value(option),
		           str_cstr(&value));
	}
	str_add_char(out, '\'');
}

static void add_option(struct str *out, const struct option *option)
{
	SCOPED(str_release) struct str spelling = { 0 };

	if (option->letter) {
		str_addf(&spelling, "-%c", option->letter);
		// The value may be attached to the letter, or be the next word.
		add_spelling(out, option, str_cstr(&spelling), "+");
		str_clear(&spelling);
	}
	if (!option->name)
		return;
	str_addf(&spelling, "%s%s", option->single_dash ? "-" : "--",
	         option->name);
	add_spelling(out, option, str_cstr(&spelling),
	             option->single_dash ? "" : "=");
}

static bool has_single_dash(const struct option *option)
{
	for (; option->kind != OPTION_END; option++)
		if (option->single_dash)
			return true;
	return false;
}

static void add_command(struct str *out, const struct command *const *commands,
                        const struct command *command)
{
	const struct option *options = command_options(command);
	const struct option *option = NULL;

	// -s: letters can be combined, unless `-arch` could be read as letters.
	str_addf(out, "\n_apmtool_%s() {\n\t_arguments%s", command->name,
	         has_single_dash(options) ? "" : " -s");
	while ((option = option_next(options, option)))
		add_option(out, option);
	str_add(out, " \\\n\t\t'(- *)'{-h,--help}'[print this help]'");
	if (command->operands) {
		SCOPED(str_release) struct str words = { 0 };

		completion_add_operands(&words, command);
		str_add(out, " \\\n\t\t'*:");
		add_label(out, command->operands);
		add_action(out, commands, completion_of_operands(command),
		           str_cstr(&words));
		str_add_char(out, '\'');
	}
	str_add(out, "\n}\n");
}

void completion_add_zsh(struct str *out, const struct command *const *commands)
{
	str_add(out, head);
	for (size_t i = 0; commands[i]; i++)
		add_command(out, commands, commands[i]);
	str_add(out, middle);
	for (size_t i = 0; commands[i]; i++) {
		str_addf(out, "\t\t'%s:", commands[i]->name);
		add_escaped(out, commands[i]->summary);
		str_add(out, "'\n");
	}
	str_add(out, tail);
}
