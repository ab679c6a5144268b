// SPDX-License-Identifier: MIT
/**
 * The grammar of one backtrace line of Apple's text format (formats.md 2.6),
 * shared by the text parser and by the ready-made backtraces inside `.ips`.
 */
#ifndef APMTOOL_PARSERS_TEXT_FRAME_LINE_H
#define APMTOOL_PARSERS_TEXT_FRAME_LINE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct frame_line {
	uint64_t index;
	unsigned index_width; ///< columns up to the image name
	struct text image;
	bool has_address; ///< some symbolicated copies drop it
	uint64_t address;
	struct text columns; ///< from after the index to before `what`
	struct text what;    ///< the rest: name or base and offset
	bool has_base;       ///< `0xbase + offset`
	uint64_t base;
	uint64_t offset;
	struct text symbol; ///< empty: none
	/** What follows of it after a number that iOS wrote into it. */
	struct text symbol_end;
	bool has_symbol_offset;
	uint64_t symbol_offset;
	struct text file; ///< empty: none
	bool has_line;
	bool line_borrowed; ///< as our own text marks it
	uint32_t line;
	bool inlined; ///< marked `[inlined]`
};

/** Read one line; false if it is not a frame. All texts borrow from it. */
bool frame_line_parse(struct text line, struct frame_line *ret);

/** The same of a line that has no number: it begins with the image. */
bool frame_line_parse_unnumbered(struct text line, struct frame_line *ret);

#endif
