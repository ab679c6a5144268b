// SPDX-License-Identifier: MIT
/**
 * The pipeline that every command's inputs go through: blocks are read, worked
 * on by any job, and delivered in input order, with a bounded number of them in
 * memory.
 *
 *     read → work on each piece → gather → prepare each piece → deliver it
 *
 * Reading is done by one thread at a time, in order. Pieces are worked on, and
 * prepared for delivery, by any thread. gather, deliver and end are called in
 * input order and on the thread of the caller, so they may print, keep sums and
 * start processes. With one job everything happens on that thread, a block at a
 * time. Other threads are started once there is work for them.
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

/** Blocks in memory at most. */
#define PIPELINE_BLOCKS_MAX 65

/** Pieces of a block that a job may prepare before they are delivered. */
#define PIPELINE_PREPARED 8

/**
 * What a command does with its blocks. They are the command's own array: a
 * block is an index below pipeline.blocks. All but read may be NULL.
 */
struct pipeline_stages {
	/**
	 * Fill a block.
	 *
	 * @param ret_more  Set this if the next block can be read without
	 *                  waiting.
	 * @return The number of its pieces to work on; 0 at the end.
	 */
	size_t (*read)(unsigned block, bool *ret_more, void *context);
	void (*work)(unsigned block, size_t piece, void *context);
	/**
	 * All pieces have been worked on, and the blocks before are gathered.
	 *
	 * @return The number of pieces to deliver, which may be 0.
	 */
	size_t (*gather)(unsigned block, void *context);
	/**
	 * Whether gathering a block waits until those before are delivered;
	 * NULL: it always does.
	 */
	bool (*waits)(unsigned block, void *context);
	void (*prepare)(unsigned block, size_t piece, void *context);
	void (*deliver)(unsigned block, size_t piece, void *context);
	/** All of it is delivered; the block will be filled again. */
	void (*end)(unsigned block, void *context);
};

struct pipeline {
	const struct pipeline_stages *stages;
	void *context;   ///< of these functions
	unsigned jobs;   ///< threads, the caller's included
	unsigned blocks; ///< in memory at most, up to PIPELINE_BLOCKS_MAX
	/** Of them, before pipeline_limit() is called; 0: all. */
	unsigned first_blocks;
	struct pipeline_state *state; ///< while it runs
};

/** Returns once read has returned 0 and everything is delivered. */
void pipeline_run(struct pipeline *pipeline);

/**
 * From end: how many blocks there may be from now on, at least 1. Those with
 * the lowest indices are filled.
 */
void pipeline_limit(struct pipeline *pipeline, unsigned blocks);

/** Slots for prepared pieces, by piece: a piece uses its number modulo this. */
size_t pipeline_prepared(const struct pipeline *pipeline);

/**
 * From read or gather, where the system was short of something: call @p retry
 * while no other thread works on a piece.
 */
void pipeline_alone(struct pipeline *pipeline, void (*retry)(void *argument),
                    void *argument);

#endif
