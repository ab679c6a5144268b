// SPDX-License-Identifier: MIT
#include "cmd/run/report_batch.h"

#include "lib/analysis/crash/explain/explain.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/darwin/bug_types.h"
#include "lib/model/redact/redact.h"
#include "lib/model/report_sources.h"

#include <stdlib.h>
#include <string.h>

struct report_item;

/** A block of the pipeline. */
struct report_block {
	struct batch batch;
	struct report **reports; ///< in input order
	size_t report_count;
	struct arena arena; ///< of what is made of them
	struct report_item *items;
	bool formats_ahead;
	struct out **texts; ///< by item, modulo pipeline_prepared()
};

static void print_notes(struct report_run *run, const char *path,
                        const struct report *report)
{
	const struct formatter *formatter = run->documents.formatter;
	const char *shortcoming = NULL;

	run_print_notes(&run->run, path, report->notes, report->note_count,
	                run->settings->run.quiet);
	if (formatter->shortcoming && !run->settings->run.quiet)
		shortcoming = formatter->shortcoming(report);
	if (shortcoming)
		notice_warn(run->run.notices, path, "%s", shortcoming);
}

static void print_entry_notes(struct report_run *run,
                              const struct batch_entry *entry)
{
	run_print_notes(&run->run, entry->name, entry->notes, entry->note_count,
	                run->settings->run.quiet);
}

void report_batch_several(struct report_run *run)
{
	run->hook_only |= run->hook_only_several;
	if (!run->hook_only)
		documents_begin(&run->documents);
}

/** @param err  Why the input failed, or part of it; NULL: it did not. */
static void end_input(struct report_run *run, const char *name,
                      const struct error *err)
{
	run_count(&run->run, name, err);
	if (err && !run->hook_only)
		documents_add_failure(&run->documents, name, err);
}

/** @param text  The report as it is formatted already; NULL: it is not. */
static void write_report(struct report_run *run, const struct report *report,
                         struct out *text)
{
	// An input may hold 50,000 reports: a page does not outlive its turn.
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct page *page;

	if (!run->page) {
		documents_add_text(&run->documents, report, text);
		return;
	}
	page = run->page(report, &arena, run->context);
	if (page->explanation)
		source_lines_read_call(&run->sources,
		                       page->explanation->where_call, &arena);
	documents_add_page(&run->documents, page);
}

/** A report of which nothing was read is printed, and yet has failed. */
static struct error *find_unread(const struct batch_entry *entry)
{
	for (const struct report *r = entry->reports; r; r = r->next)
		if (r->unread)
			return error_new(ERROR_FORMAT,
			                 "%s: nothing that the text shows "
			                 "could be read",
			                 entry->name);
	return NULL;
}

/** In a directory, they are passed over as files are. */
static void write_refused(struct report_run *run,
                          const struct batch_entry *entry)
{
	if (!entry->from_directory) {
		run_fail_part(&run->run, entry->name, entry->refused);
		if (!run->hook_only)
			documents_add_failure(&run->documents, entry->name,
			                      entry->refused);
	} else if (!run->settings->run.quiet) {
		notice_warn_error(run->run.notices, entry->name,
		                  entry->refused);
	}
}

/** The first of an entry begins it. */
static void deliver_report(struct report_run *run,
                           const struct batch_entry *entry,
                           const struct report *report, struct out *text)
{
	if (report == entry->reports && !run->in_lines)
		run_begin_stream(&run->run);
	print_notes(run, entry->name, report);
	if (!run->hook_only)
		write_report(run, report, text);
}

static void deliver_end(struct report_run *run, const struct batch_entry *entry)
{
	SCOPED(error_drop) struct error *unread = find_unread(entry);

	if (!entry->reports &&
	    run_passes_over(entry->from_directory, entry->err)) {
		print_entry_notes(run, entry);
		if (entry->refused)
			write_refused(run, entry);
		run_pass_over(&run->run, entry->name, entry->err);
		return;
	}
	if (!entry->reports && !run->in_lines)
		run_begin_stream(&run->run);
	print_entry_notes(run, entry);
	if (!run->in_lines)
		run_end_stream(&run->run, entry->name);
	if (entry->refused)
		write_refused(run, entry);
	if (unread && !entry->err)
		run_count(&run->run, entry->name, unread);
	else
		end_input(run, entry->name, entry->err);
}

// Lines of a stream

/** Why the first line was passed over, since @p before. */
static const char *why_passed(const struct run_others *others,
                              const struct run_others *before)
{
	size_t i = 0;

	while (i < others->kind_count &&
	       others->kinds[i].count == before->kinds[i].count)
		i++;
	return i < others->kind_count ? others->kinds[i].why
	                              : "not a crash report";
}

/**
 * The lines of a file of a directory that are no reports of ours: where there
 * are others, they are not lost silently; else the file is passed over, as one.
 */
static void take_passed(struct report_run *run, const char *path,
                        bool has_others)
{
	const struct run_others *before = &run->others_before;
	struct run_others *others = &run->run.others;
	size_t count = others->count - before->count;
	const char *why = why_passed(others, before);
	SCOPED(error_drop) struct error *err = NULL;

	if (!count)
		return;
	if (has_others && !run->settings->run.quiet)
		notice_warn(run->run.notices, path,
		            "%zu line%s %s not read%s %s", count,
		            text_plural(count), count == 1 ? "is" : "are",
		            count == 1 ? ":" : ", such as:", why);
	others->count = before->count;
	others->kind_count = before->kind_count;
	memcpy(others->kinds, before->kinds, sizeof(others->kinds));
	if (has_others)
		return;
	err = error_new(ERROR_UNSUPPORTED, "%s", why);
	run_pass_over(&run->run, path, err);
}

static void begin_lines(struct report_run *run)
{
	run->in_lines = true;
	run->others_before = run->run.others;
	run->tried_before = run->run.tried;
	run_begin_stream(&run->run);
}

static void end_lines(struct report_run *run, const struct batch_entry *entry)
{
	// A file that has failed is not passed over.
	take_passed(run, entry->name,
	            entry->err || run->run.tried > run->tried_before);
	run_end_stream(&run->run, entry->name);
	run->in_lines = false;
	if (entry->err)
		end_input(run, entry->name, entry->err);
}

// Before a batch is written

/** Commands that work on stacks have no use for a log that has none. */
static struct error *refuse_stackless(const struct report *report,
                                      struct arena *arena)
{
	if (!report->jetsam && !report_is_memory_record(report))
		return NULL;
	return error_new(ERROR_UNSUPPORTED,
	                 "%s, which has no stacks: see 'apmtool jetsam'",
	                 report->bug_type
	                         ? bug_type_describe(report->bug_type, arena)
	                 : report->jetsam ? "a jetsam log"
	                                  : "a record of a memory limit");
}

/** The first one is kept, and says where it is if there are several. */
static void add_refusal(struct batch_entry *entry, const struct report *report,
                        struct error *err, bool is_only)
{
	if (entry->refused_count++)
		error_free(err);
	else if (is_only || !report->origin)
		entry->refused = error_prefix(err, "%s", report->input);
	else
		entry->refused = error_prefix(err, "%s: %s", report->input,
		                              report->origin);
}

/** Take the reports out that the command has no use for. */
static void take_out_refused(struct report_run *run, struct batch_entry *entry)
{
	struct report **link = &entry->reports;
	bool is_only = entry->reports && !entry->reports->next;

	while (*link) {
		struct error *err =
		        run->refuse ? run->refuse(*link, &entry->arena)
		                    : refuse_stackless(*link, &entry->arena);

		// What is not printed needs no names.
		if (!err)
			err = thread_choice_apply(&run->threads, *link,
			                          &entry->arena);
		if (err) {
			add_refusal(entry, *link, err, is_only);
			// A file that is of no use alone may be damaged; an
			// archive may have lost files that are of use.
			if (!is_only || (*link)->member)
				run_print_notes(&run->run, entry->name,
				                (*link)->notes,
				                (*link)->note_count, true);
			*link = (*link)->next;
		} else {
			link = &(*link)->next;
		}
	}
}

static void refuse_all(const struct report_run *run, struct batch_entry *entry)
{
	struct error *err = run->refuse_all(entry->reports);

	if (!err)
		return;
	entry->reports = NULL;
	entry->err = error_prefix(err, "%s", entry->name);
	if (entry->from_directory && !run->settings->run.quiet)
		notice_warn_error(run->run.notices, entry->name, entry->err);
}

static struct error *count_more(struct error *err, size_t count)
{
	struct error *ret = error_new(error_code(err), "%s; and %zu more",
	                              error_message(err), count);

	error_free(err);
	return ret;
}

/** Files of a directory are passed over quietly, but those named as reports. */
static void warn_of_foreign(const struct report_run *run,
                            const struct batch_entry *entry)
{
	struct text name = text_from(entry->name);

	if (entry->reports || run->settings->run.quiet ||
	    !run_passes_over(entry->from_directory, entry->err))
		return;
	if (text_ends(name, ".crash") || text_ends(name, ".ips"))
		notice_warn_error(run->run.notices, entry->name, entry->err);
}

/** Take the reports out that the user does not mean, before all else. */
static void take_out_unselected(struct report_run *run,
                                struct batch_entry *entry)
{
	struct report **link = &entry->reports;

	if (!selection_is_active(&run->run.selection))
		return;
	while (*link) {
		bool is_selected = selection_takes(&run->run.selection, *link);

		run->run.selected += is_selected;
		run->run.left_out += !is_selected;
		run->run.undated +=
		        !is_selected &&
		        selection_misses_date(&run->run.selection, *link);
		if (is_selected)
			link = &(*link)->next;
		else
			*link = (*link)->next;
	}
}

/** An entry has failed where none of its reports is left. */
static void refuse_reports(struct report_run *run, struct batch_entry *entry)
{
	take_out_refused(run, entry);
	if (entry->refused_count > 1)
		entry->refused =
		        count_more(entry->refused, entry->refused_count - 1);
	if (entry->reports && run->refuse_all)
		refuse_all(run, entry);
	if (entry->reports || entry->err)
		return;
	entry->err = entry->refused;
	entry->refused = NULL;
	// In a directory, a command of one kind leaves all others out.
	if (!run->wants)
		warn_of_foreign(run, entry);
}

/** All reports of the block, in input order. */
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

	// A page brings its own explanation, but no signature.
	return formatter->explains && (!run->page || formatter->signs);
}

/** After all that changes what they say: names, and what is redacted. */
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

/** Jetsam logs before the hook analyses them, others after it (redact.h). */
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
		return error_new(
		        ERROR_USAGE,
		        "a table of groups cannot be selected from: "
		        "give --where, --since and --until to 'group'");
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

/** What is named, explained and so on at once. */
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
	// A page shows one call, which is known when the page is made.
	source_lines_read(&run->sources, reports, run->page ? 0 : count, arena);
	for (size_t i = 0; i < count; i++)
		reports[i]->number = ++run->count;
	if (report_batch_explains(run))
		explain_all(run, reports, count, arena);
}

// The stages of the pipeline

/** A report to deliver; without one, the end of an entry. */
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

/** Of several reports, all jobs format; one is written as it is formatted. */
static bool formats_ahead(const struct report_run *run,
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

/** Several documents are known before any of them is formatted. */
static void look_for_several(struct report_run *run, const struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		const struct batch_entry *entry = &batch->entries[i];

		if (entry->kind == BATCH_LINES ||
		    (entry->reports && entry->reports->next))
			report_batch_several(run);
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
		warn_of_foreign(run, entry);
		take_out_unselected(run, entry);
		refuse_reports(run, entry);
	}
	list_reports(block);
	work_on_reports(run, block);
	look_for_several(run, batch);
	block->formats_ahead = formats_ahead(run, block);
	notice_progress_end(run->run.notices);
	return list_items(run, block);
}

static struct out **text_at(const struct report_run *run,
                            struct report_block *block, size_t piece)
{
	size_t count = pipeline_prepared(&run->pipeline);

	return &block->texts[piece % count];
}

/** A longer text is rare: the memory of it is not kept. */
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

	if (!run->answer && (!item->report || !block->formats_ahead))
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
	struct batch_entry *entry = item->entry;
	struct out *text = *text_at(run, block, piece);

	if (run->answer)
		run->deliver(str_text(out_str(text)), run->context);
	else if (item->report)
		deliver_report(run, entry, item->report,
		               block->formats_ahead ? text : NULL);
	else if (entry->kind == BATCH_LINES)
		begin_lines(run);
	else if (entry->kind == BATCH_LINES_END)
		end_lines(run, entry);
	else if (entry->kind == BATCH_GROUPS)
		end_input(run, entry->name, entry->err);
	else
		deliver_end(run, entry);
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
	// A file is opened for each report that is written into a directory:
	// jobs that read may hold the last descriptors.
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
