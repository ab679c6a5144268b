// SPDX-License-Identifier: MIT
#include "cmd/run/slots.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/parallel.h"
#include "lib/base/turns.h"

#include <string.h>

/** Nodes of a report that is handed out in parts. */
#define PART_NODES ((uint32_t)1 << 15)

/**
 * Reports of a block that wait for the blocks before it, 10 MB of them: of
 * those that are larger than 128 bytes, a block has fewer.
 */
#define REPORTS_SHARED 4096

/** Trees of several jobs may take so many bytes, and twice the input. */
#define TREES_BYTES ((size_t)16 << 20)
/**
 * A job's tree of the parts of one report may be an eighth of what was read. If
 * it is more, to make a second one in another job, and to join them, takes
 * longer than to read one block after another.
 */
#define TREE_SHARE 8

/**
 * Lines that jobs share: each reads a block, works on it while others work on
 * theirs, and hands on what came of it. Blocks are read, compared with those
 * before, and handed on in their order.
 */
struct sharing {
	struct sample_run *run;
	struct lines *lines;
	void (*read)(struct sample_slot *slot);
	unsigned jobs;      ///< that share what comes next
	unsigned jobs_most; ///< that there are
	struct turns reading;
	struct turns comparing;
	struct turns handing;
	// In the turn to read:
	size_t blocks; ///< that were read
	size_t bytes;  ///< in them
};

/** What this input has added to the tree that it added most to. */
static size_t most_new_bytes(const struct sharing *sharing)
{
	size_t most = 0;

	for (unsigned i = 0; i < sharing->jobs_most; i++) {
		const struct sample_slot *slot = &sharing->run->slots[i];
		size_t nodes =
		        number_difference(slot->tree_nodes, slot->old_nodes);

		if (nodes > most)
			most = nodes;
	}
	return most * sizeof(struct calltree_node);
}

/**
 * Have the jobs' trees grown faster than the input? Then hardly two stacks
 * begin alike: joining the trees would double their memory, and gain no time.
 */
static bool is_bushy(const struct sharing *sharing, size_t free_bytes)
{
	size_t nodes = 0;

	for (unsigned i = 0; i < sharing->jobs_most; i++)
		nodes += sharing->run->slots[i].tree_nodes;
	return nodes * sizeof(struct calltree_node) >
	       free_bytes + 2 * sharing->bytes;
}

/**
 * How many jobs share what comes next. The parts of one report have a tree in
 * each job: it begins with one, until there is little new in them, and where an
 * input was bushy, so are others.
 */
static unsigned jobs_of_next(const struct sharing *sharing)
{
	const struct sample_run *run = sharing->run;
	bool alone;

	if (run->options.takes_parts)
		alone = run->is_bushy || !sharing->bytes ||
		        TREE_SHARE * most_new_bytes(sharing) > sharing->bytes;
	else
		alone = is_bushy(sharing, TREES_BYTES);
	return alone ? 1 : sharing->jobs_most;
}

static void count_nodes(struct sample_slot *slot)
{
	slot->tree_nodes = slot->builder.total.node_count +
	                   slot->reader.report.profile.stacks.node_count;
}

static bool read_block(struct sharing *sharing, struct sample_slot *slot)
{
	if (!lines_next(sharing->lines, &slot->block, &slot->first_line))
		return false;
	slot_current(slot)->number = sharing->blocks++;
	sharing->bytes += slot->block.size;
	return true;
}

/** Read the next block in turn, unless other jobs are to share it. */
static bool take_block(struct sharing *sharing, struct sample_slot *slot)
{
	bool got;

	turns_take(&sharing->reading);
	count_nodes(slot);
	got = jobs_of_next(sharing) == sharing->jobs &&
	      read_block(sharing, slot);
	turns_pass(&sharing->reading);
	return got;
}

/**
 * A large tree is not kept beside that of other inputs: it goes there part by
 * part. The first input's becomes the total as it is.
 */
static void hand_out_part(struct sample_slot *slot)
{
	const struct lag_fold_options *options = &slot->run->options;
	const struct profile *profile = &slot->reader.report.profile;

	if (options->takes_parts && !options->wants_hangs &&
	    !options->max_nodes && !profile->keeps_order &&
	    slot->builder.total.node_count > 1 &&
	    profile->stacks.node_count > PART_NODES)
		lag_reader_end(&slot->reader);
}

/**
 * Hand on what came of the first block so far, after the blocks before it.
 *
 * @param is_all  Its turn is over; else, those after it go on waiting.
 */
static void hand_on(struct sharing *sharing, struct sample_slot *slot,
                    bool is_all)
{
	struct sample_run *run = sharing->run;
	size_t number = slot->blocks[0].number;
	size_t waiting = is_all ? slot->blocks[0].waiting : SIZE_MAX;

	// Naming may print, as handing on does: one after the other. Frames
	// that are not named yet are those of the last block that was begun.
	if (slot->blocks_kept + slot->is_reading == 1 &&
	    lag_builder_wants_names(&slot->builder)) {
		turns_wait(&sharing->handing, number);
		slots_name_frames(run, slot, 1);
	}
	turns_wait(&sharing->comparing, number);
	run->same +=
	        lag_builder_forget_same(&slot->builder, waiting, &run->ids);
	if (is_all)
		turns_pass(&sharing->comparing);
	lag_builder_finish(&slot->builder, waiting);
	turns_wait(&sharing->handing, number);
	slot_flush(slot, sharing->lines->source->name);
	if (!is_all)
		return;
	slot->blocks_kept--;
	memmove(slot->blocks, slot->blocks + 1,
	        (BLOCKS_KEPT - 1) * sizeof(*slot->blocks));
	slot->blocks[BLOCKS_KEPT - 1] = (struct sample_block){ 0 };
	if (!slot->blocks_kept && !slot->is_reading)
		slot_forget_functions(slot);
	turns_pass(&sharing->handing);
}

/** Hand on the blocks that are kept, until there are at most so many. */
static void hand_on_kept(struct sharing *sharing, struct sample_slot *slot,
                         size_t most)
{
	while (slot->blocks_kept > most)
		hand_on(sharing, slot, true);
}

/** Take a report of a block, whose reports may be small, and so very many. */
static void share(struct lag_report *report, void *context)
{
	struct sample_slot *slot = context;

	slot_visit(report, slot);
	if (slot_current(slot)->reports < REPORTS_SHARED)
		return;
	hand_on_kept(slot->sharing, slot, 0);
	hand_on(slot->sharing, slot, false);
}

/** The current block is one of those that are kept, and maybe the first. */
static void keep_block(struct sample_slot *slot)
{
	size_t earlier = 0;

	for (size_t i = 0; i < slot->blocks_kept; i++)
		earlier += slot->blocks[i].waiting;
	slot_current(slot)->waiting = slot->builder.waiting_count - earlier;
	slot->blocks_kept++;
}

/** One long line can be a block, of any size. */
static bool is_much_kept(const struct sample_slot *slot)
{
	return slot->block.size > 4 * SLOT_BLOCK_BYTES ||
	       slot->builder.waiting_nodes >= LAG_FOLD_WAITING_NODES;
}

/**
 * How many blocks a slot keeps while it goes on reading. What is printed when
 * frames are named must not depend on who read what, and as long as reports
 * wait, no function is forgotten.
 */
static size_t most_kept(const struct sample_slot *slot)
{
	if (lag_builder_wants_names(&slot->builder) ||
	    slot_should_forget(slot) || is_much_kept(slot))
		return 0;
	return BLOCKS_KEPT - 1;
}

static void do_blocks(size_t index, void *context)
{
	struct sharing *sharing = context;
	struct sample_slot *slot = &sharing->run->slots[index];
	// The first was read to learn whether there are more.
	bool got = !index || take_block(sharing, slot);

	for (; got; got = take_block(sharing, slot)) {
		slot->is_reading = true;
		sharing->read(slot);
		hand_out_part(slot);
		keep_block(slot);
		slot->is_reading = false;
		hand_on_kept(sharing, slot, most_kept(slot));
		while (slot->blocks_kept &&
		       turns_has_come(&sharing->comparing,
		                      slot->blocks[0].number))
			hand_on(sharing, slot, true);
	}
	hand_on_kept(sharing, slot, 0);
}

/**
 * Reports of one job come after all that is known; what those of several have
 * in common shows when they have been read.
 */
static void compare_at_once(struct sample_run *run, bool at_once)
{
	for (unsigned i = 0; i < run->run.jobs; i++)
		run->slots[i].builder.ids = at_once ? &run->ids : NULL;
}

void slots_read_lines(struct sample_run *run, struct lines *lines,
                      unsigned jobs, void (*read)(struct sample_slot *slot))
{
	struct sharing sharing = { .run = run,
		                   .lines = lines,
		                   .read = read,
		                   .jobs_most = jobs,
		                   .reading = TURNS_INIT,
		                   .comparing = TURNS_INIT,
		                   .handing = TURNS_INIT };
	bool got;

	for (unsigned i = 0; i < jobs; i++) {
		count_nodes(&run->slots[i]);
		run->slots[i].old_nodes = run->slots[i].tree_nodes;
		run->slots[i].sharing = &sharing;
		run->slots[i].reader.visit = share;
	}
	do {
		sharing.jobs = jobs_of_next(&sharing);
		got = read_block(&sharing, &run->slots[0]);
		if (lines->ended)
			sharing.jobs = 1;
		compare_at_once(run, sharing.jobs == 1);
		if (got)
			parallel_each(sharing.jobs, sharing.jobs, do_blocks,
			              &sharing);
	} while (got);
	compare_at_once(run, true);
	for (unsigned i = 0; i < jobs; i++)
		run->slots[i].reader.visit = slot_visit;
	run->is_bushy |= run->options.takes_parts && is_bushy(&sharing, 0);
	turns_release(&sharing.reading);
	turns_release(&sharing.comparing);
	turns_release(&sharing.handing);
}
