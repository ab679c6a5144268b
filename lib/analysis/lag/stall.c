#include "lib/analysis/lag/fold_state.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"

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

/** The steps of the walk, as they are reported. */
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

void lag_fold_stall(struct lag_folder *folder, const struct lag_report *report,
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
