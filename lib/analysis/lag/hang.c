// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/fold.h"
#include "lib/analysis/lag/fold_state.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/darwin/hangs.h"
#include "lib/model/session.h"

/** The sampled frames from the outermost to @p node. */
static size_t sampled_stack(struct lag_fold_state *state,
                            const struct calltree *tree, uint32_t node)
{
	size_t depth = tree->nodes[node].depth;

	MEM_GROW(state->path, depth, state->path_cap);
	calltree_stack(tree, node, state->path);
	return depth;
}

/** Equal if all addresses (or symbols) and the depth are equal. */
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
			lag_places_identify(
			        &state->places,
			        state->place_of[frame - PROFILE_FRAME], print);
		str_add_char(print, '\n');
	}
	hash_bytes_twice(builder->options->seeds, print->data, print->size,
	                 result.words);
	return result;
}

void lag_fold_heaviest(struct lag_builder *builder,
                       const struct lag_report *report)
{
	struct lag_fold_state *state = builder->state;

	state->heaviest =
	        lag_heaviest_find(&report->profile, builder->options->heaviest);
	state->heaviest_frames = sampled_stack(state, &report->profile.stacks,
	                                       state->heaviest.node);
	state->heaviest_print = print_stack(builder, state->heaviest_frames);
}

static void add_heaviest(struct lag_builder *builder, struct lag_hang *hang)
{
	struct lag_fold_state *state = builder->state;
	uint32_t node = lag_fold_node(state, state->heaviest.node);
	uint32_t depth = state->tree.nodes[node].depth;
	uint32_t *stack =
	        arena_array(&builder->hang_arena, depth, sizeof(*stack));

	hang->frame_count = state->heaviest_frames;
	hang->stack_print = state->heaviest_print;
	calltree_stack(&state->tree, node, stack);
	hang->stack = stack;
	hang->stack_count = depth;
	hang->heaviest_samples = state->heaviest.samples;
}

/** Collects the steps of the walk. */
struct explaining {
	struct lag_builder *builder;
	const struct calltree *tree;
	struct lag_explained *steps;
	size_t count;
	size_t cap;
	size_t more; ///< skipped
};

static void explain_step(const struct lag_step *step, void *context)
{
	struct explaining *explaining = context;
	const struct calltree *tree = explaining->tree;
	const struct calltree_node *node = &tree->nodes[step->node];

	// Limit the list: a call may have a million callees.
	if (explaining->count >= LAG_STEPS && !step->taken) {
		explaining->more++;
		return;
	}
	ARENA_GROW(&explaining->builder->hang_arena, explaining->steps,
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
                    struct lag_hang *hang)
{
	struct explaining explaining = { .builder = builder, .tree = tree };
	struct lag_key key = lag_key_find(
	        tree, builder->options->siblings,
	        builder->options->explain ? explain_step : NULL, &explaining);

	hang->key = INTERN_NONE;
	if (key.node != CALLTREE_ROOT) {
		hang->key = tree->nodes[key.node].frame;
		hang->key_samples = tree->nodes[key.node].samples;
	}
	hang->is_app = key.is_app;
	for (size_t i = 0; i < explaining.count; i++)
		explaining.steps[i].is_key = explaining.steps[i].step.node ==
		                             key.node;
	hang->steps = explaining.steps;
	hang->step_count = explaining.count;
	hang->more_steps = explaining.more;
}

static void add_notes(struct lag_builder *builder,
                      const struct lag_report *report, struct lag_hang *hang)
{
	size_t count = report->note_count < LAG_NOTES ? report->note_count
	                                              : LAG_NOTES;
	struct notice *notes;

	if (!count)
		return;
	notes = arena_array(&builder->hang_arena, count, sizeof(*notes));
	for (size_t i = 0; i < count; i++)
		notes[i] = (struct notice){
			.place = arena_strdup(&builder->hang_arena,
			                      report->notes[i].place),
			.text = arena_strdup(&builder->hang_arena,
			                     report->notes[i].text),
		};
	hang->notes = notes;
	hang->note_count = count;
	hang->more_notes = report->note_count - count;
}

/** Set the time; a threshold needs one. */
static void set_time(const struct lag_builder *builder,
                     const struct lag_report *report, struct lag_hang *hang)
{
	uint64_t threshold_us = builder->options->threshold_us
	                                ? builder->options->threshold_us
	                                : report->threshold_us;

	if (report->kind == SAMPLE_KIND_STALL && threshold_us && report->date &&
	    session_time(report->date, &hang->taken_ms))
		hang->threshold_us = threshold_us;
}

static struct lag_hang *new_hang(struct lag_builder *builder,
                                 const struct lag_report *report)
{
	struct lag_hang *hang;

	MEM_GROW(builder->hangs, builder->hang_count, builder->hang_cap);
	hang = &builder->hangs[builder->hang_count++];
	*hang = (struct lag_hang){
		.input = report->input,
		.line = report->line,
		.origin = arena_strdup(&builder->hang_arena, report->origin),
		.kind = report->kind,
		.id = arena_strdup(&builder->hang_arena, report->id),
		.session = arena_strdup(&builder->hang_arena, report->session),
		.app = arena_strdup(&builder->hang_arena, report->app),
		.os = arena_strdup(&builder->hang_arena, report->os),
		.device = arena_strdup(&builder->hang_arena, report->device),
		.event = arena_strdup(&builder->hang_arena, report->event),
		.key = INTERN_NONE,
		.samples = report->profile.sample_count,
		.cost_us = report->cost_origin == COST_UNKNOWN
		                   ? 0
		                   : report->profile.cost_us,
		.cost_origin = report->cost_origin,
	};
	if (cost_unit_of(report->kind) == COST_MS)
		hang->allowance = hang_allowance_find(report->scenario);
	set_time(builder, report, hang);
	return hang;
}

/**
 * The app's innermost call. Offsets differ by build, so a place without a
 * symbol has the image's UUID.
 */
static const char *blocker_call(struct lag_builder *builder,
                                const struct lag_report *report)
{
	enum calltree_kind kind = lag_places_bare_kind(report);
	const struct calltree_frame *found = NULL;
	char uuid[UUID_TEXT_SIZE];

	for (size_t i = report->blocker_count; i-- > 0 && !found;) {
		struct lag_calls calls = lag_fold_calls(
		        builder->state, report->blocker[i], kind);

		for (size_t k = calls.count; k-- > 0 && !found;) {
			const struct calltree_frame *frame =
			        &builder->functions
			                 .frames[calls.items[k].function];

			if (frame->kind == CALLTREE_APP)
				found = frame;
		}
	}
	if (!found || !found->uuid)
		return found ? found->name : NULL;
	return arena_printf(&builder->hang_arena, "%s <%s>", found->name,
	                    uuid_format(found->uuid, uuid));
}

static const char *find_blocker(struct lag_builder *builder,
                                const struct lag_report *report)
{
	if (report->blocker_process)
		return arena_printf(&builder->hang_arena, "process %s",
		                    report->blocker_process);
	return blocker_call(builder, report);
}

void lag_fold_hang(struct lag_builder *builder, const struct lag_report *report,
                   const struct calltree *tree)
{
	struct lag_hang *hang = new_hang(builder, report);

	add_notes(builder, report, hang);
	if (!builder->options->wants_hangs || !tree->node_count)
		return;
	add_heaviest(builder, hang);
	hang->blocker = find_blocker(builder, report);
	hang->node_count = tree->node_count - 1;
	add_key(builder, tree, hang);
}

void lag_hang_name(const struct lag_hang *hang, struct str *out)
{
	if (hang->id)
		str_add(out, hang->id);
	else if (hang->origin)
		str_addf(out, "%s: %s", hang->input, hang->origin);
	else if (hang->line)
		str_addf(out, "%s:%zu", hang->input, hang->line);
	else
		str_add(out, hang->input ? hang->input : "-");
}
