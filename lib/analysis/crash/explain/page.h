// SPDX-License-Identifier: MIT
/**
 * An explanation as a page: five lines for people, then the claims with their
 * evidence. Formats for programs write the explanation itself.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_PAGE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_PAGE_H

#include "lib/base/arena.h"
#include "lib/model/explanation.h"
#include "lib/model/page.h"

/** The page borrows from the explanation. */
struct page *explain_page(const struct explanation *explanation,
                          struct arena *arena);

#endif
