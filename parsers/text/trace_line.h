// SPDX-License-Identifier: MIT
/**
 * The grammar of a stack trace line of runtimes other than Apple's: JavaScript,
 * Dart, .NET, Mono, Unity, Go, Rust, and sanitizers (apmtool-formats(5),
 * "Traces of other runtimes").
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
	struct text symbol; ///< or empty
	struct text file;   ///< or empty
	uint64_t line;      ///< 0: unknown
	bool has_address;
	uint64_t address;
	struct text image; ///< path or name; or empty
	struct text arch;  ///< of the image; or empty
	/** Offset from the image's linked start (sanitizers). */
	uint64_t linked;
	bool has_linked;
	bool has_index;
	uint64_t index;
	bool is_own; ///< app code, not the runtime's or the system's
	/**
	 * The line is only the source position of the frame above (Go, Rust).
	 */
	bool is_place;
	/** No other kind of text has such a line. */
	bool is_decisive;
};

/** Do headlines of this kind have such traces? */
bool trace_line_has(enum headline_kind kind);

/**
 * Read one line of a trace of @p kind; false if it is not a frame. All texts
 * borrow from it.
 */
bool trace_line_parse(enum headline_kind kind, struct text line,
                      struct trace_line *ret);

/**
 * Append the frame to @p stack. Its texts are copied into the arena. A line
 * that is only a source position goes to the last frame.
 *
 * @return False if the stack is full.
 */
bool trace_line_add(struct report_stack *stack, const struct trace_line *line,
                    struct text verbatim, struct arena *arena);

#endif
