#include "formatters/page/formats.h"
#include "formatters/report/json/explanation.h"
#include "formatters/report/json/report.h"
#include "formatters/table/formats.h"

static void add_facts(struct json_writer *w, const struct page *page)
{
	json_open_array(w, "facts");
	for (size_t i = 0; i < page->fact_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "key", page->facts[i].key);
		json_text(w, "label", page->facts[i].label);
		json_text(w, "value", page->facts[i].value);
		json_close(w);
	}
	json_close(w);
}

static void add_tables(struct json_writer *w, const struct page *page)
{
	json_open_array(w, "tables");
	for (size_t i = 0; i < page->table_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "title", page->tables[i].title);
		json_add_table(w, "table", page->tables[i].table);
		json_text(w, "note", page->tables[i].note);
		json_close(w);
	}
	json_close(w);
}

static void add_parts(struct json_writer *w, const struct page *page)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.page/1");
	json_text(w, "name", page->name);
	json_text(w, "title", page->title);
	json_texts(w, "verdict", page->verdict, page->verdict_count);
	add_facts(w, page);
	add_tables(w, page);
	json_texts(w, "notes", page->notes, page->note_count);
	json_close(w);
	json_finish(w);
}

void json_add_page(struct json_writer *w, const struct page *page)
{
	if (page->explanation)
		json_add_explanation(w, page->explanation);
	else if (page->report)
		json_add_report(w, page->report);
	else
		add_parts(w, page);
}
