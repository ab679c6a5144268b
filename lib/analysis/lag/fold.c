#include "lib/analysis/lag/fold.h"

#include "lib/analysis/lag/fold_state.h"
#include "lib/analysis/lag/trim.h"
#include "lib/base/mem.h"

#include <stdlib.h>

void lag_folder_init(struct lag_folder *folder,
                     const struct lag_fold_options *options)
{
	*folder = (struct lag_folder){
		.options = options,
		.state = mem_zalloc(1, sizeof(*folder->state)),
	};
	lag_sites_init(&folder->state->sites, &folder->names,
	               &folder->functions);
	folder->state->sites.images.config = options->config;
	folder->state->sites.images.has_paths = options->rules &&
	                                        options->rules->has_paths;
	folder->state->sites.calls.rules = options->rules;
	folder->state->sites.waits = options->has_store;
}

static void release_waiting(struct lag_waiting *waiting, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		lag_report_release(&waiting[i].report);
		free(waiting[i].site_of);
	}
	free(waiting);
}

static void release_state(struct lag_fold_state *state)
{
	lag_sites_release(&state->sites);
	release_waiting(state->waiting, state->waiting_count);
	release_waiting(state->spare, state->spare_count);
	calltree_release(&state->tree);
	calltree_release(&state->trimmed);
	free(state->site_of);
	free(state->node_of);
	free(state->cut);
	free(state->path);
	str_release(&state->print);
	free(state);
}

void lag_folder_release(struct lag_folder *folder)
{
	if (folder->state)
		release_state(folder->state);
	intern_release(&folder->names);
	profile_functions_release(&folder->functions);
	free(folder->stalls);
	arena_release(&folder->stall_arena);
	calltree_release(&folder->total);
	*folder = (struct lag_folder){ 0 };
}

void lag_folder_clear_stalls(struct lag_folder *folder)
{
	arena_clear(&folder->stall_arena);
	folder->stall_count = 0;
}

// Reports

/** The tree of one report: of functions, summed up, trimmed if wanted. */
static const struct calltree *make_tree(struct lag_folder *folder,
                                        const struct lag_report *report)
{
	struct lag_fold_state *state = folder->state;
	struct calltree *tree = &state->tree;

	calltree_clear(tree);
	if (report->profile.stacks.node_count)
		lag_fold_tree(state, report, tree);
	calltree_sum(tree);
	tree->frames = folder->functions.frames;
	tree->frame_count = profile_functions_count(&folder->functions);
	if (!folder->options->max_nodes || !tree->node_count)
		return tree;
	calltree_clear(&state->trimmed);
	lag_trim(tree, folder->options->max_nodes, &state->trimmed);
	return &state->trimmed;
}

static void add_to_total(struct lag_folder *folder, const struct calltree *tree)
{
	struct lag_fold_state *state = folder->state;

	MEM_GROW(state->node_of, tree->node_count, state->node_cap);
	lag_fold_join(&folder->total, tree, NULL, state->node_of);
}

/** A report whose frames are all known, their sites in the state. */
static void finish(struct lag_folder *folder, const struct lag_report *report)
{
	const struct lag_fold_options *options = folder->options;
	struct lag_fold_state *state = folder->state;
	const struct calltree *tree;

	folder->report_count++;
	// Without keys and trimming, no tree of its own is needed.
	if (!options->wants_stalls && !options->max_nodes) {
		if (report->profile.stacks.node_count)
			lag_fold_tree(state, report, &folder->total);
		lag_fold_stall(folder, report, NULL);
		return;
	}
	tree = make_tree(folder, report);
	lag_fold_stall(folder, report, tree);
	if (options->wants_total)
		add_to_total(folder, tree);
}

/** Change the current sites with those of a report that waits. */
static void swap_sites(struct lag_fold_state *state,
                       struct lag_waiting *waiting)
{
	uint32_t *site_of = state->site_of;
	size_t site_cap = state->site_cap;

	state->site_of = waiting->site_of;
	state->site_cap = waiting->site_cap;
	waiting->site_of = site_of;
	waiting->site_cap = site_cap;
}

/** Take the contents of a report and its sites; they get others' memory. */
static void keep_waiting(struct lag_folder *folder, struct lag_report *report)
{
	struct lag_fold_state *state = folder->state;
	const char *input = report->input;
	struct lag_waiting waiting = { 0 };
	struct lag_report kept = *report;

	if (state->spare_count)
		waiting = state->spare[--state->spare_count];
	else
		lag_report_init(&waiting.report, &folder->names);
	folder->waiting_nodes += kept.profile.stacks.node_count;
	*report = waiting.report;
	report->input = input;
	waiting.report = kept;
	swap_sites(state, &waiting);
	MEM_GROW(state->waiting, state->waiting_count, state->waiting_cap);
	state->waiting[state->waiting_count++] = waiting;
}

void lag_folder_add(struct lag_folder *folder, struct lag_report *report)
{
	struct lag_fold_state *state = folder->state;

	lag_report_place(report);
	MEM_GROW(state->site_of, report->profile.frames.count, state->site_cap);
	if (report->profile.frames.count)
		lag_sites_add(&state->sites, report, state->site_of);
	if (folder->options->has_store)
		keep_waiting(folder, report);
	else
		finish(folder, report);
}

void lag_fold_name(struct lag_folder *const *folders, size_t count,
                   struct symbol_store *store)
{
	SCOPED(mem_drop)
	struct lag_sites **sites = mem_zalloc(count, sizeof(*sites));

	for (size_t i = 0; i < count; i++)
		sites[i] = &folders[i]->state->sites;
	lag_sites_name(sites, count, store);
}

void lag_folder_finish(struct lag_folder *folder)
{
	struct lag_fold_state *state = folder->state;

	for (size_t i = 0; i < state->waiting_count; i++) {
		struct lag_waiting *waiting = &state->waiting[i];

		swap_sites(state, waiting);
		finish(folder, &waiting->report);
		swap_sites(state, waiting);
		lag_report_clear(&waiting->report);
		MEM_GROW(state->spare, state->spare_count, state->spare_cap);
		state->spare[state->spare_count++] = *waiting;
	}
	state->waiting_count = 0;
	folder->waiting_nodes = 0;
}

const struct lag_rule *lag_folder_undecided(const struct lag_folder *folder)
{
	return folder->state->sites.calls.undecided;
}

bool lag_folder_rules_spent(const struct lag_folder *folder)
{
	return !folder->state->sites.calls.rule_budget;
}
