// SPDX-License-Identifier: MIT
/**
 * What kind of text this is if it is no crash report, identified by lines of
 * its head (formats.md 3.2, 3.5, 7.9). The parsers of such texts share one
 * table, so that no two of them claim one text.
 */
#ifndef APMTOOL_PARSERS_TEXT_KIND_H
#define APMTOOL_PARSERS_TEXT_KIND_H

#include "lib/base/text.h"
#include "parsers/envelope/envelope.h"

#include <stdbool.h>

/** What identifies a kind is this early in it. */
#define TEXT_KIND_BYTES ((size_t)64 << 10)
#define TEXT_KIND_LINES 200

/** Who reads it. */
enum text_kind_reader {
	TEXT_KIND_LOG,      ///< parsers/log: carried along
	TEXT_KIND_SAMPLE,   ///< parsers/sampled/sample.c: call trees
	TEXT_KIND_SPINDUMP, ///< parsers/sampled/spindump.c: call trees
};

/** A text that has a line that begins with each of these (NULL: no more). */
struct text_kind {
	const char *begins[2];
	const char *what; ///< with its article; NULL: it says so itself
	enum text_kind_reader reader;
	/** A crash report may have such a line too; then it is no such text. */
	bool may_be_crash;
};

/** The kind of @p in, which has no `.ips` header line; NULL: none of these. */
const struct text_kind *text_kind_find(struct text in);

/** Is it for this parser, with an `.ips` header line or without? */
bool text_kind_is_for(const struct envelope *in, enum text_kind_reader reader);

/** A report with images is read for its frames, whatever it is about. */
bool text_kind_has_images(struct text in);

#endif
