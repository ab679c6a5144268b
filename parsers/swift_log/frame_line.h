// SPDX-License-Identifier: MIT
/**
 * The grammar of a backtrace line of Swift's own crash logs
 * (apmtool-formats(5)):
 *
 *     0               0x0000000100b68b24 read() + 352 in Demo at /D.swift:36:17
 *     3 [ra] [system] 0x0000000100b69450 main() + 12 in Demo at
 *                                                /<compiler-generated>
 *     ...
 *
 * The friendly format omits tags, and addresses of named frames.
 */
#ifndef APMTOOL_PARSERS_SWIFT_LOG_FRAME_LINE_H
#define APMTOOL_PARSERS_SWIFT_LOG_FRAME_LINE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum swift_tag {
	SWIFT_TAG_RETURN = 1 << 0, ///< `ra`: a return address
	SWIFT_TAG_ASYNC = 1 << 1,  ///< where an async function resumes
	SWIFT_TAG_INLINED = 1 << 2,
	SWIFT_TAG_THUNK = 1 << 3,
	SWIFT_TAG_SYSTEM = 1 << 4,
};

struct swift_frame_line {
	/** `...`: omitted frames, or more that were not recorded. */
	bool is_gap;
	bool has_index; ///< a gap may have none
	uint64_t index;
	unsigned index_width; ///< columns up to @c columns
	unsigned tags;        ///< enum swift_tag
	struct text columns;  ///< tags and address, with the blanks after them
	bool has_address;
	uint64_t address;
	struct text what;   ///< the rest of the line
	struct text symbol; ///< or empty
	bool has_symbol_offset;
	uint64_t symbol_offset;
	struct text image; ///< or empty
	struct text path;  ///< of the source file; or empty
	bool has_line;
	uint32_t line;
	uint32_t column; ///< 0: unknown
};

/** Read one line; false if it is not a frame. All texts borrow from it. */
bool swift_frame_parse(struct text line, struct swift_frame_line *ret);

/**
 * Is it a line of source code below a frame, `    16│   log.open()`, or the
 * mark below the failing code?
 */
bool swift_line_is_source(struct text line);

#endif
