// SPDX-License-Identifier: MIT
/** What people put between the values of a log that they shorten. */
#ifndef APMTOOL_PARSERS_JETSAM_CLEAN_H
#define APMTOOL_PARSERS_JETSAM_CLEAN_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

/** A copy without `// …` and `...`, but for those in strings. */
struct text jetsam_clean(struct text in, struct arena *arena);

#endif
