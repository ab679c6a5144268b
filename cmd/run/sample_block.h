// SPDX-License-Identifier: MIT
/**
 * A block of samples as a run works on it: a reader of samples and the builder
 * that they go to. There are as many as the pipeline has blocks. What a block
 * read is handed on in input order; what its builder has learnt stays for the
 * blocks of input that come into it later.
 */
#ifndef APMTOOL_CMD_RUN_SAMPLE_BLOCK_H
#define APMTOOL_CMD_RUN_SAMPLE_BLOCK_H

#include "cmd/run/lines.h"
#include "cmd/run/samples.h"

#include <stdbool.h>
#include <stddef.h>

/** Failed reports of an input that are printed. */
#define FAILURES_PRINTED 20

/** A report that could not be read. */
struct sample_failure {
	size_t line;
	struct error *err;
};

struct sample_block {
	struct sample_run *run;
	struct lag_builder builder;
	struct lag_reader reader;
	bool has_part; ///< of the one report that the input is
	// What was read, until it is handed on:
	size_t reports;
	size_t kinds[SAMPLE_KINDS];
	size_t left_out;
	struct sample_failure failures[FAILURES_PRINTED];
	size_t failure_count; ///< may exceed FAILURES_PRINTED
	// Of lines:
	struct str text;
	size_t first_line;
	uint32_t tree_nodes; ///< of its trees, when its last lines were over
	uint32_t old_nodes;  ///< of them, from earlier inputs
};

void sample_blocks_make(struct sample_run *run);
void sample_blocks_release(struct sample_run *run);
/** Nothing more is read: free what only reading needs. */
void sample_blocks_end(struct sample_run *run);

/** From now on, all that is read comes from this input. */
void sample_blocks_begin_input(struct sample_run *run, const char *name);

/** Are samples of this input kept in their order? By default, if wanted. */
void sample_blocks_keep_order(struct sample_run *run, bool keeps_order);
/** Images of reports that bring none. */
void sample_blocks_use_images(struct sample_run *run,
                              const struct lag_images *images);

/** A lag_visit: take a report, unless it is of a kind that is not wanted. */
void sample_block_visit(struct lag_report *report, void *block);
/**
 * A lag_visit of an input that the first block reads alone: as
 * sample_block_visit(), and hand on what has been read now and then.
 */
void sample_block_take(struct lag_report *report, void *block);

// What is done with the reports of a block, in this order.

/** In input order: drop what came before, and name what is new. */
void sample_block_gather(struct sample_block *block);
/** On any job. */
void sample_block_fold(struct sample_block *block);
/** In input order: print, count, and give the hangs to the command. */
void sample_block_hand_on(struct sample_block *block, const char *name);

/** Read an input of lines, on @p jobs jobs (sample_lines.c). */
void sample_lines_read(struct sample_run *run, struct lines *lines,
                       unsigned jobs, void (*read)(struct sample_block *block));
/** Fold and hand on what all blocks have read, on all jobs. */
void sample_lines_finish(struct sample_run *run, const char *name);

// Messages about what was read (sample_notes.c).

/** The notes of a report, unless there were too many of this input. */
void sample_notes_print(struct sample_run *run, const struct lag_hang *hang);
/** The notes of a report that several blocks read, as if one had. */
void sample_notes_print_parts(struct sample_run *run, const char *name);
/** What could not be read of an image list: once, not for each report. */
void sample_notes_print_images(struct sample_run *run, const char *name,
                               const struct lag_images *images);
/** The reports of a block that could not be read; it forgets them. */
void sample_failures_print(struct sample_run *run, struct sample_block *block,
                           const char *name);
/** At the end of an input: how much was not printed. */
void sample_notes_print_rest(struct sample_run *run, const char *name);
/** Rules that could not be decided; once, not once a job. */
void sample_notes_print_rules(const struct sample_run *run);

#endif
