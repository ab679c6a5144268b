// SPDX-License-Identifier: MIT
/**
 * A page: an answer that is explained rather than listed, in parts that every
 * format can lay out in its own way. Formatters know nothing of what it says.
 *
 * From top to bottom: a title, the verdict (the answer in a few lines, the
 * most important first), key facts, tables with headings, notes. Each part
 * may be missing. A page holds finished words and numbers: rounding, units,
 * wording and order are the business of who builds it.
 *
 *     struct page *page = page_new(arena, "jetsam");
 *
 *     page_add_verdict(page, arena, "Demo was killed …");
 *     page_add_fact(page, arena, "os", "OS version", report->os_version);
 *     page_add_table(page, arena, "Memory", table, NULL);
 *
 * Two members are for programs, and no part of what a person reads. A page
 * about one report names it: a format that shows reports in full (`json`)
 * writes the report, with all that analysis added to it, and has nothing to
 * add. And a page may name the one list it rests on, for formats that have
 * room for no more (`csv`).
 *
 * Everything lives in the arena that it is built with, strings are borrowed.
 */
#ifndef APMTOOL_LIB_MODEL_PAGE_H
#define APMTOOL_LIB_MODEL_PAGE_H

#include "lib/base/arena.h"
#include "lib/model/explanation.h"
#include "lib/model/report.h"
#include "lib/model/table.h"

#include <stddef.h>

struct page_fact {
	const char *key; ///< for programs: `os_version`
	/**
	 * For people: `OS version`. NULL: the value speaks for itself; such
	 * facts share a line.
	 */
	const char *label;
	const char *value;
};

struct page_table {
	const char *title; ///< the heading; NULL: none
	const struct table *table;
	const char *note; ///< a line below the rows; NULL: none
};

struct page {
	const char *name;  ///< what the page is of, for programs: `jetsam`
	const char *title; ///< NULL: the verdict comes first

	const char **verdict; ///< lines; one that goes on begins with blanks
	size_t verdict_count;
	size_t verdict_cap;
	struct page_fact *facts;
	size_t fact_count;
	size_t fact_cap;
	struct page_table *tables;
	size_t table_count;
	size_t table_cap;
	const char *const *notes; ///< what to know of the answer, a line each
	size_t note_count;

	const struct report *report; ///< that it is about; NULL: not of one
	/** That it shows, for formats that write it in full; NULL: none. */
	const struct explanation *explanation;
	const struct table *list; ///< that it rests on; NULL: none
};

struct page *page_new(struct arena *arena, const char *name);

void page_add_verdict(struct page *page, struct arena *arena, const char *line);
/** A NULL value adds nothing. */
void page_add_fact(struct page *page, struct arena *arena, const char *key,
                   const char *label, const char *value);
/** A table without rows adds nothing: no heading is left behind. */
void page_add_table(struct page *page, struct arena *arena, const char *title,
                    const struct table *table, const char *note);

#endif
