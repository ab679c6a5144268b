// SPDX-License-Identifier: MIT
/**
 * What the heads of reports say in brackets behind a value: builds, most of
 * all.
 */
#ifndef APMTOOL_PARSERS_TEXT_BRACKET_H
#define APMTOOL_PARSERS_TEXT_BRACKET_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Divide `text (inside)`; false, and all is text, without brackets. */
bool text_bracket_split(struct text value, struct text *text,
                        struct text *inside);

/** `2.1 (210)`: the version of the app and its build. */
void text_bracket_version(struct text value, struct report *report,
                          struct arena *arena);

/**
 * `iPhone OS 16.0 (20A362)`: the system and its build. Spindumps have `(Build
 * 20A362)`, which becomes what all other reports have.
 */
void text_bracket_os_version(struct text value, struct report *report,
                             struct arena *arena);

#endif
