// SPDX-License-Identifier: MIT
/**
 * The paths of source files that a report itself names, by the rules of
 * base/source_path.h. Those of symbol files are mapped where frames get their
 * names.
 */
#ifndef APMTOOL_LIB_MODEL_REPORT_SOURCES_H
#define APMTOOL_LIB_MODEL_REPORT_SOURCES_H

#include "lib/base/arena.h"
#include "lib/model/report.h"

/**
 * Map the paths of all calls, and in the lines of a text that are printed as
 * they were. Once for each report; what is new lives in @p arena.
 */
void report_map_sources(struct report *report, struct arena *arena);

#endif
