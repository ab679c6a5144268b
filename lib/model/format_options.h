// SPDX-License-Identifier: MIT
/**
 * What a person chose of how a shape is shown. Every formatter gets all of
 * it and uses what it knows of.
 */
#ifndef APMTOOL_LIB_MODEL_FORMAT_OPTIONS_H
#define APMTOOL_LIB_MODEL_FORMAT_OPTIONS_H

#include "lib/model/excerpt.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * How text shows frames that have a name: the styles that KSCrash's
 * Apple format has (formats.md 5.5). Inlined calls are lines of their own in
 * the first two only, for the others show addresses.
 */
enum text_style {
	TEXT_STYLE_FULL,         ///< the name
	TEXT_STYLE_PARTIAL,      ///< the name, but for frames of the app
	TEXT_STYLE_SIDE_BY_SIDE, ///< base and offset, the name in brackets
	TEXT_STYLE_RAW,          ///< base and offset
};

/** What a change between two call trees is measured in. */
enum diff_mode {
	DIFF_ABSOLUTE, ///< samples, or their cost
	DIFF_SHARE,    ///< the same, the older scaled to the newer
};

/** From left to right, the calls of a frame in a flame graph; in collapsed
 * stacks, CALL_ORDER_TIME alone makes a difference. */
enum call_order {
	CALL_ORDER_NAME,
	CALL_ORDER_WEIGHT, ///< the heaviest first
	CALL_ORDER_TIME,   ///< that of the tree, see timeline_sort()
};

/** What an index does with a document whose id it has (`es-bulk`). */
enum bulk_op {
	BULK_INDEX,  ///< replaces it
	BULK_CREATE, ///< refuses it
};

struct format_options {
	enum text_style style;
	bool terminal; ///< for a person at a terminal: bars are drawn
	bool color;
	/**
	 * How long a line of text may be, in columns of a terminal; 0: as long
	 * as it needs. Crash reports are never wrapped: their format is
	 * Apple's.
	 */
	size_t columns;
	/** Rows of a call tree with a smaller share are folded; 0: none. */
	double min_percent;
	/** One of several: what begins and ends the whole is written already.
	 */
	bool is_part;
	/** The header of a list is written already, by a page before. */
	bool has_header;
	/** Lines of sources to show in pages; NULL: none. */
	const struct excerpts *excerpts;
	enum diff_mode diff;
	enum bulk_op bulk_op;
	// Of a flame graph:
	const char *title; ///< NULL: the tree's own
	bool icicle;       ///< the outermost frame is at the top
	enum call_order order;
	unsigned width; ///< of the picture in px; 0: 1200
	/**
	 * Narrower frames are not drawn, in px; 0: a tenth. Below 0: all that
	 * weigh anything are drawn.
	 */
	double min_width;
};

/** What `min_percent` is unless the user says otherwise. */
#define FORMAT_MIN_PERCENT 1.0

#endif
