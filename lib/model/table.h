// SPDX-License-Identifier: MIT
/**
 * A table: named columns and rows of cells, the shape of every answer that is a
 * list. Formatters print it as aligned text, JSON or CSV without interpreting
 * its contents.
 */
#ifndef APMTOOL_LIB_MODEL_TABLE_H
#define APMTOOL_LIB_MODEL_TABLE_H

#include "lib/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Type of a column. Programs see all text kinds alike; for lines that are too
 * long for a terminal, the kind determines how to shorten a cell. Numbers are
 * never shortened.
 */
enum table_kind {
	TABLE_TEXT,    ///< a few words: never shortened
	TABLE_NAME,    ///< a function or file: shortened at the end
	TABLE_PATH,    ///< shortened in the middle
	TABLE_STACK,   ///< calls, separated by ` - `: shortened in the middle
	TABLE_PROSE,   ///< wrapped between words
	TABLE_NUMBER,  ///< right-aligned
	TABLE_ADDRESS, ///< a number printed as `0x…`
	TABLE_BOOL,    ///< `yes` and `no`; true and false in JSON
	/** A number given as text, `2098.09375`; right-aligned. */
	TABLE_DECIMAL,
	/** Texts: an array in JSON; elsewhere separated by `, `. */
	TABLE_LIST,
	/** As TABLE_LIST, for levels: a page merges equal neighbours. */
	TABLE_LEVELS,
	/**
	 * Names and their numbers of reports: objects in JSON; elsewhere `A
	 * (3), B (2)`.
	 */
	TABLE_COUNTS,
	/**
	 * Calls, outermost first: objects in JSON; elsewhere separated by ` -
	 * `, but text shows them below the row, one per line.
	 */
	TABLE_FRAMES,
	/**
	 * A share of TABLE_BAR_WHOLE, drawn on a terminal; omitted elsewhere.
	 */
	TABLE_BAR,
	/** Counts over time, drawn in a web page; omitted elsewhere. */
	TABLE_SERIES,
	/**
	 * A call tree, drawn in a web page as a flame graph below the row;
	 * omitted elsewhere.
	 */
	TABLE_CALLS,
};

/** Finer than any bar on a screen, and a multiple of its cells. */
#define TABLE_BAR_WHOLE 2400

struct table_column {
	const char *key;   ///< in JSON and CSV: `class2`
	const char *title; ///< above the column; NULL: not shown in text
	enum table_kind kind;
};

/** A name and the number of reports with it. */
struct table_count {
	const char *name;
	uint64_t reports;
};

struct table_frame {
	const char *symbol; ///< or the place, if unknown
	const char *image;  ///< NULL: unknown; also file
	const char *file;
	uint32_t line; ///< 0: unknown
};

/** Counts per interval, and a description in words for accessibility. */
struct table_series {
	const uint32_t *counts;
	size_t count;
	bool is_large; ///< it is the subject of its table
	const char *words;
};

struct calltree;

struct table_cell {
	bool present;
	/**
	 * Mark before a TABLE_DECIMAL for people: `≥ `; or NULL. Programs get
	 * it in a column of its own.
	 */
	const char *mark;
	/** for cells without text; of lists, number of elements */
	uint64_t number;
	union {
		const char *text;                  ///< text, TABLE_DECIMAL
		const char *const *texts;          ///< TABLE_LIST, _LEVELS
		const struct table_count *counts;  ///< TABLE_COUNTS
		const struct table_frame *frames;  ///< TABLE_FRAMES
		const struct table_series *series; ///< TABLE_SERIES
		const struct calltree *calls;      ///< TABLE_CALLS
	};
};

struct table;

/** Creates rows on demand, for tables that would be too large. */
struct table_maker {
	/**
	 * Fill the cells of a row, initially absent; contents are in `arena`,
	 * or live as long as the table.
	 */
	void (*make)(struct table_maker *maker, size_t row,
	             struct table_cell *cells);
	/** Release the maker's data; or NULL. */
	void (*release)(struct table_maker *maker);
	/** Cells of columns without a title are not needed. */
	bool titled_only;
	struct table_cell *cells; ///< the last row that was created
	size_t row;               ///< its number, from 1; or 0
	struct arena arena;       ///< of that row
};

/** Meaning of rows, for formats that list their rules (`sarif`). */
struct table_rule {
	const char *status;  ///< for rows with this `status`; NULL: all others
	const char *what;    ///< a few words; NULL ends the list
	const char *meaning; ///< a sentence or two
	const char *help;    ///< what to do next
};

/** How to aggregate the rows of a table over time. */
struct table_measures {
	/**
	 * Keys of TABLE_NUMBER columns that may be added up; ends with NULL,
	 * like the others.
	 */
	const char *const *sums;
	/**
	 * Keys of text columns with few values, one per group, not per report.
	 */
	const char *const *tags;
	const char *time; ///< key of the column with its last date; or NULL
};

struct table {
	const char *name; ///< `lag-groups`; JSON's `name`
	/**
	 * For lists older than `apmtool.table/1`: in JSON they are
	 * `apmtool.<name>/1`, with only the rows, in a member of this name.
	 * Else NULL.
	 */
	const char *rows_name;
	/** The result in one line, above the rows; or NULL. */
	const char *summary;
	const struct table_column *columns;
	size_t column_count;
	/**
	 * Keys of columns that a narrow terminal omits, least important first;
	 * ends with NULL. NULL: all are required. Long prose is printed below
	 * its row instead.
	 */
	const char *const *spare;
	/**
	 * Key of the main column, which a web page shows first. NULL: the first
	 * one.
	 */
	const char *subject;
	/** Meaning of its rows; NULL: nothing beyond the name. */
	const struct table_rule *rules;
	/** NULL: its rows cannot be aggregated. */
	const struct table_measures *measures;
	struct table_cell *cells; ///< row by row
	/** Used instead of cells; or NULL. */
	struct table_maker *maker;
	size_t row_count;
	size_t row_cap;
};

/** Type of the cells of a kind, regardless of display. */
enum table_value {
	TABLE_VALUE_TEXT,
	TABLE_VALUE_NUMBER,
	TABLE_VALUE_ADDRESS,
	TABLE_VALUE_BOOL,
	TABLE_VALUE_DECIMAL,
	TABLE_VALUE_LIST,
	TABLE_VALUE_COUNTS,
	TABLE_VALUE_FRAMES,
	TABLE_VALUE_DRAWN, ///< for table_kind_is_drawn()
};

enum table_value table_kind_value(enum table_kind kind);

/** Does a cell of this kind have text other than a number? */
bool table_kind_is_text(enum table_kind kind);

/** Is it a number, and right-aligned? */
bool table_kind_is_number(enum table_kind kind);

/** Is it for output that draws, and omitted elsewhere? */
bool table_kind_is_drawn(enum table_kind kind);

/** Release the row maker; accepts NULL and a table of cells. */
void table_release(const struct table *table);

/** Append a row of absent cells; returns its first cell. */
struct table_cell *table_add_row(struct table *table, struct arena *arena);

/** Set a cell; NULL leaves it absent. The text is borrowed. */
void table_set_text(struct table_cell *cell, const char *text);
/** Set the mark of a TABLE_DECIMAL; it is borrowed. */
void table_set_mark(struct table_cell *cell, const char *mark);
void table_set_number(struct table_cell *cell, uint64_t number);
/** Set a cell of TABLE_LIST or TABLE_LEVELS, which may be empty; borrowed. */
void table_set_list(struct table_cell *cell, const char *const *texts,
                    size_t count);
/** As table_set_list(), for TABLE_COUNTS and TABLE_FRAMES. */
void table_set_counts(struct table_cell *cell, const struct table_count *counts,
                      size_t count);
void table_set_frames(struct table_cell *cell, const struct table_frame *frames,
                      size_t count);
/**
 * As table_set_list(), for TABLE_SERIES and TABLE_CALLS; sorted by their
 * number.
 */
void table_set_series(struct table_cell *cell,
                      const struct table_series *series);
void table_set_calls(struct table_cell *cell, const struct calltree *calls);
/**
 * Set a cell of TABLE_BAR; any part above 0 is visible. Stays absent if the
 * whole is 0.
 *
 * @param part, whole  Up to 62 bits.
 */
void table_set_bar(struct table_cell *cell, uint64_t part, uint64_t whole);

/** The column with this key; or TEXT_NOWHERE. */
size_t table_column(const struct table *table, const char *key);

/** The cell with this key; NULL if it is absent, or there is no such column. */
const struct table_cell *table_find_cell(const struct table *table, size_t row,
                                         const char *key);

/**
 * The cell at @p row and @p column. Valid until another row is read, if rows
 * are created on demand.
 */
const struct table_cell *table_cell(const struct table *table, size_t row,
                                    size_t column);

#endif
