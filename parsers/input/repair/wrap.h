// SPDX-License-Identifier: MIT
/**
 * Joins lines that a mail program or a terminal has wrapped.
 *
 * A wrapped line has no mark. It is recognized because lines that begin nothing
 * follow lines that had no room for their first word.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_WRAP_H
#define APMTOOL_PARSERS_INPUT_REPAIR_WRAP_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Which lines of a text begin something, according to the caller. */
struct wrap {
	bool (*begins)(struct text line, const void *context);
	const void *context;
	/** Lines of JSON end and begin anywhere except inside a string. */
	bool is_json;
	/** Only lines after frames and images can be wrapped. */
	bool needs_frames;
	/**
	 * Join only if lines were broken inside words; other damage comes
	 * first.
	 */
	bool needs_hard;
	size_t gap; ///< blanks between two words that may be missing
};

struct wrap_result {
	size_t joined; ///< lines joined to the line before
	size_t width;  ///< at which they were broken
};

/**
 * Write @p in with wrapped lines joined. Without any, returns false, and @p out
 * is undefined.
 */
bool wrap_join(struct text in, const struct wrap *wrap, struct str *out,
               struct wrap_result *ret);

/** Join the wrapped lines of a report, text or JSON. */
bool wrap_join_report(struct text whole, bool needs_hard, struct str *out,
                      struct wrap_result *ret);

#endif
