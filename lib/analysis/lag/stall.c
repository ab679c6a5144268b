#include "lib/analysis/lag/fold_state.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"

static const char *keep(struct lag_builder *builder, const char *text)
{
	return text ? arena_strdup(&builder->stall_arena, text) : NULL;
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
static struct fingerprint print_stack(struct lag_builder *builder, size_t depth)
{
	struct lag_fold_state *state = builder->state;
	struct str *print = &state->print;
	struct fingerprint result;

	str_clear(print);
	for (size_t i = 0; i < depth; i++) {
		uint32_t frame = state->path[i];

		if (frame < PROFILE_FRAME)
			str_add_text(print, builder->names.texts[frame]);
		else
			lag_sites_identify(
			        &state->sites,
			        state->site_of[frame - PROFILE_FRAME], print);
		str_add_char(print, '\n');
	}
	hash_bytes_twice(builder->options->seeds, print->data, print->size,
	                 result.words);
	return result;
}

static void add_heaviest(struct lag_builder *builder,
                         const struct lag_report *report,
                         struct lag_stall *stall)
{
	struct lag_fold_state *state = builder->state;
	struct lag_heaviest heaviest =
	        lag_heaviest_find(&report->profile, builder->options->heaviest);
	uint32_t node = state->node_of[heaviest.node];
	uint32_t depth = state->tree.nodes[node].depth;
	uint32_t *stack =
	        arena_array(&builder->stall_arena, depth, sizeof(*stack));

	stall->frame_count =
	        sampled_stack(state, &report->profile.stacks, heaviest.node);
	stall->stack_print = print_stack(builder, stall->frame_count);
	calltree_stack(&state->tree, node, stack);
	stall->stack = stack;
	stall->stack_count = depth;
	stall->heaviest_samples = heaviest.samples;
}

/** The steps of the walk, as they are reported. */
struct explaining {
	struct lag_builder *builder;
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

	ARENA_GROW(&explaining->builder->stall_arena, explaining->steps,
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

static void add_key(struct lag_builder *builder, const struct calltree *tree,
                    struct lag_stall *stall)
{
	struct explaining explaining = { .builder = builder, .tree = tree };
	struct lag_key key = lag_key_find(
	        tree, builder->options->siblings,
	        builder->options->explain ? explain_step : NULL, &explaining);

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

static void add_notes(struct lag_builder *builder,
                      const struct lag_report *report, struct lag_stall *stall)
{
	size_t count = report->note_count < LAG_NOTES ? report->note_count
	                                              : LAG_NOTES;
	struct lag_note *notes;

	if (!count)
		return;
	notes = arena_array(&builder->stall_arena, count, sizeof(*notes));
	for (size_t i = 0; i < count; i++)
		notes[i] = (struct lag_note){
			.place = keep(builder, report->notes[i].place),
			.text = keep(builder, report->notes[i].text),
		};
	stall->notes = notes;
	stall->note_count = count;
	stall->more_notes = report->note_count - count;
}

static struct lag_stall *new_stall(struct lag_builder *builder,
                                   const struct lag_report *report)
{
	struct lag_stall *stall;

	MEM_GROW(builder->stalls, builder->stall_count, builder->stall_cap);
	stall = &builder->stalls[builder->stall_count++];
	*stall = (struct lag_stall){
		.input = report->input,
		.line = report->line,
		.id = keep(builder, report->id),
		.session = keep(builder, report->session),
		.app = keep(builder, report->app),
		.os = keep(builder, report->os),
		.device = keep(builder, report->device),
		.key = INTERN_NONE,
		.samples = report->profile.sample_count,
		.cost_us = report->profile.cost_us,
	};
	return stall;
}

void lag_fold_stall(struct lag_builder *builder,
                    const struct lag_report *report,
                    const struct calltree *tree)
{
	struct lag_stall *stall = new_stall(builder, report);

	add_notes(builder, report, stall);
	if (!builder->options->wants_stalls || !tree->node_count)
		return;
	add_heaviest(builder, report, stall);
	stall->node_count = tree->node_count - 1;
	add_key(builder, tree, stall);
}
