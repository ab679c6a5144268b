// SPDX-License-Identifier: MIT
/**
 * Splits a text report into lines. Damage by mail, chat and web pages was
 * repaired before (parsers/input/repair/repair.h).
 */
#ifndef APMTOOL_PARSERS_TEXT_LINE_SOURCE_H
#define APMTOOL_PARSERS_TEXT_LINE_SOURCE_H

#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stddef.h>

/** A text that is split in place. */
struct line_source {
	char *data;
	size_t size;
	char *line_feed;   ///< the next one, or the end, if known
	bool ends_in_line; ///< the last line has no line end
};

/**
 * Copy @p in into @p arena, without NUL bytes, which devices leave in it when
 * they lose power. Each repair becomes a note.
 */
struct line_source line_source_open(struct text in, struct arena *arena,
                                    struct report *report);

/** Line ends seen, besides LF. */
struct line_ends {
	bool cr_lf;
	bool cr; ///< without LF
};

/**
 * Remove the first line and terminate it with a NUL; lines end in LF, CR LF or
 * CR.
 *
 * @param ret_ends  The member for this line's end is set; others unchanged.
 */
bool line_source_next(struct line_source *source, struct text *ret,
                      struct line_ends *ret_ends);

#endif
