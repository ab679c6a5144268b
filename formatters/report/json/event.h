// SPDX-License-Identifier: MIT
/** A short report for indexes and alarms: `apmtool.event/1`. */
#ifndef APMTOOL_FORMATTERS_REPORT_JSON_EVENT_H
#define APMTOOL_FORMATTERS_REPORT_JSON_EVENT_H

#include "lib/model/report.h"
#include "lib/model/report_signature.h"
#include "lib/text/json/writer.h"

/**
 * The whole document. The report must be explained and have its signature.
 *
 * @param timestamp  The member `@timestamp`, an instant; or NULL.
 */
void json_add_event(struct json_writer *w, const struct report *report,
                    const char *timestamp);

/** The members `signature`, `hashes` and so on; nothing for NULL. */
void json_add_signature(struct json_writer *w,
                        const struct report_signature *signature);

#endif
