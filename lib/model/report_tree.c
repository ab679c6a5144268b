// SPDX-License-Identifier: MIT
#include "lib/model/report_tree.h"

#include "lib/base/mem.h"
#include "lib/base/text.h"

#include <string.h>

bool report_process_same(const struct report_process_ref *a,
                         const struct report_process_ref *b)
{
	if (a->has_pid && b->has_pid)
		return a->pid == b->pid;
	return a->name && b->name && !strcmp(a->name, b->name);
}

bool report_is_main_title(const char *title)
{
	static const char *const signs[] = { "com.apple.main-thread",
		                             "Main Thread",
		                             "DispatchQueue_1:" };

	for (size_t i = 0; title && i < ARRAY_SIZE(signs); i++)
		if (strstr(title, signs[i]))
			return true;
	// In parentheses in formats derived from BSBacktraceLogger's.
	return text_same(title, "main");
}

bool report_tree_is_own(const struct report *report,
                        const struct report_tree *tree)
{
	return !tree->process.name ||
	       report_process_same(&report->process, &tree->process);
}

/** Threads begin in `thread_start`, programs in `start` of dyld. */
static bool begins_program(const struct report_tree *tree)
{
	const struct report_frame *root = tree->frames.frames;
	const char *symbol;

	if (!tree->frames.count || !root->call_count)
		return false;
	symbol = root->calls[root->call_count - 1].symbol;
	return text_same(symbol, "start") || text_same(symbol, "main") ||
	       text_same(symbol, "_dyld_start");
}

bool report_tree_is_main(const struct report_tree *tree)
{
	return report_is_main_title(tree->title) ||
	       (tree->process.name && begins_program(tree));
}

/** How clearly a tree is marked as the relevant one. */
static int rank_of(const struct report *report, const struct report_tree *tree)
{
	if (!report_tree_is_own(report, tree))
		return 0;
	if (tree->attributed)
		return 3;
	return report_tree_is_main(tree) ? 2 : 1;
}

const struct report_tree *report_blamed_tree(const struct report *report)
{
	const struct report_tree *best = NULL;
	int best_rank = 0;

	for (size_t i = 0; i < report->tree_count; i++) {
		int rank = rank_of(report, report->trees[i]);

		if (rank <= best_rank)
			continue;
		best = report->trees[i];
		best_rank = rank;
	}
	return best;
}

/** Is a frame of an app on the tree's heaviest stack? */
static bool has_app_frame(const struct report *report,
                          const struct report_tree *tree)
{
	uint32_t node = CALLTREE_ROOT;

	while ((node = calltree_heaviest(&tree->calls, node)) != CALLTREE_ROOT)
		if (report_frame_is_app(report, &tree->frames.frames[node - 1]))
			return true;
	return false;
}

/** The samples of the heaviest call that it begins with. */
static uint64_t samples_of(const struct report_tree *tree)
{
	uint32_t node = calltree_heaviest(&tree->calls, CALLTREE_ROOT);

	return node == CALLTREE_ROOT ? 0 : tree->calls.nodes[node].samples;
}

/** Better than @p than: a main thread, else more samples. */
static bool is_better(const struct report_tree *tree,
                      const struct report_tree *than)
{
	if (report_tree_is_main(tree) != report_tree_is_main(than))
		return report_tree_is_main(tree);
	return samples_of(tree) > samples_of(than);
}

const struct report_tree *report_app_tree(const struct report *report)
{
	const struct report_tree *best = NULL;

	for (size_t i = 0; i < report->tree_count; i++) {
		const struct report_tree *tree = report->trees[i];

		if (!has_app_frame(report, tree))
			continue;
		// With two apps, it is ambiguous.
		if (best &&
		    !report_process_same(&best->process, &tree->process))
			return NULL;
		if (!best || is_better(tree, best))
			best = tree;
	}
	return best;
}
