/**
 * Formatters: one output format each, model in, bytes out.
 *
 * A formatter renders shapes, not commands; a shape it cannot show is a NULL
 * slot, and asking for it is a usage error.
 */
#ifndef APMTOOL_FORMATTERS_FORMATTER_H
#define APMTOOL_FORMATTERS_FORMATTER_H

#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/model/report.h"
#include "lib/model/table.h"

#include <stddef.h>

/** How the text form shows frames that have a name. */
enum text_style {
	TEXT_STYLE_FULL,         ///< the name
	TEXT_STYLE_PARTIAL,      ///< the name, but for frames of the app
	TEXT_STYLE_SIDE_BY_SIDE, ///< base and offset, the name in brackets
	TEXT_STYLE_RAW,          ///< base and offset
};

struct format_options {
	enum text_style style;
};

struct formatter {
	const char *name; ///< what follows `--format`
	const char *summary;
	/** Write one report. */
	void (*report)(const struct report *report,
	               const struct format_options *options, struct out *out);
	/** Write a table; NULL: this format cannot. */
	void (*table)(const struct table *table, struct out *out);
	/**
	 * Write what stands before, between and after several reports; NULL:
	 * nothing. Called with @p count inputs, only where that is not 1.
	 */
	void (*begin)(struct out *out);
	void (*between)(struct out *out);
	void (*end)(struct out *out);
	/** Write an input that failed, among several; NULL: nothing. */
	void (*failure)(const char *input, const struct error *err,
	                struct out *out);
};

extern const struct formatter crash_text_formatter; ///< `text`
extern const struct formatter json_formatter;       ///< `json`

/** All formatters; ends with NULL. */
extern const struct formatter *const formatters[];

/** NULL where there is no such format. */
const struct formatter *formatter_find(const char *name);

#endif
