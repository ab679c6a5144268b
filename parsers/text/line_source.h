/**
 * A text report as lines, after undoing what mail, chat and web pages do to
 * text (formats.md, chapter 1).
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
	size_t lines_gone; ///< taken off the front
	bool ends_in_line; ///< there is no line end at the end
};

/**
 * Copy @p in into @p arena and remove what does not belong to it: NULs,
 * HTML escapes, markdown fences, quote marks or a TAB before every line.
 * Each repair becomes a note.
 */
struct line_source line_source_open(struct text in, struct arena *arena,
                                    struct report *report);

/**
 * Take the next line off the front, and end it with a NUL; LF, CR LF and CR
 * end lines.
 *
 * @param ret_cr  Set if a CR was part of the end, else untouched.
 */
bool line_source_next(struct line_source *source, struct text *ret,
                      bool *ret_cr);

#endif
