// SPDX-License-Identifier: MIT
/**
 * A block of samples: a reader of samples, and a builder for them. There are as
 * many as blocks in the pipeline. Results are delivered in input order. The
 * builder keeps its functions and places for the later input of its block.
 */
#ifndef APMTOOL_CMD_RUN_SAMPLE_BLOCK_H
#define APMTOOL_CMD_RUN_SAMPLE_BLOCK_H

#include "cmd/run/lines.h"
#include "cmd/run/samples.h"

#include <stdbool.h>
#include <stddef.h>

/** Max failed reports of an input to print. */
#define FAILURES_PRINTED 20

/** An unreadable report. */
struct sample_failure {
	size_t line;
	struct error *err;
};

struct sample_block {
	struct sample_run *run;
	struct lag_builder builder;
	struct lag_reader reader;
	bool has_part; ///< of the only report of the input
	// Read and not delivered yet:
	size_t reports;
	size_t kinds[SAMPLE_KINDS];
	size_t skipped;
	struct sample_failure failures[FAILURES_PRINTED];
	size_t failure_count; ///< may exceed FAILURES_PRINTED
	// For inputs of lines:
	struct str text;
	size_t first_line;
	uint32_t tree_nodes; ///< of its trees, at the end of its last lines
	uint32_t old_nodes;  ///< of these, from earlier inputs
};

void sample_blocks_make(struct sample_run *run);
void sample_blocks_release(struct sample_run *run);
/** End of reading: free what only reading needs. */
void sample_blocks_end(struct sample_run *run);

void sample_blocks_begin_input(struct sample_run *run, const char *name);

/** Keep the order of this input's samples? By default, if requested. */
void sample_blocks_keep_order(struct sample_run *run, bool keeps_order);
/** Set the images of reports without any. */
void sample_blocks_use_images(struct sample_run *run,
                              const struct lag_images *images);

/** A lag_visit: take a report, unless its kind is not requested. */
void sample_block_visit(struct lag_report *report, void *block);
/**
 * As sample_block_visit(), for an input that the first block reads alone: also
 * delivers from time to time.
 */
void sample_block_take(struct lag_report *report, void *block);

// Steps for the reports of a block, in this order.

/** In input order: drop duplicates, and name new places. */
void sample_block_gather(struct sample_block *block);
/** On any job. */
void sample_block_fold(struct sample_block *block);
/** In input order: print, count, and pass the hangs to the command. */
void sample_block_hand_on(struct sample_block *block, const char *name);

/** Read an input of lines on @p jobs jobs (sample_lines.c). */
void sample_lines_read(struct sample_run *run, struct lines *lines,
                       unsigned jobs, void (*read)(struct sample_block *block));
/** Fold and deliver the rest of all blocks, on all jobs. */
void sample_lines_finish(struct sample_run *run, const char *name);

// Messages (sample_notes.c).

/** Print the notes of a report, up to a max per input. */
void sample_notes_print(struct sample_run *run, const struct lag_hang *hang);
/** Print the notes of a report that several blocks read, as of one. */
void sample_notes_print_parts(struct sample_run *run, const char *name);
/** Print the faults of an image list, once per list. */
void sample_notes_print_images(struct sample_run *run, const char *name,
                               const struct lag_images *images);
/** Print the unreadable reports of a block, and drop them. */
void sample_failures_print(struct sample_run *run, struct sample_block *block,
                           const char *name);
/** At the end of an input: print how many messages were not printed. */
void sample_notes_print_rest(struct sample_run *run, const char *name);
/** Print the rules that exceeded their budget, once for all jobs. */
void sample_notes_print_rules(const struct sample_run *run);

#endif
