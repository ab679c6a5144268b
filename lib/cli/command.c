#include "lib/cli/command.h"

#include "lib/base/mem.h"
#include "lib/base/nearest.h"

#include <string.h>

const struct option *command_options(const struct command *command)
{
	static const struct option none = OPT_END;

	return command->options ? command->options : &none;
}

const struct command *command_find(const struct command *const *commands,
                                   const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

struct error *command_unknown(const struct command *const *commands,
                              const char *name)
{
	SCOPED(mem_drop) const char **names = NULL;
	const char *near;
	size_t count = 0;

	while (commands[count])
		count++;
	names = mem_zalloc(count + 1, sizeof(*names));
	for (size_t i = 0; i < count; i++)
		names[i] = commands[i]->name;
	near = nearest_word(name, names);
	if (!near)
		return error_new(ERROR_USAGE, "unknown command '%s'", name);
	return error_new(ERROR_USAGE,
	                 "unknown command '%s'; did you mean '%s'?", name,
	                 near);
}

void command_describe(const struct command *command, size_t width,
                      struct str *out)
{
	SCOPED(str_release) struct str program = { 0 };

	str_addf(&program, "apmtool %s", command->name);
	usage_synopsis(str_cstr(&program), command->options, command->operands,
	               width, out);
	str_add_char(out, '\n');
	usage_paragraphs(command->summary, width, out);
	if (command->description) {
		str_add_char(out, '\n');
		usage_paragraphs(command->description, width, out);
	}
	str_add(out, "\noptions:\n");
	usage_options(command->options, width, out);
	for (const struct example *e = command->examples; e && e->command;
	     e++) {
		str_add(out, e == command->examples ? "\nexamples:\n" : "");
		usage_example(e, width, out);
	}
}

void command_describe_all(const struct command *const *commands, size_t width,
                          struct str *out)
{
	str_add(out, "usage: apmtool <command> [<option>...] [<operand>...]\n"
	             "       apmtool --help | --version\n\n");
	usage_paragraphs("forensics for crash, jetsam and hang reports of "
	                 "Apple's systems",
	                 width, out);
	str_add(out, "\ncommands:\n");
	for (size_t i = 0; commands[i]; i++)
		usage_row(commands[i]->name, commands[i]->summary, width, out);
	str_add_char(out, '\n');
	usage_paragraphs("See 'apmtool <command> --help' for a command, and "
	                 "apmtool(1) for all of them.",
	                 width, out);
}
