/**
 * What kind of text this is, where it is no crash report: told from the lines
 * at its head (formats.md 3.2, 3.5, 7.9). One table for the readers that share
 * those forms, so that no two of them claim one text.
 */
#ifndef APMTOOL_PARSERS_TEXT_TEXT_FORM_H
#define APMTOOL_PARSERS_TEXT_TEXT_FORM_H

#include "lib/base/text.h"
#include "parsers/envelope/envelope.h"

#include <stdbool.h>

/** What names a form stands this early in it. */
#define TEXT_FORM_BYTES ((size_t)64 << 10)
#define TEXT_FORM_LINES 200

/** Who reads it. */
enum text_form_reader {
	TEXT_FORM_LOG,    ///< carried along (parsers/log/text_log.c)
	TEXT_FORM_SAMPLE, ///< call trees of `sample` (parsers/sampled/sample.c)
	TEXT_FORM_SPINDUMP, ///< call trees of spindump
	                    ///< (parsers/sampled/spindump.c)
};

/** A text that has a line that begins with each of these (NULL: no more). */
struct text_form {
	const char *begins[2];
	const char *what; ///< with its article; NULL: it says so itself
	enum text_form_reader reader;
	/** Crash reports may have such lines too, but not these forms. */
	bool may_be_crash;
};

/** The form of @p in, which has no `.ips` header line; NULL: none of these. */
const struct text_form *text_form_find(struct text in);

/** As text_form_find(), below an `.ips` header line if there is one. */
bool text_form_is_for(const struct envelope *in, enum text_form_reader reader);

/** A report with images is read for its frames, whatever it tells of. */
bool text_form_has_images(struct text in);

#endif
