// SPDX-License-Identifier: MIT
/**
 * What the stacks of a report were taken for. A crash is one moment: its stacks
 * say nothing of time, so it is of no such kind.
 */
#ifndef APMTOOL_LIB_MODEL_SAMPLE_KIND_H
#define APMTOOL_LIB_MODEL_SAMPLE_KIND_H

enum sample_kind {
	SAMPLE_KIND_NONE,    ///< a crash, a panic, or not said
	SAMPLE_KIND_STALL,   ///< the main thread did not answer
	SAMPLE_KIND_CPU,     ///< too much CPU time, or power
	SAMPLE_KIND_DISK,    ///< too much was written
	SAMPLE_KIND_LAUNCH,  ///< the launch took long
	SAMPLE_KIND_WAKEUPS, ///< the CPU was woken too often
};

#define SAMPLE_KINDS 6

#endif
