// SPDX-License-Identifier: MIT
/**
 * A table: named columns and rows of cells, the shape of every answer that is
 * a list. Formatters render it as aligned text, JSON or CSV; they know nothing
 * of what it holds.
 */
#ifndef APMTOOL_LIB_MODEL_TABLE_H
#define APMTOOL_LIB_MODEL_TABLE_H

#include "lib/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What a column holds. The kinds of text are one to programs; where lines are
 * too long for a terminal, they say how a cell may become shorter. Numbers
 * never do.
 */
enum table_kind {
	TABLE_TEXT,    ///< a word or few: stays whole
	TABLE_NAME,    ///< of a function or file: its end may be left out
	TABLE_PATH,    ///< its middle may be left out
	TABLE_STACK,   ///< calls, with ` - ` between them: those in the middle
	TABLE_PROSE,   ///< may go on in the next line, between words
	TABLE_NUMBER,  ///< right-aligned
	TABLE_ADDRESS, ///< a number printed as `0x…`
	TABLE_BOOL,    ///< `yes` and `no`; true and false in JSON
	/** A number as its text says it, `2098.09375`; right-aligned. */
	TABLE_DECIMAL,
	/** Texts, an array in JSON; `, ` between them elsewhere. */
	TABLE_LIST,
	/** The same, of levels: equal neighbours are one to who reads a page.
	 */
	TABLE_LEVELS,
	/** Names and their reports: objects in JSON; `A (3), B (2)`. */
	TABLE_COUNTS,
	/**
	 * Calls, outermost first: objects in JSON; ` - ` between them
	 * elsewhere, but text shows a call per line, below the row.
	 */
	TABLE_FRAMES,
	/**
	 * A share of TABLE_BAR_WHOLE, drawn on a terminal; every other output
	 * leaves the column out.
	 */
	TABLE_BAR,
	/**
	 * Counts over time, drawn in a web page; every other output leaves the
	 * column out.
	 */
	TABLE_SERIES,
	/** A call tree, the same: a flame graph below the row. */
	TABLE_CALLS,
};

/** Finer than any bar that is drawn, and a multiple of its cells. */
#define TABLE_BAR_WHOLE 2400

struct table_column {
	const char *key;   ///< in JSON and CSV: `class2`
	const char *title; ///< above the column; NULL: not shown in text
	enum table_kind kind;
};

/** In how many reports something is. */
struct table_count {
	const char *name;
	uint64_t reports;
};

struct table_frame {
	const char *symbol; ///< or the place, if it has none
	const char *image;  ///< NULL: unknown, as is the file
	const char *file;
	uint32_t line; ///< 0: unknown
};

/** How often, slot by slot, and the same in words for who cannot see it. */
struct table_series {
	const uint32_t *counts;
	size_t count;
	bool is_large; ///< what its table is about
	const char *words;
};

struct calltree;

struct table_cell {
	bool present;
	/**
	 * Before a TABLE_DECIMAL for people: `≥ `; NULL: nothing. Programs find
	 * it in a column of its own.
	 */
	const char *mark;
	uint64_t number; ///< no text; of lists, how many elements
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

/** Rows that are made when they are read: all of them would be too much. */
struct table_maker {
	/** Fill the cells of a row, which are absent; what they say is in
	 * `arena`, or lives as long as the table. */
	void (*make)(struct table_maker *maker, size_t row,
	             struct table_cell *cells);
	/** Release what rows are made of; NULL: it needs none. */
	void (*release)(struct table_maker *maker);
	/** The cells of a column without a title are not needed. */
	bool titled_only;
	struct table_cell *cells; ///< as many as columns: of the last row read
	size_t row;               ///< its number, from 1; 0: none was
	struct arena arena;       ///< of that row
};

/** What rows are about, for formats that list their rules (`sarif`). */
struct table_rule {
	const char *status;  ///< of those with this `status`; NULL: the others
	const char *what;    ///< a few words; NULL: the end
	const char *meaning; ///< a sentence or two
	const char *help;    ///< what to do next
};

/** What the rows of a table count, for who adds up and draws it over time. */
struct table_measures {
	/** Keys of columns of TABLE_NUMBER that may be added up; ends with
	 * NULL, as do the others. */
	const char *const *sums;
	/** Of columns of text that say what a row is of: as many values as
	 * groups, not as reports. */
	const char *const *tags;
	const char *time; ///< of the column with its last date; NULL: none
};

struct table {
	const char *name; ///< `lag-groups`; JSON's `name`
	/**
	 * A list older than `apmtool.table/1` is `apmtool.<name>/1` in JSON:
	 * the rows alone, in a member of this name. NULL: it is not.
	 */
	const char *rows_name;
	/** The answer in a line, above the rows; NULL: there is none. */
	const char *summary;
	const struct table_column *columns;
	size_t column_count;
	/**
	 * Keys of the columns that a narrow terminal can do without, what
	 * matters least first; ends with NULL. NULL: all must be there. Longer
	 * prose is not left out, but goes below its row.
	 */
	const char *const *spare;
	/** The key of the column that says what a row is of; a web page has it
	 * first. NULL: the first one does. */
	const char *subject;
	/** What its rows are about; NULL: no more than the name says. */
	const struct table_rule *rules;
	/** NULL: its rows count nothing. */
	const struct table_measures *measures;
	struct table_cell *cells; ///< row by row
	/** Instead of the cells; NULL: those are there. */
	struct table_maker *maker;
	size_t row_count;
	size_t row_cap;
};

/** What the cells of a kind hold: kinds of a value differ in how it is shown.
 */
enum table_value {
	TABLE_VALUE_TEXT,
	TABLE_VALUE_NUMBER,
	TABLE_VALUE_ADDRESS,
	TABLE_VALUE_BOOL,
	TABLE_VALUE_DECIMAL,
	TABLE_VALUE_LIST,
	TABLE_VALUE_COUNTS,
	TABLE_VALUE_FRAMES,
	TABLE_VALUE_DRAWN, ///< those of table_kind_is_drawn()
};

enum table_value table_kind_value(enum table_kind kind);

/** Does a cell of this kind hold text that is no number? */
bool table_kind_is_text(enum table_kind kind);

/** Does it hold a number, which is right-aligned? */
bool table_kind_is_number(enum table_kind kind);

/** Is it for an output that draws: the others leave such columns out? */
bool table_kind_is_drawn(enum table_kind kind);

/** Release what rows are made with; NULL, or a table of cells, is fine. */
void table_release(const struct table *table);

/** A new row of absent cells; returns its first cell. */
struct table_cell *table_add_row(struct table *table, struct arena *arena);

/** Set a cell; a NULL text leaves it absent. The text is borrowed. */
void table_set_text(struct table_cell *cell, const char *text);
/** Put a mark before the number of a TABLE_DECIMAL; it is borrowed. */
void table_set_mark(struct table_cell *cell, const char *mark);
void table_set_number(struct table_cell *cell, uint64_t number);
/** Set a cell of TABLE_LIST or TABLE_LEVELS, which may be empty; all is
 * borrowed. */
void table_set_list(struct table_cell *cell, const char *const *texts,
                    size_t count);
/** The same for TABLE_COUNTS and TABLE_FRAMES. */
void table_set_counts(struct table_cell *cell, const struct table_count *counts,
                      size_t count);
void table_set_frames(struct table_cell *cell, const struct table_frame *frames,
                      size_t count);
/** The same for TABLE_SERIES and TABLE_CALLS; their number sorts them. */
void table_set_series(struct table_cell *cell,
                      const struct table_series *series);
void table_set_calls(struct table_cell *cell, const struct calltree *calls);
/**
 * Set a cell of TABLE_BAR: what is not nothing shows. It stays absent where
 * the whole is nothing.
 *
 * @param part, whole  Up to 62 bits.
 */
void table_set_bar(struct table_cell *cell, uint64_t part, uint64_t whole);

/** The column with this key; TEXT_NOWHERE where there is none. */
size_t table_column(const struct table *table, const char *key);

/** The cell with this key; NULL where it is absent, or no column has the key.
 */
const struct table_cell *table_find_cell(const struct table *table, size_t row,
                                         const char *key);

/**
 * Cell of @p row and @p column. Of rows that are made, only the last that was
 * asked for is there.
 */
const struct table_cell *table_cell(const struct table *table, size_t row,
                                    size_t column);

#endif
