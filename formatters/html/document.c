// SPDX-License-Identifier: MIT
#include "formatters/html/document.h"

#include "formatters/flame/graph.h"
#include "lib/base/xml.h"

#include <string.h>

// Generated from formatters/assets/, like those of the flame graph.
extern const char answer_css[];
extern const char answer_css_source[];
extern const char answer_js[];
extern const char answer_js_source[];

/** A script or a style, and its name in the page's policy. */
struct asset {
	const char *text;
	const char *source;
};

/** Additional styles and scripts of a kind of document; ends with NULL. */
static const struct {
	struct asset styles[3];
	struct asset scripts[3];
} assets[] = {
	[HTML_FLAME] = { { { flame_css, flame_css_source } },
	                 { { flame_js, flame_js_source } } },
	[HTML_ANSWER] = { { { answer_css, answer_css_source } },
	                  { { answer_js, answer_js_source } } },
	[HTML_DRAWN] = { { { answer_css, answer_css_source },
	                   { flame_css, flame_css_source } },
	                 { { answer_js, answer_js_source },
	                   { flame_js, flame_js_source } } },
};

static void add_sources(struct str *line, const struct asset *of)
{
	for (; of->text; of++)
		str_addf(line, " %s", of->source);
}

void html_begin(struct out *out, enum html_kind kind, const char *title)
{
	SCOPED(str_release) struct str line = { 0 };
	const struct asset *style = assets[kind].styles;

	str_add(&line, "<!DOCTYPE html>\n"
	               "<html lang=\"en\">\n"
	               "<head>\n"
	               "<meta charset=\"utf-8\">\n"
	               "<meta http-equiv=\"Content-Security-Policy\" "
	               "content=\"default-src 'none'; script-src");
	add_sources(&line, assets[kind].scripts);
	str_addf(&line, "; style-src %s %s", style->source, page_css_source);
	add_sources(&line, style + 1);
	str_add(&line, "; base-uri 'none'; form-action 'none'\">\n"
	               "<meta name=\"viewport\" "
	               "content=\"width=device-width, initial-scale=1\">\n"
	               "<meta name=\"color-scheme\" content=\"light dark\">\n"
	               "<title>");
	html_add(&line, title);
	// The common style comes second, before the flame graph's.
	str_addf(&line,
	         "</title>\n"
	         "<style>%s</style>\n"
	         "<style>%s</style>\n",
	         style->text, page_css);
	while ((++style)->text)
		str_addf(&line, "<style>%s</style>\n", style->text);
	str_add(&line, "</head>\n<body>\n");
	html_flush(&line, out);
}

void html_end(struct out *out, enum html_kind kind)
{
	for (const struct asset *of = assets[kind].scripts; of->text; of++) {
		out_add(out, "<script>");
		out_add(out, of->text);
		out_add(out, "</script>\n");
	}
	out_add(out, "</body>\n</html>\n");
}

void html_add(struct str *line, const char *text)
{
	if (text)
		xml_add_text(line, text_from(text));
}

/** Shorter words fit into any line and stay whole. */
#define BREAKABLE_BYTES 25

/** May the line break after this character? */
static bool breaks_after(struct text word, size_t at)
{
	char c = word.data[at];

	// `()` stays whole.
	if (at + 1 == word.size || word.data[at + 1] == ')')
		return false;
	if (c == ':')
		return word.data[at + 1] != ':';
	return strchr("<(,./", c) && c && word.data[at + 1] != c;
}

static void add_word(struct str *line, struct text word)
{
	size_t start = 0;

	for (size_t i = 0; i < word.size && word.size >= BREAKABLE_BYTES; i++) {
		if (!breaks_after(word, i))
			continue;
		html_add_lines(line, text_first(text_after(word, start),
		                                i + 1 - start));
		str_add(line, "<wbr>");
		start = i + 1;
	}
	html_add_lines(line, text_after(word, start));
}

void html_add_name(struct str *line, struct text name)
{
	size_t start = 0;

	for (size_t i = 0; i <= name.size; i++) {
		if (i < name.size && name.data[i] != ' ' &&
		    name.data[i] != '\n')
			continue;
		add_word(line, text_first(text_after(name, start), i - start));
		if (i < name.size)
			str_add_char(line, name.data[i]);
		start = i + 1;
	}
}

void html_add_text(struct str *line, struct text text)
{
	xml_add_text(line, text);
}

void html_add_lines(struct str *line, struct text rest)
{
	for (;;) {
		size_t end = text_find_char(rest, '\n');

		if (end == TEXT_NOWHERE)
			break;
		xml_add_text(line, text_first(rest, end));
		str_add_char(line, '\n');
		rest = text_after(rest, end + 1);
	}
	xml_add_text(line, rest);
}

void html_flush(struct str *line, struct out *out)
{
	out_add_bytes(out, line->data, line->size);
	str_clear(line);
}

void html_begin_one(const char *title, struct out *out)
{
	html_begin(out, HTML_ANSWER, title);
	out_add(out, "<div class=\"tools\" id=\"tools\" role=\"search\" "
	             "hidden></div>\n"
	             "<main>\n");
}

void html_end_one(struct out *out)
{
	out_add(out, "</main>\n");
	html_end(out, HTML_ANSWER);
}
