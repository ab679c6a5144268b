// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/fold.h"

#include "lib/analysis/lag/fold_state.h"
#include "lib/analysis/lag/trim.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

void lag_builder_init(struct lag_builder *builder,
                      const struct lag_fold_options *options)
{
	*builder = (struct lag_builder){
		.options = options,
		.state = mem_zalloc(1, sizeof(*builder->state)),
	};
	lag_places_init(&builder->state->places, &builder->names,
	                &builder->functions);
	builder->state->places.images.config = options->config;
	builder->state->places.images.has_paths = options->rules &&
	                                          options->rules->has_paths;
	builder->state->places.calls.rules = options->rules;
	builder->state->places.calls.known = options->known;
	builder->state->places.calls.form = options->form;
	builder->state->places.waits = options->has_store;
}

void lag_builder_turn(struct lag_builder *builder)
{
	calltree_turn(&builder->total, &builder->before);
}

static void release_reports(struct lag_fold_state *state)
{
	for (size_t i = 0; i < state->report_cap; i++) {
		lag_report_release(&state->reports[i].report);
		free(state->reports[i].place_of);
	}
	free(state->reports);
}

/** Release all but the places. */
static void release_work(struct lag_builder *builder)
{
	struct lag_fold_state *state = builder->state;

	release_reports(state);
	builder->pending_count = builder->pending_nodes = 0;
	calltree_release(&state->tree);
	calltree_release(&state->trimmed);
	free(state->passing.by_node);
	free(state->node_of);
	free(state->cut);
	free(state->frame_of);
	free(state->path);
	str_release(&state->print);
}

void lag_builder_end(struct lag_builder *builder)
{
	struct lag_fold_state *state = builder->state;
	struct lag_places places = state->places;

	release_work(builder);
	*state = (struct lag_fold_state){ .places = places };
	lag_call_table_release(&state->places.calls);
	intern_release(&builder->names);
}

void lag_builder_release(struct lag_builder *builder)
{
	if (builder->state) {
		release_work(builder);
		lag_places_release(&builder->state->places);
		free(builder->state);
	}
	intern_release(&builder->names);
	profile_functions_release(&builder->functions);
	free(builder->hangs);
	arena_release(&builder->hang_arena);
	calltree_release(&builder->total);
	timeline_release(&builder->timeline);
	origins_release(&builder->origins);
	calltree_before_release(&builder->before);
	*builder = (struct lag_builder){ 0 };
}

void lag_builder_forget_functions(struct lag_builder *builder,
                                  struct profile_met *met)
{
	if (!lag_places_forget(&builder->state->places))
		return;
	if (met)
		profile_met_add(met, &builder->functions);
	profile_functions_release(&builder->functions);
	intern_release(&builder->names);
}

void lag_builder_clear_hangs(struct lag_builder *builder)
{
	arena_clear(&builder->hang_arena);
	builder->hang_count = 0;
}

// Reports

/** Max nodes of a report's tree that is kept for the next one. */
#define KEPT_NODES ((uint32_t)1 << 16)

/** Free a large tree, as the next report gathers its stacks in its own. */
static void drop_large(struct calltree *tree)
{
	if (tree->node_count > KEPT_NODES)
		calltree_release(tree);
}

/** The tree of one report: functions, summed up, trimmed if requested. */
static const struct calltree *make_tree(struct lag_builder *builder,
                                        struct lag_report *report)
{
	struct lag_fold_state *state = builder->state;
	struct calltree *tree = &state->tree;

	calltree_clear(tree);
	if (report->profile.stacks.node_count) {
		if (builder->options->wants_hangs)
			lag_fold_heaviest(builder, report);
		lag_fold_tree(state, report, NULL, tree);
	}
	calltree_sum(tree);
	tree->frames = builder->functions.frames;
	tree->frame_count = profile_functions_count(&builder->functions);
	if (!builder->options->max_nodes || !tree->node_count)
		return tree;
	calltree_clear(&state->trimmed);
	lag_trim(tree, builder->options->max_nodes, &state->trimmed);
	return &state->trimmed;
}

void lag_costs_join(struct lag_costs *costs, const struct lag_costs *other)
{
	if (!other->has_any)
		return;
	costs->origin = costs->has_any
	                        ? cost_origin_sum(costs->origin, other->origin)
	                        : other->origin;
	costs->units |= other->units;
	costs->has_any = true;
	costs->has_calls |= other->has_calls;
	costs->has_samples |= other->has_samples;
}

/** Add the costs of a report; totals exclude unknown ones. */
static void add_costs(struct lag_builder *builder, struct lag_report *report)
{
	bool is_known = report->cost_origin != COST_UNKNOWN;
	const struct lag_costs costs = {
		.units = is_known ? 1u << cost_unit_of(report->kind) : 0,
		.origin = report->cost_origin,
		.has_any = true,
		.has_calls = report->profile.counts_calls,
		.has_samples = !report->profile.counts_calls,
	};

	if (report->profile.stacks.node_count)
		lag_costs_join(&builder->costs, &costs);
	if (!is_known && !builder->options->wants_hangs)
		profile_forget_cost(&report->profile);
}

static void add_to_total(struct lag_builder *builder,
                         const struct calltree *tree)
{
	struct lag_fold_state *state = builder->state;

	MEM_GROW(state->node_of, tree->node_count, state->node_cap);
	lag_fold_join(&builder->total, tree, NULL, &state->passing,
	              state->node_of);
}

/** Add the samples of a folded report to the timeline, in their order. */
static void add_to_timeline(struct lag_builder *builder,
                            const struct lag_report *report)
{
	const struct lag_hang *hang = &builder->hangs[builder->hang_count - 1];
	struct lag_fold_state *state = builder->state;

	str_clear(&state->print);
	lag_hang_name(hang, &state->print);
	timeline_begin(&builder->timeline, str_cstr(&state->print),
	               !report->profile.from_nodes &&
	                       !report->profile.is_unordered);
	for (size_t i = 0; i < report->profile.order_count; i++) {
		const struct profile_sample *sample = &report->profile.order[i];

		timeline_add(&builder->timeline,
		             lag_fold_node(state, sample->node), sample->weight,
		             sample->cost_us);
	}
}

/** Start origins again after the total was moved to another builder. */
static void begin_origins(struct lag_builder *builder,
                          const struct lag_report *report)
{
	if (!builder->total.origins) {
		origins_release(&builder->origins);
		builder->total.origins = &builder->origins;
	}
	origins_begin(&builder->origins, report->device, report->app);
}

/** Finish a report; the state has its places, all named. */
static void finish(struct lag_builder *builder, struct lag_report *report)
{
	const struct lag_fold_options *options = builder->options;
	struct lag_fold_state *state = builder->state;
	struct lag_passing *passing = options->takes_parts ? NULL
	                                                   : &state->passing;
	bool has_stacks = report->profile.stacks.node_count;
	const struct calltree *tree;

	builder->report_count++;
	add_costs(builder, report);
	state->passing.number = (uint32_t)builder->report_count;
	if (options->wants_origins)
		begin_origins(builder, report);
	// Neither keys nor trimming: fold into the total directly.
	if (!options->wants_hangs && !options->max_nodes) {
		if (has_stacks)
			lag_fold_tree(state, report, passing, &builder->total);
		lag_fold_hang(builder, report, NULL);
		if (options->wants_order && has_stacks)
			add_to_timeline(builder, report);
		return;
	}
	tree = make_tree(builder, report);
	lag_fold_hang(builder, report, tree);
	if (options->wants_total)
		add_to_total(builder, tree);
	drop_large(&state->tree);
	drop_large(&state->trimmed);
}

/** A report to fill; reuses the memory of an earlier one. */
static struct lag_pending *next_pending(struct lag_builder *builder)
{
	struct lag_fold_state *state = builder->state;
	size_t cap = state->report_cap;

	if (builder->pending_count == cap) {
		state->reports = mem_grow_zeroed(state->reports,
		                                 &state->report_cap, cap + 1,
		                                 sizeof(*state->reports));
		for (size_t i = cap; i < state->report_cap; i++)
			lag_report_init(&state->reports[i].report,
			                &builder->names);
	}
	return &state->reports[builder->pending_count++];
}

void lag_builder_add(struct lag_builder *builder, struct lag_report *report)
{
	struct lag_pending *pending = next_pending(builder);
	struct lag_report added;

	lag_report_place(report);
	added = *report;
	*report = pending->report;
	report->profile.keeps_order = added.profile.keeps_order;
	report->input = added.input;
	pending->report = added;
	pending->is_repeated = false;
	builder->pending_nodes += added.profile.stacks.node_count;
	MEM_GROW(pending->place_of, added.profile.frames.count,
	         pending->place_cap);
	if (added.profile.frames.count)
		lag_places_add(&builder->state->places, &pending->report,
		               pending->place_of);
}

bool lag_builder_wants_names(const struct lag_builder *builder)
{
	const struct lag_places *places = &builder->state->places;

	return places->named_count < places->place_count;
}

void lag_builder_each_wanted(const struct lag_builder *builder,
                             void (*visit)(const struct uuid *uuid,
                                           void *context),
                             void *context)
{
	const struct lag_build_images *images = &builder->state->places.images;

	for (uint32_t i = 0; i < images->ids.count; i++)
		if (images->items[i].kind == CALLTREE_APP &&
		    !images->items[i].is_asked)
			visit(&images->items[i].uuid, context);
}

void lag_builder_name(struct lag_builder *builder, struct symbol_store *store)
{
	lag_places_name(&builder->state->places, store);
}

/** Has an earlier report the same id? Adds it to @p seen. */
static bool is_repeated(const struct lag_report *report,
                        struct fingerprints *seen)
{
	struct fingerprint print;
	bool is_new;

	// Some writers have an empty id.
	if (!report->id || !report->id[0])
		return false;
	print = fingerprint_of(seen, report->id, strlen(report->id));
	fingerprints_find(seen, &print, &is_new);
	return !is_new;
}

size_t lag_builder_drop_repeated(struct lag_builder *builder,
                                 struct fingerprints *seen)
{
	size_t count = 0;

	for (size_t i = 0; i < builder->pending_count; i++) {
		struct lag_pending *pending = &builder->state->reports[i];

		pending->is_repeated = is_repeated(&pending->report, seen);
		count += pending->is_repeated;
	}
	return count;
}

void lag_builder_finish(struct lag_builder *builder)
{
	struct lag_fold_state *state = builder->state;

	for (size_t i = 0; i < builder->pending_count; i++) {
		struct lag_pending *pending = &state->reports[i];

		state->place_of = pending->place_of;
		if (!pending->is_repeated)
			finish(builder, &pending->report);
		drop_large(&pending->report.profile.stacks);
		lag_report_clear(&pending->report);
	}
	builder->pending_count = builder->pending_nodes = 0;
}

const struct lag_rule *lag_builder_undecided(const struct lag_builder *builder)
{
	return builder->state->places.calls.undecided;
}

bool lag_builder_rules_spent(const struct lag_builder *builder)
{
	return !builder->state->places.calls.rule_budget;
}
