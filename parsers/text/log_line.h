// SPDX-License-Identifier: MIT
/**
 * One line of any log, with any prefix: a frame of a backtrace, a loaded image,
 * or neither (apmtool-formats(5), "Logs").
 *
 * Nothing is copied or kept. Callers examine lines in which log_line_find()
 * (log_mark.h) finds a mark, and print others unchanged.
 */
#ifndef APMTOOL_PARSERS_TEXT_LOG_LINE_H
#define APMTOOL_PARSERS_TEXT_LOG_LINE_H

#include "lib/base/text.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Longer lines are not examined. */
#define LOG_LINE_MAX_BYTES ((size_t)64 << 10)

enum log_line_kind {
	LOG_LINE_OTHER,
	LOG_LINE_FRAME,
	LOG_LINE_IMAGE,
	LOG_LINE_ADDRESSES, ///< a stack on one line, `(0x19f809e48
	                    ///< 0x19f6978d8)`
};

/** A frame, and the positions of its number and name in the line. */
struct log_frame {
	struct text image; ///< never empty
	struct uuid uuid;  ///< in the line itself; or zero
	uint64_t address;  ///< 0: the line has only the offset
	bool has_offset;   ///< the line has the offset in the image
	uint64_t offset;   ///< from the load address
	/**
	 * As sanitizers print it: the image follows the name, with an offset
	 * relative to its linked address.
	 */
	bool is_linked;
	uint64_t linked;
	struct text symbol; ///< as in the line; or empty
	bool has_symbol_offset;
	uint64_t symbol_offset;
	bool has_line; ///< already symbolicated
	bool is_pc;    ///< marked by lldb: not a return address
	/**
	 * There is no number, and any words may precede it: it is a frame only
	 * if such an image exists.
	 */
	bool is_unnumbered;
	uint64_t index;
	size_t index_at;    ///< offset of its digits in the line
	size_t index_size;  ///< 0: no number that inlined calls would increment
	size_t index_width; ///< with padding
	size_t name_at;     ///< position of the text that the name replaces
	size_t name_size;
};

struct log_image {
	struct uuid uuid; ///< never zero
	bool has_base;
	uint64_t base; ///< the load address
	uint64_t size; ///< 0: unknown
	struct text name;
	struct text other_name; ///< file name, for a bundle id; or empty
	struct text path;
};

struct log_line {
	enum log_line_kind kind;
	bool has_pid; ///< process that wrote the line
	uint64_t pid;
	/** `Process: Demo [612]`: the next lines are its report */
	bool begins_report;
	struct log_frame frame;
	struct log_image image;
	struct text addresses; ///< words of hex digits
	size_t addresses_at;   ///< position of the bracket in the line
};

/** Read only the process that a line belongs to. */
void log_line_read_process(struct text line, struct log_line *ret);

/** Read a line, without its LF. Texts borrow from it. */
void log_line_read(struct text line, struct log_line *ret);

/**
 * Split the next part off a line that may contain several frames: JSON has them
 * in quotes, or one message with `\\n` for each line end. Other lines are one
 * part.
 *
 * @param rest  The remainder, with the mark that ended the part before.
 * @return False at the end.
 */
bool log_line_next_part(struct text *rest, struct text *part);

/** Is the frame on the next line the first of a thread? */
bool log_line_begins_thread(struct text line);

#endif
