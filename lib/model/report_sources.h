// SPDX-License-Identifier: MIT
/**
 * Maps the source paths in a report by the rules of base/source_path.h. Those
 * of symbol files are mapped during symbolication.
 */
#ifndef APMTOOL_LIB_MODEL_REPORT_SOURCES_H
#define APMTOOL_LIB_MODEL_REPORT_SOURCES_H

#include "lib/base/arena.h"
#include "lib/model/report.h"

/**
 * Map the paths of all calls, and those in unchanged lines of text. Call it
 * once for each report; new strings are in @p arena.
 */
void report_map_sources(struct report *report, struct arena *arena);

#endif
