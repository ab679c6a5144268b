// SPDX-License-Identifier: MIT
#include "lib/cli/completion/completion.h"

static const char head[] =
        "# fish completion for apmtool; made by 'apmtool completion fish'\n"
        "\n"
        "# Is this the command on the line? '' asks for none yet.\n"
        "function __apmtool_is\n"
        "\tfor word in (commandline -opc)[2..]\n"
        "\t\tif not string match -q -- '-*' $word\n"
        "\t\t\ttest \"$word\" = \"$argv[1]\"\n"
        "\t\t\treturn\n"
        "\t\tend\n"
        "\tend\n"
        "\ttest -z \"$argv[1]\"\n"
        "end\n"
        "\n"
        "complete -c apmtool -f\n"
        "complete -c apmtool -s h -l help -d 'print help'\n"
        "complete -c apmtool -n \"__apmtool_is ''\" -l version "
        "-d 'print the version'\n";

static void add_quoted(struct str *out, const char *text)
{
	str_add_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			str_add_char(out, '\\');
		str_add_char(out, *text);
	}
	str_add_char(out, '\'');
}

/** A rule for @p command. */
static void add_rule(struct str *out, const struct command *command)
{
	str_addf(out, "complete -c apmtool -n '__apmtool_is %s'",
	         command->name);
}

/** -F: files, -x: another argument, -a: one of these. */
static void add_argument(struct str *out, const struct command *const *commands,
                         enum completion_kind kind, const char *alternatives)
{
	switch (kind) {
	case COMPLETE_FILES:
		str_add(out, " -r -F");
		break;
	case COMPLETE_NOTHING:
		str_add(out, " -x");
		break;
	case COMPLETE_WORDS:
	case COMPLETE_LIMITS: // fish adds no blank after a `=`
		str_add(out, " -x -a '");
		completion_add_words(out, alternatives);
		str_add_char(out, '\'');
		break;
	case COMPLETE_COMMANDS:
		str_add(out, " -x -a '");
		completion_add_names(out, commands);
		str_add_char(out, '\'');
		break;
	}
}

static void add_option(struct str *out, const struct command *const *commands,
                       const struct command *command,
                       const struct option *option)
{
	SCOPED(str_release) struct str value = { 0 };

	add_rule(out, command);
	if (option->letter)
		str_addf(out, " -s %c", option->letter);
	if (option->name)
		str_addf(out, " -%c %s", option->single_dash ? 'o' : 'l',
		         option->name);
	if (option->kind != OPTION_FLAG) {
		completion_add_values(&value, option);
		add_argument(out, commands, completion_of_value(option),
		             str_cstr(&value));
	}
	str_add(out, " -d ");
	add_quoted(out, option->help);
	str_add_char(out, '\n');
}

static void add_command(struct str *out, const struct command *const *commands,
                        const struct command *command)
{
	const struct option *options = command_options(command);
	const struct option *option = NULL;
	SCOPED(str_release) struct str words = { 0 };
	enum completion_kind operands = completion_of_operands(command);

	str_addf(out, "\ncomplete -c apmtool -n \"__apmtool_is ''\" -a %s -d ",
	         command->name);
	add_quoted(out, command->summary);
	str_add_char(out, '\n');
	while ((option = option_next(options, option)))
		add_option(out, commands, command, option);
	if (operands == COMPLETE_NOTHING)
		return;
	add_rule(out, command);
	completion_add_operands(&words, command);
	add_argument(out, commands, operands, str_cstr(&words));
	str_add_char(out, '\n');
}

void completion_add_fish(struct str *out, const struct command *const *commands)
{
	str_add(out, head);
	for (size_t i = 0; commands[i]; i++)
		add_command(out, commands, commands[i]);
}
