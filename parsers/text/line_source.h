// SPDX-License-Identifier: MIT
/**
 * A text report as lines. What mail, chat and web pages do to a text has been
 * undone before (parsers/input/repair/repair.h).
 */
#ifndef APMTOOL_PARSERS_TEXT_LINE_SOURCE_H
#define APMTOOL_PARSERS_TEXT_LINE_SOURCE_H

#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stddef.h>

/** A text that is divided into lines in place. */
struct line_source {
	char *data;
	size_t size;
	char *line_feed;   ///< the next one, or the end, if already found
	bool ends_in_line; ///< there is no line end at the end
};

/**
 * Copy @p in into @p arena, without the NULs that a device which lost power
 * leaves in it. Each repair becomes a note.
 */
struct line_source line_source_open(struct text in, struct arena *arena,
                                    struct report *report);

/** Which ends of lines were met, beside LF. */
struct line_ends {
	bool cr_lf;
	bool cr; ///< without LF
};

/**
 * Take the next line off the front, and end it with a NUL; LF, CR LF and CR
 * end lines.
 *
 * @param ret_ends  What the end of this line is, is set; else untouched.
 */
bool line_source_next(struct line_source *source, struct text *ret,
                      struct line_ends *ret_ends);

#endif
