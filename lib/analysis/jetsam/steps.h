// SPDX-License-Identifier: MIT
/**
 * The steps of jetsam_analyse(), each a file, in the order in which they rest
 * on each other.
 */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_STEPS_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_STEPS_H

#include "lib/base/arena.h"
#include "lib/model/jetsam_answer.h"
#include "lib/model/report.h"

#include <stddef.h>

/** A log and the answer as it grows. */
struct jetsam_work {
	struct report *report; ///< what the log says, and notes on it
	struct jetsam_answer *answer;
	struct arena *arena;
};

/** How large a page is, and the numbers of each process. */
void jetsam_convert_units(struct jetsam_work *work);

/** In the unit that was found; unknown where that is not sure. */
struct jetsam_number jetsam_to_bytes(const struct jetsam_answer *answer,
                                     struct jetsam_number pages);

/** Names of bands, and where each process was. */
void jetsam_place_processes(struct jetsam_work *work);

/** By the states; UNKNOWN where they say nothing of it. */
enum jetsam_app_state jetsam_app_state_of_states(unsigned states);

/** What together is the memory, then what divides it another way. */
void jetsam_list_memory(struct jetsam_work *work);

/** The largest process, and the victims. */
void jetsam_find_victims(struct jetsam_work *work);

/** In which order the victims were killed; after jetsam_find_victims(). */
void jetsam_order_kills(struct jetsam_work *work);

/**
 * @param top   So many processes; 0: all.
 * @param sort  Of JETSAM_SORTS.
 */
void jetsam_rank(struct jetsam_work *work, size_t top, unsigned sort);

/** An app and its helpers; who is alone is in the list already. */
void jetsam_sum_coalitions(struct jetsam_work *work);

/** The lines on top; all else is known. */
void jetsam_judge(struct jetsam_work *work);

#endif
