// SPDX-License-Identifier: MIT
#include "formatters/html/document.h"
#include "formatters/html/parts.h"

#include <string.h>

static void add_paragraphs(const char *const *texts, size_t first, size_t count,
                           const char *class, struct str *line)
{
	for (size_t i = first; i < count; i++) {
		str_addf(line, "<p class=\"%s\">", class);
		html_add(line, texts[i]);
		str_add(line, "</p>\n");
	}
}

/** The answer: the title, else the first line of the verdict, is the head. */
/** Does the line begin with the name of a process, which keeps its case? */
static bool begins_with_name(const struct page *page, const char *head)
{
	const char *name = page->explanation->report->process.name;

	return name && text_starts(text_from(head), name);
}

/** A verdict is half a sentence in texts; as a heading it begins one. */
static void add_heading(const struct page *page, const char *head,
                        struct str *line)
{
	char first[] = { *head, '\0' };

	if (page->explanation && *head >= 'a' && *head <= 'z' &&
	    !begins_with_name(page, head)) {
		first[0] = (char)(*head - 'a' + 'A');
		str_add(line, first);
		head++;
	}
	html_add_name(line, text_from(head));
}

/** Is it more of the line before it? */
static bool goes_on(const char *verdict)
{
	return *verdict == ' ';
}

/** A card for each line with its continuation lines. */
static void add_cards(const struct page *page, size_t first, struct str *line)
{
	for (size_t i = first; i < page->verdict_count; i++) {
		const char *text = page->verdict[i];

		if (i == first || !goes_on(text))
			str_add(line, i == first
			                      ? "<div class=\"cards\">\n<div>"
			                      : "</div>\n<div>");
		str_add(line, "<p class=\"verdict\">");
		html_add(line, text + strspn(text, " "));
		str_add(line, "</p>\n");
	}
	if (first < page->verdict_count)
		str_add(line, "</div>\n</div>\n");
}

static void add_verdict(const struct page *page, struct str *line)
{
	const char *head = page->title;
	size_t first = 0;

	if (!head && page->verdict_count)
		head = page->verdict[first++];
	str_add(line, "<header>\n<div>\n<h1><bdi>");
	add_heading(page, head ? head : page->name, line);
	str_add(line, "</bdi></h1>\n");
	if (page->explanation)
		add_paragraphs(page->verdict, first, page->verdict_count,
		               "verdict", line);
	else
		add_cards(page, first, line);
	str_add(line, "</div>\n</header>\n");
}

static void add_labelled(const struct page *page, struct str *line)
{
	bool open = false;

	for (size_t i = 0; i < page->fact_count; i++) {
		if (!page->facts[i].label)
			continue;
		str_add(line, open ? "<dt>" : "<dl class=\"facts\">\n<dt>");
		html_add(line, page->facts[i].label);
		str_add(line, "</dt><dd><bdi>");
		html_add_name(line, text_from(page->facts[i].value));
		str_add(line, "</bdi></dd>\n");
		open = true;
	}
	str_add(line, open ? "</dl>\n" : "");
}

/** Facts without labels on one line, the others below. */
static void add_facts(const struct page *page, struct str *line)
{
	bool open = false;

	for (size_t i = 0; i < page->fact_count; i++) {
		if (page->facts[i].label)
			continue;
		str_add(line, open ? " · " : "<p class=\"about\">");
		html_add(line, page->facts[i].value);
		open = true;
	}
	str_add(line, open ? "</p>\n" : "");
	add_labelled(page, line);
}

/** Each claim with confidence and evidence. */
static void add_claims(const struct explanation *e, struct str *line)
{
	if (!e->claim_count)
		return;
	str_add(line, "<section>\n<h2>Why</h2>\n<ul class=\"claims\">\n");
	for (size_t i = 0; i < e->claim_count; i++) {
		const struct claim *claim = &e->claims[i];

		str_addf(line, "<li class=\"%s\"><bdi>",
		         confidence_name(claim->confidence));
		html_add_name(line, text_from(claim->text));
		str_addf(line, "</bdi> <span class=\"sure\">%s</span>",
		         confidence_name(claim->confidence));
		for (size_t k = 0; k < claim->evidence_count; k++) {
			str_add(line, " <code class=\"evidence\">");
			html_add_name(line,
			              text_from(claim->evidence[k].place));
			str_add(line, "</code>");
		}
		str_add(line, "</li>\n");
	}
	str_add(line, "</ul>\n</section>\n");
}

/** The source of the call in `where`, if it was read. */
static void add_source(const struct explanation *e,
                       const struct excerpts *excerpts, struct str *line)
{
	const struct report_call *call = e->where_call;
	const struct excerpt *found =
	        call ? excerpts_find(excerpts, call->path, call->line) : NULL;

	if (!found)
		return;
	str_add(line, "<section>\n<h2>Source</h2>\n<p><bdi>");
	html_add(line, found->path);
	str_add(line, "</bdi></p>\n");
	html_add_excerpt(found, line);
	str_add(line, "</section>\n");
}

static void add_page(const struct page *page,
                     const struct format_options *options, struct out *out)
{
	SCOPED(str_release) struct str line = { 0 };

	if (page->report && page->report->number)
		str_addf(&line, "<article id=\"r%zu\">\n",
		         page->report->number);
	else
		str_add(&line, "<article>\n");
	add_verdict(page, &line);
	add_facts(page, &line);
	if (page->explanation)
		add_source(page->explanation, options->excerpts, &line);
	html_flush(&line, out);
	for (size_t i = 0; i < page->table_count; i++)
		html_add_table(page->tables[i].table, page->tables[i].title,
		               page->tables[i].note, options, out);
	if (page->explanation)
		add_claims(page->explanation, &line);
	else
		add_paragraphs(page->notes, 0, page->note_count, "note", &line);
	str_add(&line, "</article>\n");
	html_flush(&line, out);
}

const char *html_page_title(const struct page *page)
{
	if (page->title)
		return page->title;
	return page->verdict_count ? page->verdict[0] : page->name;
}

void html_page(const struct page *page, const struct format_options *options,
               struct out *out)
{
	if (!options->is_part)
		html_begin_one(html_page_title(page), out);
	add_page(page, options, out);
	if (!options->is_part)
		html_end_one(out);
}
