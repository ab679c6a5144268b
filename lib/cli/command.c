// SPDX-License-Identifier: MIT
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

static void describe_examples(const struct example *examples, size_t width,
                              struct str *out)
{
	for (const struct example *e = examples; e && e->command; e++) {
		str_add(out, e == examples ? "\nexamples:\n" : "");
		usage_example(e, width, out);
	}
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
	describe_examples(command->examples, width, out);
}

#define SYNOPSIS "usage: apmtool <command> [<option>...] [<operand>...]\n"
#define PURPOSE \
	"forensics for crash, jetsam and hang reports of Apple's systems"

static const char *const topic_names[COMMAND_TOPICS] = {
	[COMMAND_CRASH] = "crash", [COMMAND_MEMORY] = "memory",
	[COMMAND_HANGS] = "hangs", [COMMAND_SYMBOLS] = "symbols",
	[COMMAND_TOOLS] = "tools",
};

/** A row per command; the name of the topic in front of the first. */
static void list_topic(const struct command *const *commands,
                       enum command_topic topic, size_t width, struct str *out)
{
	SCOPED(str_release) struct str name = { 0 };
	const char *title = topic_names[topic];

	for (size_t i = 0; commands[i]; i++) {
		if (commands[i]->topic != topic)
			continue;
		str_clear(&name);
		str_addf(&name, "%-8s %s", title, commands[i]->name);
		usage_row(str_cstr(&name), commands[i]->summary, width, out);
		title = "";
	}
}

static void list_names(const struct command *const *commands,
                       enum command_topic topic, struct str *out)
{
	const char *before = "";

	str_addf(out, "  %-8s ", topic_names[topic]);
	for (size_t i = 0; commands[i]; i++) {
		if (commands[i]->topic != topic)
			continue;
		str_addf(out, "%s%s", before, commands[i]->name);
		before = ", ";
	}
	str_add_char(out, '\n');
}

void command_list(const struct command *const *commands, size_t width,
                  struct str *out)
{
	str_add(out, SYNOPSIS "\n");
	usage_paragraphs(PURPOSE, width, out);
	str_add_char(out, '\n');
	for (unsigned i = 0; i < COMMAND_TOOLS; i++)
		list_topic(commands, (enum command_topic)i, width, out);
	list_names(commands, COMMAND_TOOLS, out);
	str_add_char(out, '\n');
	usage_paragraphs("See 'apmtool <command> --help' for a command, "
	                 "'apmtool --help' for more.",
	                 width, out);
}

void command_describe_all(const struct command *const *commands, size_t width,
                          struct str *out)
{
	static const struct example examples[] = {
		{ "apmtool explain samples/demo.crash",
		  "what happened, where, and what to do next" },
		{ "apmtool group samples/demo.crash samples/demo.ips",
		  "which crashes are the same" },
		{ "apmtool jetsam samples/jetsam/limit.ips",
		  "what was killed for memory, and why" },
		{ "apmtool symbolicate --dsym samples samples/demo.crash",
		  "a report with functions, files and lines" },
		{ NULL, NULL },
	};

	str_add(out, SYNOPSIS "       apmtool -h | --help | --version\n\n");
	usage_paragraphs(PURPOSE, width, out);
	str_add(out, "\ncommands:\n");
	for (size_t i = 0; commands[i]; i++)
		usage_row(commands[i]->name, commands[i]->summary, width, out);
	str_add(out, "\noptions of all commands:\n");
	usage_options(NULL, width, out);
	describe_examples(examples, width, out);
	str_add_char(out, '\n');
	usage_paragraphs("Operands are files, directories, which are searched "
	                 "recursively, or `-` for standard input; formats are "
	                 "detected. See 'apmtool -h' for the commands by "
	                 "topic, 'apmtool <command> --help' for one, and "
	                 "apmtool(1) for all of them, exit statuses, "
	                 "environment and limits.",
	                 width, out);
}
