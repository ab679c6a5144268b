// SPDX-License-Identifier: MIT
/**
 * One line of any log, whatever stands before its text: a frame of a backtrace,
 * an image that was loaded, or neither (apmtool-formats(5), "Logs").
 *
 * Nothing is copied and nothing kept: a caller looks at lines in which
 * log_line_find() (log_mark.h) finds a mark, and prints the others as they are.
 */
#ifndef APMTOOL_PARSERS_TEXT_LOG_LINE_H
#define APMTOOL_PARSERS_TEXT_LOG_LINE_H

#include "lib/base/text.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A longer line holds no frame and no image. */
#define LOG_LINE_MAX_BYTES ((size_t)64 << 10)

enum log_line_kind {
	LOG_LINE_OTHER,
	LOG_LINE_FRAME,
	LOG_LINE_IMAGE,
	LOG_LINE_ADDRESSES, ///< a stack on one line, `(0x19f809e48
	                    ///< 0x19f6978d8)`
};

/** A frame, and which bytes of its line are its number and its name. */
struct log_frame {
	struct text image; ///< never empty
	struct uuid uuid;  ///< as the line itself says; else zero
	uint64_t address;  ///< 0: the line has the offset alone
	bool has_offset;   ///< the line says where in the image it lies
	uint64_t offset;   ///< from the load address
	/**
	 * As a sanitizer prints it: the name is followed by the image, which
	 * says where the frame lies in it as it was linked.
	 */
	bool is_linked;
	uint64_t linked;
	struct text symbol; ///< as the line has it; empty: none
	bool has_symbol_offset;
	uint64_t symbol_offset;
	bool has_line; ///< it is symbolicated already
	bool is_pc;    ///< as lldb marks it: the instruction itself
	/**
	 * No number is before it, and any words may be: it is a frame only if
	 * there is such an image.
	 */
	bool is_unnumbered;
	uint64_t index;
	size_t index_at;    ///< its digits in the line
	size_t index_size;  ///< 0: none that inlined calls add to
	size_t index_width; ///< with the blanks that pad it
	size_t name_at;     ///< what the name takes the place of
	size_t name_size;
};

struct log_image {
	struct uuid uuid; ///< never zero
	bool has_base;
	uint64_t base; ///< the load address
	uint64_t size; ///< 0: not known
	struct text name;
	struct text other_name; ///< of the file, for a bundle id; or empty
	struct text path;
};

struct log_line {
	enum log_line_kind kind;
	bool has_pid; ///< of the process that wrote the line
	uint64_t pid;
	bool begins_report; ///< `Process: Demo [612]`: what follows is its
	struct log_frame frame;
	struct log_image image;
	struct text addresses; ///< words of hex digits
	size_t addresses_at;   ///< of the bracket in the line
};

/** Read of a line what it says of its process, and nothing else. */
void log_line_read_process(struct text line, struct log_line *ret);

/** Read a line, which is without its LF; what is found borrows from it. */
void log_line_read(struct text line, struct log_line *ret);

/**
 * Cut the next part off a line that may hold several frames: JSON has them
 * between quotes, or one message with `\\n` for each line end. All others are
 * one part.
 *
 * @param rest  What is left, with the mark that ended the part before.
 * @return False at the end.
 */
bool log_line_next_part(struct text *rest, struct text *part);

/** Does a line say that the next one is the first frame of a thread? */
bool log_line_begins_thread(struct text line);

#endif
