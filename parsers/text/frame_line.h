// SPDX-License-Identifier: MIT
/**
 * The grammar of a backtrace line of Apple's text format (apmtool-formats(5)).
 * Shared by the text parser and by the backtraces in text inside `.ips`.
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
	bool has_address; ///< some symbolicated copies omit it
	uint64_t address;
	struct text columns; ///< from after the index to before `what`
	struct text what;    ///< the rest: name, or base and offset
	bool has_base;       ///< `0xbase + offset`
	uint64_t base;
	uint64_t offset;
	struct text symbol; ///< or empty
	/** The rest of the symbol after a number that iOS wrote into it. */
	struct text symbol_end;
	bool has_symbol_offset;
	uint64_t symbol_offset;
	struct text file; ///< or empty
	bool has_line;
	bool line_borrowed; ///< marked so by apmtool
	uint32_t line;
	bool inlined; ///< marked `[inlined]`
};

/** Read one line; false if it is not a frame. All texts borrow from it. */
bool frame_line_parse(struct text line, struct frame_line *ret);

/** As frame_line_parse(), without a number: the line begins with the image. */
bool frame_line_parse_unnumbered(struct text line, struct frame_line *ret);

#endif
