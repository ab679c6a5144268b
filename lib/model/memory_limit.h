// SPDX-License-Identifier: MIT
/**
 * Evidence of the memory limit of a process, other than a jetsam log in which
 * it was killed at its limit (lib/model/jetsam.h): what the app or the system
 * has measured, and how. Plain data; a report may hold several.
 */
#ifndef APMTOOL_LIB_MODEL_MEMORY_LIMIT_H
#define APMTOOL_LIB_MODEL_MEMORY_LIMIT_H

#include "lib/model/jetsam.h"

#include <stdbool.h>
#include <stdint.h>

enum memory_evidence {
	/**
	 * task_vm_info's phys_footprint and os_proc_available_memory() at one
	 * moment: the limit is their sum (formats.md 4.6).
	 */
	MEMORY_EVIDENCE_SUM,
	/** The kernel's list of processes by priority, which has limits. */
	MEMORY_EVIDENCE_PRIORITY_LIST,
	/**
	 * `apmLastMaxMemory` (formats.md 12): what the app held when it crossed
	 * a threshold of its own. It survived that: a lower bound.
	 */
	MEMORY_EVIDENCE_WARNING,
	/** EXC_RESOURCE: it crossed its high-water mark (formats.md 9.5). */
	MEMORY_EVIDENCE_HIGH_WATER,
	/** What the app held at a memory warning, and its limit, as it logged
	 * both. */
	MEMORY_EVIDENCE_LOGGED,
	/** os_proc_available_memory() alone: the limit is more than that. */
	MEMORY_EVIDENCE_AVAILABLE,
};

struct memory_limit {
	enum memory_evidence evidence;
	uint64_t bytes;
	/** Of a sum; the threshold of a warning. */
	uint64_t footprint_bytes;
	uint64_t available_bytes;
	uint64_t threshold_bytes; ///< 0: not said
	struct jetsam_number pid;
	int priority; ///< of a priority list
	bool has_priority;
};

/** `footprint + available memory`, … */
const char *memory_evidence_name(enum memory_evidence evidence);

/** Is the limit not less than this, but perhaps more? */
bool memory_evidence_is_lower_bound(enum memory_evidence evidence);

#endif
