/**
 * A log in, the same log out, with names for the frames in it: what
 * `symbolicate --log` does. Whole lines are read, and written before a read
 * that would wait; all that is no frame passes byte for byte.
 *
 *     SCOPED(log_filter_release)
 *     struct log_filter filter = { .search = &search, .out = out, … };
 *
 *     err = log_filter_add_images(&filter, "report.ips");
 *     err = log_filter_run(&filter, "-");
 *     log_filter_notice(&filter, notices);
 *
 * What is known of images when a frame comes is all that counts, whatever is
 * read at once; of a regular file it is all that the file says, which is read
 * twice (lib/analysis/symbolicate/log_images.h).
 */
#ifndef APMTOOL_CMD_RUN_LOG_FILTER_H
#define APMTOOL_CMD_RUN_LOG_FILTER_H

#include "cmd/run/symbol_search.h"
#include "lib/analysis/symbolicate/log_images.h"
#include "lib/analysis/symbolicate/symbol_base.h"
#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log_batch_frame;

/** The caller sets the first three; the rest is zeros at first. */
struct log_filter {
	struct symbol_search *search; ///< open
	struct out *out;
	bool on_terminal; ///< no copied text may act on it

	struct log_images given; ///< of --images
	struct missing_symbols missing;
	size_t frame_count;
	size_t unnamed_count;     ///< of these, without any name
	size_t unknown_count;     ///< of these, in no image that was known
	struct str unknown_image; ///< the first of them
	bool is_late; ///< a stream, which is read once, listed it below
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
	struct log_batch_frame *frames;
	size_t count;
	struct arena arena;
};

/** A report or any text with a list: its images are those of all processes. */
MUST_CHECK struct error *log_filter_add_images(struct log_filter *filter,
                                               const char *path);

/** Let a log pass; `-` is standard input. */
MUST_CHECK struct error *log_filter_run(struct log_filter *filter,
                                        const char *path);

/** Say at the end what stayed unnamed, and why. */
void log_filter_notice(struct log_filter *filter,
                       const struct notices *notices);

void log_filter_release(struct log_filter *filter);

#endif
