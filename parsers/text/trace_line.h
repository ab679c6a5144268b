// SPDX-License-Identifier: MIT
/**
 * The grammar of one line of a stack trace, as runtimes print it that are not
 * Apple's: JavaScript, Dart, .NET, Mono, Unity, Go, Rust, and the sanitizers
 * (apmtool-formats(5), "Traces of other runtimes").
 */
#ifndef APMTOOL_PARSERS_TEXT_TRACE_LINE_H
#define APMTOOL_PARSERS_TEXT_TRACE_LINE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/darwin/headline.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stdint.h>

struct trace_line {
	struct text symbol; ///< empty: none
	struct text file;   ///< empty: none
	uint64_t line;      ///< 0: none
	bool has_address;
	uint64_t address;
	struct text image; ///< path or name; empty: none
	struct text arch;  ///< of the image; empty: not said
	/** From the image's begin, as it was linked (sanitizers). */
	uint64_t linked;
	bool has_linked;
	bool has_index;
	uint64_t index;
	bool is_own; ///< of the app: not of the runtime or the system
	/** Only where the frame of the line before it is (Go, Rust). */
	bool is_place;
	/** No text of another kind has such a line. */
	bool is_decisive;
};

/** The kinds of headlines that have such traces. */
bool trace_line_has(enum headline_kind kind);

/**
 * Read one line of a trace of @p kind; false if it is not a frame. All texts
 * borrow from it.
 */
bool trace_line_parse(enum headline_kind kind, struct text line,
                      struct trace_line *ret);

/**
 * Append the frame to @p stack; what is kept of it is copied into the arena.
 * A line that is only a place goes to the last frame.
 *
 * @return False where the stack has as many frames as may be.
 */
bool trace_line_add(struct report_stack *stack, const struct trace_line *line,
                    struct text verbatim, struct arena *arena);

#endif
