// SPDX-License-Identifier: MIT
#include "lib/cli/completion/completion.h"

// Works with bash 3.2 of macOS, without mapfile and perhaps without compopt. An
// empty COMPREPLY means files (`-o default`): readline handles blanks and
// tildes in names.

static const char head[] =
        "# bash completion for apmtool; made by 'apmtool completion bash'\n"
        "\n"
        "# Complete to one of these words, and to no file.\n"
        "_apmtool_words()\n"
        "{\n"
        "\tcompopt +o default 2>/dev/null\n"
        "\tCOMPREPLY=($(compgen -W \"$1\" -- \"$word\"))\n"
        "}\n"
        "\n"
        "# The same, for words that are not the end.\n"
        "_apmtool_begin()\n"
        "{\n"
        "\tcompopt -o nospace 2>/dev/null\n"
        "\t_apmtool_words \"$1\"\n"
        "}\n"
        "\n"
        "_apmtool()\n"
        "{\n"
        "\tlocal word=${COMP_WORDS[COMP_CWORD]} command= operands= i\n"
        "\tlocal previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "\n"
        "\tCOMPREPLY=()\n"
        "\t# '--format=json' is three words to bash.\n"
        "\tif [[ $word == = ]]; then\n"
        "\t\tword=\n"
        "\telif [[ $previous == = ]]; then\n"
        "\t\tprevious=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "\tfi\n"
        "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
        "\t\tcase ${COMP_WORDS[i]} in\n"
        "\t\t--) operands=1 previous= ;;\n"
        "\t\t-*) ;;\n"
        "\t\t*) command=${command:-${COMP_WORDS[i]}} ;;\n"
        "\t\tesac\n"
        "\tdone\n";

static const char tail[] = "}\n"
                           "\n"
                           "complete -o default -F _apmtool apmtool\n";

/** `-d --dsym`, with @p prefix before each and @p gap between them. */
static void add_spellings(struct str *out, const struct option *option,
                          const char *prefix, const char *gap)
{
	if (option->letter)
		str_addf(out, "%s-%c", prefix, option->letter);
	if (option->letter && option->name)
		str_add(out, gap);
	if (option->name)
		str_addf(out, "%s%s%s", prefix,
		         option->single_dash ? "-" : "--", option->name);
}

/** A case branch for the value of @p option. */
static void add_value(struct str *out, const struct command *command,
                      const struct option *option)
{
	SCOPED(str_release) struct str prefix = { 0 };
	enum completion_kind kind = completion_of_value(option);

	str_addf(&prefix, "%s:", command->name);
	str_add(out, "\t");
	add_spellings(out, option, str_cstr(&prefix), " | ");
	switch (kind) {
	case COMPLETE_WORDS:
	case COMPLETE_LIMITS:
		str_addf(out, ") _apmtool_%s '",
		         kind == COMPLETE_LIMITS ? "begin" : "words");
		completion_add_values(out, option);
		str_add(out, "'; return ;;\n");
		break;
	case COMPLETE_FILES:
		str_add(out, ") return ;;\n");
		break;
	case COMPLETE_NOTHING:
	case COMPLETE_COMMANDS:
		str_add(out, ") _apmtool_words ''; return ;;\n");
		break;
	}
}

static void add_values(struct str *out, const struct command *const *commands)
{
	str_add(out, "\n\tcase $command:$previous in\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct option *options = command_options(commands[i]);
		const struct option *option = NULL;

		while ((option = option_next(options, option)))
			if (option->kind != OPTION_FLAG)
				add_value(out, commands[i], option);
	}
	str_add(out, "\tesac\n");
}

static void add_options(struct str *out, const struct command *const *commands)
{
	str_add(out, "\n\tif [[ $word == -* && ! $operands ]]; then\n"
	             "\t\tcase $command in\n"
	             "\t\t'') _apmtool_words '-h --help --version' ;;\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct option *options = command_options(commands[i]);
		const struct option *option = NULL;

		str_addf(out, "\t\t%s) _apmtool_words '", commands[i]->name);
		while ((option = option_next(options, option))) {
			add_spellings(out, option, "", " ");
			str_add_char(out, ' ');
		}
		str_add(out, "-h --help' ;;\n");
	}
	str_add(out, "\t\tesac\n\t\treturn\n\tfi\n");
}

static void add_operands(struct str *out, const struct command *const *commands)
{
	str_add(out, "\n\tcase $command in\n\t'') _apmtool_words '");
	completion_add_names(out, commands);
	str_add(out, "' ;;\n");
	for (size_t i = 0; commands[i]; i++) {
		enum completion_kind kind = completion_of_operands(commands[i]);
		SCOPED(str_release) struct str words = { 0 };

		if (kind == COMPLETE_FILES)
			continue;
		str_addf(out, "\t%s) _apmtool_words '", commands[i]->name);
		completion_add_operands(&words, commands[i]);
		if (kind == COMPLETE_WORDS)
			completion_add_words(out, str_cstr(&words));
		else if (kind == COMPLETE_COMMANDS)
			completion_add_names(out, commands);
		str_add(out, "' ;;\n");
	}
	str_add(out, "\tesac\n");
}

void completion_add_bash(struct str *out, const struct command *const *commands)
{
	str_add(out, head);
	add_values(out, commands);
	add_options(out, commands);
	add_operands(out, commands);
	str_add(out, tail);
}
