#include "cmd/run/slots.h"

#include "cmd/run/console.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/parallel.h"
#include "lib/base/turns.h"

#include <stdlib.h>

/** Nodes of a report that is handed out in parts. */
#define PART_NODES ((uint32_t)1 << 15)

/** Hangs that are kept before they are handed on. */
#define HANGS_KEPT 1024

/** Is it of a kind that the user asked for? */
static bool is_kind_wanted(const struct sample_settings *settings,
                           enum sample_kind kind)
{
	unsigned wanted = settings->kind + SAMPLE_KIND_STALL;

	return !settings->has_kind || wanted == SAMPLE_KINDS || wanted == kind;
}

static void visit(struct lag_report *report, void *context)
{
	struct sample_slot *slot = context;
	bool is_wanted = is_kind_wanted(slot->run->settings, report->kind);
	bool is_counted = slot->has_part;

	slot->has_part = slot->run->options.takes_parts;
	slot->left_out += !is_wanted && !is_counted;
	if (!is_wanted)
		return;
	slot->reports += !is_counted;
	slot->kinds[report->kind] += !is_counted;
	lag_builder_add(&slot->builder, report);
}

static void failed(size_t line, struct error *err, void *context)
{
	struct sample_slot *slot = context;

	if (slot->failure_count < FAILURES_PRINTED)
		slot->failures[slot->failure_count] =
		        (struct sample_failure){ .line = line, .err = err };
	else
		error_free(err);
	slot->failure_count++;
}

void slots_make(struct sample_run *run)
{
	run->options.config = run->run.config;
	run->options.max_nodes = run->settings->max_nodes;
	run->options.form = run->settings->form;
	for (size_t i = 0; i < ARRAY_SIZE(run->options.seeds); i++)
		if (!run->options.seeds[i])
			run->options.seeds[i] = hash_seed();
	run->slots = mem_zalloc(run->run.jobs, sizeof(*run->slots));
	for (unsigned i = 0; i < run->run.jobs; i++) {
		struct sample_slot *slot = &run->slots[i];

		slot->run = run;
		lag_builder_init(&slot->builder, &run->options);
		slot->builder.ids = &run->ids;
		lag_reader_init(&slot->reader, &slot->builder.names, visit,
		                failed, slot);
		if (run->images.count)
			slot->reader.images = &run->images;
	}
}

void slots_release(struct sample_run *run)
{
	for (unsigned i = 0; run->slots && i < run->run.jobs; i++) {
		struct sample_slot *slot = &run->slots[i];

		lag_reader_release(&slot->reader);
		lag_builder_release(&slot->builder);
		str_release(&slot->block);
	}
	free(run->slots);
}

void slots_end(struct sample_run *run)
{
	fingerprints_release(&run->ids);
	for (unsigned i = 0; i < run->run.jobs; i++) {
		struct sample_slot *slot = &run->slots[i];

		lag_reader_release(&slot->reader);
		lag_builder_end(&slot->builder);
		str_release(&slot->block);
	}
}

/**
 * A job with so many functions forgets them: those that matter are a group's as
 * well. To meet one again costs as much as it did the first time, and all that
 * were forgotten had cost that before. Where an image was met, nothing is
 * forgotten: its symbols would be looked up once more.
 */
#define FUNCTIONS_KEPT ((uint32_t)1 << 16)

/** What was read has been handed on. In turn: others may do the same. */
static void forget_functions(struct sample_slot *slot)
{
	struct sample_run *run = slot->run;
	struct lag_builder *builder = &slot->builder;
	uint32_t count = profile_functions_count(&builder->functions);

	// What the user's rules may cost is limited: they are asked once.
	if (run->forgets_functions && !run->settings->rules &&
	    count >= FUNCTIONS_KEPT)
		lag_builder_forget_functions(
		        builder, run->counts_functions ? &run->met : NULL);
}

void slots_begin_input(struct sample_run *run, const char *name)
{
	for (unsigned i = 0; i < run->run.jobs; i++) {
		run->slots[i].reader.report.input = name;
		run->slots[i].has_part = false;
	}
	slots_keep_order(run, run->options.wants_order);
}

void slots_keep_order(struct sample_run *run, bool keeps_order)
{
	for (unsigned i = 0; i < run->run.jobs; i++)
		run->slots[i].reader.report.profile.keeps_order = keeps_order;
}

void slots_use_images(struct sample_run *run, const struct lag_images *images)
{
	for (unsigned i = 0; i < run->run.jobs; i++)
		run->slots[i].reader.images = images->count ? images : NULL;
}

/** Hand on what one slot has, and forget it. */
static void flush_slot(struct sample_slot *slot, const char *name)
{
	struct sample_run *run = slot->run;
	struct lag_builder *builder = &slot->builder;

	progress_clear(&run->run.progress);
	for (size_t i = 0; i < builder->hang_count && !run->options.takes_parts;
	     i++)
		sample_notes_print(run, &builder->hangs[i]);
	sample_failures_print(slot, name);
	if (run->merge)
		run->merge(builder, run->context);
	run->reports += slot->reports;
	run->left_out += slot->left_out;
	slot->reports = slot->left_out = 0;
	for (size_t i = 0; i < SAMPLE_KINDS; i++) {
		run->kinds[i] += slot->kinds[i];
		slot->kinds[i] = 0;
	}
	// What was noted of parts waits for the end of the input.
	if (!run->options.takes_parts)
		lag_builder_clear_hangs(builder);
	progress_update(&run->run.progress, run->reports, 0, "reports");
}

static void finish_slot(size_t index, void *context)
{
	struct sample_run *run = context;

	lag_builder_finish(&run->slots[index].builder);
}

static void look_near(const struct uuid *uuid, void *context)
{
	near_symbols_use_for(context, uuid);
}

/** Name the frames that wait in slots. */
static void name_frames(struct sample_run *run, struct sample_slot *slots,
                        size_t count)
{
	SCOPED(mem_drop)
	struct lag_builder **builders = mem_zalloc(count, sizeof(*builders));

	progress_clear(&run->run.progress);
	for (size_t i = 0; i < count; i++) {
		builders[i] = &slots[i].builder;
		lag_builder_each_wanted(builders[i], look_near,
		                        &run->search.near);
	}
	lag_fold_name(builders, count, run->search.store);
}

/** Name, finish and hand on the first @p count slots, in their order. */
static void flush(struct sample_run *run, size_t count, const char *name)
{
	if (run->options.has_store)
		name_frames(run, run->slots, count);
	// In the order of the input: the first of those with one id counts.
	for (size_t i = 0; i < count; i++)
		run->same += lag_builder_forget_same(&run->slots[i].builder,
		                                     &run->ids);
	parallel_each(count, run->run.jobs, finish_slot, run);
	for (size_t i = 0; i < count; i++)
		flush_slot(&run->slots[i], name);
}

void slot_take(struct lag_report *report, void *context)
{
	struct sample_slot *slot = context;
	const char *name = report->input;

	visit(report, context);
	if (slot->builder.hang_count + slot->reports >= HANGS_KEPT ||
	    slot->builder.waiting_nodes >= LAG_FOLD_WAITING_NODES)
		flush(slot->run, 1, name);
}

/** Lines of collapsed stacks that are none: the sum is short of them. */
static void count_bad_lines(struct sample_run *run, const char *name)
{
	size_t count = 0;

	for (unsigned i = 0; i < run->run.jobs; i++) {
		count += run->slots[i].reader.bad_lines;
		run->slots[i].reader.bad_lines = 0;
	}
	run->failed_reports += count;
	if (count)
		console_fail("%s: %zu line%s left out: no stack and its count",
		             name, count, count == 1 ? " is" : "s are");
}

void slots_end_input(struct sample_run *run)
{
	const char *name = run->slots[0].reader.report.input;

	for (unsigned i = 0; i < run->run.jobs; i++)
		lag_reader_end(&run->slots[i].reader);
	flush(run, run->run.jobs, name);
	if (run->options.takes_parts) {
		progress_clear(&run->run.progress);
		sample_notes_print_parts(run, name);
		for (unsigned i = 0; i < run->run.jobs; i++)
			lag_builder_clear_hangs(&run->slots[i].builder);
	}
	count_bad_lines(run, name);
	for (unsigned i = 0; i < run->run.jobs; i++)
		forget_functions(&run->slots[i]);
}

struct error *slots_read_documents(struct sample_run *run,
                                   struct source *source)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(source_read, source, 0);
	struct lag_reader *reader = &run->slots[0].reader;
	struct error *err;

	reader->visit = slot_take;
	reader->jobs = run->run.jobs;
	err = lag_read_documents(reader, pull);
	lag_reader_end(reader);
	reader->visit = visit;
	return err;
}

/**
 * Reports of a block that wait for the blocks before it, 10 MB of them: of
 * those that are larger than 512 bytes, a block has fewer.
 */
#define REPORTS_SHARED 4096

/** Trees of several jobs may take so many bytes, and twice the input. */
#define TREES_BYTES ((size_t)16 << 20)
/**
 * What a job's tree of the parts of one report may be of what was read: to make
 * a byte of it a second time, in another job, and to join both trees, takes
 * longer than to read eight bytes in turns.
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

static size_t tree_bytes(const struct sample_slot *slot)
{
	return slot->tree_nodes * sizeof(struct calltree_node);
}

/** Of all jobs' trees. */
static size_t most_tree_bytes(const struct sharing *sharing)
{
	size_t most = 0;

	for (unsigned i = 0; i < sharing->jobs_most; i++)
		if (tree_bytes(&sharing->run->slots[i]) > most)
			most = tree_bytes(&sharing->run->slots[i]);
	return most;
}

/**
 * Have the jobs' trees grown faster than the input? Then hardly two stacks
 * begin alike: joining the trees would double their memory, and gain no time.
 */
static bool is_bushy(const struct sharing *sharing, size_t free_bytes)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < sharing->jobs_most; i++)
		bytes += tree_bytes(&sharing->run->slots[i]);
	return bytes > free_bytes + 2 * sharing->bytes;
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
		        TREE_SHARE * most_tree_bytes(sharing) > sharing->bytes;
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
	slot->number = sharing->blocks++;
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
 * Hand on what came of a block so far, after the blocks before it.
 *
 * @param is_all  Its turn is over; else, those after it go on waiting.
 */
static void hand_on(struct sharing *sharing, struct sample_slot *slot,
                    bool is_all)
{
	struct sample_run *run = sharing->run;

	// Naming may print, as handing on does: one after the other.
	if (run->options.has_store) {
		turns_wait(&sharing->handing, slot->number);
		name_frames(run, slot, 1);
	}
	turns_wait(&sharing->comparing, slot->number);
	run->same += lag_builder_forget_same(&slot->builder, &run->ids);
	if (is_all)
		turns_pass(&sharing->comparing);
	lag_builder_finish(&slot->builder);
	turns_wait(&sharing->handing, slot->number);
	flush_slot(slot, sharing->lines->source->name);
	if (!is_all)
		return;
	forget_functions(slot);
	turns_pass(&sharing->handing);
}

/** Take a report of a block, whose reports may be small, and so very many. */
static void share(struct lag_report *report, void *context)
{
	struct sample_slot *slot = context;

	visit(report, slot);
	if (slot->reports >= REPORTS_SHARED)
		hand_on(slot->sharing, slot, false);
}

static void do_blocks(size_t index, void *context)
{
	struct sharing *sharing = context;
	struct sample_slot *slot = &sharing->run->slots[index];
	// The first was read to learn whether there are more.
	bool got = !index || take_block(sharing, slot);

	for (; got; got = take_block(sharing, slot)) {
		sharing->read(slot);
		hand_out_part(slot);
		hand_on(sharing, slot, true);
	}
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
		run->slots[i].sharing = &sharing;
		run->slots[i].reader.visit = share;
	}
	do {
		sharing.jobs = jobs_of_next(&sharing);
		got = read_block(&sharing, &run->slots[0]);
		if (lines->ended)
			sharing.jobs = 1;
		else
			mem_take_large_pages();
		compare_at_once(run, sharing.jobs == 1);
		if (got)
			parallel_each(sharing.jobs, sharing.jobs, do_blocks,
			              &sharing);
	} while (got);
	compare_at_once(run, true);
	for (unsigned i = 0; i < jobs; i++)
		run->slots[i].reader.visit = visit;
	run->is_bushy |= run->options.takes_parts && is_bushy(&sharing, 0);
	turns_release(&sharing.reading);
	turns_release(&sharing.comparing);
	turns_release(&sharing.handing);
}
