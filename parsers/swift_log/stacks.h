// SPDX-License-Identifier: MIT
/**
 * Backtrace lines of Swift's own crash logs, put together to the frames of a
 * stack: calls that were inlined are lines of the same address, above the
 * function that holds them.
 */
#ifndef APMTOOL_PARSERS_SWIFT_LOG_STACKS_H
#define APMTOOL_PARSERS_SWIFT_LOG_STACKS_H

#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "parsers/swift_log/frame_line.h"

/** A call of a frame, in text or in JSON; texts as in swift_frame_line. */
struct swift_call {
	struct text symbol;
	const char *mangled; ///< or NULL
	bool has_symbol_offset;
	uint64_t symbol_offset;
	struct text path;
	bool has_line;
	uint32_t line;
	uint32_t column;
	const char *verbatim; ///< or NULL
};

/** A stack that is being read; all zeros but for the first. */
struct swift_stack {
	struct report_stack *stack;
	/** The last frame ended in a call that was inlined into the next. */
	bool is_open;
	bool has_tags; ///< a frame is marked as a return address
};

/**
 * Append a line, which is no gap; what is kept of it is copied into the arena.
 */
void swift_stack_add_line(struct swift_stack *stack,
                          const struct swift_frame_line *line,
                          struct arena *arena);

/**
 * The last frame, if a call of these tags at this address goes on in it, or
 * else a new one, with address and tags set.
 */
struct report_frame *swift_stack_frame(struct swift_stack *stack,
                                       bool has_address, uint64_t address,
                                       unsigned tags, struct arena *arena);

void swift_add_call(struct report_frame *frame, const struct swift_call *call,
                    struct arena *arena);

/**
 * The stack is complete. Without tags, as in the friendly form, nothing says
 * which addresses are those of the instructions themselves.
 */
void swift_stack_end(struct swift_stack *stack);

#endif
