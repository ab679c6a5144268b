// SPDX-License-Identifier: MIT
#include "cmd/run/samples.h"

#include "cmd/run/missing_symbols.h"
#include "cmd/run/sample_block.h"
#include "cmd/run/sample_input.h"
#include "lib/analysis/lag/cells.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/model/calltree_before.h"
#include "lib/model/redact/redact.h"

#include <string.h>

// Settings

static enum exit_status read_rules(struct sample_run *run)
{
	SCOPED(file_release) struct file_data file = { 0 };
	const char *path = run->settings->rules;
	struct error *err;

	if (!path)
		return EXIT_DONE;
	err = file_read(path, limit_get(LIMIT_REPORT), &file);
	if (err && error_code(err) == ERROR_LIMIT)
		err = limit_error_of(LIMIT_REPORT, err);
	if (!err)
		err = lag_rules_parse(bytes_text(file.bytes), path,
		                      &run->rules);
	if (err)
		return notice_refuse(run->run.notices, err);
	run->options.rules = &run->rules;
	return EXIT_DONE;
}

static enum exit_status read_known(struct sample_run *run)
{
	struct error *err = lag_rules_parse(text_from(system_symbols_text),
	                                    "system-symbols.yaml", &run->known);

	if (err)
		return notice_refuse(run->run.notices, err);
	run->options.known = &run->known;
	return EXIT_DONE;
}

static enum exit_status read_images(struct sample_run *run)
{
	SCOPED(source_release) struct source source = { 0 };
	const char *path = run->settings->images;
	struct bytes bytes;
	struct error *err;
	struct text text;

	if (!path)
		return EXIT_DONE;
	err = source_open_all(&source, path, &bytes);
	if (err)
		return notice_refuse(run->run.notices, err);
	text = bytes_text(bytes);
	err = lag_images_read(&text, &run->arena, &run->images);
	if (err)
		return notice_refuse(run->run.notices,
		                     error_prefix(err, "%s", path));
	if (source.decoded.note && !run->settings->run.quiet)
		notice_warn(run->run.notices, path, "%s", source.decoded.note);
	sample_notes_print_images(run, path, &run->images);
	return EXIT_DONE;
}

static enum exit_status open_store(struct sample_run *run)
{
	const struct symbol_paths *paths = &run->settings->paths;
	bool is_auto = !paths->no_auto && !run->run.config->no_auto;
	unsigned jobs = run->run.jobs;

	// Without a store, samples need not wait for names.
	run->options.has_store = is_auto || run->search.operands.place_count ||
	                         paths->dsym.count || paths->symbols.count ||
	                         paths->bcsymbolmap.count ||
	                         run->run.config->dsym_count ||
	                         symbols_are_indexed(paths, run->run.config);
	if (!run->options.has_store) {
		// An empty store, which reports that nothing was searched.
		run->search.store = symbol_store_new(
		        &(struct symbol_store_options){ .jobs = jobs });
		return EXIT_DONE;
	}
	return symbol_search_open(&run->search, &run->inputs, paths, jobs,
	                          run->settings->run.quiet);
}

enum exit_status sample_run_init(struct sample_run *run,
                                 const struct command_line *line,
                                 const struct sample_settings *settings)
{
	enum exit_status status;

	run->settings = settings;
	run->inputs =
	        symbol_search_split(&run->search, run->all ? run->all : line);
	near_symbols_look_beside(&run->search.near,
	                         run->all ? line : &run->inputs);
	status = run_init(&run->run, run->all ? line : &run->inputs,
	                  &settings->run);
	if (status == EXIT_DONE)
		status = open_store(run);
	if (status == EXIT_DONE)
		status = read_rules(run);
	if (status == EXIT_DONE)
		status = read_known(run);
	if (status == EXIT_DONE)
		status = read_images(run);
	if (status == EXIT_DONE)
		sample_blocks_make(run);
	return status;
}

void sample_run_release(struct sample_run *run)
{
	sample_blocks_release(run);
	fingerprints_release(&run->ids);
	profile_met_release(&run->met);
	symbol_search_release(&run->search);
	lag_rules_release(&run->rules);
	lag_rules_release(&run->known);
	arena_release(&run->arena);
	run_release(&run->run);
}

enum exit_status sample_run_all(struct sample_run *run)
{
	enum exit_status status;

	run_each(&run->run, sample_input_take, run);
	sample_notes_print_rules(run);
	if (run->same && !run->settings->run.quiet)
		notice_warn(run->run.notices, NULL,
		            "%zu report%s the id of an earlier one: not "
		            "counted again",
		            run->same, run->same == 1 ? " has" : "s have");
	status = run_status(&run->run);
	if (!run->reports && run->skipped && run->run.may_be_empty)
		return status;
	if (!run->reports && run->skipped)
		return notice_fail(run->run.notices, NULL,
		                   "no report matches %s: %zu report%s skipped",
		                   selection_is_active(&run->run.selection)
		                           ? "--where, --since, --until"
		                           : "--kind",
		                   run->skipped, run->skipped == 1 ? "" : "s");
	if (!run->reports && run->run.tried)
		return EXIT_ALL_FAILED;
	return run->run.failed || run->failed_reports ? EXIT_SOME_FAILED
	                                              : status;
}

void sample_run_end(struct sample_run *run, struct profile_functions *functions)
{
	sample_blocks_end(run);
	for (unsigned i = 0; i < run->block_count; i++) {
		struct profile_functions *met =
		        &run->blocks[i].builder.functions;
		uint32_t count = functions ? profile_functions_count(met) : 0;

		for (uint32_t k = 0; k < count; k++)
			profile_functions_join(functions, met, k);
		profile_functions_release(met);
	}
	if (functions)
		profile_met_join(&run->met, functions);
	profile_met_release(&run->met);
}

/** Print how functions were attributed, which colors show, if it is a guess. */
static void note_evidence(const struct sample_run *run)
{
	const struct profile_functions *functions = run->functions;
	SCOPED(str_release) struct str text = { 0 };
	size_t guessed = 0;

	for (uint32_t i = 0; i < profile_functions_count(functions); i++)
		guessed += functions->frames[i].evidence <= CALLTREE_BY_SYMBOL;
	if (!guessed)
		return;
	lag_evidence_add(functions, &text);
	notice_advise(run->run.notices, "--rules can change this",
	              "in-app is decided %s", str_cstr(&text));
}

enum exit_status sample_run_finish(struct sample_run *run,
                                   enum exit_status status)
{
	SCOPED(missing_symbols_release) struct missing_symbols missing = { 0 };
	SCOPED(fingerprints_release) struct fingerprints seen = { 0 };

	status = symbols_status(run->run.notices, run->search.store,
	                        run->search.near.quiet, status);
	if (run->settings->run.quiet)
		return run_finish(&run->run, status);
	// After a failure nothing is shown.
	if (run->colors_kinds && run->functions && status < EXIT_ALL_FAILED)
		note_evidence(run);
	for (unsigned i = 0; i < run->block_count; i++)
		lag_builder_missing(&run->blocks[i].builder,
		                    run->only_damaged ? MISSING_DAMAGED
		                                      : MISSING_LINES,
		                    &seen, &missing);
	// `apmtool missing` does not take --images.
	missing_symbols_notice(run->run.notices, &missing,
	                       symbol_store_index(run->search.store),
	                       !run->images.count);
	return run_finish(&run->run, status);
}

/**
 * Warn of a tree with several kinds, which does not show hangs alone, or of an
 * empty one.
 */
static void warn_of_reading(const struct sample_run *run, bool nothing)
{
	size_t stalls = run->kinds[SAMPLE_KIND_STALL];
	size_t others = 0;

	for (size_t i = 0; i < SAMPLE_KINDS; i++)
		others += i == SAMPLE_KIND_STALL ? 0 : run->kinds[i];
	if (run->settings->run.quiet)
		return;
	if (stalls && others)
		notice_advise(run->run.notices, "--kind takes one kind",
		              "%zu hang%s and %zu other report%s, such as of "
		              "CPU use, are added up",
		              stalls, text_plural(stalls), others,
		              text_plural(others));
	if (run->reports && nothing)
		notice_warn(run->run.notices, NULL,
		            "nothing is left to show: the reports have no "
		            "stacks, or the rules remove all");
}

/** Is the tree empty, or its newer side, if it has sides? */
static bool is_empty(const struct calltree *tree)
{
	if (!tree->before)
		return tree->node_count <= 1;
	return !tree->node_count ||
	       (!tree->nodes->samples && !tree->nodes->cost_us);
}

/** The total so far becomes the older side. */
static void turn_total(struct sample_run *run)
{
	bool nothing = true;

	for (unsigned i = 0; i < run->block_count; i++) {
		struct lag_builder *builder = &run->blocks[i].builder;

		nothing &= builder->total.node_count <= 1;
		lag_builder_turn(builder);
	}
	warn_of_reading(run, nothing);
}

enum exit_status sample_run_again(struct sample_run *run,
                                  const struct command_line *line)
{
	if (run->options.wants_total)
		turn_total(run);
	run->reports = run->failed_reports = run->skipped = run->same = 0;
	fingerprints_release(&run->ids);
	memset(run->kinds, 0, sizeof(run->kinds));
	run->in_parts = false;
	return run_again(&run->run, line);
}

/** Check the sum of the tree, or of each call if only those are shown. */
static void warn_of_sums(const struct sample_run *run,
                         const struct calltree *tree)
{
	uint64_t max = 0;

	if (!tree->node_count)
		return;
	if (!run->takes_weights) {
		sample_run_warn_of_sums(run, tree->nodes->samples,
		                        tree->nodes->cost_us);
		return;
	}
	for (uint32_t i = 0; i < tree->node_count; i++)
		if (tree->nodes[i].self_samples > max)
			max = tree->nodes[i].self_samples;
	sample_run_warn_of_sums(run, max, 0);
}

enum exit_status sample_run_weigh(const struct sample_run *run,
                                  struct calltree *tree, bool has_weight,
                                  bool by_cost, enum exit_status status)
{
	bool is_known = tree->cost_origin != COST_UNKNOWN;

	tree->by_cost = is_known && (has_weight ? by_cost : tree->counts_calls);
	// Collapsed stacks cannot mark costs.
	if (tree->by_cost && run->takes_weights &&
	    cost_origin_note(tree->cost_origin))
		notice_warn(run->run.notices, NULL, "costs are %s",
		            tree->cost_origin == COST_ASSUMED
		                    ? "assumed, as the input has none"
		                    : "lower bounds");
	if (is_known || !has_weight || !by_cost || status >= EXIT_ALL_FAILED)
		return status;
	return notice_fail(
	        run->run.notices, NULL, "%s",
	        run->has_units
	                ? "costs in different units cannot be added "
	                  "up: choose one kind with --kind"
	                : "'--weight cost' needs costs, but no report has any");
}

/** Costs in several units have no sum: drop them. */
static void set_costs(struct sample_run *run, struct calltree *tree)
{
	struct lag_costs costs = { 0 };
	enum cost_unit unit = COST_MS;

	for (unsigned i = 0; i < run->block_count; i++)
		lag_costs_join(&costs, &run->blocks[i].builder.costs);
	while (unit < COST_UNITS - 1 && !(costs.units >> unit & 1))
		unit++;
	tree->counts_calls = costs.has_calls && !costs.has_samples;
	tree->cost_origin = costs.has_any ? costs.origin : COST_MEASURED;
	tree->cost_unit = costs.units ? unit : COST_MS;
	if (costs.units == 1u << unit || !costs.units)
		return;
	run->has_units = true;
	tree->cost_origin = COST_UNKNOWN;
	for (uint32_t i = 0; i < tree->node_count; i++)
		tree->nodes[i].self_cost_us = 0;
	if (tree->before)
		calltree_before_forget_costs(tree->before);
	if (!run->settings->run.quiet)
		notice_advise(run->run.notices, "--kind takes one kind",
		              "costs in different units are not added up: "
		              "none is shown");
}

void sample_run_total(struct sample_run *run, struct calltree *tree,
                      struct profile_functions *functions)
{
	bool is_full = false;

	sample_blocks_end(run);
	for (unsigned i = 0; i < run->block_count; i++) {
		struct lag_builder *builder = &run->blocks[i].builder;

		is_full |= builder->total.full;
		if (!lag_total_take(tree, functions, builder))
			lag_total_join(tree, functions, builder);
		profile_functions_release(&builder->functions);
	}
	run->functions = functions;
	set_costs(run, tree);
	is_full |= tree->full;
	if (is_full)
		notice_warn(run->run.notices, NULL,
		            "more than %u different calls: the cost of "
		            "further ones is attributed to their callers",
		            CALLTREE_NODES_MAX);
	// Several jobs may have counted the same report.
	for (uint32_t i = 0; run->in_parts && i < tree->node_count; i++)
		tree->nodes[i].reports = 0;
	// One report keeps its order; otherwise, the order would depend on the
	// jobs.
	if (!run->takes_weights &&
	    (run->reports != 1 || run->in_parts || run->all))
		lag_total_sort(tree, functions);
	if (!run->takes_weights)
		calltree_sum(tree);
	if (tree->before)
		calltree_before_sum(tree->before, tree);
	warn_of_reading(run, is_empty(tree));
	warn_of_sums(run, tree);
	// Only the first block has read.
	if (run->blocks[0].builder.timeline.track_count)
		tree->timeline = &run->blocks[0].builder.timeline;
	if (run->blocks[0].builder.timeline.is_full &&
	    !run->settings->run.quiet)
		notice_warn(run->run.notices, NULL,
		            "more than %zu samples: their order is not shown",
		            TIMELINE_SAMPLES_MAX);
	tree->frames = functions->frames;
	tree->frame_count = profile_functions_count(functions);
	if (redaction())
		calltree_redact(tree, redaction(), &run->arena);
}
