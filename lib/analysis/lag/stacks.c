#include "lib/analysis/lag/stacks.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>
#include <string.h>

// Most steps that one report's trees may take; a real one takes thousands.
#define STEPS_MAX ((uint64_t)1 << 28)

struct stacker {
	const struct report *report;
	struct lag_report *ret;
	uint64_t interval_us;
	uint64_t steps;
	/** The current stack, outermost first. */
	uint32_t *frames;
	size_t frame_count;
	size_t frame_cap;
	size_t shortened; ///< stacks that lost their middle
	size_t exceeded;  ///< calls with more samples than were left of the
	                  ///< caller
};

static void stacker_release(struct stacker *s)
{
	free(s->frames);
}

// Facts

static void add_images(const struct report *report, struct lag_report *ret)
{
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *from = &report->images[i];
		struct profile_image *to =
		        profile_images_add(&ret->profile.images);

		*to = (struct profile_image){
			.base = from->base,
			.size = from->size,
			.uuid = from->uuid,
			.name = arena_strdup(&ret->arena,
			                     from->name ? from->name : "???"),
			.own = from->own,
		};
		if (from->path)
			to->path = arena_strdup(&ret->arena, from->path);
	}
}

static const char *copy(struct lag_report *ret, const char *text)
{
	return text ? arena_strdup(&ret->arena, text) : NULL;
}

/** `arm64`, as images have it; else `ARM-64`, as headers say. */
static const char *arch_of(const struct report *report)
{
	for (size_t i = 0; i < report->image_count; i++)
		if (report->images[i].arch)
			return report->images[i].arch;
	return report->code_type;
}

/** `iPhone OS 16.0 (Build 20A362)` of a spindump, as all others have it. */
static const char *os_of(const struct report *report, struct arena *arena)
{
	static const char sign[] = " (Build ";
	const char *os = report->os_version;
	const char *build = os ? strstr(os, sign) : NULL;

	if (!build)
		return os;
	return arena_printf(arena, "%.*s (%s", (int)(build - os), os,
	                    build + strlen(sign));
}

static void add_facts(const struct report *report, struct lag_report *ret)
{
	ret->id = copy(ret, report->incident);
	ret->app = copy(ret, report->process.name);
	ret->app_path = copy(ret, report->path);
	ret->os = copy(ret, os_of(report, &ret->arena));
	ret->device = copy(ret, report->hardware_model);
	ret->arch = copy(ret, arch_of(report));
	ret->interval_us = report->sample_interval_us;
	ret->platform = report->platform;
	ret->profile.is_placed = true;
	for (size_t i = 0; i < report->note_count; i++)
		lag_report_note(ret, report->notes[i].place,
		                report->notes[i].text);
}

// Frames

static uint32_t intern(const struct stacker *s, const char *text)
{
	return text ? intern_add(s->ret->profile.strings, text_from(text))
	            : INTERN_NONE;
}

static void push(struct stacker *s, uint32_t frame)
{
	MEM_GROW(s->frames, s->frame_count, s->frame_cap);
	s->frames[s->frame_count++] = frame;
}

static const struct report_image *image_of(const struct stacker *s,
                                           const struct report_frame *frame)
{
	return frame->image < s->report->image_count
	               ? &s->report->images[frame->image]
	               : NULL;
}

/**
 * Calls that were inlined into one another, as the report lists them. Without
 * an address: a symbol file would tell all of them again for each.
 */
static void push_inlined(struct stacker *s, const struct report_frame *frame)
{
	const struct report_image *image = image_of(s, frame);
	const char *image_name = frame->image_name;

	if (!image_name && image)
		image_name = image->name;
	for (size_t i = frame->call_count; i-- > 0;) {
		const struct profile_frame call = {
			.symbol = intern(s, frame->calls[i].symbol),
			.image = intern(s, image_name),
			.placed = PROFILE_NO_IMAGE,
		};

		if (call.symbol == INTERN_NONE)
			continue;
		push(s, image_name ? profile_frame(&s->ret->profile, &call)
		                   : call.symbol);
	}
}

static void push_frame(struct stacker *s, const struct report_frame *frame,
                       bool exact)
{
	const struct report_image *image = image_of(s, frame);
	struct profile_frame place = {
		.address = frame->address,
		.symbol = INTERN_NONE,
		.image = INTERN_NONE,
		.placed = PROFILE_NO_IMAGE,
		.exact = exact,
	};

	if (frame->call_count > 1) {
		push_inlined(s, frame);
		return;
	}
	if (frame->call_count)
		place.symbol = intern(s, frame->calls[0].symbol);
	// Addresses of MetricKit may be of sessions with other images; what
	// holds is the offset.
	if (image && image->base) {
		place.address = image->base + frame->image_offset;
		place.placed = (uint32_t)frame->image;
		place.has_offset = true;
	} else {
		place.image = intern(s, frame->image_name);
	}
	if (!place.address && place.symbol != INTERN_NONE &&
	    place.image == INTERN_NONE)
		push(s, place.symbol);
	else
		push(s, profile_frame(&s->ret->profile, &place));
}

// Stacks

static uint64_t cost_of(const struct stacker *s, uint64_t samples)
{
	if (samples > LAG_COST_US_MAX / s->interval_us)
		return LAG_COST_US_MAX;
	return samples * s->interval_us;
}

/** Add the stack at hand, without its middle where it is too deep. */
static void add_stack(struct stacker *s, uint64_t samples)
{
	SCOPED(mem_drop) uint32_t *parts = NULL;
	const size_t half = LAG_STACK_FRAMES / 2;
	const uint32_t *frames = s->frames;
	size_t count = s->frame_count;

	if (count > LAG_STACK_FRAMES) {
		parts = mem_alloc(2 * half * sizeof(*parts));
		memcpy(parts, frames, half * sizeof(*parts));
		memcpy(parts + half, frames + count - half,
		       half * sizeof(*parts));
		frames = parts;
		count = 2 * half;
		s->shortened++;
	}
	profile_add(&s->ret->profile, frames, count, samples,
	            cost_of(s, samples));
}

// Trees

static bool is_main_title(const char *title)
{
	static const char *const signs[] = { "com.apple.main-thread",
		                             "Main Thread",
		                             "DispatchQueue_1:" };

	for (size_t i = 0; title && i < ARRAY_SIZE(signs); i++)
		if (strstr(title, signs[i]))
			return true;
	return false;
}

/**
 * Is it a tree of the process that the report is about? A spindump has those of
 * all processes, each with a main thread; their titles begin with `Demo [612]`.
 */
static bool is_of_process(const struct report *report,
                          const struct report_tree *tree)
{
	const struct report_process_ref *process = &report->process;
	struct text title = tree->title ? text_from(tree->title) : TEXT_NONE;
	uint64_t pid;

	if (!process->name || !text_take(&title, process->name) ||
	    !text_take(&title, " ["))
		return false;
	return number_decimal(text_first(title, text_find_char(title, ']')),
	                      &pid) &&
	       (!process->has_pid || process->pid == pid);
}

/** How a tree tells that it is the one to look at; the greatest counts. */
static int tree_rank(const struct report *report,
                     const struct report_tree *tree)
{
	int of_process = 4 * is_of_process(report, tree);

	if (!tree->frames.count)
		return -1;
	if (is_main_title(tree->title))
		return of_process + 3;
	if (tree->attributed)
		return of_process + 2;
	return of_process + (tree->title && !strcmp(tree->title, "Thread 0"));
}

/** What ends at each node, and who has to count it. */
struct rest {
	uint64_t samples;
	uint64_t callee_samples;
};

/** Who has none has as many as what it called; false: nobody has any. */
static bool fill_samples(const struct calltree *calls, struct rest *rests)
{
	bool counted = false;

	for (uint32_t i = calls->node_count; i-- > 1;) {
		struct rest *rest = &rests[i];
		struct rest *caller = &rests[calls->nodes[i].parent];

		rest->samples = calls->nodes[i].samples;
		if (!rest->samples)
			rest->samples = rest->callee_samples;
		counted |= rest->samples != 0;
		caller->callee_samples =
		        number_sum(caller->callee_samples, rest->samples);
	}
	return counted;
}

/**
 * The samples of each node less those of its children, which it limits.
 *
 * @return By node; to be freed.
 */
static struct rest *rests_of(struct stacker *s, const struct calltree *calls,
                             bool *ret_counted)
{
	struct rest *rests =
	        mem_zalloc((size_t)calls->node_count + 1, sizeof(*rests));

	*ret_counted = fill_samples(calls, rests);
	for (uint32_t i = 1; i < calls->node_count; i++) {
		struct rest *rest = &rests[i];
		struct rest *caller = &rests[calls->nodes[i].parent];

		if (calls->nodes[i].parent == CALLTREE_ROOT)
			continue;
		if (rest->samples > caller->samples) {
			rest->samples = caller->samples;
			s->exceeded++;
		}
		caller->samples -= rest->samples;
	}
	return rests;
}

static void add_tree(struct stacker *s, const struct report_tree *tree)
{
	const struct calltree *calls = &tree->calls;
	bool counted;
	SCOPED(mem_drop) struct rest *rests = rests_of(s, calls, &counted);
	// By node: the frames of its stack.
	SCOPED(mem_drop)
	size_t *ends = mem_zalloc((size_t)calls->node_count + 1, sizeof(*ends));

	for (uint32_t i = 1; i < calls->node_count; i++) {
		const struct calltree_node *node = &calls->nodes[i];
		const struct report_frame *frame =
		        &tree->frames.frames[node->frame];
		uint64_t samples = rests[i].samples;

		// Nobody counted: each stack is one.
		if (!counted)
			samples = !node->first_child;
		s->frame_count = ends[node->parent];
		push_frame(s, frame, frame->exact);
		ends[i] = s->frame_count;
		if (!samples)
			continue;
		s->steps += s->frame_count;
		if (s->steps > STEPS_MAX) {
			lag_report_note(s->ret,
			                tree->title ? tree->title : "trees",
			                "too many deep stacks: the rest is "
			                "left out");
			return;
		}
		add_stack(s, samples);
	}
}

/** All samples of a tree. */
static uint64_t sum_tree(const struct calltree *calls)
{
	SCOPED(mem_drop)
	struct rest *rests =
	        mem_zalloc((size_t)calls->node_count + 1, sizeof(*rests));

	fill_samples(calls, rests);
	return rests[CALLTREE_ROOT].callee_samples;
}

/** Which trees are meant: those of a rank, or all of them. */
struct choice {
	int rank;
	bool all_threads;
};

static bool is_chosen(const struct report *report,
                      const struct report_tree *tree, struct choice choice)
{
	int rank = tree_rank(report, tree);

	return rank >= 0 && (choice.all_threads || rank == choice.rank);
}

/** The interval of a report that says how long all its samples took. */
static void find_interval(struct stacker *s, struct choice choice)
{
	const struct report *report = s->report;
	uint64_t most = 0; ///< threads are sampled side by side

	for (size_t i = 0; i < report->tree_count && report->sampled_us; i++) {
		uint64_t sum;

		if (!is_chosen(report, report->trees[i], choice))
			continue;
		sum = sum_tree(&report->trees[i]->calls);
		if (sum > most)
			most = sum;
	}
	if (!most || report->sampled_us < most)
		return;
	s->interval_us = report->sampled_us / most;
	s->ret->interval_us = s->interval_us;
}

static void add_trees(struct stacker *s, bool all_threads)
{
	const struct report *report = s->report;
	struct choice choice = { .all_threads = all_threads };

	for (size_t i = 0; i < report->tree_count; i++)
		if (tree_rank(report, report->trees[i]) > choice.rank)
			choice.rank = tree_rank(report, report->trees[i]);
	if (!s->ret->interval_us)
		find_interval(s, choice);
	for (size_t i = 0; i < report->tree_count; i++)
		if (is_chosen(report, report->trees[i], choice))
			add_tree(s, report->trees[i]);
	s->ret->profile.from_nodes = true;
	if (s->ret->profile.sample_count && !s->ret->interval_us)
		lag_report_note(s->ret, "interval",
		                arena_printf(&s->ret->arena,
		                             "not given: %d ms per sample is "
		                             "assumed",
		                             LAG_INTERVAL_US / 1000));
}

// Threads

/** The point stack of Matrix: the most frequent one of many samples. */
static bool is_point_stack(const struct report_thread *thread)
{
	return thread->name && !strcmp(thread->name, "HandledThread");
}

static bool is_main_thread(const struct report_thread *thread)
{
	return (thread->queue &&
	        !strcmp(thread->queue, "com.apple.main-thread")) ||
	       is_main_title(thread->name);
}

static int thread_rank(const struct report *report,
                       const struct report_thread *thread)
{
	if (!thread->stack.count)
		return 0;
	if (is_point_stack(thread))
		return 4;
	if (is_main_thread(thread))
		return 3;
	if (!thread->number)
		return 2;
	return thread == report_crashed_thread(report);
}

/** The first of those that are meant most; NULL if none is. */
static const struct report_thread *find_thread(const struct report *report)
{
	const struct report_thread *best = NULL;
	int best_rank = 0;

	for (size_t i = 0; i < report->thread_count; i++) {
		int rank = thread_rank(report, report->threads[i]);

		if (rank > best_rank) {
			best = report->threads[i];
			best_rank = rank;
		}
	}
	return best;
}

static void add_thread(struct stacker *s, const struct report_thread *thread)
{
	const struct report_stack *stack = &thread->stack;
	uint64_t samples;

	if (!stack->count)
		return;
	samples = stack->frames[0].repeat_count;
	s->frame_count = 0;
	for (size_t i = stack->count; i-- > 0;) {
		const struct report_frame *frame = &stack->frames[i];

		push_frame(s, frame,
		           frame->exact ||
		                   (!i && !stack->all_return_addresses));
	}
	add_stack(s, samples ? samples : 1);
}

static void add_threads(struct stacker *s, bool all_threads)
{
	const struct report *report = s->report;
	const struct report_thread *thread = find_thread(report);

	if (!all_threads && thread)
		add_thread(s, thread);
	for (size_t i = 0; all_threads && i < report->thread_count; i++)
		add_thread(s, report->threads[i]);
}

static void note_flaws(const struct stacker *s)
{
	struct lag_report *ret = s->ret;

	if (s->exceeded)
		lag_report_note(
		        ret, "trees",
		        arena_printf(&ret->arena,
		                     "%zu call%s more samples than the caller "
		                     "has left: reduced to those",
		                     s->exceeded,
		                     s->exceeded == 1 ? " has" : "s have"));
	if (s->shortened)
		lag_report_note(
		        ret, "stacks",
		        arena_printf(&ret->arena,
		                     "%zu deeper than %d frames: the middle "
		                     "is left out",
		                     s->shortened, LAG_STACK_FRAMES));
}

bool lag_stacks_add(const struct report *report, bool all_threads,
                    struct lag_report *ret)
{
	SCOPED(stacker_release)
	struct stacker s = {
		.report = report,
		.ret = ret,
		.interval_us = report->sample_interval_us
		                       ? report->sample_interval_us
		                       : LAG_INTERVAL_US,
	};

	add_images(report, ret);
	add_facts(report, ret);
	if (report->tree_count)
		add_trees(&s, all_threads);
	if (!ret->profile.sample_count)
		add_threads(&s, all_threads);
	note_flaws(&s);
	return ret->profile.sample_count != 0;
}
