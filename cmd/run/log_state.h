// SPDX-License-Identifier: MIT
/**
 * State of a log filter (cmd/run/log_filter.h), shared by its parts: lines
 * (log_lines.h), places of frames (log_places.h), names (log_batch.h,
 * log_stack.h), and counts of unnamed frames (log_counts.h).
 */
#ifndef APMTOOL_CMD_RUN_LOG_STATE_H
#define APMTOOL_CMD_RUN_LOG_STATE_H

#include "cmd/run/symbol_search.h"
#include "lib/analysis/symbolicate/log_images.h"
#include "lib/analysis/symbolicate/symbol_base.h"
#include "lib/base/arena.h"
#include "lib/base/out.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"
#include "parsers/text/log_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max frames of a batch, plus those of one line. */
#define LOG_BATCH_FRAMES 1024

/** A frame in a block, with its image if known. */
struct log_batch_frame {
	struct log_frame is;
	struct text line; ///< whole or part, with its line end
	const char
	        *joint;   ///< text between inlined calls, if the line is a part
	size_t joined_at; ///< start of the part to repeat after the joint
	bool has_place;
	struct uuid uuid;
	uint64_t offset;
	const char *name; ///< of the image
	const char *path; ///< or NULL
	bool is_pc;
	bool follows; ///< continues the previous frame's numbering
};

/** Frames without a place. */
struct log_nowhere {
	size_t count;
	struct str first; ///< image of the first one, or its address
	bool is_late;     ///< a stream listed the image after the frame
};

/** Zero-initialise, then set the first three. */
struct log_filter {
	struct symbol_search *search; ///< open
	struct out *out;
	bool on_terminal; ///< make control characters visible

	struct log_images given; ///< from --images
	struct missing_symbols missing;
	size_t frame_count;
	size_t unnamed_count;        ///< of these, without a name
	struct log_nowhere no_image; ///< of these, in an unknown image
	struct log_nowhere
	        no_uuid; ///< of these, with offsets in an image without UUID
	bool is_full;    ///< some of a file's lists were dropped

	// Per log:
	struct log_images images;
	struct symbol_bases bases;
	bool learns;         ///< first of two passes: writes nothing
	bool replays;        ///< second pass
	bool has_list;       ///< it has lists of images
	bool in_line;        ///< the previous block ended within a line
	uint64_t at;         ///< position of the block in the log
	uint64_t pid;        ///< of the last line with one
	struct str pid_text; ///< in decimal
	bool after_thread;   ///< the last line begins a thread
	// The previous frame, to renumber after inlined calls:
	uint64_t next_at; ///< end of its line
	uint64_t next_index;
	uint64_t shift;
	// Per block, with the frames to name:
	const char *written; ///< end of the written text
	const char *head;    ///< last line whose process was parsed
	struct log_batch_frame *frames;
	size_t count;
	struct arena arena;
};

#endif
