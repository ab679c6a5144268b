// SPDX-License-Identifier: MIT
#include "cmd/run/sample_block.h"

#include "cmd/run/pipeline.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

/** Fits in a processor's cache. */
#define BLOCK_BYTES ((size_t)512 << 10)
/** Bytes whose places are named together, to open files less often. */
#define NAMED_BYTES ((size_t)1 << 20)

/** Nodes of each part of a report that is delivered in parts. */
#define PART_NODES ((uint32_t)1 << 15)

/** Max bytes of the trees of several blocks, plus twice the input. */
#define TREES_BYTES ((size_t)16 << 20)
/**
 * Max size of a block's tree of one report's parts, as a fraction of its input
 * (1/8). With a larger tree, building a second one and joining both takes
 * longer than reading all in one block.
 */
#define TREE_SHARE 8

/** Context of the stages: an input of lines. */
struct sample_lines {
	struct sample_run *run;
	struct lines *lines;
	const char *name; ///< of the input
	void (*read)(struct sample_block *block);
	struct pipeline pipeline;
	size_t bytes; ///< of finished blocks
	// At the end of an input: the blocks with reports
	struct sample_block *busy[PIPELINE_BLOCKS_MAX];
	unsigned busy_count;
	unsigned next;
	unsigned numbers[PIPELINE_BLOCKS_MAX]; ///< by block of the pipeline
};

static struct sample_block *block_at(const struct sample_lines *in,
                                     unsigned index)
{
	return in->lines ? &in->run->blocks[index]
	                 : in->busy[in->numbers[index]];
}

// Number of blocks

/** Max bytes that this input added to a tree. */
static size_t max_new_bytes(const struct sample_lines *in)
{
	size_t max = 0;

	for (unsigned i = 0; i < in->pipeline.blocks; i++) {
		const struct sample_block *block = &in->run->blocks[i];
		size_t nodes =
		        number_difference(block->tree_nodes, block->old_nodes);

		if (nodes > max)
			max = nodes;
	}
	return max * sizeof(struct calltree_node);
}

/**
 * Have the trees grown faster than the input? Then few stacks share a prefix,
 * so joining trees would double the memory and save no time.
 */
static bool is_bushy(const struct sample_lines *in, size_t free_bytes)
{
	size_t nodes = 0;

	for (unsigned i = 0; i < in->pipeline.blocks; i++)
		nodes += in->run->blocks[i].tree_nodes;
	return nodes * sizeof(struct calltree_node) >
	       free_bytes + 2 * in->bytes;
}

/**
 * The parts of one report have a tree in each block. The input starts with one
 * block, until few nodes are new; after a bushy input, so do later ones.
 */
static unsigned wanted_blocks(const struct sample_lines *in)
{
	const struct sample_run *run = in->run;
	bool one;

	if (run->options.takes_parts)
		one = run->is_bushy || !in->bytes ||
		      TREE_SHARE * max_new_bytes(in) > in->bytes;
	else
		one = is_bushy(in, TREES_BYTES);
	return one ? 1 : in->pipeline.blocks;
}

static void count_nodes(struct sample_block *block)
{
	block->tree_nodes = block->builder.total.node_count +
	                    block->reader.report.profile.stacks.node_count;
}

// The stages

static size_t read_lines(unsigned index, bool *ret_more, void *context)
{
	struct sample_lines *in = context;
	struct sample_block *block = block_at(in, index);

	if (!lines_next(in->lines, &block->text, &block->first_line))
		return 0;
	*ret_more = !in->lines->ended;
	return 1;
}

/**
 * A large tree is added to the total in parts if other inputs have added to it;
 * the first input's tree becomes the total itself.
 */
static void hand_out_part(struct sample_block *block)
{
	const struct lag_fold_options *options = &block->run->options;
	const struct profile *profile = &block->reader.report.profile;

	if (options->takes_parts && !options->wants_hangs &&
	    !options->max_nodes && !profile->keeps_order &&
	    block->builder.total.node_count > 1 &&
	    profile->stacks.node_count > PART_NODES)
		lag_reader_end(&block->reader);
}

static void parse_lines(unsigned index, size_t piece UNUSED, void *context)
{
	struct sample_lines *in = context;
	struct sample_block *block = block_at(in, index);

	in->read(block);
	hand_out_part(block);
}

static size_t gather(unsigned index, void *context)
{
	sample_block_gather(block_at(context, index));
	return 1;
}

/** Naming and delivery both print, so they take turns. */
static bool waits(unsigned index, void *context)
{
	return lag_builder_wants_names(&block_at(context, index)->builder);
}

static void fold(unsigned index, size_t piece UNUSED, void *context)
{
	sample_block_fold(block_at(context, index));
}

static void hand_on(unsigned index, size_t piece UNUSED, void *context)
{
	const struct sample_lines *in = context;

	sample_block_hand_on(block_at(in, index), in->name);
}

static void end_lines(unsigned index, void *context)
{
	struct sample_lines *in = context;
	struct sample_block *block = block_at(in, index);

	in->bytes += block->text.size;
	count_nodes(block);
	pipeline_limit(&in->pipeline, wanted_blocks(in));
}

void sample_lines_read(struct sample_run *run, struct lines *lines,
                       unsigned jobs, void (*read)(struct sample_block *block))
{
	static const struct pipeline_stages stages = {
		.read = read_lines,
		.work = parse_lines,
		.gather = gather,
		.waits = waits,
		.prepare = fold,
		.deliver = hand_on,
		.end = end_lines,
	};
	struct sample_lines in = {
		.run = run,
		.lines = lines,
		.name = lines->source->name,
		.read = read,
		.pipeline = { .stages = &stages,
		              .context = &in,
		              .jobs = jobs,
		              .blocks = jobs > 1 ? run->block_count : 1 },
	};

	lines->block_bytes = run->options.has_store ? NAMED_BYTES : BLOCK_BYTES;
	for (unsigned i = 0; i < in.pipeline.blocks; i++) {
		count_nodes(&run->blocks[i]);
		run->blocks[i].old_nodes = run->blocks[i].tree_nodes;
	}
	in.pipeline.first_blocks = wanted_blocks(&in);
	pipeline_run(&in.pipeline);
	run->is_bushy |= run->options.takes_parts && is_bushy(&in, 0);
}

// The end of an input

static size_t take_busy(unsigned index, bool *ret_more, void *context)
{
	struct sample_lines *in = context;

	if (in->next == in->busy_count)
		return 0;
	in->numbers[index] = in->next++;
	*ret_more = in->next < in->busy_count;
	return 1;
}

void sample_lines_finish(struct sample_run *run, const char *name)
{
	static const struct pipeline_stages stages = {
		.read = take_busy,
		.gather = gather,
		.waits = waits,
		.prepare = fold,
		.deliver = hand_on,
	};
	struct sample_lines in = {
		.run = run,
		.name = name,
		.pipeline = { .stages = &stages,
		              .context = &in,
		              .jobs = run->run.jobs,
		              .blocks = run->block_count },
	};

	for (unsigned i = 0; i < run->block_count; i++) {
		struct sample_block *block = &run->blocks[i];

		if (block->builder.pending_count || block->skipped ||
		    block->failure_count)
			in.busy[in.busy_count++] = block;
	}
	pipeline_run(&in.pipeline);
}
