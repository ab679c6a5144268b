// SPDX-License-Identifier: MIT
/**
 * Spindump's note after a kernel frame of a waiting thread, if the kernel knows
 * the owner of the resource:
 *
 *     … [0xfff0] (blocked by turnstile waiting for Widget [701] thread 0x77)
 *     … [0xfff0] (blocked by turnstile waiting for thread 0x77)
 *     … [0xfff0] (blocked by turnstile waiting for smd [88] after 2 hops)
 *     … [0xfff0] (blocked by turnstile waiting for this thread - part of a
 *                 deadlock)
 *     … [0xfff0] (blocked by turnstile with priority 92 waiting for
 *                 WindowServer [176] thread 0x3e2) 1-12
 */
#ifndef APMTOOL_PARSERS_SAMPLED_WAIT_NOTE_H
#define APMTOOL_PARSERS_SAMPLED_WAIT_NOTE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct wait_note {
	/** `Widget [701]`; empty: the thread's own process */
	struct text process;
	uint64_t thread;
	bool has_thread;
	bool is_itself; ///< `this thread`
	bool is_deadlock;
};

/** @param what  The line from the function's name on. */
bool wait_note_read(struct text what, struct wait_note *ret);

#endif
