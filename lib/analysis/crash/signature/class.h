// SPDX-License-Identifier: MIT
/**
 * What kind of end a report describes, in a word or two that are the same on
 * every device: the first part of a signature.
 *
 *     EXC_BAD_ACCESS                 by signal too, where only that is said
 *     EXC_BREAKPOINT                 traps of both kinds of processors
 *     WATCHDOG/scene-update          0x8badf00d, with what took too long
 *     RUNNINGBOARD/0xdead10cc        other terminations, by namespace and code
 *     EXC_RESOURCE/CPU, EXC_GUARD/GUARD_TYPE_FD
 *     HANG, CPU, DISK, LAUNCH        samples, by what they were taken for
 *     JETSAM/per-process-limit       a process that was killed for memory
 *     KSCRASH/memory_limit           what a reporter found at the next launch
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_CLASS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_CLASS_H

#include "lib/base/str.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Append the class of a report without a jetsam log. */
void signature_class_add(const struct report *report, struct str *out);

/** Was the app killed because its main thread did not answer? */
bool signature_is_watchdog(const struct report *report);

/** Is the reason what a reporter found at the next launch? Nobody saw the end.
 */
bool signature_is_found_later(const struct report *report);

#endif
