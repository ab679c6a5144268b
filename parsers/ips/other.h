// SPDX-License-Identifier: MIT
/**
 * JSON bodies of `.ips` files that are no crash reports: panics, stackshots
 * (formats.md 3.5), and logs whose contents are not translated. The crash
 * reports are crash.h's.
 *
 * Whatever the body is, its facts, its single values and its texts are kept;
 * a note names what is not translated.
 */
#ifndef APMTOOL_PARSERS_IPS_OTHER_H
#define APMTOOL_PARSERS_IPS_OTHER_H

#include "lib/text/json/json.h"
#include "parsers/ips/crash.h"

#include <stdbool.h>

/** A body that lost its header line is known by one of these. */
#define IPS_OTHER_KEYS \
	"\"panicString\"", "\"macOSPanicString\"", "\"processByPid\""

/** Is this a panic or a stackshot by its shape? */
bool ips_is_panic_or_stackshot(const cJSON *body);

/**
 * Read the body into the reader's report.
 *
 * @param bug_type  NULL where neither header nor body has one.
 */
void ips_read_other(struct json_reader *reader, const cJSON *body,
                    const char *bug_type);

/** The object that holds `processByPid`; NULL if there is none. */
const cJSON *ips_stackshot(const cJSON *body);

/**
 * Read a stackshot: a thread of the report for each thread of each process,
 * and the images. Kernel frames are above those of the process.
 */
void ips_read_stackshot(const struct json_place *body_place,
                        const cJSON *stackshot);

#endif
