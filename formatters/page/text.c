// SPDX-License-Identifier: MIT
#include "formatters/page/formats.h"
#include "formatters/table/formats.h"
#include "formatters/table/paragraph.h"

#define BOLD  "\x1b[1m"
#define PLAIN "\x1b[0m"

/** State of writing a page. */
struct view {
	const struct page *page;
	const struct format_options *options;
	struct out *out;
	bool has_lines; ///< something is above
};

static void add_line(struct view *view, const char *text, bool bold)
{
	bold = bold && view->options->color;
	out_add(view->out, bold ? BOLD : "");
	paragraph_write(text, view->options, view->out);
	out_add(view->out, bold ? PLAIN "\n" : "\n");
	view->has_lines = true;
}

static void begin_part(struct view *view)
{
	out_add(view->out, view->has_lines ? "\n" : "");
}

static void add_verdict(struct view *view)
{
	const struct page *page = view->page;

	if (page->title)
		add_line(view, page->title, true);
	if (page->title && page->verdict_count)
		begin_part(view);
	for (size_t i = 0; i < page->verdict_count; i++)
		add_line(view, page->verdict[i], !page->title && !i);
}

/** Facts without labels, joined; then a line for each other fact. */
static void add_facts(struct view *view)
{
	const struct page *page = view->page;
	SCOPED(str_release) struct str line = { 0 };

	if (page->fact_count)
		begin_part(view);
	for (size_t i = 0; i < page->fact_count; i++)
		if (!page->facts[i].label)
			str_addf(&line, "%s%s", line.size ? ", " : "",
			         page->facts[i].value);
	if (line.size)
		add_line(view, str_cstr(&line), false);
	for (size_t i = 0; i < page->fact_count; i++) {
		if (!page->facts[i].label)
			continue;
		str_clear(&line);
		str_addf(&line, "%s: %s", page->facts[i].label,
		         page->facts[i].value);
		add_line(view, str_cstr(&line), false);
	}
}

static void add_table(struct view *view, const struct page_table *table)
{
	begin_part(view);
	if (table->title)
		add_line(view, table->title, true);
	text_table(table->table, view->options, view->out);
	view->has_lines = true;
	if (table->note)
		add_line(view, table->note, false);
}

void text_page(const struct page *page, const struct format_options *options,
               struct out *out)
{
	struct view view = { .page = page, .options = options, .out = out };

	add_verdict(&view);
	add_facts(&view);
	for (size_t i = 0; i < page->table_count; i++)
		add_table(&view, &page->tables[i]);
	if (page->note_count)
		begin_part(&view);
	for (size_t i = 0; i < page->note_count; i++)
		add_line(&view, page->notes[i], false);
}
