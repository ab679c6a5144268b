// SPDX-License-Identifier: MIT
/**
 * Names that the device wrote mangled, printed as in the source.
 *
 * Old systems, simulators and third-party reporters leave Swift and C++ names
 * as the linker knows them. The mangled form stays beside the printed one
 * (report_call.mangled).
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_DEVICE_NAMES_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_DEVICE_NAMES_H

#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "lib/symbols/demangle/demangle.h"

#include <stddef.h>

/** Print the mangled names of all frames, in the arena. */
void device_names_demangle(struct report *const *reports, size_t count,
                           enum demangle_form form, struct arena *arena);

#endif
