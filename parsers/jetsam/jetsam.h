// SPDX-License-Identifier: MIT
/**
 * Shared by the readers of jetsam logs: JSON (json.c), and the text of iOS 8
 * and before (text.c).
 */
#ifndef APMTOOL_PARSERS_JETSAM_JETSAM_H
#define APMTOOL_PARSERS_JETSAM_JETSAM_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/jetsam.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Max states of one process; systems have fourteen. */
#define JETSAM_STATES_MAX 32

/** A new report of this format with an empty log. */
struct report *jetsam_report_new(struct arena *arena, const char *format);

/**
 * Add a state to those of a process; unknown ones are kept as text. Returns
 * false if there are too many.
 */
bool jetsam_add_state(struct jetsam_process *process, struct arena *arena,
                      struct text name);

/** Note what is missing from a truncated log. */
void jetsam_note_missing(struct report *report, struct arena *arena);

#endif
