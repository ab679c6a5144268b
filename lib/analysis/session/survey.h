// SPDX-License-Identifier: MIT
/**
 * Why sessions ended, from any number of files: last-session records, jetsam
 * logs and crash reports as better evidence, and lag reports to mark. Files may
 * come in any order, so records and victims are kept; logs are not.
 *
 *     for (each input)
 *             exit_survey_add_records(&survey, path, &file);
 *             … or exit_survey_add_logs(&survey, path, reports, &arena);
 *     table = exit_survey_table(&survey);
 */
#ifndef APMTOOL_LIB_ANALYSIS_SESSION_SURVEY_H
#define APMTOOL_LIB_ANALYSIS_SESSION_SURVEY_H

#include "lib/analysis/session/exit_reason.h"
#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/model/notice.h"
#include "lib/model/report.h"
#include "lib/model/session.h"
#include "lib/model/table.h"

#include <stdbool.h>
#include <stddef.h>

struct crash_functions;

/** All zeros is empty. */
struct exit_survey {
	struct arena arena;
	struct crash_functions *functions; ///< meaning of frames; or NULL
	struct exit_records *records;      ///< by file
	size_t count;
	size_t cap;
	size_t damaged_count; ///< files with unreadable parts
	size_t log_count;     ///< files of logs
	struct exit_kills kills;
	struct exit_index lags;     ///< lag reports
	struct exit_index reports;  ///< crash reports
	struct intern unknown_keys; ///< already reported
};

void exit_survey_release(struct exit_survey *survey);

/** Is it a jetsam log, a crash or a lag report? */
bool exit_survey_takes(const struct report *report);

/**
 * Add the victims of a file's logs, and its crash and lag reports.
 *
 * @param reports  Linked by next; those that exit_survey_takes() are analysed
 *                 here, others are ignored.
 * @param arena    Of the reports.
 */
void exit_survey_add_logs(struct exit_survey *survey, const char *path,
                          struct report *reports, struct arena *arena);

/** Add the records of a file, which are in the survey's arena. */
void exit_survey_add_records(struct exit_survey *survey, const char *path,
                             const struct session_file *file);

/**
 * Faults of the records, in order.
 *
 * @param lost_only  Only lost records, not values.
 */
const struct notice *exit_survey_notes(struct exit_survey *survey,
                                       bool lost_only, size_t *ret_count);

/** The table `exit-reasons`: a row for each record. */
const struct table *exit_survey_table(struct exit_survey *survey);

#endif
