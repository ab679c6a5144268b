// SPDX-License-Identifier: MIT
#include "cmd/run/sample_block.h"

#include "cmd/run/pipeline.h"
#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Max reports kept before delivery. */
#define HANGS_KEPT 1024

static bool is_kind_wanted(const struct sample_settings *settings,
                           enum sample_kind kind)
{
	unsigned wanted = settings->kind + SAMPLE_KIND_STALL;

	return !settings->has_kind || wanted == SAMPLE_KINDS || wanted == kind;
}

static bool is_selected(const struct run *run, const struct lag_report *report)
{
	const struct selection_sample sample = {
		.app = report->app,
		.os = report->os,
		.device = report->device,
		.date = report->date,
		.kind = report->kind,
	};

	return !selection_is_active(&run->selection) ||
	       selection_takes_sample(&run->selection, &sample);
}

void sample_block_visit(struct lag_report *report, void *context)
{
	struct sample_block *block = context;
	bool is_wanted = is_kind_wanted(block->run->settings, report->kind) &&
	                 is_selected(&block->run->run, report);
	bool is_counted = block->has_part;

	block->has_part = block->run->options.takes_parts;
	block->skipped += !is_wanted && !is_counted;
	if (!is_wanted)
		return;
	block->reports += !is_counted;
	block->kinds[report->kind] += !is_counted;
	lag_builder_add(&block->builder, report);
}

static void failed(size_t line, struct error *err, void *context)
{
	struct sample_block *block = context;

	if (block->failure_count < FAILURES_PRINTED)
		block->failures[block->failure_count] =
		        (struct sample_failure){ .line = line, .err = err };
	else
		error_free(err);
	block->failure_count++;
}

/** One more than jobs: a job goes on while another works on an older block. */
static unsigned block_count(unsigned jobs)
{
	return jobs > 1 && jobs < PIPELINE_BLOCKS_MAX ? jobs + 1 : jobs;
}

void sample_blocks_make(struct sample_run *run)
{
	run->options.config = run->run.config;
	run->options.max_nodes = run->settings->max_nodes;
	run->options.form = run->settings->form;
	for (size_t i = 0; i < ARRAY_SIZE(run->options.seeds); i++)
		if (!run->options.seeds[i])
			run->options.seeds[i] = hash_seed();
	run->block_count = block_count(run->run.jobs);
	run->blocks = mem_zalloc(run->block_count, sizeof(*run->blocks));
	for (unsigned i = 0; i < run->block_count; i++) {
		struct sample_block *block = &run->blocks[i];

		block->run = run;
		lag_builder_init(&block->builder, &run->options);
		lag_reader_init(&block->reader, &block->builder.names,
		                sample_block_visit, failed, block);
		if (run->images.count)
			block->reader.images = &run->images;
	}
}

void sample_blocks_release(struct sample_run *run)
{
	for (unsigned i = 0; i < run->block_count; i++) {
		struct sample_block *block = &run->blocks[i];

		lag_reader_release(&block->reader);
		lag_builder_release(&block->builder);
		str_release(&block->text);
	}
	free(run->blocks);
}

void sample_blocks_end(struct sample_run *run)
{
	fingerprints_release(&run->ids);
	for (unsigned i = 0; i < run->block_count; i++) {
		struct sample_block *block = &run->blocks[i];

		lag_reader_release(&block->reader);
		lag_builder_end(&block->builder);
		str_release(&block->text);
	}
}

void sample_blocks_begin_input(struct sample_run *run, const char *name)
{
	for (unsigned i = 0; i < run->block_count; i++) {
		run->blocks[i].reader.report.input = name;
		run->blocks[i].has_part = false;
	}
	sample_blocks_keep_order(run, run->options.wants_order);
}

void sample_blocks_keep_order(struct sample_run *run, bool keeps_order)
{
	for (unsigned i = 0; i < run->block_count; i++)
		run->blocks[i].reader.report.profile.keeps_order = keeps_order;
}

void sample_blocks_use_images(struct sample_run *run,
                              const struct lag_images *images)
{
	for (unsigned i = 0; i < run->block_count; i++)
		run->blocks[i].reader.images = images->count ? images : NULL;
}

static void look_near(const struct uuid *uuid, void *context)
{
	near_symbols_use_for(context, uuid);
}

void sample_block_gather(struct sample_block *block)
{
	struct sample_run *run = block->run;
	struct lag_builder *builder = &block->builder;

	run->same += lag_builder_drop_repeated(builder, &run->ids);
	if (!lag_builder_wants_names(builder))
		return;
	notice_progress_end(run->run.notices);
	lag_builder_each_wanted(builder, look_near, &run->search.near);
	lag_builder_name(builder, run->search.store);
}

void sample_block_fold(struct sample_block *block)
{
	lag_builder_finish(&block->builder);
}

/**
 * A job forgets its functions at this number; the groups have copied the
 * relevant ones. To find functions again costs as much as finding them the
 * first time, so the total cost at most doubles. With images nothing is
 * forgotten, as symbols would be looked up again.
 */
#define FUNCTIONS_KEPT ((uint32_t)1 << 16)

static void forget_functions(struct sample_block *block)
{
	struct sample_run *run = block->run;

	// The budget of the user's rules is limited, so rules are applied once.
	if (run->forgets_functions && !run->settings->rules &&
	    profile_functions_count(&block->builder.functions) >=
	            FUNCTIONS_KEPT)
		lag_builder_forget_functions(&block->builder,
		                             run->counts_functions ? &run->met
		                                                   : NULL);
}

void sample_block_hand_on(struct sample_block *block, const char *name)
{
	struct sample_run *run = block->run;
	struct lag_builder *builder = &block->builder;

	notice_progress_end(run->run.notices);
	for (size_t i = 0; i < builder->hang_count && !run->options.takes_parts;
	     i++)
		sample_notes_print(run, &builder->hangs[i]);
	sample_failures_print(run, block, name);
	if (run->merge)
		run->merge(builder, run->context);
	run->reports += block->reports;
	run->skipped += block->skipped;
	for (size_t i = 0; i < SAMPLE_KINDS; i++)
		run->kinds[i] += block->kinds[i];
	block->reports = block->skipped = 0;
	memset(block->kinds, 0, sizeof(block->kinds));
	// Notes of parts are printed at the end of the input.
	if (!run->options.takes_parts)
		lag_builder_clear_hangs(builder);
	forget_functions(block);
	run_progress(&run->run, run->reports, 0, "reports");
}

void sample_block_take(struct lag_report *report, void *context)
{
	struct sample_block *block = context;
	const char *name = report->input;

	sample_block_visit(report, context);
	if (block->reports < HANGS_KEPT &&
	    block->builder.pending_nodes < LAG_FOLD_PENDING_NODES)
		return;
	sample_block_gather(block);
	sample_block_fold(block);
	sample_block_hand_on(block, name);
}
