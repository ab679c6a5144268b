// SPDX-License-Identifier: MIT
/**
 * Reports formatted ahead: while one thread prints them in their order, others
 * format those to come, into memory. While the next is not ready, the
 * printing thread formats, too: no thread waits while there is work.
 *
 *     ahead_open(&ahead, jobs);            // before the other threads start
 *
 *     ahead_begin(&ahead, reports, count, &documents);
 *     for (size_t i = 0; i < count; i++)   // one thread
 *             documents_add_text(&documents, reports[i], ahead_next(&ahead));
 *     ahead_close(&ahead);
 *
 *     ahead_help(&ahead);                  // the others, until it is closed
 *
 * The memory is kept for the next reports: ahead_open() again.
 */
#ifndef APMTOOL_CMD_RUN_AHEAD_H
#define APMTOOL_CMD_RUN_AHEAD_H

#include "cmd/run/documents.h"
#include "lib/base/out.h"
#include "lib/model/report.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/** Text of each job that waits to be printed, at most; and so many reports. */
#define AHEAD_BYTES   ((size_t)256 << 10)
#define AHEAD_REPORTS 8

struct ahead_text {
	struct out *out;
	size_t size;   ///< when it was ready
	bool is_ready; ///< or it is being formatted
};

/** To be made by ahead_init(). */
struct ahead {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned jobs;
	struct ahead_text *texts; ///< a ring; made when first needed

	struct report *const *reports;
	size_t count;
	const struct documents *documents; ///< format and options
	bool is_closed;
	bool has_begun; ///< the first was asked for: the options are final
	size_t taken;   ///< to be printed; the last of them may still be in use
	size_t claimed; ///< to be formatted
	size_t bytes;   ///< that are ready, and were not taken
};

void ahead_init(struct ahead *ahead);

/** From now on ahead_help() waits for reports; @p jobs are always as many. */
void ahead_open(struct ahead *ahead, unsigned jobs);

/** These are the reports; they and @p documents last until it is closed. */
void ahead_begin(struct ahead *ahead, struct report *const *reports,
                 size_t count, const struct documents *documents);

/**
 * The next report as text: for documents_add_text(), which takes it. NULL
 * where there is one job, or one report: nothing is gained then.
 */
struct out *ahead_next(struct ahead *ahead);

/** Nothing more is asked for; also where nothing ever was. */
void ahead_close(struct ahead *ahead);

/** Format what is asked for next, until there is no more to come. */
void ahead_help(struct ahead *ahead);

void ahead_release(struct ahead *ahead);

#endif
