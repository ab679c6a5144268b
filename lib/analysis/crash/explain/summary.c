// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/summary.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>
#include <string.h>

enum {
	SUMMARY_CAUSE,
	SUMMARY_COUNT,
	SUMMARY_EXAMPLE,
	SUMMARY_COLUMNS,
};

/** The input of a report, and which of several in it. */
static const char *name_report(const struct report *report, struct arena *arena)
{
	const char *input = report->input ? report->input : "-";

	if (!report->origin)
		return arena_strdup(arena, input);
	return arena_printf(arena, "%s: %s", input, report->origin);
}

void explain_summary_add(struct explain_summary *summary,
                         const struct explanation *explanation)
{
	uint32_t known = summary->words.count;
	uint32_t at =
	        intern_add(&summary->words, text_from(explanation->cause));

	summary->reports++;
	MEM_GROW(summary->causes, at, summary->cap);
	if (at == known)
		summary->causes[at] = (struct explain_summary_cause){
			.example = name_report(explanation->report,
			                       &summary->arena),
		};
	summary->causes[at].reports++;
}

/** A cause while the rows are put in order. */
struct row {
	const char *word;
	const struct explain_summary_cause *cause;
};

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = number_compare(y->cause->reports, x->cause->reports);

	return order ? order : strcmp(x->word, y->word);
}

static const char *add_up(const struct explain_summary *summary,
                          struct arena *arena)
{
	uint32_t causes = summary->words.count;

	return arena_printf(arena, "%zu report%s, %u cause%s", summary->reports,
	                    text_plural(summary->reports), causes,
	                    text_plural(causes));
}

static const struct table_measures measures = {
	.sums = (const char *const[]){ "count", NULL },
	.tags = (const char *const[]){ "cause", NULL },
};

const struct table *explain_summary_table(const struct explain_summary *summary,
                                          struct arena *arena)
{
	static const struct table_column columns[SUMMARY_COLUMNS] = {
		[SUMMARY_CAUSE] = { "cause", "cause", TABLE_TEXT },
		[SUMMARY_COUNT] = { "count", "count", TABLE_NUMBER },
		[SUMMARY_EXAMPLE] = { "example", "example", TABLE_PATH },
	};
	size_t count = summary->words.count;
	struct row *rows = arena_array(arena, count + 1, sizeof(*rows));
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){ .name = "explain-causes",
		                 .summary = add_up(summary, arena),
		                 .columns = columns,
		                 .column_count = SUMMARY_COLUMNS,
		                 .measures = &measures };
	for (uint32_t i = 0; i < count; i++)
		rows[i] = (struct row){ intern_cstr(&summary->words, i),
			                &summary->causes[i] };
	qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < count; i++) {
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[SUMMARY_CAUSE], rows[i].word);
		table_set_number(&cells[SUMMARY_COUNT], rows[i].cause->reports);
		table_set_text(&cells[SUMMARY_EXAMPLE], rows[i].cause->example);
	}
	return table;
}

void explain_summary_release(struct explain_summary *summary)
{
	intern_release(&summary->words);
	free(summary->causes);
	arena_release(&summary->arena);
}
