// SPDX-License-Identifier: MIT
/**
 * Why the stacks of a report were sampled. A crash has one stack of one moment,
 * without any time, so it has no such kind.
 */
#ifndef APMTOOL_LIB_MODEL_SAMPLE_KIND_H
#define APMTOOL_LIB_MODEL_SAMPLE_KIND_H

enum sample_kind {
	SAMPLE_KIND_NONE,    ///< a crash, a panic, or unknown
	SAMPLE_KIND_STALL,   ///< the main thread did not respond
	SAMPLE_KIND_CPU,     ///< too much CPU time or energy
	SAMPLE_KIND_DISK,    ///< too many bytes written
	SAMPLE_KIND_LAUNCH,  ///< a slow launch
	SAMPLE_KIND_WAKEUPS, ///< too many wakeups of the CPU
};

#define SAMPLE_KINDS 6

#endif
