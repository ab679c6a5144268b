// SPDX-License-Identifier: MIT
/**
 * Formatters: one per output format, from model to bytes.
 *
 * A formatter renders shapes, not commands. For a shape it cannot show it has a
 * NULL slot, and commands that print this shape do not offer the format.
 *
 * Formatters that mark a place instead of printing a list (`github`) use the
 * columns of a table with these keys, all optional:
 * - `level`: `error`, `warning` or `notice`; a row without it is not marked; in
 *   a table without the column all rows are notices
 * - `file`, `line`: the place; the file is relative to the working directory
 * - `title`: a few words
 * - `headline`: a title that includes the place, to be read alone
 * - `message`: the rest; default: the columns that text shows, as `title:
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
	const char *name; ///< the argument of `--format`
	const char *summary;
	const char *extension; ///< of a file with one report; NULL: the name
	bool for_people;       ///< for people: numbers are rounded
	bool shows_one;        ///< of call trees, no comparisons
	bool shows_order;      ///< of call trees, also the order of samples
	/** of call trees, each sample, also without known order */
	bool lists_samples;
	bool shows_origins; ///< of call trees, also devices and builds
	/** Takes call trees with self weights, in its own order. */
	bool takes_weights;
	bool has_call_orders; ///< of call trees, in a selectable order of calls
	bool colors_kinds;    ///< of call trees, app frames are highlighted
	bool has_styles;      ///< frames have the style of the options
	bool counts;   ///< of tables, only those whose rows count something
	bool draws;    ///< of tables, also columns of bars
	bool explains; ///< shows the explanation of a report: explain it first
	bool signs;    ///< shows the signature of a report: compute it first
	bool has_bulk_ops;  ///< index or create, see the options
	bool shows_sources; ///< shows lines of source files
	/**
	 * Each document is complete, like a line of a stream: it is flushed at
	 * once, and a single input that fails yields a document, too.
	 */
	bool is_stream;
	/** Write one report; NULL: unsupported. */
	void (*report)(const struct report *report,
	               const struct format_options *options, struct out *out);
	/** Write a table; NULL: unsupported. */
	void (*table)(const struct table *table,
	              const struct format_options *options, struct out *out);
	/** Write a call tree with total weights; NULL: unsupported. */
	void (*calltree)(const struct calltree *tree,
	                 const struct format_options *options, struct out *out);
	/** Write a page; NULL: unsupported. */
	void (*page)(const struct page *page,
	             const struct format_options *options, struct out *out);
	/**
	 * Write text before, between and after several reports; or NULL. Not
	 * called for one input.
	 */
	void (*begin)(struct out *out);
	void (*between)(struct out *out);
	void (*end)(const struct str *list, struct out *out);
	/**
	 * Append an entry for a report, or for a page about it, to the list
	 * that end() gets; or NULL.
	 */
	void (*entry)(const struct report *report, const struct page *page,
	              struct str *list);
	/** Write an input that failed, see is_stream; or NULL. */
	void (*failure)(const char *input, const struct error *err,
	                struct out *out);
	/**
	 * Describe which promise of the format the output of this report does
	 * not keep, for a warning; NULL, or returns NULL: none.
	 */
	const char *(*shortcoming)(const struct report *report);
};

/** What a command prints; a set. */
enum shape {
	SHAPE_REPORT = 1 << 0,
	SHAPE_TABLE = 1 << 1,
	SHAPE_CALLTREE = 1 << 2,
	SHAPE_PAGE = 1 << 3,
	/** Not a shape: rows of its tables count something. */
	SHAPE_COUNTS = 1 << 4,
};

#define FORMATTER(name) extern const struct formatter name##_formatter;
#include "formatters/formatters.def"
#undef FORMATTER

/** All formatters; ends with NULL. */
extern const struct formatter *const formatters[];

/** NULL for an unknown name. */
const struct formatter *formatter_find(const char *name);

/** Does it show only tables whose rows count something? */
bool formatter_only_counts(const struct formatter *formatter);

/**
 * The format at @p index of those that show all @p shapes; NULL after the last.
 */
const struct formatter *formatter_of_shapes(unsigned shapes, size_t index);

#endif
