// SPDX-License-Identifier: MIT
/**
 * Registers of formats that do not name their processor: the names of the
 * registers show it.
 */
#ifndef APMTOOL_PARSERS_TEXT_THREAD_STATE_H
#define APMTOOL_PARSERS_TEXT_THREAD_STATE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

/** Add a register by its name in the format. */
void thread_state_add(struct report_thread_state *state, struct arena *arena,
                      struct text name, uint64_t value);

#endif
