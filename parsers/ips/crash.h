// SPDX-License-Identifier: MIT
/**
 * The JSON body of a crash report in an `.ips` file (formats.md 3.3), read in
 * parts: facts and images (crash.c), labelled text (sections.c), threads and
 * frames (threads.c), registers (registers.c). The container around it is
 * ips.c's.
 *
 * Nothing in a body is an error. What is missing is absent, what is mistyped
 * or out of range becomes a note that names its place as a JSON path.
 */
#ifndef APMTOOL_PARSERS_IPS_CRASH_H
#define APMTOOL_PARSERS_IPS_CRASH_H

#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "lib/text/json/json.h"
#include "parsers/json/place.h"

#include <stdbool.h>
#include <stddef.h>

/** Frames of a stack that is too deep, at either end. */
#define IPS_FRAMES_KEPT 512

/** Is this an object of the shape of a crash body? */
bool ips_is_crash_body(const cJSON *value);

/** Read the whole body into the reader's report. */
void ips_read_crash(struct json_reader *reader, const cJSON *body);

/** Read the images at member @p key of @p body. */
void ips_read_images(const struct json_place *body_place, const char *key,
                     const cJSON *body);

/**
 * Read frames, the member @p name of @p outer, innermost first, into an empty
 * stack. Images must have been read.
 */
void ips_read_stack(const struct json_place *outer, const char *name,
                    const cJSON *frames, struct report_stack *stack);

// The parts, in the order ips_read_crash() calls them.
void ips_read_sections(const struct json_place *body_place, const cJSON *body);
/** Images must have been read. */
void ips_read_threads(const struct json_place *body_place, const cJSON *body);
/** `threadState` of @p thread, an object. */
void ips_read_registers(const struct json_place *thread_place,
                        const cJSON *state, struct report_thread *thread);

#endif
