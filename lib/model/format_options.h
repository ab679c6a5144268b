// SPDX-License-Identifier: MIT
/**
 * Display options of the user. Every formatter gets all and uses those that it
 * supports.
 */
#ifndef APMTOOL_LIB_MODEL_FORMAT_OPTIONS_H
#define APMTOOL_LIB_MODEL_FORMAT_OPTIONS_H

#include "lib/model/excerpt.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * How text shows named frames: the styles of KSCrash's Apple format
 * (apmtool-formats(5)). The first two have inlined calls on lines of their own;
 * the others show addresses.
 */
enum text_style {
	TEXT_STYLE_FULL,    ///< the name
	TEXT_STYLE_PARTIAL, ///< the name, except for frames of the app
	/** base and offset, then the name in parentheses */
	TEXT_STYLE_SIDE_BY_SIDE,
	TEXT_STYLE_RAW, ///< base and offset
};

/** Unit of changes between two call trees. */
enum diff_mode {
	DIFF_ABSOLUTE, ///< samples, or their cost
	DIFF_SHARE,    ///< the same, with the older tree scaled to the newer
};

/**
 * Order of the calls of a frame in a flame graph, from left to right; in
 * collapsed stacks only CALL_ORDER_TIME matters.
 */
enum call_order {
	CALL_ORDER_NAME,
	CALL_ORDER_WEIGHT, ///< heaviest first
	CALL_ORDER_TIME,   ///< of the tree, see timeline_sort()
};

/** How an index handles a document with an existing id (`es-bulk`). */
enum bulk_op {
	BULK_INDEX,  ///< replace
	BULK_CREATE, ///< refuse
};

struct format_options {
	enum text_style style;
	bool terminal; ///< output is a terminal: bars are drawn
	bool color;
	/**
	 * Max width of a line in columns; 0: unlimited. Crash reports are never
	 * wrapped: their format is Apple's.
	 */
	size_t columns;
	/** Collapse rows of a call tree with a smaller share; 0: none. */
	double min_percent;
	/** One of several: the caller writes beginning and end. */
	bool is_part;
	/** The header of a list was already written by an earlier page. */
	bool has_header;
	/** Source lines to show in pages; or NULL. */
	const struct excerpts *excerpts;
	enum diff_mode diff;
	enum bulk_op bulk_op;
	// For a flame graph:
	const char *title; ///< NULL: the tree's own
	bool icicle;       ///< outermost frame at the top
	enum call_order order;
	unsigned width; ///< of the picture in px; 0: 1200
	/**
	 * Min width of drawn frames in px; 0: a tenth. Below 0: draw all with
	 * any weight.
	 */
	double min_width;
};

/** Default of `min_percent`. */
#define FORMAT_MIN_PERCENT 1.0

#endif
