#include "lib/analysis/lag/stacker.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <string.h>

// Most steps that one report's trees may take; a real one takes thousands.
#define STEPS_MAX ((uint64_t)1 << 28)

bool lag_is_main_title(const char *title)
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

/** How a tree says that it is the one to look at; the greatest counts. */
static int tree_rank(const struct report *report,
                     const struct report_tree *tree)
{
	int of_process = 4 * is_of_process(report, tree);

	if (!tree->frames.count)
		return -1;
	if (lag_is_main_title(tree->title))
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
static struct rest *rests_of(struct lag_stacker *s,
                             const struct calltree *calls, bool *ret_counted)
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

static void add_tree(struct lag_stacker *s, const struct report_tree *tree)
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
		lag_stacker_push(s, frame, frame->is_pc);
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
		lag_stacker_add(s, samples);
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
static void find_interval(struct lag_stacker *s, struct choice choice)
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

void lag_stacker_trees(struct lag_stacker *s, bool all_threads)
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
