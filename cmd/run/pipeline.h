// SPDX-License-Identifier: MIT
/**
 * The pipeline for the inputs of all commands: reads blocks, works on them on
 * any thread, and delivers them in input order, with a bounded number in
 * memory.
 *
 *     read → work on each piece → gather → prepare each piece → deliver it
 *
 * One thread at a time reads, in order. Any thread works on pieces and prepares
 * them. gather, deliver and end are called in input order on the caller's
 * thread, so they may print, keep sums and start processes. With one job,
 * everything happens on that thread, one block at a time. Other threads are
 * started when there is work for them.
 *
 *     static const struct pipeline_stages stages = {
 *             .read = read_block, .work = parse, .deliver = write_block,
 *     };
 *     struct pipeline pipeline = {
 *             .stages = &stages, .context = run, .jobs = jobs, .blocks = 2,
 *     };
 *
 *     pipeline_run(&pipeline);
 */
#ifndef APMTOOL_CMD_RUN_PIPELINE_H
#define APMTOOL_CMD_RUN_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

/** Max blocks in memory. */
#define PIPELINE_BLOCKS_MAX 65

/** Max pieces of a block that a job prepares ahead of delivery. */
#define PIPELINE_PREPARED 8

/**
 * Callbacks for a command's blocks. Blocks are the command's own array, of
 * pipeline.blocks entries; stages get an index. All but read may be NULL.
 */
struct pipeline_stages {
	/**
	 * Fill a block.
	 *
	 * @param ret_more  Set to true if the next block can be read without
	 *                  waiting.
	 * @return The number of its pieces to work on; 0 at the end.
	 */
	size_t (*read)(unsigned block, bool *ret_more, void *context);
	void (*work)(unsigned block, size_t piece, void *context);
	/**
	 * All pieces are done, and all earlier blocks are gathered.
	 *
	 * @return The number of pieces to deliver; may be 0.
	 */
	size_t (*gather)(unsigned block, void *context);
	/** Does gather wait for delivery of earlier blocks? NULL: yes. */
	bool (*waits)(unsigned block, void *context);
	void (*prepare)(unsigned block, size_t piece, void *context);
	void (*deliver)(unsigned block, size_t piece, void *context);
	/** The block is delivered and will be filled again. */
	void (*end)(unsigned block, void *context);
};

struct pipeline {
	const struct pipeline_stages *stages;
	void *context;   ///< of these functions
	unsigned jobs;   ///< threads, the caller's included
	unsigned blocks; ///< max blocks in memory, up to PIPELINE_BLOCKS_MAX
	/** Max blocks before pipeline_limit() is called; 0: `blocks`. */
	unsigned first_blocks;
	struct pipeline_state *state; ///< while it runs
};

/** Returns once read has returned 0 and everything is delivered. */
void pipeline_run(struct pipeline *pipeline);

/**
 * From end: set the max number of blocks from now on, at least 1. Those with
 * the lowest indices are used.
 */
void pipeline_limit(struct pipeline *pipeline, unsigned blocks);

/** Number of slots for prepared pieces; a piece uses its number modulo this. */
size_t pipeline_prepared(const struct pipeline *pipeline);

/**
 * From read or gather, after a shortage of resources: call @p retry while no
 * other thread works on a piece.
 */
void pipeline_alone(struct pipeline *pipeline, void (*retry)(void *argument),
                    void *argument);

#endif
