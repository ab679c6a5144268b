// SPDX-License-Identifier: MIT
/**
 * Demangles names from the device.
 *
 * Old systems, simulators and third-party reporters leave Swift and C++ names
 * mangled. The mangled name is kept, too (report_call.mangled).
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_DEVICE_NAMES_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_DEVICE_NAMES_H

#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "lib/symbols/demangle/demangle.h"

#include <stddef.h>

/** Demangle the names of all frames, in the arena. */
void device_names_demangle(struct report *const *reports, size_t count,
                           enum demangle_form form, struct arena *arena);

#endif
