// SPDX-License-Identifier: MIT
#include "cmd/run/report_batch.h"

#include "cmd/run/report_refuse.h"
#include "cmd/run/report_write.h"
#include "lib/analysis/crash/explain/explain.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/model/redact/redact.h"
#include "lib/model/report_sources.h"

#include <stdlib.h>

struct report_item;

struct report_block {
	struct batch batch;
	struct report **reports; ///< in input order
	size_t report_count;
	struct arena arena; ///< of derived data
	struct report_item *items;
	bool formats_in_parallel;
	struct out **texts; ///< formatted reports by item, modulo
	                    ///< pipeline_prepared()
};

/** List the reports of the block in input order. */
static void list_reports(struct report_block *block)
{
	const struct batch *batch = &block->batch;
	size_t cap = 0;

	for (size_t i = 0; i < batch->count; i++) {
		for (struct report *r = batch->entries[i].reports; r;
		     r = r->next) {
			MEM_GROW(block->reports, block->report_count, cap);
			block->reports[block->report_count++] = r;
		}
	}
}

bool report_batch_explains(const struct report_run *run)
{
	const struct formatter *formatter = run->documents.formatter;

	// A page has its own explanation, but no signature.
	return formatter->explains && (!run->page || formatter->signs);
}

/** Explain, after the reports are complete: named and redacted. */
static void explain_all(struct report_run *run, struct report *const *reports,
                        size_t count, struct arena *arena)
{
	const struct formatter *formatter = run->documents.formatter;

	for (size_t i = 0; i < count; i++)
		reports[i]->explanation = explain_report(
		        reports[i], &run->signer.functions, arena);
	for (size_t i = 0; i < count && formatter->signs; i++)
		reports[i]->signature =
		        signer_print(&run->signer, reports[i], arena);
}

/** Redact jetsam logs before the hook, others after it (redact.h). */
static void redact_all(struct report *const *reports, size_t count,
                       bool are_logs, struct arena *arena)
{
	for (size_t i = 0; i < count && redaction(); i++)
		if ((reports[i]->jetsam != NULL) == are_logs)
			report_redact(reports[i], redaction(), arena);
}

static struct error *read_groups(struct report_run *run, struct source *source)
{
	const struct reader *reader = source_reader(source, YIELDS_GROUPS);
	struct sink sink = { .group = run->group, .context = run->context };
	struct error *err;

	if (selection_is_active(&run->run.selection)) {
		run->is_unfit = true;
		return error_new(ERROR_USAGE,
		                 "--where, --since and --until do not apply to "
		                 "a table of groups: give them to 'group'");
	}
	err = source_decode(source, limit_get(LIMIT_UNPACKED));
	if (!err) {
		err = reader_read_feed(reader, source_read, source, &sink);
		err = err ? source_blame(source, err)
		          : source_take_error(source);
	}
	run->is_unfit |= err && error_code(err) == ERROR_USAGE;
	return err;
}

/** Name, explain and so on all reports together. */
static void work_on_reports(struct report_run *run, struct report_block *block)
{
	struct report **reports = block->reports;
	size_t count = block->report_count;
	struct arena *arena = &block->arena;

	for (size_t i = 0; i < count; i++)
		report_map_sources(reports[i], arena);
	redact_all(reports, count, true, arena);
	if (run->hook && count)
		run->hook(reports, count, arena, run->context);
	redact_all(reports, count, false, arena);
	// A page loads the lines of its call itself.
	source_lines_read(&run->sources, reports, run->page ? 0 : count, arena);
	for (size_t i = 0; i < count; i++)
		reports[i]->number = ++run->count;
	if (report_batch_explains(run))
		explain_all(run, reports, count, arena);
}

// The stages of the pipeline

/** A report to deliver; NULL: end of an entry. */
struct report_item {
	struct batch_entry *entry;
	struct report *report;
};

static struct report_block *block_at(const struct report_run *run,
                                     unsigned index)
{
	return &run->blocks[index];
}

static size_t read_batch(unsigned index, bool *ret_more, void *context)
{
	struct report_run *run = context;
	struct batch *batch = &block_at(run, index)->batch;

	if (!run->feed)
		return report_input_read(&run->input, batch, ret_more);
	run->feed(batch, ret_more, run->context);
	return batch->count;
}

static void parse_entry(unsigned index, size_t piece, void *context)
{
	batch_parse_entry(&block_at(context, index)->batch, piece);
}

static void parse_again(void *batch)
{
	batch_parse_again(batch);
}

/** Format on all jobs? A single report is formatted while it is written. */
static bool formats_in_parallel(const struct report_run *run,
                                const struct report_block *block)
{
	return run->run.jobs > 1 && block->report_count > 1 &&
	       !run->hook_only && !run->page;
}

static size_t list_items(const struct report_run *run,
                         struct report_block *block)
{
	struct batch *batch = &block->batch;
	size_t count = 0;

	block->items = mem_alloc((block->report_count + batch->count) *
	                         sizeof(*block->items));
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_entry *entry = &batch->entries[i];

		for (struct report *r = run->answer ? NULL : entry->reports; r;
		     r = r->next)
			block->items[count++] =
			        (struct report_item){ entry, r };
		block->items[count++] = (struct report_item){ entry, NULL };
	}
	return count;
}

/** Formatters must know before the first of several documents. */
static void look_for_several(struct report_run *run, const struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		const struct batch_entry *entry = &batch->entries[i];

		if (entry->kind == BATCH_LINES ||
		    (entry->reports && entry->reports->next))
			report_write_several(run);
	}
}

static size_t work_on_batch(unsigned index, void *context)
{
	struct report_run *run = context;
	struct report_block *block = block_at(run, index);
	struct batch *batch = &block->batch;

	notice_progress_end(run->run.notices);
	if (batch_was_short(batch))
		pipeline_alone(&run->pipeline, parse_again, batch);
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_entry *entry = &batch->entries[i];

		if (entry->kind == BATCH_GROUPS)
			entry->err = read_groups(run, &batch->source);
		if (entry->kind != BATCH_REPORTS)
			continue;
		report_refuse(run, entry);
	}
	list_reports(block);
	work_on_reports(run, block);
	look_for_several(run, batch);
	block->formats_in_parallel = formats_in_parallel(run, block);
	notice_progress_end(run->run.notices);
	return list_items(run, block);
}

static struct out **text_at(const struct report_run *run,
                            struct report_block *block, size_t piece)
{
	size_t count = pipeline_prepared(&run->pipeline);

	return &block->texts[piece % count];
}

/** Max memory of a formatted report that is kept for the next. */
#define KEPT_BYTES ((size_t)4 << 20)

static struct out *empty_text(struct out **text)
{
	struct str *last;

	if (!*text)
		*text = out_memory();
	last = out_str(*text);
	if (last->cap > KEPT_BYTES)
		str_release(last);
	else
		str_clear(last);
	return *text;
}

static void format(unsigned index, size_t piece, void *context)
{
	struct report_run *run = context;
	struct report_block *block = block_at(run, index);
	const struct report_item *item = &block->items[piece];
	const struct documents *documents = &run->documents;
	struct out *text;

	if (!run->answer && (!item->report || !block->formats_in_parallel))
		return;
	text = empty_text(text_at(run, block, piece));
	if (run->answer)
		run->answer(run, item->entry, out_str(text), run->context);
	else
		documents->formatter->report(item->report, &documents->options,
		                             text);
}

static void deliver(unsigned index, size_t piece, void *context)
{
	struct report_run *run = context;
	struct report_block *block = block_at(run, index);
	const struct report_item *item = &block->items[piece];
	struct out *text = *text_at(run, block, piece);

	if (run->answer)
		run->deliver(str_text(out_str(text)), run->context);
	else if (item->report)
		report_write(run, item->entry, item->report,
		             block->formats_in_parallel ? text : NULL);
	else
		report_write_end(run, item->entry);
}

static void show_progress(struct report_run *run)
{
	const struct inputs *inputs = &run->run.inputs;

	if (run->input.stream)
		run_progress(&run->run, run->documents.count, 0, "reports");
	else if (run->input.next < inputs->count)
		run_progress(&run->run, run->input.next, inputs->count,
		             "inputs");
}

static void end_batch(unsigned index, void *context)
{
	struct report_run *run = context;
	struct report_block *block = block_at(run, index);

	free(block->reports);
	free(block->items);
	block->reports = NULL;
	block->items = NULL;
	block->report_count = 0;
	arena_release(&block->arena);
	batch_clear(&block->batch);
	if (run->in_lines && run->run.out)
		out_flush(run->run.out);
	show_progress(run);
}

const struct pipeline_stages report_batch_stages = {
	.read = read_batch,
	.work = parse_entry,
	.gather = work_on_batch,
	.prepare = format,
	.deliver = deliver,
	.end = end_batch,
};

void report_batch_init(struct report_run *run)
{
	struct pipeline *pipeline = &run->pipeline;
	// A report to a directory opens a file, and reading jobs may use up all
	// descriptors.
	unsigned count =
	        run->run.jobs > 1 && !run->documents.files.directory ? 2 : 1;

	*pipeline = (struct pipeline){ .stages = &report_batch_stages,
		                       .context = run,
		                       .jobs = run->run.jobs,
		                       .blocks = count };
	run->input.inputs = &run->run.inputs;
	run->input.pipeline = pipeline;
	run->input.takes_groups = run->group != NULL;
	run->blocks = mem_zalloc(count, sizeof(*run->blocks));
	for (unsigned i = 0; i < count; i++) {
		struct batch *batch = &run->blocks[i].batch;

		batch->config = run->run.config;
		batch->takes = run->takes ? run->takes : YIELDS_ANY_REPORT;
		batch->wants = run->wants ? run->wants : YIELDS_REPORTS;
		run->blocks[i].texts =
		        mem_zalloc(pipeline_prepared(pipeline),
		                   sizeof(*run->blocks[i].texts));
	}
}

void report_batch_release(struct report_run *run)
{
	for (unsigned i = 0; run->blocks && i < run->pipeline.blocks; i++) {
		struct report_block *block = &run->blocks[i];

		for (size_t k = 0; k < pipeline_prepared(&run->pipeline); k++)
			out_abandon(block->texts[k]);
		free(block->texts);
	}
	free(run->blocks);
	run->blocks = NULL;
}
