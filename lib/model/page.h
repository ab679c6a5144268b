// SPDX-License-Identifier: MIT
/**
 * A page: an explained answer in parts that each format lays out in its own
 * way. Formatters do not interpret its contents.
 *
 * In order: a title, the verdict (a few lines, the most important first), key
 * facts, tables with headings, notes. Each part is optional. A page has
 * finished text: its builder rounds, adds units and decides the order.
 *
 *     struct page *page = page_new(arena, "jetsam");
 *     page_add_verdict(page, arena, "Demo was killed …");
 *     page_add_fact(page, arena, "os", "OS version", report->os_version);
 *     page_add_table(page, arena, "Memory", table, NULL);
 *
 * Two members are for programs. A page about one report refers to it: a format
 * that writes whole reports (`json`) writes the report, which includes the
 * analysis. And a page may refer to the list it is based on, for formats that
 * can only show that (`csv`).
 *
 * Everything is in the arena of the page; strings are borrowed.
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
	 * For people: `OS version`. NULL: the value is self-explanatory; such
	 * facts share a line.
	 */
	const char *label;
	const char *value;
};

struct page_table {
	const char *title; ///< the heading; or NULL
	const struct table *table;
	const char *note; ///< a line below the rows; or NULL
};

struct page {
	const char *name;  ///< for programs: `jetsam`
	const char *title; ///< NULL: the verdict comes first

	const char **verdict; ///< lines; continuation lines begin with blanks
	size_t verdict_count;
	size_t verdict_cap;
	struct page_fact *facts;
	size_t fact_count;
	size_t fact_cap;
	struct page_table *tables;
	size_t table_count;
	size_t table_cap;
	const char *const *notes; ///< one line each
	size_t note_count;

	const struct report *report; ///< its subject; or NULL
	/** Its contents, for formats that write it in full; or NULL. */
	const struct explanation *explanation;
	const struct table *list; ///< its source; or NULL
};

struct page *page_new(struct arena *arena, const char *name);

void page_add_verdict(struct page *page, struct arena *arena, const char *line);
/** Adds nothing for NULL. */
void page_add_fact(struct page *page, struct arena *arena, const char *key,
                   const char *label, const char *value);
/** Adds nothing, and no heading, for a table without rows. */
void page_add_table(struct page *page, struct arena *arena, const char *title,
                    const struct table *table, const char *note);

#endif
