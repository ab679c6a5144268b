// SPDX-License-Identifier: MIT
/**
 * Classifies a line of a report without knowing the lines around it: finds
 * where a report begins in a mail, a chat or a log, and which lines were
 * wrapped.
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

/** The kind of @p line, unmodified; labels only at its beginning. */
enum line_kind line_kind(struct text line);

/** Does a line of this kind begin a line of a report, not continue one? */
static inline bool line_kind_begins(enum line_kind kind)
{
	return kind > LINE_BLANK;
}

/** Bytes of a line that line_kind_plain() examines. */
#define LINE_KIND_HEAD ((size_t)160)

/** As line_kind(), with substituted characters read as the originals. */
enum line_kind line_kind_plain(struct text line);

/**
 * Does a crash log of Swift's own begin here, `*** Program crashed: …`? Its
 * frames are indented in the original.
 */
bool line_is_swift_head(struct text line);

/**
 * Is it a frame, an image or the head of a thread in the syntax of another tool
 * or runtime: lldb, sanitizers, Kotlin, .NET, Crashlytics, Swift?
 */
bool line_is_trace(struct text line);

/** Is it a frame of JavaScript, `onPress@main.jsbundle:1:912312`? */
bool line_is_script(struct text line);

/**
 * Is it code that lldb shows below a frame: `->  0x100e80a0c <+12>: ldr x8`?
 */
bool line_is_code(struct text line);

/** Is it a frame or the head of a thread from lldb? */
bool line_is_lldb(struct text line);

/**
 * Where the line of a report begins in @p line, after a log's prefix;
 * TEXT_NOWHERE unless the line has something that only reports have.
 */
size_t line_kind_find(struct text line);

/** Does @p line have a label anywhere, including common ones? */
bool line_holds_label(struct text line);

/** Does @p line have the columns of a frame, or of an image, anywhere? */
bool line_shows_frame(struct text line);
bool line_shows_image(struct text line);

/** Can an unbroken line of JSON begin, or end, like this? */
bool line_begins_json(struct text line);
bool line_ends_json(struct text line);

#endif
