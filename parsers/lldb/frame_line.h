// SPDX-License-Identifier: MIT
/**
 * The grammar of a frame as lldb prints it and as Xcode copies it
 * (apmtool-formats(5)):
 *
 *     * frame #0: 0x0000000100e80a0c Demo`demo::Feed::decode(this=0x1) [opt]
 *       frame #1: 0x0000000100e80ab4 Demo`-[Loader load] + 52
 *       frame #2: borg_update + 10412
 *     #0 0x0000000100e80a0c in Feed.load() at /Users/x/Demo/Feed.swift:11
 *     #1 0x000000018f2a1b34 in objc_exception_throw ()
 */
#ifndef APMTOOL_PARSERS_LLDB_FRAME_LINE_H
#define APMTOOL_PARSERS_LLDB_FRAME_LINE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct lldb_frame_line {
	bool is_selected; ///< marked `*`
	uint64_t index;
	bool has_address;
	uint64_t address;
	struct text image;   ///< empty: unknown
	struct text columns; ///< from after the index to the name
	struct text what;    ///< the rest of the line
	struct text symbol;  ///< without values of arguments; or empty
	bool has_symbol_offset;
	uint64_t symbol_offset;
	struct text path; ///< of the source file; or empty
	bool has_line;
	uint32_t line;
	uint32_t column; ///< 0: unknown
	bool inlined;
};

/** Read one line; false if it is not a frame. All texts borrow from it. */
bool lldb_frame_parse(struct text line, struct lldb_frame_line *ret);

/**
 * As lldb_frame_parse() for a frame copied from Xcode, which names no image.
 * Sanitizers print the same format: use only below a title of Xcode.
 */
bool xcode_frame_parse(struct text line, struct lldb_frame_line *ret);

#endif
