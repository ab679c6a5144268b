// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/page.h"
#include "lib/base/str.h"

static const char *join_places(const struct claim *claim, struct arena *arena)
{
	SCOPED(str_release) struct str places = { 0 };

	for (size_t i = 0; i < claim->evidence_count; i++)
		str_addf(&places, "%s%s", i ? ", " : "",
		         claim->evidence[i].place);
	return arena_text(arena, str_text(&places));
}

enum {
	CLAIM_FILE,
	CLAIM_CAUSE,
	CLAIM_TEXT,
	CLAIM_EVIDENCE,
	CLAIM_CONFIDENCE,
	CLAIM_COLUMNS,
};

/** The claims in rows, for formats that show a list. */
static const struct table *list_claims(const struct explanation *e,
                                       struct arena *arena)
{
	static const struct table_column columns[CLAIM_COLUMNS] = {
		[CLAIM_FILE] = { "file", "file", TABLE_TEXT },
		[CLAIM_CAUSE] = { "cause", "cause", TABLE_TEXT },
		[CLAIM_TEXT] = { "claim", "claim", TABLE_TEXT },
		[CLAIM_EVIDENCE] = { "evidence", "evidence", TABLE_TEXT },
		[CLAIM_CONFIDENCE] = { "confidence", "confidence", TABLE_TEXT },
	};
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){ .name = "explain-claims",
		                 .columns = columns,
		                 .column_count = CLAIM_COLUMNS };
	for (size_t i = 0; i < e->claim_count; i++) {
		const struct claim *claim = &e->claims[i];
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[CLAIM_FILE], e->report->input);
		table_set_text(&cells[CLAIM_CAUSE], e->cause);
		table_set_text(&cells[CLAIM_TEXT], claim->text);
		table_set_text(&cells[CLAIM_EVIDENCE],
		               join_places(claim, arena));
		table_set_text(&cells[CLAIM_CONFIDENCE],
		               confidence_name(claim->confidence));
	}
	return table;
}

/** `Demo 2.1 (210), iPhone14,2, iPhone OS 16.0 (20A362), 2026-…` */
static const char *about(const struct report *report, struct arena *arena)
{
	SCOPED(str_release) struct str line = { 0 };
	const char *const facts[] = { report->hardware_model,
		                      report->os_version, report->date_time };

	if (report->process.name)
		str_add(&line, report->process.name);
	if (report->process.name && report->version) {
		str_add_char(&line, ' ');
		report_add_version(report, &line);
	}
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		if (facts[i] && *facts[i])
			str_addf(&line, "%s%s", line.size ? ", " : "",
			         facts[i]);
	return line.size ? arena_text(arena, str_text(&line)) : NULL;
}

/** `crashes.json: report 2 (line 431)` */
static const char *name_file(const struct report *report, struct arena *arena)
{
	if (!report->input || !report->origin)
		return report->input;
	return arena_printf(arena, "%s: %s", report->input, report->origin);
}

/** Each line has its confidence and evidence, since claims differ in both. */
static void add_claims(struct page *page, const struct explanation *e,
                       struct arena *arena)
{
	const char **lines =
	        arena_array(arena, e->claim_count + 1, sizeof(*lines));

	for (size_t i = 0; i < e->claim_count; i++) {
		const struct claim *claim = &e->claims[i];
		bool is_sure = claim->confidence == CONFIDENCE_CERTAIN;

		lines[i] = arena_printf(
		        arena, "- %s%s%s [%s]", claim->text,
		        is_sure ? "" : ": ",
		        is_sure ? "" : confidence_name(claim->confidence),
		        join_places(claim, arena));
	}
	page->notes = lines;
	page->note_count = e->claim_count;
}

struct page *explain_page(const struct explanation *e, struct arena *arena)
{
	struct page *page = page_new(arena, "explain");
	const char *cause = e->cause;

	if (e->confidence != CONFIDENCE_CERTAIN)
		cause = arena_printf(arena, "%s (%s)", e->cause,
		                     confidence_name(e->confidence));
	page_add_verdict(page, arena, e->verdict);
	page_add_fact(page, arena, "cause", "Cause", cause);
	page_add_fact(page, arena, "where", "Where", e->where);
	page_add_fact(page, arena, "next", "Next", e->next_step);
	page_add_fact(page, arena, "about", "Report", about(e->report, arena));
	page_add_fact(page, arena, "input", "File",
	              name_file(e->report, arena));
	add_claims(page, e, arena);
	page->explanation = e;
	page->list = list_claims(e, arena);
	return page;
}
