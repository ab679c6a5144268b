// SPDX-License-Identifier: MIT
/**
 * A question to a child `apmtool filter` (pool.h).
 */
#ifndef APMTOOL_LIB_ANSWERS_QUESTION_H
#define APMTOOL_LIB_ANSWERS_QUESTION_H

#include "lib/base/text.h"

/** A frame on its way; part of an object of the caller's. */
struct filter_question {
	/** The caller's, unchanged until it is answered; at most 4 GB. */
	struct text frame;

	// The pool's own.
	struct filter_question *next;
	unsigned losses; ///< children that were lost with it
};

#endif
