// SPDX-License-Identifier: MIT
/**
 * Which columns of a table fit in a line, and how wide each may be.
 *
 * What is too wide gives way in this order: bars are not drawn; titles go on
 * in a second line; paths, names, stacks and prose become narrower, but not so
 * narrow that they say nothing; columns that the table can spare are left out,
 * or go below their row if they hold sentences; last, UUIDs go there. Numbers
 * keep their width, so what is left may be wider than a very short line.
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
	LAYOUT_BELOW,  ///< in lines of its own below the row
	LAYOUT_OUT,    ///< there was no room
};

struct layout_column {
	enum table_kind kind;
	size_t title;      ///< columns that its title takes
	size_t title_word; ///< the longest word of that
	size_t cell;       ///< the widest cell
	size_t cell_word;  ///< the longest word of any cell
	/** The turn in which it is left out, from 1 on; 0: never. */
	size_t turn;
	/** Before layout_fit(), LAYOUT_HIDDEN or LAYOUT_BESIDE. */
	enum layout_place place;
	size_t width; ///< set by layout_fit()
};

/**
 * Find places and widths.
 *
 * @param width  Of a line; 0: everything is shown as wide as it is.
 */
void layout_fit(struct layout_column *columns, size_t count, size_t width);

#endif
