// SPDX-License-Identifier: MIT
#include "cmd/run/report_write.h"

#include "lib/analysis/crash/explain/explain.h"

#include <string.h>

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

void report_write_several(struct report_run *run)
{
	run->hook_only |= run->hook_only_several;
	if (!run->hook_only)
		documents_begin(&run->documents);
}

/** @param err  Failure of the input or of a part; or NULL. */
static void end_input(struct report_run *run, const char *name,
                      const struct error *err)
{
	run_count(&run->run, name, err);
	if (err && !run->hook_only)
		documents_add_failure(&run->documents, name, err);
}

/** @param text  The formatted report; or NULL. */
static void write_report(struct report_run *run, const struct report *report,
                         struct out *text)
{
	// An input may have 50,000 reports: free each page at once.
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

/** A report without any data is printed, but is a failure. */
static struct error *find_unread(const struct batch_entry *entry)
{
	for (const struct report *r = entry->reports; r; r = r->next)
		if (r->unread)
			return error_new(
			        ERROR_FORMAT,
			        "%s: nothing in the text could be read",
			        entry->name);
	return NULL;
}

/** In a directory, skip them as files. */
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

void report_write(struct report_run *run, const struct batch_entry *entry,
                  const struct report *report, struct out *text)
{
	if (report == entry->reports && !run->in_lines)
		run_begin_stream(&run->run);
	print_notes(run, entry->name, report);
	if (!run->hook_only)
		write_report(run, report, text);
}

static void end_entry(struct report_run *run, const struct batch_entry *entry)
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

/** Why the first line was skipped, since @p before. */
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
 * Handle other lines in a file of a directory: next to reports they are
 * counted; without any report, the file is skipped.
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
	// A failed file is not skipped.
	take_passed(run, entry->name,
	            entry->err || run->run.tried > run->tried_before);
	run_end_stream(&run->run, entry->name);
	run->in_lines = false;
	if (entry->err)
		end_input(run, entry->name, entry->err);
}

void report_write_end(struct report_run *run, const struct batch_entry *entry)
{
	switch (entry->kind) {
	case BATCH_REPORTS:
		end_entry(run, entry);
		break;
	case BATCH_GROUPS:
		end_input(run, entry->name, entry->err);
		break;
	case BATCH_LINES:
		begin_lines(run);
		break;
	case BATCH_LINES_END:
		end_lines(run, entry);
		break;
	}
}
