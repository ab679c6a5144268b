// SPDX-License-Identifier: MIT
/**
 * The class of a report: the kind of its end in a word or two, the same on
 * every device. First part of a signature.
 *
 *     EXC_BAD_ACCESS                 also derived from the signal
 *     EXC_BREAKPOINT                 traps of both kinds of processors
 *     WATCHDOG/scene-update          0x8badf00d, with the slow phase
 *     RUNNINGBOARD/0xdead10cc        other terminations, by namespace and code
 *     EXC_RESOURCE/CPU, EXC_GUARD/GUARD_TYPE_FD
 *     HANG, CPU, DISK, LAUNCH        samples, by their kind
 *     JETSAM/per-process-limit       a process killed for memory
 *     KSCRASH/memory_limit           found by a reporter at the next launch
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_CLASS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_CLASS_H

#include "lib/base/str.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Append the class of a report without a jetsam log. */
void signature_class_add(const struct report *report, struct str *out);

/** Was the app killed because its main thread did not respond? */
bool signature_is_watchdog(const struct report *report);

/**
 * Did a reporter find the reason at the next launch, rather than record the
 * end?
 */
bool signature_is_found_later(const struct report *report);

#endif
