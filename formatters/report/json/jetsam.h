// SPDX-License-Identifier: MIT
/** A jetsam log and its analysis as JSON. */
#ifndef APMTOOL_FORMATTERS_REPORT_JSON_JETSAM_H
#define APMTOOL_FORMATTERS_REPORT_JSON_JETSAM_H

#include "lib/model/jetsam_answer.h"
#include "lib/text/json/writer.h"

/** The member `jetsam`. */
void json_add_jetsam(struct json_writer *w, const struct jetsam *jetsam,
                     const struct jetsam_answer *answer);

#endif
