// SPDX-License-Identifier: MIT
/**
 * Records of memory and its limit. Shared by the readers of JSON and property
 * lists (record.c, plist.c) and of text (text.c). An amount is in bytes, or in
 * MiB as apps log it; its magnitude decides.
 */
#ifndef APMTOOL_PARSERS_MEMORY_MEMORY_H
#define APMTOOL_PARSERS_MEMORY_MEMORY_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Max evidence of one input; the rest is skipped with a note. */
#define MEMORY_LIMITS_MAX 10000

/** The keys, in JSON, property lists and text. */
#define MEMORY_FOOTPRINT "phys_footprint"
#define MEMORY_AVAILABLE "os_proc_available_memory"
#define MEMORY_PEAK      "singleMemory"
#define MEMORY_THRESHOLD "threshold"

/** A new, empty report. */
struct report *memory_report_new(struct arena *arena, const char *format);

/** Is there room for one more? If not, adds a note; stop reading then. */
bool memory_has_room(struct report *report, struct arena *arena);

/**
 * Add a limit as the sum of both values.
 *
 * @param footprint, available  As written.
 * @return NULL, or a description of the fault.
 */
const char *memory_add_sum(struct report *report, struct arena *arena,
                           struct text footprint, struct text available);

/**
 * Add the footprint when a threshold was crossed, both in MiB.
 *
 * @param threshold  Empty: unknown.
 */
const char *memory_add_warning(struct report *report, struct arena *arena,
                               struct text peak, struct text threshold);

/**
 * Add footprint and limit that the app logged at a memory warning, both in MiB.
 */
const char *memory_add_logged(struct report *report, struct arena *arena,
                              struct text footprint, struct text limit);

/** Add the memory still available; otherwise as memory_add_sum(). */
const char *memory_add_available(struct report *report, struct arena *arena,
                                 struct text available);

/** Does the property list look like such a record? */
bool memory_plist_sniff(struct text in);

/** Read a property list of either format. */
MUST_CHECK struct error *memory_plist_read(struct bytes in, struct arena *arena,
                                           struct report *report);

#endif
