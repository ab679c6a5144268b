/**
 * `apmtool.explain/1`, what a report means, for programs; its schema is in
 * formatters/schema/.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_JSON_EXPLANATION_H
#define APMTOOL_FORMATTERS_REPORT_JSON_EXPLANATION_H

#include "lib/model/explanation.h"
#include "lib/text/json/writer.h"

/** The final newline included. */
void json_add_explanation(struct json_writer *w,
                          const struct explanation *explanation);

#endif
