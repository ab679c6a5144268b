// SPDX-License-Identifier: MIT
/**
 * Why sessions ended, from any number of files: last-session records, jetsam
 * logs and crash reports as better evidence, and lag reports to be marked. A
 * log may be added before or after the record it is about, so records and
 * victims are kept; the logs are not.
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

/** All zeros is a survey of nothing. */
struct exit_survey {
	struct arena arena;
	struct crash_functions *functions; ///< what frames mean; or NULL
	struct exit_records *records;      ///< of a file each
	size_t count;
	size_t cap;
	size_t damaged_count; ///< files of which something was lost
	size_t log_count;     ///< files of logs
	struct exit_kills kills;
	struct exit_index lags;     ///< lag reports
	struct exit_index reports;  ///< crash reports
	struct intern unknown_keys; ///< that were named
};

void exit_survey_release(struct exit_survey *survey);

/** Is it a jetsam log, a crash or a lag report? */
bool exit_survey_takes(const struct report *report);

/**
 * Add whom the logs of a file name as killed, and its crash and lag reports.
 *
 * @param reports  Linked by next; those of exit_survey_takes() are analysed
 *                 here, others are left out.
 * @param arena    Of the reports.
 */
void exit_survey_add_logs(struct exit_survey *survey, const char *path,
                          struct report *reports, struct arena *arena);

/** Add the records of a file; they live in the survey's arena. */
void exit_survey_add_records(struct exit_survey *survey, const char *path,
                             const struct session_file *file);

/**
 * What could not be read of the records, in their order.
 *
 * @param lost_only  Only of files of which something was lost, not of values.
 */
const struct notice *exit_survey_notes(struct exit_survey *survey,
                                       bool lost_only, size_t *ret_count);

/** The table `exit-reasons`: a row for each record. */
const struct table *exit_survey_table(struct exit_survey *survey);

#endif
