#include "lib/analysis/lag/fold.h"

#include "lib/analysis/lag/sites.h"
#include "lib/analysis/lag/trim.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>
#include <string.h>

/** A report that waits for names, and the sites of its frames. */
struct waiting {
	struct lag_report report;
	uint32_t *site_of;
	size_t site_cap;
};

/** What a folder needs besides its results. */
struct lag_fold_state {
	struct lag_sites sites;
	struct waiting *waiting;
	size_t waiting_count;
	size_t waiting_cap;
	struct waiting *spare; ///< emptied, their memory is used again
	size_t spare_count;
	size_t spare_cap;

	// Of one report:
	struct calltree tree; ///< of functions
	struct calltree trimmed;
	uint32_t *site_of; ///< by frame that has an address
	size_t site_cap;
	uint32_t *node_of; ///< by node of the report's tree, in the tree
	bool *cut;         ///< what is below it is left out
	size_t node_cap;
	size_t cut_cap;
	uint32_t *path;
	size_t path_cap;
	struct str print;
};

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

static void release_waiting(struct waiting *waiting, size_t count)
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

// From sampled frames to functions

/**
 * Fold the tree of a report into a tree of functions. Sets where each of its
 * nodes ended up.
 */
static void fold_tree(struct lag_fold_state *state,
                      const struct lag_report *report, struct calltree *tree)
{
	enum calltree_kind kind = lag_sites_bare_kind(report);
	uint32_t count = report->profile.stacks.node_count;

	MEM_GROW(state->node_of, count, state->node_cap);
	MEM_GROW(state->cut, count, state->cut_cap);
	state->node_of[CALLTREE_ROOT] = CALLTREE_ROOT;
	state->cut[CALLTREE_ROOT] = false;
	for (uint32_t i = 1; i < count; i++) {
		const struct calltree_node *node =
		        &report->profile.stacks.nodes[i];
		uint32_t at = state->node_of[node->parent];
		bool cut = state->cut[node->parent];
		struct lag_calls calls = { 0 };

		if (!cut && node->frame < PROFILE_FRAME)
			calls = lag_call_bare(&state->sites.calls, node->frame,
			                      kind);
		else if (!cut)
			calls = lag_sites_calls(
			        &state->sites,
			        state->site_of[node->frame - PROFILE_FRAME]);
		for (size_t k = 0; k < calls.count && !cut; k++) {
			uint32_t caller = at;

			at = calltree_child(tree, at, calls.items[k].function);
			// Full: what comes below must not be looked for up
			// here.
			cut = calls.items[k].cut || at == caller;
		}
		state->node_of[i] = at;
		state->cut[i] = cut;
		// All frames of a stack may have been left out.
		if (at == CALLTREE_ROOT)
			continue;
		tree->nodes[at].self_samples = number_sum(
		        tree->nodes[at].self_samples, node->self_samples);
		tree->nodes[at].self_cost_us = number_sum(
		        tree->nodes[at].self_cost_us, node->self_cost_us);
	}
}

// A stall

static const char *keep(struct lag_folder *folder, const char *text)
{
	return text ? arena_strdup(&folder->stall_arena, text) : NULL;
}

/** The sampled frames from the outermost to @p node. */
static size_t sampled_stack(struct lag_fold_state *state,
                            const struct calltree *tree, uint32_t node)
{
	size_t depth = tree->nodes[node].depth;

	MEM_GROW(state->path, depth, state->path_cap);
	calltree_stack(tree, node, state->path);
	return depth;
}

/** Equal where all addresses (or symbols) and the depth are equal. */
static struct fingerprint print_stack(struct lag_folder *folder, size_t depth)
{
	struct lag_fold_state *state = folder->state;
	struct str *print = &state->print;
	struct fingerprint result;

	str_clear(print);
	for (size_t i = 0; i < depth; i++) {
		uint32_t frame = state->path[i];

		if (frame < PROFILE_FRAME)
			str_add_text(print, folder->names.texts[frame]);
		else
			lag_sites_identify(
			        &state->sites,
			        state->site_of[frame - PROFILE_FRAME], print);
		str_add_char(print, '\n');
	}
	hash_bytes_twice(folder->options->seeds, print->data, print->size,
	                 result.words);
	return result;
}

static void add_point(struct lag_folder *folder,
                      const struct lag_report *report, struct lag_stall *stall)
{
	struct lag_fold_state *state = folder->state;
	struct lag_point point =
	        lag_point_find(&report->profile, folder->options->point);
	uint32_t node = state->node_of[point.node];
	uint32_t depth = state->tree.nodes[node].depth;
	uint32_t *stack =
	        arena_array(&folder->stall_arena, depth, sizeof(*stack));

	stall->frame_count =
	        sampled_stack(state, &report->profile.stacks, point.node);
	stall->stack_print = print_stack(folder, stall->frame_count);
	calltree_stack(&state->tree, node, stack);
	stall->stack = stack;
	stall->stack_count = depth;
	stall->point_samples = point.samples;
}

/** The steps of the walk, as they are told. */
struct explaining {
	struct lag_folder *folder;
	const struct calltree *tree;
	struct lag_explained *steps;
	size_t count;
	size_t cap;
};

static void explain_step(const struct lag_step *step, void *context)
{
	struct explaining *explaining = context;
	const struct calltree *tree = explaining->tree;
	const struct calltree_node *node = &tree->nodes[step->node];

	ARENA_GROW(&explaining->folder->stall_arena, explaining->steps,
	           explaining->count, explaining->cap);
	explaining->steps[explaining->count++] = (struct lag_explained){
		.name = tree->frames[node->frame].name,
		.depth = node->depth,
		.samples = node->samples,
		.cost_us = node->cost_us,
		.step = *step,
		.is_app = tree->frames[node->frame].kind == CALLTREE_APP,
	};
}

static void add_key(struct lag_folder *folder, const struct calltree *tree,
                    struct lag_stall *stall)
{
	struct explaining explaining = { .folder = folder, .tree = tree };
	struct lag_key key = lag_key_find(
	        tree, folder->options->siblings,
	        folder->options->explain ? explain_step : NULL, &explaining);

	stall->key = INTERN_NONE;
	if (key.node != CALLTREE_ROOT)
		stall->key = tree->nodes[key.node].frame;
	stall->is_app = key.is_app;
	for (size_t i = 0; i < explaining.count; i++)
		explaining.steps[i].is_key = explaining.steps[i].step.node ==
		                             key.node;
	stall->steps = explaining.steps;
	stall->step_count = explaining.count;
}

static void add_notes(struct lag_folder *folder,
                      const struct lag_report *report, struct lag_stall *stall)
{
	size_t count = report->note_count < LAG_NOTES ? report->note_count
	                                              : LAG_NOTES;
	struct lag_note *notes;

	if (!count)
		return;
	notes = arena_array(&folder->stall_arena, count, sizeof(*notes));
	for (size_t i = 0; i < count; i++)
		notes[i] = (struct lag_note){
			.place = keep(folder, report->notes[i].place),
			.text = keep(folder, report->notes[i].text),
		};
	stall->notes = notes;
	stall->note_count = count;
	stall->more_notes = report->note_count - count;
}

static struct lag_stall *new_stall(struct lag_folder *folder,
                                   const struct lag_report *report)
{
	struct lag_stall *stall;

	MEM_GROW(folder->stalls, folder->stall_count, folder->stall_cap);
	stall = &folder->stalls[folder->stall_count++];
	*stall = (struct lag_stall){
		.input = report->input,
		.line = report->line,
		.id = keep(folder, report->id),
		.session = keep(folder, report->session),
		.app = keep(folder, report->app),
		.os = keep(folder, report->os),
		.device = keep(folder, report->device),
		.key = INTERN_NONE,
		.samples = report->profile.sample_count,
		.cost_us = report->profile.cost_us,
	};
	return stall;
}

/**
 * Key, point stack and all else that is told of one report.
 *
 * @param tree  Its own; NULL: nobody wants more than its notes.
 */
static void add_stall(struct lag_folder *folder,
                      const struct lag_report *report,
                      const struct calltree *tree)
{
	struct lag_stall *stall = new_stall(folder, report);

	add_notes(folder, report, stall);
	if (!folder->options->wants_stalls || !tree->node_count)
		return;
	add_point(folder, report, stall);
	stall->node_count = tree->node_count - 1;
	add_key(folder, tree, stall);
}

// Reports

// Of a node that found no place in a full tree: those below have none either.
#define ENDED ((uint32_t)1 << 31)

/** A tree of functions joined to the total. */
static void join(struct calltree *total, const struct calltree *tree,
                 const uint32_t *functions, uint32_t *node_of)
{
	node_of[CALLTREE_ROOT] = CALLTREE_ROOT;
	for (uint32_t i = 1; i < tree->node_count; i++) {
		const struct calltree_node *node = &tree->nodes[i];
		uint32_t frame = functions ? functions[node->frame]
		                           : node->frame;
		uint32_t caller = node_of[node->parent];
		uint32_t at = caller;
		struct calltree_node *sum;

		if (!(caller & ENDED))
			at = calltree_child(total, caller, frame);
		node_of[i] = at == caller ? at | ENDED : at;
		sum = &total->nodes[at & ~ENDED];
		sum->self_samples =
		        number_sum(sum->self_samples, node->self_samples);
		sum->self_cost_us =
		        number_sum(sum->self_cost_us, node->self_cost_us);
	}
}

/** The tree of one report: of functions, summed up, trimmed if wanted. */
static const struct calltree *make_tree(struct lag_folder *folder,
                                        const struct lag_report *report)
{
	struct lag_fold_state *state = folder->state;
	struct calltree *tree = &state->tree;

	calltree_clear(tree);
	if (report->profile.stacks.node_count)
		fold_tree(state, report, tree);
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
	join(&folder->total, tree, NULL, state->node_of);
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
			fold_tree(state, report, &folder->total);
		add_stall(folder, report, NULL);
		return;
	}
	tree = make_tree(folder, report);
	add_stall(folder, report, tree);
	if (options->wants_total)
		add_to_total(folder, tree);
}

/** Change the sites at hand with those of a report that waits. */
static void swap_sites(struct lag_fold_state *state, struct waiting *waiting)
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
	struct waiting waiting = { 0 };
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
		struct waiting *waiting = &state->waiting[i];

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

/** Nothing was joined yet, so the numbers of functions are the same. */
static bool can_move(const struct calltree *into,
                     const struct profile_functions *functions,
                     const struct lag_folder *from)
{
	return !into->node_count &&
	       profile_functions_count(functions) ==
	               profile_functions_count(&from->functions);
}

void lag_total_join(struct calltree *into, struct profile_functions *functions,
                    struct lag_folder *from)
{
	uint32_t count = profile_functions_count(&from->functions);
	bool is_first = !profile_functions_count(functions);
	SCOPED(mem_drop)
	uint32_t *joined = mem_alloc(((size_t)count + 1) * sizeof(*joined));
	SCOPED(mem_drop) uint32_t *node_of = NULL;

	for (uint32_t i = 0; i < count; i++)
		joined[i] =
		        profile_functions_join(functions, &from->functions, i);
	if (is_first && can_move(into, functions, from)) {
		calltree_release(into);
		*into = from->total;
		from->total = (struct calltree){ 0 };
		return;
	}
	node_of = mem_alloc(((size_t)from->total.node_count + 1) *
	                    sizeof(*node_of));
	join(into, &from->total, joined, node_of);
	calltree_release(&from->total);
}

void lag_total_sort(struct calltree *tree,
                    const struct profile_functions *functions)
{
	SCOPED(mem_drop) uint32_t *ranks = profile_functions_rank(functions);

	calltree_sort(tree, ranks);
}
