// SPDX-License-Identifier: MIT
/**
 * Lines that a mail program or a terminal broke, joined again.
 *
 * Nothing in a broken line says that it is one. What shows it is that lines
 * which begin nothing follow lines that had no room for their first word.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_WRAP_H
#define APMTOOL_PARSERS_INPUT_REPAIR_WRAP_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Which lines of a text begin something, as far as its caller knows. */
struct wrap {
	bool (*begins)(struct text line, const void *context);
	const void *context;
	/** Lines of JSON end and begin anywhere, but not inside a string. */
	bool is_json;
	/** Only after frames and images a line shows that it was broken. */
	bool needs_frames;
	/** Only if lines were broken anywhere: other damage comes first. */
	bool needs_hard;
	size_t gap; ///< blanks between two words that may be gone
};

struct wrap_result {
	size_t joined; ///< lines that are part of the line before now
	size_t width;  ///< at which they were broken
};

/**
 * Write @p in with its broken lines joined; false, and nothing that counts is
 * written, if it has none.
 */
bool wrap_join(struct text in, const struct wrap *wrap, struct str *out,
               struct wrap_result *ret);

/**
 * The broken lines of a report, text or JSON.
 *
 * @param needs_hard  As in struct wrap.
 */
bool wrap_join_report(struct text whole, bool needs_hard, struct str *out,
                      struct wrap_result *ret);

#endif
