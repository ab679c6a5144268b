// SPDX-License-Identifier: MIT
/**
 * The JSON body of a crash report in an `.ips` file (apmtool-formats(5)): facts
 * and images (crash.c), labelled text (sections.c), threads and frames
 * (threads.c), registers (registers.c). ips.c reads the container around it.
 *
 * A damaged body is still read: mistyped members and values out of range become
 * notes with their JSON path.
 */
#ifndef APMTOOL_PARSERS_IPS_CRASH_H
#define APMTOOL_PARSERS_IPS_CRASH_H

#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "lib/text/json/json.h"
#include "parsers/json/place.h"

#include <stdbool.h>
#include <stddef.h>

/** Frames kept at each end of a stack that is too deep. */
#define IPS_FRAMES_KEPT 512

/** Does the object have the shape of a crash body? */
bool ips_is_crash_body(const cJSON *value);

/** Read the whole body into the reader's report. */
void ips_read_crash(struct json_reader *reader, const cJSON *body);

/** Read the images at member @p key of @p body. */
void ips_read_images(const struct json_place *body_place, const char *key,
                     const cJSON *body);

/**
 * Read frames, member @p name of @p outer, innermost first, into an empty
 * stack. Read images first.
 */
void ips_read_stack(const struct json_place *outer, const char *name,
                    const cJSON *frames, struct report_stack *stack);

// The parts, in the order ips_read_crash() calls them.
void ips_read_sections(const struct json_place *body_place, const cJSON *body);
/** Read images first. */
void ips_read_threads(const struct json_place *body_place, const cJSON *body);
/** `threadState` of @p thread, an object. */
void ips_read_registers(const struct json_place *thread_place,
                        const cJSON *state, struct report_thread *thread);

#endif
