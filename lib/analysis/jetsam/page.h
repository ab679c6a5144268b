// SPDX-License-Identifier: MIT
/**
 * A jetsam log as a page: the verdict, the device, where the memory was, and
 * the processes of the ranking.
 */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_PAGE_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_PAGE_H

#include "lib/base/arena.h"
#include "lib/model/page.h"
#include "lib/model/report.h"

#include <stdbool.h>

/**
 * The page of a log that jetsam_analyse() has seen. It borrows from the report.
 *
 * @param for_people  With tables to read, rounded; else with the list of
 *                    processes, exact.
 */
struct page *jetsam_page(const struct report *report, bool for_people,
                         struct arena *arena);

#endif
