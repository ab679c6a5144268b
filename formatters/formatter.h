// SPDX-License-Identifier: MIT
/**
 * Formatters: one output format each, model in, bytes out.
 *
 * A formatter renders shapes, not commands; a shape it cannot show is a NULL
 * slot, and a command that prints this shape does not offer the format.
 *
 * A few columns of a table mean the same to every formatter that marks a
 * place instead of printing a list (`github`). They are known
 * by their key; each may be left out:
 *
 * - `level`: `error`, `warning` or `notice`; a row without it is not marked,
 *   a table without the column is all notices
 * - `file`, `line`: the place; the file is relative to the working directory
 * - `title`: a few words
 * - `headline`: a title that says the place, too, for who reads one alone
 * - `message`: the rest; without it, the columns that text shows, as `title:
 *   value`
 */
#ifndef APMTOOL_FORMATTERS_FORMATTER_H
#define APMTOOL_FORMATTERS_FORMATTER_H

#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/model/calltree.h"
#include "lib/model/format_options.h"
#include "lib/model/page.h"
#include "lib/model/report.h"
#include "lib/model/table.h"

#include <stdbool.h>
#include <stddef.h>

struct formatter {
	const char *name; ///< what follows `--format`
	const char *summary;
	const char *extension; ///< of a file with one report; NULL: the name
	bool for_people;       ///< read by a person: numbers are rounded for it
	bool shows_one;        ///< of call trees, no comparison
	bool shows_order;      ///< of call trees, the order of samples, too
	bool lists_samples;    ///< the same, where it is not known either
	bool shows_origins;    ///< of call trees, devices and builds, too
	/** Of call trees, takes what ended at each call, in its own order. */
	bool takes_weights;
	bool has_call_orders; ///< of call trees, the order of calls is chosen
	bool colors_kinds;    ///< of call trees, the app's frames stand out
	bool has_styles;      ///< frames are shown in the style of the options
	bool counts;   ///< of tables, takes those whose rows count something
	bool draws;    ///< of tables, columns that are drawn
	bool explains; ///< shows what a report means: explain it first
	bool signs;    ///< the same, its signature
	bool has_bulk_ops;  ///< index or create: the options say which
	bool shows_sources; ///< and lines of its sources
	/**
	 * Each document is complete by itself, as a line of a stream: it is
	 * sent off at once, and an input that fails gives one even if it is the
	 * only.
	 */
	bool is_stream;
	/** Write one report; NULL: this format cannot. */
	void (*report)(const struct report *report,
	               const struct format_options *options, struct out *out);
	/** Write a table; NULL: this format cannot. */
	void (*table)(const struct table *table,
	              const struct format_options *options, struct out *out);
	/** Write a call tree, summed up; NULL: this format cannot. */
	void (*calltree)(const struct calltree *tree,
	                 const struct format_options *options, struct out *out);
	/** Write a page; NULL: this format cannot. */
	void (*page)(const struct page *page,
	             const struct format_options *options, struct out *out);
	/**
	 * Write what comes before, between and after several reports; NULL:
	 * nothing. Called with @p count inputs, only where that is not 1.
	 */
	void (*begin)(struct out *out);
	void (*between)(struct out *out);
	void (*end)(const struct str *list, struct out *out);
	/**
	 * Append what a list of all says of one of several, a report or a page
	 * about it, else NULL: end() gets the list. NULL: there is none.
	 */
	void (*entry)(const struct report *report, const struct page *page,
	              struct str *list);
	/** Write an input that failed, see is_stream; NULL: nothing. */
	void (*failure)(const char *input, const struct error *err,
	                struct out *out);
	/**
	 * In what this report's output falls short of what the format
	 * promises, for a warning; NULL, or gives NULL: in nothing.
	 */
	const char *(*shortcoming)(const struct report *report);
};

/** What a command makes of its input; several at once. */
enum shape {
	SHAPE_REPORT = 1 << 0,
	SHAPE_TABLE = 1 << 1,
	SHAPE_CALLTREE = 1 << 2,
	SHAPE_PAGE = 1 << 3,
	/** Not a shape: the rows of its tables count something. */
	SHAPE_COUNTS = 1 << 4,
};

#define FORMATTER(name) extern const struct formatter name##_formatter;
#include "formatters/formatters.def"
#undef FORMATTER

/** All formatters; ends with NULL. */
extern const struct formatter *const formatters[];

/** NULL where there is no such format. */
const struct formatter *formatter_find(const char *name);

/** Shows it nothing but tables whose rows count something? */
bool formatter_only_counts(const struct formatter *formatter);

/** The format at @p index of those that show all @p shapes; NULL: past them. */
const struct formatter *formatter_of_shapes(unsigned shapes, size_t index);

#endif
