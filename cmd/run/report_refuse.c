// SPDX-License-Identifier: MIT
#include "cmd/run/report_refuse.h"

#include "lib/darwin/bug_types.h"

/** Commands for stacks reject logs without any. */
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

/** Keep the first one, with its place if there are several. */
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

/** Remove the reports that the command cannot use. */
static void take_out_refused(struct report_run *run, struct batch_entry *entry)
{
	struct report **link = &entry->reports;
	bool is_only = entry->reports && !entry->reports->next;

	while (*link) {
		struct error *err =
		        run->refuse ? run->refuse(*link, &entry->arena)
		                    : refuse_stackless(*link, &entry->arena);

		// Reports that are not printed need no names.
		if (!err)
			err = thread_choice_apply(&run->threads, *link,
			                          &entry->arena);
		if (err) {
			add_refusal(entry, *link, err, is_only);
			// If it is the only report, the file may be damaged; if
			// it is of an archive, the archive may have lost usable
			// files.
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

/** Warn of skipped files of directories only if they are named as reports. */
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

/** Remove the reports that are not selected, before all other work. */
static void take_out_unselected(struct report_run *run,
                                struct batch_entry *entry)
{
	struct report **link = &entry->reports;

	if (!selection_is_active(&run->run.selection))
		return;
	while (*link) {
		bool is_selected = selection_takes(&run->run.selection, *link);

		run->run.selected += is_selected;
		run->run.skipped += !is_selected;
		run->run.undated +=
		        !is_selected &&
		        selection_misses_date(&run->run.selection, *link);
		if (is_selected)
			link = &(*link)->next;
		else
			*link = (*link)->next;
	}
}

void report_refuse(struct report_run *run, struct batch_entry *entry)
{
	warn_of_foreign(run, entry);
	take_out_unselected(run, entry);
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
	// Commands for one kind skip all others in a directory.
	if (!run->wants)
		warn_of_foreign(run, entry);
}
