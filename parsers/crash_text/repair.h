/**
 * Undo what mail, chat and web pages do to a text report (formats.md, chapter
 * 1), before it is read.
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_REPAIR_H
#define APMTOOL_PARSERS_CRASH_TEXT_REPAIR_H

#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stddef.h>

/** A text that can be cut into lines in place. */
struct crash_text_source {
	char *data;
	size_t size;
	char *line_feed;   ///< the next one, or the end, if already found
	size_t lines_gone; ///< taken off the front
	bool ends_in_line; ///< there is no line end at the end
};

/**
 * Copy @p in into @p arena and take out what does not belong to it: NULs,
 * HTML escapes, markdown fences, quote marks or a TAB before every line.
 * Each repair becomes a note.
 */
struct crash_text_source crash_text_repair(struct text in, struct arena *arena,
                                           struct report *report);

/**
 * Cut the next line off, and end it with a NUL; LF, CR LF and CR end lines.
 *
 * @param ret_cr  Set where a CR was part of the end, else untouched.
 */
bool crash_text_next_line(struct crash_text_source *source, struct text *ret,
                          bool *ret_cr);

#endif
