/**
 * The documents of the formats `json` and `jsonl`: a report, and an input
 * that could not be read. The schemas are in formatters/schema/.
 */
#ifndef APMTOOL_FORMATTERS_JSON_H
#define APMTOOL_FORMATTERS_JSON_H

#include "lib/base/error.h"
#include "lib/model/report.h"
#include "lib/text/json_writer.h"

/** Write `apmtool.report/1`, the final newline included. */
void json_add_report(struct json_writer *w, const struct report *report);

/** Write `apmtool.error/1` in the same way. */
void json_add_failure(struct json_writer *w, const char *input,
                      const struct error *err);

#endif
