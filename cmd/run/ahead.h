/**
 * Reports formatted ahead: some of those to come at once, by all jobs, into
 * memory, so that whoever prints them in order only copies.
 *
 *     SCOPED(ahead_release)
 *     struct ahead ahead = ahead_of(reports, count, &documents, jobs);
 *
 *     for (size_t i = 0; i < count; i++)
 *             documents_add_text(&documents, reports[i], ahead_next(&ahead));
 */
#ifndef APMTOOL_CMD_RUN_AHEAD_H
#define APMTOOL_CMD_RUN_AHEAD_H

#include "cmd/run/documents.h"
#include "lib/base/out.h"
#include "lib/model/report.h"

#include <stddef.h>

struct ahead {
	struct report *const *reports;
	size_t count;
	const struct documents *documents; ///< format and options
	unsigned jobs;
	size_t next;        ///< report to be taken
	size_t first;       ///< of the reports that are in @c texts
	size_t ready;       ///< how many are
	struct out **texts; ///< AHEAD_REPORTS a job, made when first needed
};

/** Reports of each job that wait to be printed: enough to keep them busy. */
#define AHEAD_REPORTS 8

/** @p reports and @p documents must outlive it. */
struct ahead ahead_of(struct report *const *reports, size_t count,
                      const struct documents *documents, unsigned jobs);

/**
 * The next report as text: for documents_add_text(), which takes it. NULL
 * where there is one job, or one report: nothing is gained then.
 */
struct out *ahead_next(struct ahead *ahead);

void ahead_release(struct ahead *ahead);

#endif
