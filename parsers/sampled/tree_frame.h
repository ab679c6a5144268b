// SPDX-License-Identifier: MIT
/**
 * The grammar of a line of a call tree, after its count (formats.md 7.9):
 * `sample` and spindump write it differently, but never so that one could be
 * taken for the other.
 *
 *     main  (in Demo) + 24  [0x100f0c92c]                     sample
 *     ???  (in Demo)  load address 0x100f00000 + 0xc92c  [0x100f0c92c]
 *     main (in Demo) (main.m:16) [0x100f0c92c]                named, as atos
 *     main + 24 (Demo + 51500) [0x100f0c92c]                  spindump
 *     main + 24 (main.m:16 in Demo + 51500) [0x100f0c92c] (running)
 *     main + 24 (main.m in Demo + 51500) [0x100f0c92c]
 *     f + 24 (<compiler-generated> in Demo + 51500) [0x100f0c92c]
 *     <User mode>                                             no frame
 *
 * ` [inlined]` before the address, and `, near` after a line, are ours.
 */
#ifndef APMTOOL_PARSERS_SAMPLED_TREE_FRAME_H
#define APMTOOL_PARSERS_SAMPLED_TREE_FRAME_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** All texts borrow from the line; empty where absent. */
struct tree_frame {
	bool is_marker; ///< `<…>`: says something of its parent; no frame
	struct text symbol;
	bool has_symbol_offset;
	uint64_t symbol_offset;
	struct text image;
	uint64_t image_offset; ///< 0: not said
	/** The first of several: one function, sampled at these places. */
	uint64_t address;
	struct text file;
	bool has_line;
	uint32_t line;
	bool line_borrowed; ///< as our own text marks it
	bool inlined;
};

void tree_frame_parse(struct text what, struct tree_frame *ret);

#endif
