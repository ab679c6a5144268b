// SPDX-License-Identifier: MIT
/**
 * What each job of a sample run works with: a reader of samples and the builder
 * that they go to. What came of the blocks of an input is handed on in their
 * order, whichever slot has read them.
 */
#ifndef APMTOOL_CMD_RUN_SLOTS_H
#define APMTOOL_CMD_RUN_SLOTS_H

#include "cmd/run/lines.h"
#include "cmd/run/samples.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Of the lines that a job reads at once: small enough for its processor's
 * cache, and the others do not wait long for who reads the last.
 */
#define SLOT_BLOCK_BYTES ((size_t)512 << 10)

/** Failed reports of an input that are printed. */
#define FAILURES_PRINTED 20

/** A report that could not be read. */
struct sample_failure {
	size_t line;
	struct error *err;
};

struct sharing;

/**
 * Blocks that a slot has read: so it goes on while another slot, on a slower
 * processor, still works on one that is to be handed on before.
 */
#define BLOCKS_KEPT 4

/** What came of a block, until it is handed on. */
struct sample_block {
	size_t number; ///< from 0; of an input that is not shared, there is one
	size_t waiting; ///< reports that are its own, and wait in the builder
	size_t reports;
	size_t kinds[SAMPLE_KINDS];
	size_t left_out;
	struct sample_failure failures[FAILURES_PRINTED];
	size_t failure_count; ///< may exceed FAILURES_PRINTED
};

struct sample_slot {
	struct sample_run *run;
	struct lag_builder builder;
	struct lag_reader reader;
	struct sharing *sharing; ///< of the lines that jobs share
	struct str block;
	size_t first_line;
	size_t tree_nodes; ///< when it last asked for a block
	size_t old_nodes;  ///< of them, from earlier inputs
	bool has_part;     ///< of the one report that the input is
	/** In their order; behind those that are kept, the one that is read. */
	struct sample_block blocks[BLOCKS_KEPT];
	size_t blocks_kept;
	bool is_reading; ///< of blocks that jobs share
};

/** Make a slot for each job. */
void slots_make(struct sample_run *run);
void slots_release(struct sample_run *run);
/** Nothing more is read: give back what only reading needs. */
void slots_end(struct sample_run *run);

/** From now on, all that is read comes from this input. */
void slots_begin_input(struct sample_run *run, const char *name);
/** The readers hand out what they have kept back. */
void slots_end_input(struct sample_run *run);

/** Are samples of this input kept in their order? By default, if wanted. */
void slots_keep_order(struct sample_run *run, bool keeps_order);
/** Images of reports that bring none. */
void slots_use_images(struct sample_run *run, const struct lag_images *images);

/** The block that is being read. */
struct sample_block *slot_current(struct sample_slot *slot);
/** Take a report, unless it is of a kind that is not wanted. */
void slot_visit(struct lag_report *report, void *slot);
/** Hand on what came of its first block, and forget it. */
void slot_flush(struct sample_slot *slot, const char *name);
/** Has it so many functions that they should be forgotten? */
bool slot_should_forget(const struct sample_slot *slot);
/**
 * Forget them, if so: all that it read has been handed on. In turn: other slots
 * may do the same.
 */
void slot_forget_functions(struct sample_slot *slot);
/** Name the frames that wait in @p count slots. */
void slots_name_frames(struct sample_run *run, struct sample_slot *slots,
                       size_t count);

/** Take a report that one slot reads on its own, and hand on now and then. */
void slot_take(struct lag_report *report, void *slot);
/** Blocks of @p lines, @p jobs of them at once (slot_lines.c). */
void slots_read_lines(struct sample_run *run, struct lines *lines,
                      unsigned jobs, void (*read)(struct sample_slot *slot));

// Messages of what was read (sample_notes.c).

/** The notes of a report, unless there were too many of this input. */
void sample_notes_print(struct sample_run *run, const struct lag_hang *hang);
/** The notes of a report that several slots read, as if one had. */
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
