// SPDX-License-Identifier: MIT
/**
 * Fits the columns of a table into a line.
 *
 * A table that is too wide shrinks in this order: bars are not drawn; titles
 * wrap to a second line; paths, names, stacks and prose become narrower, down
 * to a min width; optional columns are omitted, or printed below their row if
 * they contain sentences; last, UUIDs are printed there. Numbers keep their
 * width, so a row may still be wider than a very short line.
 */
#ifndef APMTOOL_FORMATTERS_TABLE_LAYOUT_H
#define APMTOOL_FORMATTERS_TABLE_LAYOUT_H

#include "lib/model/table.h"

#include <stddef.h>

/** Blanks between two columns. */
#define LAYOUT_GAP 2

enum layout_place {
	LAYOUT_HIDDEN, ///< not for people
	LAYOUT_BESIDE, ///< in the row
	LAYOUT_BELOW,  ///< on lines of its own below the row
	LAYOUT_OUT,    ///< omitted
};

struct layout_column {
	enum table_kind kind;
	size_t title;      ///< width of its title
	size_t title_word; ///< width of the title's longest word
	size_t cell;       ///< width of the widest cell
	size_t cell_word;  ///< width of the longest word in a cell
	/** When it is omitted: 1 first; 0 never. */
	size_t turn;
	/** LAYOUT_HIDDEN or LAYOUT_BESIDE before layout_fit(). */
	enum layout_place place;
	size_t width; ///< set by layout_fit()
};

/**
 * Set place and width of each column.
 *
 * @param width  Of a line; 0: unlimited.
 */
void layout_fit(struct layout_column *columns, size_t count, size_t width);

#endif
