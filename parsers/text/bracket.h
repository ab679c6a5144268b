// SPDX-License-Identifier: MIT
/** Values with brackets in heads of reports, usually a build. */
#ifndef APMTOOL_PARSERS_TEXT_BRACKET_H
#define APMTOOL_PARSERS_TEXT_BRACKET_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Split `text (inside)`; without brackets returns false, and all is text. */
bool text_bracket_split(struct text value, struct text *text,
                        struct text *inside);

/** Set version and build of the app: `2.1 (210)`. */
void text_bracket_version(struct text value, struct report *report,
                          struct arena *arena);

/**
 * Set version and build of the system: `iPhone OS 16.0 (20A362)`, or `(Build
 * 20A362)` as spindumps write it.
 */
void text_bracket_os_version(struct text value, struct report *report,
                             struct arena *arena);

#endif
