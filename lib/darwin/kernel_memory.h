// SPDX-License-Identifier: MIT
/**
 * Kernel messages about processes that exceed a memory limit or are killed for
 * memory, as in bsd/kern/kern_memorystatus.c of Apple's XNU.
 *
 *     memorystatus: Demo [612] exceeded mem limit: ActiveHard 50 MB (fatal)
 *     memorystatus: killing_specific_process pid 612 [Demo]
 *         (per-process-limit 100) 51440KB - memorystatus_available_pages: 9
 *     memorystatus: killing process 612 [Demo] in high band FOREGROUND (100)
 *     Process Demo [612] killed by jetsam reason per-process-limit
 */
#ifndef APMTOOL_LIB_DARWIN_KERNEL_MEMORY_H
#define APMTOOL_LIB_DARWIN_KERNEL_MEMORY_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** Contents of a line; texts borrow from it. */
struct kernel_memory {
	struct text name;
	uint64_t pid;
	struct text reason; ///< empty: not killed, or unknown
	/**
	 * As in the line: `per-process-limit 100`, `ActiveHard 50 MB (fatal)`.
	 */
	struct text words;
	uint64_t priority;
	bool has_priority;
	uint64_t footprint_kib;
	bool has_footprint;
	struct text limit_name;
	uint64_t limit_mib;
	bool has_limit;
};

/** Read a line of any of these formats, with its log prefix. */
bool kernel_memory_read(struct text line, struct kernel_memory *ret);

/** `Demo [612] exceeded mem limit: …` */
bool kernel_memory_exceeded(struct text rest, struct kernel_memory *ret);

/** `_specific_process pid 612 [Demo] (…`: the text after `killing`. */
bool kernel_memory_killing(struct text rest, struct kernel_memory *ret);

#endif
