// SPDX-License-Identifier: MIT
#include "lib/cli/options.h"

#include "lib/base/columns.h"
#include "lib/base/utf8.h"

#include <string.h>

/** Column of explanations. */
#define HELP_COLUMN 26
/** Column of example commands. */
#define EXAMPLE_COLUMN 6

static void add_words(struct columns_lines *lines, struct text text)
{
	struct text word;

	while (text_next_word(&text, &word))
		columns_add_word(lines, 1, word);
}

/** `--dsym <path>`; uses the long name if there is one. */
static void add_option(const struct option *option, struct str *out)
{
	if (option->name)
		str_addf(out, "%s%s", option->single_dash ? "-" : "--",
		         option->name);
	else
		str_addf(out, "-%c", option->letter);
	if (option->value)
		str_addf(out, " %s", option->value);
}

/** `[--dsym <path>]...` */
static void add_item(const struct option *option, struct str *out)
{
	str_add(out, option->is_required ? "" : "[");
	add_option(option, out);
	str_add(out, option->is_required           ? ""
	             : option->kind == OPTION_LIST ? "]..."
	                                           : "]");
}

/** Indent of continuation lines: below the first option, if they fit there. */
static size_t find_indent(const struct option *options, size_t first,
                          size_t width)
{
	SCOPED(str_release) struct str item = { 0 };

	for (; options && options->kind != OPTION_END; options++) {
		str_clear(&item);
		add_item(options, &item);
		if (width && first + item.size > width)
			return strlen("usage: ");
	}
	return first;
}

void usage_synopsis(const char *program, const struct option *options,
                    const char *operands, size_t width, struct str *out)
{
	SCOPED(str_release) struct str item = { 0 };
	size_t first = strlen("usage: ") + strlen(program) + 1;
	struct columns_lines lines = {
		.out = out,
		.width = width,
		.indent = find_indent(options, first, width),
		.column = first,
	};

	str_addf(out, "usage: %s ", program);
	for (; options && options->kind != OPTION_END; options++) {
		str_clear(&item);
		add_item(options, &item);
		columns_add_word(&lines, 1, str_text(&item));
	}
	if (operands)
		add_words(&lines, text_from(operands));
	// Nothing follows the program's name: remove the blank.
	while (out->data[out->size - 1] == ' ')
		out->data[--out->size] = '\0';
	str_add_char(out, '\n');
}

void usage_row(const char *name, const char *help, size_t width,
               struct str *out)
{
	size_t size = utf8_width(text_from(name));
	struct columns_lines lines = { .out = out,
		                       .width = width,
		                       .indent = HELP_COLUMN,
		                       .column = HELP_COLUMN };

	str_addf(out, "  %s", name);
	if (size + 4 > HELP_COLUMN) {
		str_add_char(out, '\n');
		str_add_repeat(out, ' ', HELP_COLUMN);
	} else {
		str_add_repeat(out, ' ', HELP_COLUMN - size - 2);
	}
	add_words(&lines, text_from(help));
	str_add_char(out, '\n');
}

/** `output format: text (default), json, csv` */
static void add_help(const struct option *option, struct str *out)
{
	SCOPED(str_release) struct str values = { 0 };
	struct text rest;
	size_t bar;

	str_add(out, option->help);
	// If 0 is allowed, the help text says so.
	if (option->kind == OPTION_UINT && option->max && !option->or_zero)
		str_addf(out, " (%u to %u)", option->min, option->max);
	if (option->kind != OPTION_NAME)
		return;
	option_add_value(option, &values);
	rest = str_text(&values);
	bar = text_find_char(rest, '|');
	str_add(out, ": ");
	str_add_text(out, text_first(rest, bar));
	str_add(out, " (default)");
	while (bar != TEXT_NOWHERE) {
		rest = text_after(rest, bar + 1);
		bar = text_find_char(rest, '|');
		str_add(out, ", ");
		str_add_text(out, text_first(rest, bar));
	}
}

void usage_options(const struct option *options, size_t width, struct str *out)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str help = { 0 };
	const struct option *option = NULL;

	while ((option = option_next(options, option))) {
		str_clear(&name);
		if (option->letter && option->name)
			str_addf(&name, "-%c, ", option->letter);
		else if (option->name && !option->single_dash)
			str_add(&name, "    ");
		add_option(option, &name);
		str_clear(&help);
		add_help(option, &help);
		usage_row(str_cstr(&name), str_cstr(&help), width, out);
	}
	usage_row("-h, --help", "print this help", width, out);
}

/** End of a word in the shell: blanks in quotes belong to it. */
static size_t shell_word_end(struct text text)
{
	char quote = 0;
	size_t at = 0;

	for (; at < text.size && (quote || text.data[at] != ' '); at++) {
		char c = text.data[at];

		if (c == quote)
			quote = 0;
		else if (!quote && (c == '\'' || c == '"'))
			quote = c;
	}
	return at;
}

void usage_example(const struct example *example, size_t width, struct str *out)
{
	struct columns_lines lines = {
		.out = out, .width = width, .indent = 2, .column = 2
	};
	struct text rest = text_from(example->command);
	size_t column = EXAMPLE_COLUMN;

	str_add(out, "  ");
	columns_add_text(&lines, text_from(example->text));
	str_add_char(out, '\n');
	str_add_repeat(out, ' ', column);
	while (rest.size) {
		struct text word = text_first(rest, shell_word_end(rest));
		size_t size = utf8_width(word);

		rest = text_trim_left(text_after(rest, word.size));
		// All words except the last need room for ` \` after them.
		if (column > EXAMPLE_COLUMN &&
		    column + 1 + size + (rest.size ? 2 : 0) > width) {
			str_add(out, " \\\n");
			str_add_repeat(out, ' ', EXAMPLE_COLUMN + 2);
			column = EXAMPLE_COLUMN + 2;
		} else if (column > EXAMPLE_COLUMN) {
			str_add_char(out, ' ');
			column++;
		}
		str_add_text(out, word);
		column += size;
	}
	str_add_char(out, '\n');
}

void usage_paragraphs(const char *text, size_t width, struct str *out)
{
	struct text rest = text_from(text);

	while (rest.size) {
		size_t end = text_find(rest, "\n\n");
		struct columns_lines lines = { .out = out, .width = width };

		add_words(&lines, text_first(rest, end));
		str_add_char(out, '\n');
		if (end == TEXT_NOWHERE)
			return;
		str_add_char(out, '\n');
		rest = text_after(rest, end + 2);
	}
}
