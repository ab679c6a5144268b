// SPDX-License-Identifier: MIT
/**
 * Builds the frames of a stack from backtrace lines of Swift's crash logs:
 * inlined calls are lines with the same address, above their outer function.
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

/** State of a stack; all zeros except the first member. */
struct swift_stack {
	struct report_stack *stack;
	/** The last frame ends in a call that is inlined into the next line. */
	bool is_open;
	bool has_tags; ///< a frame is marked as a return address
};

/** Append a line other than a gap. Its texts are copied into the arena. */
void swift_stack_add_line(struct swift_stack *stack,
                          const struct swift_frame_line *line,
                          struct arena *arena);

/**
 * The last frame, if a call with these tags and address continues it, else a
 * new one with both set.
 */
struct report_frame *swift_stack_frame(struct swift_stack *stack,
                                       bool has_address, uint64_t address,
                                       unsigned tags, struct arena *arena);

void swift_add_call(struct report_frame *frame, const struct swift_call *call,
                    struct arena *arena);

/**
 * The stack is complete. Without tags, as in the friendly format, it is unknown
 * which addresses are return addresses.
 */
void swift_stack_end(struct swift_stack *stack);

#endif
