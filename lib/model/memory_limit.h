// SPDX-License-Identifier: MIT
/**
 * Evidence of a process's memory limit, other than a jetsam log of its kill
 * (lib/model/jetsam.h): values measured by the app or the system. Plain data; a
 * report may have several.
 */
#ifndef APMTOOL_LIB_MODEL_MEMORY_LIMIT_H
#define APMTOOL_LIB_MODEL_MEMORY_LIMIT_H

#include "lib/model/jetsam.h"

#include <stdbool.h>
#include <stdint.h>

enum memory_evidence {
	/**
	 * task_vm_info's phys_footprint and os_proc_available_memory() at one
	 * moment: the limit is their sum.
	 */
	MEMORY_EVIDENCE_SUM,
	/** The kernel's list of processes by priority, with limits. */
	MEMORY_EVIDENCE_PRIORITY_LIST,
	/**
	 * `apmLastMaxMemory`: the app's footprint when it crossed a threshold
	 * of its own, and survived: a lower bound.
	 */
	MEMORY_EVIDENCE_WARNING,
	/** EXC_RESOURCE: the process exceeded its high-water mark. */
	MEMORY_EVIDENCE_HIGH_WATER,
	/** Footprint and limit that the app logged at a memory warning. */
	MEMORY_EVIDENCE_LOGGED,
	/** Only os_proc_available_memory(): a lower bound. */
	MEMORY_EVIDENCE_AVAILABLE,
};

struct memory_limit {
	enum memory_evidence evidence;
	uint64_t bytes;
	/** For a sum; with the threshold of a warning. */
	uint64_t footprint_bytes;
	uint64_t available_bytes;
	uint64_t threshold_bytes; ///< 0: unknown
	struct jetsam_number pid;
	int priority; ///< of a priority list
	bool has_priority;
};

/** `footprint + available memory`, … */
const char *memory_evidence_name(enum memory_evidence evidence);

/** Is the value a lower bound of the limit? */
bool memory_evidence_is_lower_bound(enum memory_evidence evidence);

#endif
