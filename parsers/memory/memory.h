// SPDX-License-Identifier: MIT
/**
 * Records of memory and its limit: what the readers of JSON and property
 * lists (record.c, plist.c) and of text (text.c) share. An amount is in bytes,
 * or in MiB as apps log it; which, its size says.
 */
#ifndef APMTOOL_PARSERS_MEMORY_MEMORY_H
#define APMTOOL_PARSERS_MEMORY_MEMORY_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Most evidence of one input; what is more is left out, with a note. */
#define MEMORY_LIMITS_MAX 10000

/** The keys, in JSON, property lists and text. */
#define MEMORY_FOOTPRINT "phys_footprint"
#define MEMORY_AVAILABLE "os_proc_available_memory"
#define MEMORY_PEAK      "singleMemory"
#define MEMORY_THRESHOLD "threshold"

/** An empty report of such records. */
struct report *memory_report_new(struct arena *arena, const char *format);

/**
 * Is there room for one more? If not, that is a note, and the reader is to end.
 */
bool memory_has_room(struct report *report, struct arena *arena);

/**
 * Add the limit that is the sum of both.
 *
 * @param footprint, available  As written.
 * @return NULL, or what is wrong with them.
 */
const char *memory_add_sum(struct report *report, struct arena *arena,
                           struct text footprint, struct text available);

/**
 * Add what the app held when it crossed a threshold, both in MiB.
 *
 * @param threshold  Empty: not said.
 */
const char *memory_add_warning(struct report *report, struct arena *arena,
                               struct text peak, struct text threshold);

/**
 * Add what the app logged at a memory warning: what it held, and its limit,
 * both in MiB.
 */
const char *memory_add_logged(struct report *report, struct arena *arena,
                              struct text footprint, struct text limit);

/** Add what the app could still use; the rest as of memory_add_sum(). */
const char *memory_add_available(struct report *report, struct arena *arena,
                                 struct text available);

/** Does a property list look like one? */
bool memory_plist_sniff(struct text in);

/** Read a property list of either format. */
MUST_CHECK struct error *memory_plist_read(struct bytes in, struct arena *arena,
                                           struct report *report);

#endif
