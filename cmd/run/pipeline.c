// SPDX-License-Identifier: MIT
#include "cmd/run/pipeline.h"

#include "lib/base/mem.h"
#include "lib/base/parallel.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum block_state {
	BLOCK_FREE,
	BLOCK_READING,
	BLOCK_WORKING, ///< until all pieces are done
	BLOCK_GATHERING,
	BLOCK_DELIVERING,
	BLOCK_ENDING,
};

struct block {
	enum block_state state;
	size_t number; ///< in input order
	size_t pieces; ///< to work on or deliver
	size_t begun;  ///< to work on or prepare
	size_t done;
	size_t delivered;
	bool *is_ready; ///< by piece, modulo pipeline_prepared()
};

struct pipeline_state {
	struct pipeline *pipeline;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct block blocks[PIPELINE_BLOCKS_MAX];
	unsigned limit;      ///< max blocks in memory
	unsigned in_memory;  ///< blocks in use
	size_t read_count;   ///< started to read
	size_t gather_count; ///< started to gather
	size_t end_count;    ///< finished
	bool is_reading;
	pthread_t reader; ///< reading thread
	bool can_read;    ///< without waiting
	bool has_ended;
	size_t working;       ///< working threads, not reading
	unsigned alone_count; ///< callers of pipeline_alone()
	pthread_t threads[PARALLEL_THREADS_MAX];
	unsigned thread_count;
};

enum task_kind {
	TASK_READ,
	TASK_WORK,
	TASK_GATHER,
	TASK_PREPARE,
	TASK_DELIVER,
	TASK_END,
};

struct task {
	enum task_kind kind;
	unsigned block;
	size_t piece;
};

size_t pipeline_prepared(const struct pipeline *pipeline)
{
	return (size_t)pipeline->jobs * PIPELINE_PREPARED;
}

/** The block with this number, if in that state. */
static struct block *find(struct pipeline_state *state, size_t number,
                          enum block_state wanted)
{
	for (unsigned i = 0; i < state->pipeline->blocks; i++) {
		struct block *block = &state->blocks[i];

		if (block->state == wanted && block->number == number)
			return block;
	}
	return NULL;
}

static unsigned index_of(const struct pipeline_state *state,
                         const struct block *block)
{
	return (unsigned)(block - state->blocks);
}

// Next task. Called with the mutex.

static bool is_ready(const struct pipeline_state *state,
                     const struct block *block)
{
	size_t ring = pipeline_prepared(state->pipeline);

	return !state->pipeline->stages->prepare ||
	       (block->delivered < block->begun &&
	        block->is_ready[block->delivered % ring]);
}

static bool next_delivery(struct pipeline_state *state, struct task *ret)
{
	struct block *block = find(state, state->end_count, BLOCK_DELIVERING);

	if (!block)
		return false;
	*ret = (struct task){ .kind = TASK_END,
		              .block = index_of(state, block) };
	if (block->delivered == block->pieces) {
		block->state = BLOCK_ENDING;
		return true;
	}
	if (!is_ready(state, block))
		return false;
	ret->kind = TASK_DELIVER;
	ret->piece = block->delivered;
	return true;
}

static bool next_gathering(struct pipeline_state *state, struct task *ret)
{
	const struct pipeline *pipeline = state->pipeline;
	struct block *block = find(state, state->gather_count, BLOCK_WORKING);
	unsigned index;

	if (!block || block->done < block->pieces)
		return false;
	index = index_of(state, block);
	if (block->number > state->end_count &&
	    (!pipeline->stages->waits ||
	     pipeline->stages->waits(index, pipeline->context)))
		return false;
	state->gather_count++;
	block->state = BLOCK_GATHERING;
	*ret = (struct task){ .kind = TASK_GATHER, .block = index };
	return true;
}

/** A piece of the oldest block in this state with pieces to begin. */
static bool next_piece(struct pipeline_state *state, enum block_state wanted,
                       size_t max, struct task *ret)
{
	for (size_t number = state->end_count; number < state->read_count;
	     number++) {
		struct block *block = find(state, number, wanted);

		if (!block || block->begun == block->pieces ||
		    block->begun - block->delivered >= max)
			continue;
		*ret = (struct task){
			.kind = wanted == BLOCK_WORKING ? TASK_WORK
			                                : TASK_PREPARE,
			.block = index_of(state, block),
			.piece = block->begun++,
		};
		return true;
	}
	return false;
}

static bool next_reading(struct pipeline_state *state, bool is_caller,
                         struct task *ret)
{
	unsigned index = 0;

	if (state->is_reading || state->has_ended ||
	    state->in_memory >= state->limit)
		return false;
	// The caller does not wait for input while blocks wait for it.
	if (is_caller && state->in_memory && !state->can_read)
		return false;
	while (state->blocks[index].state != BLOCK_FREE)
		index++;
	state->blocks[index].state = BLOCK_READING;
	state->blocks[index].number = state->read_count++;
	state->in_memory++;
	state->is_reading = true;
	state->reader = pthread_self();
	*ret = (struct task){ .kind = TASK_READ, .block = index };
	return true;
}

static bool next_task(struct pipeline_state *state, bool is_caller,
                      struct task *ret)
{
	const struct pipeline_stages *stages = state->pipeline->stages;

	if (is_caller &&
	    (next_delivery(state, ret) || next_gathering(state, ret)))
		return true;
	if (state->alone_count)
		return false;
	if (stages->prepare &&
	    next_piece(state, BLOCK_DELIVERING,
	               pipeline_prepared(state->pipeline), ret))
		return true;
	return next_piece(state, BLOCK_WORKING, SIZE_MAX, ret) ||
	       next_reading(state, is_caller, ret);
}

// Tasks. They unlock the mutex while they run.

static void work_until_end(struct pipeline_state *state, bool is_caller);

static void *begin(void *argument)
{
	work_until_end(argument, false);
	return NULL;
}

/** Start threads for pieces, and for blocks that can be read now. */
static void start_threads(struct pipeline_state *state, size_t pieces)
{
	unsigned max = state->pipeline->jobs - 1;

	if (max > PARALLEL_THREADS_MAX)
		max = PARALLEL_THREADS_MAX;
	if (!state->can_read && max > pieces - 1)
		max = (unsigned)(pieces - 1);
	// If a thread cannot be started, others do its work.
	while (state->thread_count < max &&
	       parallel_begin(&state->threads[state->thread_count], begin,
	                      state))
		state->thread_count++;
}

static void end_reading(struct pipeline_state *state, struct block *block,
                        size_t pieces, bool more)
{
	state->is_reading = false;
	state->can_read = more;
	block->pieces = pieces;
	block->begun = block->done = block->delivered = 0;
	if (pieces) {
		block->state = BLOCK_WORKING;
		if (!state->pipeline->stages->work)
			block->begun = block->done = pieces;
		start_threads(state, pieces);
		return;
	}
	block->state = BLOCK_FREE;
	state->in_memory--;
	state->read_count--;
	state->has_ended = true;
}

static void begin_delivery(struct pipeline_state *state, struct block *block,
                           size_t pieces)
{
	block->state = BLOCK_DELIVERING;
	block->pieces = pieces;
	block->begun = block->done = block->delivered = 0;
	if (state->pipeline->stages->prepare && pieces && !block->is_ready)
		block->is_ready = mem_zalloc(pipeline_prepared(state->pipeline),
		                             sizeof(*block->is_ready));
	if (state->pipeline->stages->prepare && pieces)
		start_threads(state, pieces);
}

static void do_read(struct pipeline_state *state, const struct task *task)
{
	const struct pipeline *pipeline = state->pipeline;
	bool more = false;
	size_t pieces;

	pthread_mutex_unlock(&state->mutex);
	pieces = pipeline->stages->read(task->block, &more, pipeline->context);
	pthread_mutex_lock(&state->mutex);
	end_reading(state, &state->blocks[task->block], pieces, more);
}

/** Call a stage; returns its result, or 0. */
static size_t call(const struct pipeline *pipeline, const struct task *task)
{
	const struct pipeline_stages *stages = pipeline->stages;
	void *context = pipeline->context;

	switch (task->kind) {
	case TASK_WORK:
		stages->work(task->block, task->piece, context);
		break;
	case TASK_GATHER:
		return stages->gather ? stages->gather(task->block, context)
		                      : 1;
	case TASK_PREPARE:
		stages->prepare(task->block, task->piece, context);
		break;
	case TASK_DELIVER:
		if (stages->deliver)
			stages->deliver(task->block, task->piece, context);
		break;
	case TASK_END:
		if (stages->end)
			stages->end(task->block, context);
		break;
	case TASK_READ:
		break;
	}
	return 0;
}

static void do_task(struct pipeline_state *state, const struct task *task)
{
	struct block *block = &state->blocks[task->block];
	size_t ring = pipeline_prepared(state->pipeline);
	size_t pieces;

	state->working++;
	pthread_mutex_unlock(&state->mutex);
	pieces = call(state->pipeline, task);
	pthread_mutex_lock(&state->mutex);
	state->working--;
	switch (task->kind) {
	case TASK_WORK:
		block->done++;
		break;
	case TASK_GATHER:
		begin_delivery(state, block, pieces);
		break;
	case TASK_PREPARE:
		block->is_ready[task->piece % ring] = true;
		break;
	case TASK_DELIVER:
		if (block->is_ready)
			block->is_ready[task->piece % ring] = false;
		block->delivered++;
		break;
	case TASK_END:
		block->state = BLOCK_FREE;
		state->in_memory--;
		state->end_count++;
		break;
	case TASK_READ:
		break;
	}
}

static bool is_over(const struct pipeline_state *state)
{
	return state->has_ended && !state->in_memory;
}

static void work_until_end(struct pipeline_state *state, bool is_caller)
{
	struct task task;

	pthread_mutex_lock(&state->mutex);
	while (!is_over(state)) {
		if (!next_task(state, is_caller, &task)) {
			pthread_cond_wait(&state->changed, &state->mutex);
			continue;
		}
		if (task.kind == TASK_READ)
			do_read(state, &task);
		else
			do_task(state, &task);
		pthread_cond_broadcast(&state->changed);
	}
	pthread_mutex_unlock(&state->mutex);
}

void pipeline_run(struct pipeline *pipeline)
{
	struct pipeline_state state = {
		.pipeline = pipeline,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.limit = pipeline->first_blocks ? pipeline->first_blocks
		                                : pipeline->blocks,
	};

	assert(pipeline->jobs && pipeline->blocks &&
	       pipeline->blocks <= PIPELINE_BLOCKS_MAX);
	pipeline->state = &state;
	work_until_end(&state, true);
	for (unsigned i = 0; i < state.thread_count; i++)
		pthread_join(state.threads[i], NULL);
	for (unsigned i = 0; i < pipeline->blocks; i++)
		free(state.blocks[i].is_ready);
	pthread_cond_destroy(&state.changed);
	pthread_mutex_destroy(&state.mutex);
	pipeline->state = NULL;
}

void pipeline_limit(struct pipeline *pipeline, unsigned blocks)
{
	struct pipeline_state *state = pipeline->state;

	pthread_mutex_lock(&state->mutex);
	state->limit = blocks;
	pthread_mutex_unlock(&state->mutex);
}

void pipeline_alone(struct pipeline *pipeline, void (*retry)(void *argument),
                    void *argument)
{
	struct pipeline_state *state = pipeline->state;
	size_t self;

	pthread_mutex_lock(&state->mutex);
	// A gathering thread counts as working, a reading one does not.
	self = !(state->is_reading &&
	         pthread_equal(state->reader, pthread_self()));
	state->alone_count++;
	while (state->working > self)
		pthread_cond_wait(&state->changed, &state->mutex);
	pthread_mutex_unlock(&state->mutex);
	retry(argument);
	pthread_mutex_lock(&state->mutex);
	state->alone_count--;
	pthread_cond_broadcast(&state->changed);
	pthread_mutex_unlock(&state->mutex);
}
