/**
 * Frames as JSON: where each lies, and what is called there.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_JSON_FRAMES_H
#define APMTOOL_FORMATTERS_REPORT_JSON_FRAMES_H

#include "lib/model/report.h"
#include "lib/text/json/writer.h"

/** Members: where a frame lies, the same for all calls at its address. */
void json_add_place(struct json_writer *w, const struct report *report,
                    const struct report_frame *frame);

/** Members: the name, file and line of a call; NULL: none is known. */
void json_add_call(struct json_writer *w, const struct report_call *call);

/** The member `frames`, an entry for each call. */
void json_add_frames(struct json_writer *w, const struct report *report,
                     const struct report_stack *stack);

#endif
