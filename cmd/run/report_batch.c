// SPDX-License-Identifier: MIT
#include "cmd/run/report_batch.h"

#include "lib/analysis/crash/explain/explain.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/parallel.h"
#include "lib/darwin/bug_types.h"
#include "lib/model/redact/redact.h"
#include "lib/model/report_sources.h"

#include <stdlib.h>

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

void report_batch_end_input(struct report_run *run, const char *name,
                            const struct error *err)
{
	run_count(&run->run, name, err);
	if (err && !run->hook_only)
		documents_add_failure(&run->documents, name, err);
}

static void write_report(struct report_run *run, const struct report *report)
{
	// An input may hold 50,000 reports: a page does not outlive its turn.
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct page *page;

	if (!run->page) {
		documents_add_text(&run->documents, report,
		                   ahead_next(&run->ahead));
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

static void write_entry(struct report_run *run, struct batch_entry *entry)
{
	SCOPED(error_drop) struct error *unread = find_unread(entry);
	bool is_stream = run->run.is_stream;

	if (!entry->reports &&
	    run_passes_over(entry->from_directory, entry->err)) {
		print_entry_notes(run, entry);
		if (entry->refused)
			write_refused(run, entry);
		run_pass_over(&run->run, entry->name, entry->err);
		return;
	}
	// One operand can hold several reports: nothing is written yet then.
	if (entry->reports && entry->reports->next)
		report_batch_several(run);
	if (!is_stream)
		run_begin_stream(&run->run);
	for (const struct report *r = entry->reports; r; r = r->next) {
		print_notes(run, entry->name, r);
		if (!run->hook_only)
			write_report(run, r);
	}
	print_entry_notes(run, entry);
	if (!is_stream)
		run_end_stream(&run->run, entry->name);
	if (entry->refused)
		write_refused(run, entry);
	if (unread && !entry->err)
		run_count(&run->run, entry->name, unread);
	else
		report_batch_end_input(run, entry->name, entry->err);
}

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

/** All reports of the batch, in the order of the inputs. */
static struct report **list_reports(const struct batch *batch,
                                    size_t *ret_count)
{
	struct report **reports = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < batch->count; i++) {
		for (struct report *r = batch->entries[i].reports; r;
		     r = r->next) {
			MEM_GROW(reports, count, cap);
			reports[count++] = r;
		}
	}
	*ret_count = count;
	return reports;
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

/** Work on what has been read; it is written by write_read(). */
static void work_on_read(void *context)
{
	struct report_run *run = context;
	struct arena *arena = &run->arena;
	struct batch *batch = run->read;
	struct report **reports;
	size_t count;

	for (size_t i = 0; i < batch->count; i++) {
		warn_of_foreign(run, &batch->entries[i]);
		take_out_unselected(run, &batch->entries[i]);
		refuse_reports(run, &batch->entries[i]);
	}
	run->bytes_left = number_difference(run->bytes_left, batch->bytes);
	run->reports = reports = list_reports(batch, &run->report_count);
	count = run->report_count;
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

void report_batch_format(struct report_run *run, const struct report *report,
                         struct out *to)
{
	const struct documents *documents = &run->documents;
	struct out *text = ahead_next(&run->ahead);

	if (text)
		out_move(to, text);
	else
		documents->formatter->report(report, &documents->options, to);
}

/** Write what was worked on, in the order of the inputs. */
static void write_read(void *context)
{
	struct report_run *run = context;
	struct batch *batch = run->read;

	notice_progress_end(run->run.notices);
	ahead_begin(&run->ahead, run->reports, run->report_count,
	            &run->documents);
	for (size_t i = 0; i < batch->count; i++) {
		if (run->deliver)
			run->deliver(run, &batch->entries[i], run->context);
		else
			write_entry(run, &batch->entries[i]);
	}
	ahead_close(&run->ahead);
	free(run->reports);
	run->reports = NULL;
	arena_release(&run->arena);
	batch_clear(batch);
}

static void work_and_write(void *context)
{
	work_on_read(context);
	write_read(context);
}

/** Whether what has been read is formatted ahead. */
static bool has_several_texts(const struct report_run *run)
{
	const struct batch *batch = run->read;
	size_t count = 0;

	for (size_t i = 0; i < batch->count && count < 2; i++)
		for (const struct report *r = batch->entries[i].reports;
		     r && count < 2; r = r->next)
			count++;
	return count > 1 && !run->hook_only && !run->page;
}

static void read_or_help(size_t index, void *context)
{
	struct report_run *run = context;

	if (index < run->batch->count)
		batch_parse_entry(index, run->batch);
	else
		ahead_help(&run->ahead);
}

static void help(size_t index UNUSED, void *context)
{
	struct report_run *run = context;

	ahead_help(&run->ahead);
}

/**
 * Work on and write what has been read on this thread, while others read the
 * next batch, and then help to format; whoever is ready first does what is
 * left.
 */
static void read_beside(struct report_run *run)
{
	struct batch *batch = run->batch;
	unsigned jobs = run->run.jobs;
	size_t helpers = has_several_texts(run) ? jobs - 1 : 0;

	ahead_open(&run->ahead, jobs);
	if (run->documents.files.directory) {
		// A file is opened for each: whoever reads may hold the last
		// descriptor.
		parallel_each_beside(batch->count, jobs, batch_parse_entry,
		                     batch, work_on_read, run);
		parallel_each_beside(helpers, jobs, help, run, write_read, run);
	} else {
		parallel_each_beside(batch->count + helpers, jobs, read_or_help,
		                     run, work_and_write, run);
	}
	batch_parse_again(batch);
}

static void read_on(struct report_run *run)
{
	struct batch *batch = run->batch;

	notice_progress_end(run->run.notices);
	// One report alone stays on this thread: what another one frees, it
	// keeps for itself.
	if (run->read->count)
		read_beside(run);
	else
		batch_parse(batch, run->run.jobs);
	run->batch = run->read;
	run->read = batch;
}

void report_batch_handle(struct report_run *run)
{
	read_on(run);
	read_on(run);
}

void report_batch_next(struct report_run *run)
{
	// One job gains nothing by keeping two batches in memory.
	if (run->run.jobs > 1)
		read_on(run);
	else
		report_batch_handle(run);
}
