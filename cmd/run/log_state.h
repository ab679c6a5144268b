// SPDX-License-Identifier: MIT
/**
 * What is known while a log passes (cmd/run/log_filter.h), for the parts that
 * do it: its lines (log_lines.h), where frames lie (log_places.h), their names
 * (log_batch.h, log_stack.h), and how many have none (log_counts.h).
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

/** Frames named at once; of one line there may be more. */
#define LOG_BATCH_FRAMES 1024

/** A frame in a block, and its image where that is known. */
struct log_batch_frame {
	struct log_frame is;
	struct text line;  ///< or the part of it, with its end
	const char *joint; ///< between inlined calls, if it is a part
	size_t joined_at;  ///< what is repeated after that
	bool has_place;
	struct uuid uuid;
	uint64_t offset;
	const char *name; ///< of the image
	const char *path; ///< NULL: not known
	bool is_pc;
	bool follows; ///< the frame before, by its number
};

/** Frames that could not be placed. */
struct log_nowhere {
	size_t count;
	struct str first; ///< the image of the first one, or its address
	bool is_late;     ///< a stream, which is read once, listed it below
};

/** The caller sets the first three; the rest is zeros at first. */
struct log_filter {
	struct symbol_search *search; ///< open
	struct out *out;
	bool on_terminal; ///< no copied text may act on it

	struct log_images given; ///< of --images
	struct missing_symbols missing;
	size_t frame_count;
	size_t unnamed_count;        ///< of these, without any name
	struct log_nowhere no_image; ///< of these, in no image that was known
	struct log_nowhere no_uuid;  ///< the same, with their offsets in it
	bool is_full; ///< a file had more lists than are remembered

	// Of one log:
	struct log_images images;
	struct symbol_bases bases;
	bool learns;         ///< the first of two passes: nothing is written
	bool replays;        ///< the second one
	bool has_list;       ///< it has lines of images
	bool in_line;        ///< the block before ended in a line
	uint64_t at;         ///< of the block, in the log
	uint64_t pid;        ///< of the last line that said one
	struct str pid_text; ///< in decimal
	bool after_thread;   ///< the last line begins a thread
	// The frame before, for numbers that inlined calls move:
	uint64_t next_at; ///< where its line ends
	uint64_t next_index;
	uint64_t shift;
	// Of the block, and frames in it that wait for their names:
	const char *written; ///< up to here
	const char *head;    ///< the line whose process was read last
	struct log_batch_frame *frames;
	size_t count;
	struct arena arena;
};

#endif
