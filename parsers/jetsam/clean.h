// SPDX-License-Identifier: MIT
/** Removes what people write into a log to shorten it. */
#ifndef APMTOOL_PARSERS_JETSAM_CLEAN_H
#define APMTOOL_PARSERS_JETSAM_CLEAN_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

/** A copy without `// …` and `...`, except in strings. */
struct text jetsam_clean(struct text in, struct arena *arena);

#endif
