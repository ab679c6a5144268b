/**
 * The documents of the formats `json` and `jsonl`: a report, and an input
 * that could not be read. The schemas are in formatters/schema/.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_JSON_JSON_H
#define APMTOOL_FORMATTERS_REPORT_JSON_JSON_H

#include "lib/base/error.h"
#include "lib/model/report.h"
#include "lib/text/json/writer.h"

/** Write `apmtool.report/1`, the final newline included. */
void json_add_report(struct json_writer *w, const struct report *report);

/** Write `apmtool.error/1` in the same way. */
void json_add_failure(struct json_writer *w, const char *input,
                      const struct error *err);

/** Members: where a frame lies, the same for all calls at its address. */
void json_add_place(struct json_writer *w, const struct report *report,
                    const struct report_frame *frame);

/** Members: the name, file and line of a call. */
void json_add_call(struct json_writer *w, const struct report_call *call);

/** The member `trees`; nothing where there is none. */
void json_add_trees(struct json_writer *w, const struct report *report);

#endif
