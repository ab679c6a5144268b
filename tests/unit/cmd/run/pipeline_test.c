// SPDX-License-Identifier: MIT
#include "cmd/run/pipeline.h"

#include "lib/base/compiler.h"

#ifdef __linux__
#include <dirent.h>
#endif
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define BLOCKS     40
#define PIECES_MAX 30
#define IN_MEMORY  3

/** What became of one block after the other. */
struct run {
	struct pipeline pipeline;
	pthread_t caller;
	size_t numbers[IN_MEMORY]; ///< by block of the pipeline
	size_t read;
	size_t gathered;
	size_t delivered; ///< blocks
	size_t pieces;    ///< delivered of the next block
	atomic_size_t in_memory;
	atomic_size_t max_in_memory;
	atomic_size_t worked[BLOCKS][PIECES_MAX];
	atomic_size_t prepared[BLOCKS][PIECES_MAX];
	atomic_size_t at_work;
	bool reads_alone; ///< one block waits for nobody else at work
	bool was_alone;
	bool never_waits;
	unsigned limit;         ///< from the third block on; 0: none
	unsigned highest_index; ///< of a block, from when that holds
	bool has_more;
};

/** Blocks have different numbers of pieces. */
static size_t pieces_of(size_t number)
{
	return 1 + number * 7 % PIECES_MAX;
}

/** Some of them are to be delivered, none of some blocks. */
static size_t deliveries_of(size_t number)
{
	return number % 5 ? pieces_of(number) : 0;
}

static void note_alone(void *context)
{
	struct run *run = context;

	run->was_alone = !run->at_work;
}

static size_t read_block(unsigned block, bool *ret_more, void *context)
{
	struct run *run = context;

	if (run->read == BLOCKS)
		return 0;
	if (run->reads_alone && run->read == BLOCKS / 2)
		pipeline_alone(&run->pipeline, note_alone, run);
	if (++run->in_memory > run->max_in_memory)
		run->max_in_memory = run->in_memory;
	if (run->limit && run->read > 8 && block > run->highest_index)
		run->highest_index = block;
	run->numbers[block] = run->read++;
	*ret_more = run->has_more;
	return pieces_of(run->numbers[block]);
}

static void pause_a_little(size_t number)
{
	const struct timespec pause = { .tv_nsec = (long)(number % 3) * 20000 };

	nanosleep(&pause, NULL);
}

static void work(unsigned block, size_t piece, void *context)
{
	struct run *run = context;

	run->at_work++;
	pause_a_little(piece);
	run->worked[run->numbers[block]][piece]++;
	run->at_work--;
}

static size_t gather(unsigned block, void *context)
{
	struct run *run = context;
	size_t number = run->numbers[block];

	assert_true(pthread_equal(pthread_self(), run->caller));
	assert_int_equal(number, run->gathered++);
	if (!run->never_waits)
		assert_int_equal(number, run->delivered);
	for (size_t i = 0; i < pieces_of(number); i++)
		assert_int_equal(run->worked[number][i], 1);
	return deliveries_of(number);
}

static bool never_waits(unsigned block UNUSED, void *context UNUSED)
{
	return false;
}

static void prepare(unsigned block, size_t piece, void *context)
{
	struct run *run = context;

	run->at_work++;
	pause_a_little(piece + 1);
	run->prepared[run->numbers[block]][piece]++;
	run->at_work--;
}

static void deliver(unsigned block, size_t piece, void *context)
{
	struct run *run = context;
	size_t number = run->numbers[block];

	assert_true(pthread_equal(pthread_self(), run->caller));
	assert_int_equal(number, run->delivered);
	assert_int_equal(piece, run->pieces++);
	assert_int_equal(run->prepared[number][piece], 1);
	// No more is prepared than there is room for.
	if (piece + pipeline_prepared(&run->pipeline) < deliveries_of(number))
		assert_int_equal(
		        run->prepared[number][piece + pipeline_prepared(
		                                              &run->pipeline)],
		        0);
}

static void end(unsigned block, void *context)
{
	struct run *run = context;

	assert_int_equal(run->pieces, deliveries_of(run->numbers[block]));
	run->pieces = 0;
	run->delivered++;
	run->in_memory--;
	if (run->limit && run->delivered == 3)
		pipeline_limit(&run->pipeline, run->limit);
}

#ifdef __linux__
/** Of this process. */
static size_t count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *entry;
	size_t count = 0;

	assert_non_null(tasks);
	while ((entry = readdir(tasks)))
		count += entry->d_name[0] != '.';
	closedir(tasks);
	return count;
}
#endif

static void run_all(struct run *run, const struct pipeline_stages *stages,
                    unsigned jobs, unsigned blocks)
{
	run->caller = pthread_self();
	run->has_more = true;
	run->pipeline = (struct pipeline){
		.stages = stages, .context = run, .jobs = jobs, .blocks = blocks
	};
	pipeline_run(&run->pipeline);
	assert_int_equal(run->delivered, BLOCKS);
	assert_true(run->max_in_memory <= blocks);
	for (size_t i = 0; i < BLOCKS; i++)
		for (size_t k = 0; k < deliveries_of(i); k++)
			assert_int_equal(run->prepared[i][k], 1);
#ifdef __linux__
	assert_int_equal(count_threads(), 1);
#endif
}

static const struct pipeline_stages all_stages = { .read = read_block,
	                                           .work = work,
	                                           .gather = gather,
	                                           .prepare = prepare,
	                                           .deliver = deliver,
	                                           .end = end };

static void blocks_are_delivered_in_input_order(void **state UNUSED)
{
	for (unsigned jobs = 1; jobs <= 4; jobs++) {
		for (unsigned blocks = 1; blocks <= IN_MEMORY; blocks++) {
			struct run run = { 0 };

			run_all(&run, &all_stages, jobs, blocks);
		}
	}
}

static void a_block_may_be_gathered_before_others_are_delivered(
        void **state UNUSED)
{
	struct pipeline_stages stages = all_stages;
	struct run run = { .never_waits = true };

	stages.waits = never_waits;
	run_all(&run, &stages, 4, IN_MEMORY);
}

static void a_limit_uses_the_first_blocks(void **state UNUSED)
{
	struct run run = { .limit = 1 };

	run_all(&run, &all_stages, 3, IN_MEMORY);
	assert_int_equal(run.highest_index, 0);
}

static void what_was_short_is_tried_while_nobody_works(void **state UNUSED)
{
	struct run run = { .reads_alone = true };

	run_all(&run, &all_stages, 4, IN_MEMORY);
	assert_true(run.was_alone);
}

/** A caller that sends one report and waits for its answer. */
struct dialogue {
	size_t asked;
	size_t answered;
	size_t threads;
};

static size_t ask(unsigned block UNUSED, bool *ret_more UNUSED, void *context)
{
	struct dialogue *dialogue = context;

	assert_int_equal(dialogue->answered, dialogue->asked);
	return dialogue->asked++ < BLOCKS;
}

static void answer(unsigned block UNUSED, size_t piece UNUSED, void *context)
{
	struct dialogue *dialogue = context;

	dialogue->answered++;
#ifdef __linux__
	dialogue->threads = count_threads();
#endif
}

static void an_answer_comes_before_the_next_is_waited_for(void **state UNUSED)
{
	static const struct pipeline_stages stages = { .read = ask,
		                                       .deliver = answer };
	struct dialogue dialogue = { .threads = 1 };
	struct pipeline pipeline = {
		.stages = &stages, .context = &dialogue, .jobs = 4, .blocks = 2
	};

	pipeline_run(&pipeline);
	assert_int_equal(dialogue.answered, BLOCKS);
	// Of one piece after the other, another thread has nothing to do.
	assert_int_equal(dialogue.threads, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_delivered_in_input_order),
		cmocka_unit_test(
		        a_block_may_be_gathered_before_others_are_delivered),
		cmocka_unit_test(a_limit_uses_the_first_blocks),
		cmocka_unit_test(what_was_short_is_tried_while_nobody_works),
		cmocka_unit_test(an_answer_comes_before_the_next_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
