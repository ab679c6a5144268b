// SPDX-License-Identifier: MIT
/**
 * A jetsam log as a page: the verdict, the device, memory by kind, and the
 * ranking of processes.
 */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_PAGE_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_PAGE_H

#include "lib/base/arena.h"
#include "lib/model/page.h"
#include "lib/model/report.h"

#include <stdbool.h>

/**
 * The page of a log after jetsam_analyse(). Borrows from the report.
 *
 * @param for_people  With rounded tables; else with the exact list of
 *                    processes.
 */
struct page *jetsam_page(const struct report *report, bool for_people,
                         struct arena *arena);

#endif
