#include "lib/cli/options.h"

#include "lib/base/utf8.h"

#include <string.h>

/** Where the explanations of a list begin. */
#define HELP_COLUMN 26

/** Text that is broken into lines between words. */
struct lines {
	struct str *out;
	size_t width;
	size_t indent; ///< of every line but the first
	size_t column;
};

static void add_word(struct lines *lines, struct text word)
{
	size_t size = utf8_width(word);

	if (lines->column > lines->indent) {
		if (lines->column + 1 + size > lines->width) {
			str_add_char(lines->out, '\n');
			str_add_repeat(lines->out, ' ', lines->indent);
			lines->column = lines->indent;
		} else {
			str_add_char(lines->out, ' ');
			lines->column++;
		}
	}
	str_add_text(lines->out, word);
	lines->column += size;
}

static void add_words(struct lines *lines, struct text text)
{
	struct text word;

	while (text_next_word(&text, &word))
		add_word(lines, word);
}

/** `--dsym <path>`; the long name where there is one. */
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

void usage_synopsis(const char *program, const struct option *options,
                    const char *operands, size_t width, struct str *out)
{
	SCOPED(str_release) struct str item = { 0 };
	struct lines lines = {
		.out = out,
		.width = width,
		.indent = strlen("usage: ") + strlen(program) + 1,
	};

	str_addf(out, "usage: %s ", program);
	lines.column = lines.indent;
	for (; options && options->kind != OPTION_END; options++) {
		str_clear(&item);
		str_add_char(&item, '[');
		add_option(options, &item);
		str_add(&item, options->kind == OPTION_LIST ? "]..." : "]");
		add_word(&lines, str_text(&item));
	}
	if (operands)
		add_words(&lines, text_from(operands));
	// Nothing followed the program's name: take the blank back.
	while (out->data[out->size - 1] == ' ')
		out->data[--out->size] = '\0';
	str_add_char(out, '\n');
}

void usage_row(const char *name, const char *help, size_t width,
               struct str *out)
{
	size_t size = utf8_width(text_from(name));
	struct lines lines = { .out = out,
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

	for (; options && options->kind != OPTION_END; options++) {
		str_clear(&name);
		if (options->letter && options->name)
			str_addf(&name, "-%c, ", options->letter);
		else if (options->name && !options->single_dash)
			str_add(&name, "    ");
		add_option(options, &name);
		str_clear(&help);
		add_help(options, &help);
		usage_row(str_cstr(&name), str_cstr(&help), width, out);
	}
	usage_row("-h, --help", "print this help", width, out);
}

void usage_paragraphs(const char *text, size_t width, struct str *out)
{
	struct text rest = text_from(text);

	while (rest.size) {
		size_t end = text_find(rest, "\n\n");
		struct lines lines = { .out = out, .width = width };

		add_words(&lines, text_first(rest, end));
		str_add_char(out, '\n');
		if (end == TEXT_NOWHERE)
			return;
		str_add_char(out, '\n');
		rest = text_after(rest, end + 2);
	}
}
