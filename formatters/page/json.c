// SPDX-License-Identifier: MIT
#include "formatters/page/formats.h"
#include "formatters/report/json/report.h"
#include "formatters/report/json/stacks.h"
#include "formatters/table/formats.h"

/** Enough to identify the crash; the report has the rest. */
static void add_subject(struct json_writer *w, const struct report *report)
{
	json_add_input(w, report);
	json_text(w, "form", report->format);
	json_text(w, "origin", report->origin);
	json_text(w, "incident", report->incident);
	json_text(w, "process", report->process.name);
	json_text(w, "version", report->version);
	json_text(w, "build", report->build);
	json_text(w, "device", report->hardware_model);
	json_text(w, "system", report->os_version);
	json_text(w, "date_time", report->date_time);
}

/** The reader's notes, if there are any. */
static void add_notes(struct json_writer *w, const struct report *report)
{
	if (!report->note_count)
		return;
	json_open_array(w, "notes");
	for (size_t i = 0; i < report->note_count; i++) {
		json_open_object(w, NULL);
		json_text(w, "place", report->notes[i].place);
		json_text(w, "text", report->notes[i].text);
		json_close(w);
	}
	json_close(w);
}

static void add_explanation(struct json_writer *w,
                            const struct explanation *explanation)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.explain/1");
	add_subject(w, explanation->report);
	json_text(w, "verdict", explanation->verdict);
	json_text(w, "cause", explanation->cause);
	json_text(w, "confidence", confidence_name(explanation->confidence));
	json_text(w, "where", explanation->where);
	if (explanation->where_frame)
		json_add_place(w, "where_frame", explanation->report,
		               explanation->where_frame,
		               explanation->where_call);
	json_text(w, "next", explanation->next_step);
	json_open_array(w, "claims");
	for (size_t i = 0; i < explanation->claim_count; i++) {
		const struct claim *claim = &explanation->claims[i];

		json_open_object(w, NULL);
		json_text(w, "text", claim->text);
		json_open_array(w, "evidence");
		for (size_t k = 0; k < claim->evidence_count; k++)
			json_text(w, NULL, claim->evidence[k].place);
		json_close(w);
		json_text(w, "confidence", confidence_name(claim->confidence));
		json_close(w);
	}
	json_close(w);
	add_notes(w, explanation->report);
	json_close(w);
	json_finish(w);
}

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
		add_explanation(w, page->explanation);
	else if (page->report)
		json_add_report(w, page->report);
	else
		add_parts(w, page);
}
