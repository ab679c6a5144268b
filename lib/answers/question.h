// SPDX-License-Identifier: MIT
/**
 * A question to a child `apmtool filter` (pool.h).
 */
#ifndef APMTOOL_LIB_ANSWERS_QUESTION_H
#define APMTOOL_LIB_ANSWERS_QUESTION_H

#include "lib/base/text.h"

/** Part of an object of the caller. */
struct filter_question {
	/** At most 4 GB. The caller keeps it unchanged until the answer. */
	struct text frame;

	// Private to the pool.
	struct filter_question *next;
	unsigned losses; ///< children that died or hung with it
};

#endif
