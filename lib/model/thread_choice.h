// SPDX-License-Identifier: MIT
/** Selects threads of a report: all, the crashed one, or one by its number. */
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
	uint64_t number; ///< the report's number
};

/** `all`, `crashed` or a number; false for other text. */
bool thread_choice_parse(const char *text, struct thread_choice *ret);

/**
 * Remove other threads from the report, and their lines from its text.
 * Backtraces other than threads are kept. If no thread is marked as crashed,
 * all are kept, with a note.
 *
 * @return An ERROR_NOT_FOUND if the report has threads, but not the selected
 * one.
 */
MUST_CHECK struct error *thread_choice_apply(const struct thread_choice *choice,
                                             struct report *report,
                                             struct arena *arena);

#endif
