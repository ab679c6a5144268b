/**
 * Reports formatted ahead: some of those to come at once, by all jobs, into
 * memory, so that whoever prints them in order only copies.
 *
 *     SCOPED(ahead_release) struct ahead ahead = { 0 };
 *
 *     ahead_begin(&ahead, reports, count, &documents, jobs);
 *     for (size_t i = 0; i < count; i++)
 *             documents_add_text(&documents, reports[i], ahead_next(&ahead));
 *
 * The memory is kept for the next batch, which begins again.
 */
#ifndef APMTOOL_CMD_RUN_AHEAD_H
#define APMTOOL_CMD_RUN_AHEAD_H

#include "cmd/run/documents.h"
#include "lib/base/out.h"
#include "lib/model/report.h"

#include <stddef.h>

/** All zeros: nothing is formatted. */
struct ahead {
	struct report *const *reports;
	size_t count;
	const struct documents *documents; ///< format and options
	unsigned jobs;
	size_t next;        ///< report to be taken
	size_t first;       ///< of the reports that are in @c texts
	size_t ready;       ///< how many are
	size_t each;        ///< how many each job formats at once; 0: one
	struct out **texts; ///< AHEAD_REPORTS a job, made when first needed
};

/**
 * Text of each job that waits to be printed: enough to keep it busy, and little
 * enough to stay in the processor's cache. Long reports are formatted by the
 * few, small ones together, up to AHEAD_REPORTS: after each time jobs wait for
 * the slowest, and threads start anew.
 */
#define AHEAD_BYTES   ((size_t)512 << 10)
#define AHEAD_REPORTS 8

/**
 * Begin with other reports. They and @p documents must last until the next
 * ones; @p jobs are always as many.
 */
void ahead_begin(struct ahead *ahead, struct report *const *reports,
                 size_t count, const struct documents *documents,
                 unsigned jobs);

/**
 * The next report as text: for documents_add_text(), which takes it. NULL
 * where there is one job, or one report: nothing is gained then.
 */
struct out *ahead_next(struct ahead *ahead);

void ahead_release(struct ahead *ahead);

#endif
