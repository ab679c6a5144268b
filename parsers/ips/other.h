// SPDX-License-Identifier: MIT
/**
 * JSON bodies of `.ips` files other than crash reports (crash.h): panics,
 * stackshots (apmtool-formats(5)), and logs whose contents are not translated.
 *
 * The facts, scalar values and texts of any body are kept; a note names members
 * that are not translated.
 */
#ifndef APMTOOL_PARSERS_IPS_OTHER_H
#define APMTOOL_PARSERS_IPS_OTHER_H

#include "lib/text/json/json.h"
#include "parsers/ips/crash.h"

#include <stdbool.h>

/** Keys that identify a body without its header line. */
#define IPS_OTHER_KEYS \
	"\"panicString\"", "\"macOSPanicString\"", "\"processByPid\""

/** Does the body have the shape of a panic or a stackshot? */
bool ips_is_panic_or_stackshot(const cJSON *body);

/**
 * Read the body into the reader's report.
 *
 * @param bug_type  NULL if neither header nor body has one.
 */
void ips_read_other(struct json_reader *reader, const cJSON *body,
                    const char *bug_type);

/** The object that holds `processByPid`; NULL if there is none. */
const cJSON *ips_stackshot(const cJSON *body);

/**
 * Read a stackshot: each thread of each process becomes a thread of the report,
 * with kernel frames above its own; and the images.
 */
void ips_read_stackshot(const struct json_place *body_place,
                        const cJSON *stackshot);

#endif
