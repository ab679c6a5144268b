// SPDX-License-Identifier: MIT
/**
 * Which threads of a report are wanted: all, the one that crashed, or one by
 * its number.
 */
#ifndef APMTOOL_LIB_MODEL_THREAD_CHOICE_H
#define APMTOOL_LIB_MODEL_THREAD_CHOICE_H

#include "lib/base/arena.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stdint.h>

/** All zeros: all threads. */
struct thread_choice {
	bool crashed;
	bool numbered;
	uint64_t number; ///< as the report numbers them
};

/** `all`, `crashed` or a number; false for anything else. */
bool thread_choice_parse(const char *text, struct thread_choice *ret);

/**
 * Take the other threads out of the report, and their lines out of its text.
 * Backtraces that are no thread's stay, and so does all else. Where none is
 * marked as crashed, all stay, and a note says so.
 *
 * @return An ERROR_NOT_FOUND where the report has threads, but not the wanted
 *         one.
 */
MUST_CHECK struct error *thread_choice_apply(const struct thread_choice *choice,
                                             struct report *report,
                                             struct arena *arena);

#endif
