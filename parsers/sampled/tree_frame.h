// SPDX-License-Identifier: MIT
/**
 * The grammar of a call tree line after its count (apmtool-formats(5)).
 * `sample` and spindump use different, but unambiguous notations.
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
 * ` [inlined]` before the address, and `, near` after a line, are apmtool's.
 */
#ifndef APMTOOL_PARSERS_SAMPLED_TREE_FRAME_H
#define APMTOOL_PARSERS_SAMPLED_TREE_FRAME_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** All texts borrow from the line; empty where absent. */
struct tree_frame {
	bool is_marker; ///< `<…>`: a note about its parent, not a frame
	struct text symbol;
	bool has_symbol_offset;
	uint64_t symbol_offset;
	struct text image;
	uint64_t image_offset; ///< 0: unknown
	/** The first address, if the function was sampled at several. */
	uint64_t address;
	struct text file;
	bool has_line;
	uint32_t line;
	bool line_borrowed; ///< marked so by apmtool
	bool inlined;
};

void tree_frame_parse(struct text what, struct tree_frame *ret);

#endif
