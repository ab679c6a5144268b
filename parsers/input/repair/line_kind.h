// SPDX-License-Identifier: MIT
/**
 * What a line of a report looks like, when nothing else is known of the text
 * around it: enough to see where a report begins in a mail, a chat or a log,
 * and which of its lines were broken on the way.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_LINE_KIND_H
#define APMTOOL_PARSERS_INPUT_REPAIR_LINE_KIND_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum line_kind {
	LINE_OTHER,
	LINE_BLANK,
	LINE_LABEL, ///< `Exception Type:`, `Thread 3:`, a first line of JSON
	LINE_FRAME,
	LINE_IMAGE,
	LINE_REGISTERS,
};

/** The kind of @p line as it is; labels count at its beginning only. */
enum line_kind line_kind(struct text line);

/** Does a line of this kind begin a line of a report, not continue one? */
static inline bool line_kind_begins(enum line_kind kind)
{
	return kind > LINE_BLANK;
}

/** Bytes of a line that line_kind_plain() looks at. */
#define LINE_KIND_HEAD ((size_t)160)

/**
 * As line_kind(), of what the line is when colors, HTML escapes, no-break
 * spaces and typographic marks in it are read as what they were.
 */
enum line_kind line_kind_plain(struct text line);

/**
 * Does a crash log of Swift's own begin here, `*** Program crashed: …`? Its
 * frames are indented, and that is not what a mail did to it.
 */
bool line_is_swift_head(struct text line);

/**
 * Is it a frame, an image or the head of a thread as other tools and runtimes
 * write them: lldb, sanitizers, Kotlin, .NET, Crashlytics, Swift?
 */
bool line_is_trace(struct text line);

/** A frame of JavaScript, `onPress@main.jsbundle:1:912312`. */
bool line_is_script(struct text line);

/** Code that lldb shows below a frame: `->  0x100e80a0c <+12>: ldr x8`. */
bool line_is_code(struct text line);

/** Is it a frame or the head of a thread of lldb's? */
bool line_is_lldb(struct text line);

/**
 * Where a line of a report begins in @p line, after what a log wrote in front
 * of it; TEXT_NOWHERE if it holds none of what no other text has.
 */
size_t line_kind_find(struct text line);

/** Is there a label anywhere in @p line, even one that other texts have? */
bool line_holds_label(struct text line);

/** Are there the columns of a frame, or of an image, anywhere in @p line? */
bool line_shows_frame(struct text line);
bool line_shows_image(struct text line);

/** May a line of JSON that was not broken begin with this, or end so? */
bool line_begins_json(struct text line);
bool line_ends_json(struct text line);

#endif
