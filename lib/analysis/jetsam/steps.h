// SPDX-License-Identifier: MIT
/**
 * The steps of jetsam_analyse(), each in a file of its own, in calling order.
 */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_STEPS_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_STEPS_H

#include "lib/base/arena.h"
#include "lib/model/jetsam_answer.h"
#include "lib/model/report.h"

#include <stddef.h>

/** A log, and the result so far. */
struct jetsam_work {
	struct report *report; ///< the log, and notes on it
	struct jetsam_answer *answer;
	struct arena *arena;
};

/** Find the page size, and convert the numbers of each process. */
void jetsam_convert_units(struct jetsam_work *work);

/** In bytes; unknown if the page size is. */
struct jetsam_number jetsam_to_bytes(const struct jetsam_answer *answer,
                                     struct jetsam_number pages);

/** Set bands, and the app state of each process. */
void jetsam_place_processes(struct jetsam_work *work);

/** From the states; UNKNOWN if they do not determine it. */
enum jetsam_app_state jetsam_app_state_of_states(unsigned states);

/** List the kinds of memory, first those that add up to all memory. */
void jetsam_list_memory(struct jetsam_work *work);

/** Find the largest process, and the victims. */
void jetsam_find_victims(struct jetsam_work *work);

/** Sort the victims by time of death; after jetsam_find_victims(). */
void jetsam_order_kills(struct jetsam_work *work);

/**
 * Rank the processes.
 *
 * @param top   Max processes; 0: all.
 * @param sort  Index in JETSAM_SORTS.
 */
void jetsam_rank(struct jetsam_work *work, size_t top, unsigned sort);

/** Add up apps with their helper processes; single processes are omitted. */
void jetsam_sum_coalitions(struct jetsam_work *work);

/** Write the verdict, from all other results. */
void jetsam_judge(struct jetsam_work *work);

#endif
