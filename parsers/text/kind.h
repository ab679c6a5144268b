// SPDX-License-Identifier: MIT
/**
 * Identifies texts that are not crash reports by lines of their head
 * (apmtool-formats(5)). The parsers of such texts share one table, so that no
 * two parsers accept the same text.
 */
#ifndef APMTOOL_PARSERS_TEXT_KIND_H
#define APMTOOL_PARSERS_TEXT_KIND_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Part of a text that is searched. */
#define TEXT_KIND_BYTES ((size_t)64 << 10)
#define TEXT_KIND_LINES 200

/** Parser of a text. */
enum text_kind_reader {
	TEXT_KIND_LOG,      ///< parsers/log: kept as text
	TEXT_KIND_SAMPLE,   ///< parsers/sampled/sample.c: call trees
	TEXT_KIND_SPINDUMP, ///< parsers/sampled/spindump.c: call trees
};

/**
 * Kind of text whose lines begin with both of these (or the first, if the
 * second is NULL).
 */
struct text_kind {
	const char *begins[2];
	const char *what; ///< with article; NULL: the text names it
	enum text_kind_reader reader;
	/** Crash reports may have such a line, too; they are excluded. */
	bool may_be_crash;
};

/** The kind of @p in, which has no `.ips` header line; or NULL. */
const struct text_kind *text_kind_find(struct text in);

/** Does the text have images? Then it is read for its frames in any case. */
bool text_kind_has_images(struct text in);

#endif
