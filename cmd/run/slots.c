// SPDX-License-Identifier: MIT
#include "cmd/run/slots.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/parallel.h"

#include <stdlib.h>

/** Hangs that are kept before they are handed on. */
#define HANGS_KEPT 1024

/** Is it of a kind that the user asked for? */
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

struct sample_block *slot_current(struct sample_slot *slot)
{
	return &slot->blocks[slot->blocks_kept];
}

void slot_visit(struct lag_report *report, void *context)
{
	struct sample_slot *slot = context;
	struct sample_block *block = slot_current(slot);
	bool is_wanted = is_kind_wanted(slot->run->settings, report->kind) &&
	                 is_selected(&slot->run->run, report);
	bool is_counted = slot->has_part;

	slot->has_part = slot->run->options.takes_parts;
	block->left_out += !is_wanted && !is_counted;
	if (!is_wanted)
		return;
	block->reports += !is_counted;
	block->kinds[report->kind] += !is_counted;
	lag_builder_add(&slot->builder, report);
}

static void failed(size_t line, struct error *err, void *context)
{
	struct sample_block *block = slot_current(context);

	if (block->failure_count < FAILURES_PRINTED)
		block->failures[block->failure_count] =
		        (struct sample_failure){ .line = line, .err = err };
	else
		error_free(err);
	block->failure_count++;
}

void slots_make(struct sample_run *run)
{
	run->options.config = run->run.config;
	run->options.max_nodes = run->settings->max_nodes;
	run->options.form = run->settings->form;
	for (size_t i = 0; i < ARRAY_SIZE(run->options.seeds); i++)
		if (!run->options.seeds[i])
			run->options.seeds[i] = hash_seed();
	run->slots = mem_zalloc(run->run.jobs, sizeof(*run->slots));
	for (unsigned i = 0; i < run->run.jobs; i++) {
		struct sample_slot *slot = &run->slots[i];

		slot->run = run;
		lag_builder_init(&slot->builder, &run->options);
		slot->builder.ids = &run->ids;
		lag_reader_init(&slot->reader, &slot->builder.names, slot_visit,
		                failed, slot);
		if (run->images.count)
			slot->reader.images = &run->images;
	}
}

void slots_release(struct sample_run *run)
{
	for (unsigned i = 0; run->slots && i < run->run.jobs; i++) {
		struct sample_slot *slot = &run->slots[i];

		lag_reader_release(&slot->reader);
		lag_builder_release(&slot->builder);
		str_release(&slot->block);
	}
	free(run->slots);
}

void slots_end(struct sample_run *run)
{
	fingerprints_release(&run->ids);
	for (unsigned i = 0; i < run->run.jobs; i++) {
		struct sample_slot *slot = &run->slots[i];

		lag_reader_release(&slot->reader);
		lag_builder_end(&slot->builder);
		str_release(&slot->block);
	}
}

/**
 * A job with so many functions forgets them: those that matter are a group's as
 * well. To meet one again costs as much as it did the first time, and all that
 * were forgotten had cost that before. Where an image was met, nothing is
 * forgotten: its symbols would be looked up once more.
 */
#define FUNCTIONS_KEPT ((uint32_t)1 << 16)

bool slot_should_forget(const struct sample_slot *slot)
{
	const struct sample_run *run = slot->run;

	// What the user's rules may cost is limited: they are asked once.
	return run->forgets_functions && !run->settings->rules &&
	       profile_functions_count(&slot->builder.functions) >=
	               FUNCTIONS_KEPT;
}

void slot_forget_functions(struct sample_slot *slot)
{
	struct sample_run *run = slot->run;

	if (slot_should_forget(slot))
		lag_builder_forget_functions(&slot->builder,
		                             run->counts_functions ? &run->met
		                                                   : NULL);
}

void slots_begin_input(struct sample_run *run, const char *name)
{
	for (unsigned i = 0; i < run->run.jobs; i++) {
		run->slots[i].reader.report.input = name;
		run->slots[i].has_part = false;
	}
	slots_keep_order(run, run->options.wants_order);
}

void slots_keep_order(struct sample_run *run, bool keeps_order)
{
	for (unsigned i = 0; i < run->run.jobs; i++)
		run->slots[i].reader.report.profile.keeps_order = keeps_order;
}

void slots_use_images(struct sample_run *run, const struct lag_images *images)
{
	for (unsigned i = 0; i < run->run.jobs; i++)
		run->slots[i].reader.images = images->count ? images : NULL;
}

void slot_flush(struct sample_slot *slot, const char *name)
{
	struct sample_run *run = slot->run;
	struct lag_builder *builder = &slot->builder;
	struct sample_block *block = &slot->blocks[0];

	notice_progress_end(run->run.notices);
	for (size_t i = 0; i < builder->hang_count && !run->options.takes_parts;
	     i++)
		sample_notes_print(run, &builder->hangs[i]);
	sample_failures_print(run, block, name);
	if (run->merge)
		run->merge(builder, run->context);
	run->reports += block->reports;
	run->left_out += block->left_out;
	for (size_t i = 0; i < SAMPLE_KINDS; i++)
		run->kinds[i] += block->kinds[i];
	*block = (struct sample_block){ .number = block->number };
	// What was noted of parts waits for the end of the input.
	if (!run->options.takes_parts)
		lag_builder_clear_hangs(builder);
	run_progress(&run->run, run->reports, 0, "reports");
}

static void finish_slot(size_t index, void *context)
{
	struct sample_run *run = context;

	lag_builder_finish(&run->slots[index].builder, SIZE_MAX);
}

static void look_near(const struct uuid *uuid, void *context)
{
	near_symbols_use_for(context, uuid);
}

void slots_name_frames(struct sample_run *run, struct sample_slot *slots,
                       size_t count)
{
	SCOPED(mem_drop)
	struct lag_builder **builders = mem_zalloc(count, sizeof(*builders));

	notice_progress_end(run->run.notices);
	for (size_t i = 0; i < count; i++) {
		builders[i] = &slots[i].builder;
		lag_builder_each_wanted(builders[i], look_near,
		                        &run->search.near);
	}
	lag_fold_name(builders, count, run->search.store);
}

/** Name, finish and hand on the first @p count slots, in their order. */
static void flush(struct sample_run *run, size_t count, const char *name)
{
	size_t busy = 0;

	if (run->options.has_store)
		slots_name_frames(run, run->slots, count);
	// In the order of the input: the first of those with one id counts.
	for (size_t i = 0; i < count; i++) {
		struct lag_builder *builder = &run->slots[i].builder;

		run->same +=
		        lag_builder_forget_same(builder, SIZE_MAX, &run->ids);
		if (builder->waiting_count)
			busy = i + 1;
	}
	// An archive may hold 60,000 small files: no thread for each of them.
	parallel_each(busy, run->run.jobs, finish_slot, run);
	for (size_t i = 0; i < count; i++)
		slot_flush(&run->slots[i], name);
}

void slot_take(struct lag_report *report, void *context)
{
	struct sample_slot *slot = context;
	const char *name = report->input;

	slot_visit(report, context);
	if (slot->builder.hang_count + slot_current(slot)->reports >=
	            HANGS_KEPT ||
	    slot->builder.waiting_nodes >= LAG_FOLD_WAITING_NODES)
		flush(slot->run, 1, name);
}

/** Lines of collapsed stacks that are none: the sum is short of them. */
static void count_bad_lines(struct sample_run *run, const char *name)
{
	size_t count = 0;

	for (unsigned i = 0; i < run->run.jobs; i++) {
		count += run->slots[i].reader.bad_lines;
		run->slots[i].reader.bad_lines = 0;
	}
	run->failed_reports += count;
	if (count)
		notice_fail(run->run.notices, name,
		            "%zu line%s left out: no stack and its count",
		            count, count == 1 ? " is" : "s are");
}

void slots_end_input(struct sample_run *run)
{
	const char *name = run->slots[0].reader.report.input;

	for (unsigned i = 0; i < run->run.jobs; i++)
		lag_reader_end(&run->slots[i].reader);
	flush(run, run->run.jobs, name);
	if (run->options.takes_parts) {
		notice_progress_end(run->run.notices);
		sample_notes_print_parts(run, name);
		for (unsigned i = 0; i < run->run.jobs; i++)
			lag_builder_clear_hangs(&run->slots[i].builder);
	}
	count_bad_lines(run, name);
	for (unsigned i = 0; i < run->run.jobs; i++)
		slot_forget_functions(&run->slots[i]);
}
