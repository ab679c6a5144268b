// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/model/lock_holder.h"

#include <inttypes.h>

/**
 * Look at the thread that holds the lock: the one marked in the report only
 * shows where the process was suspended.
 */
void explain_lock_holder(struct explain *x)
{
	struct lock_holder holder = report_lock_holder(x->report);
	const struct report_stack *stack;

	if (!holder.thread)
		return;
	stack = &holder.thread->stack;
	explain_claim(x,
	              holder.is_waiting || holder.others ? CONFIDENCE_POSSIBLE
	                                                 : CONFIDENCE_LIKELY,
	              "thread %" PRIu64 " holds the lock: it is in %s%s",
	              holder.thread->number, holder.what,
	              holder.is_waiting ? ", but waits there"
	              : holder.others   ? ", as others are"
	                                : "");
	explain_cite(x, evidence_of_frame(x, stack, holder.frame));
	x->facts.thread = holder.thread;
	x->facts.thread_index = holder.index;
	x->facts.stack = stack;
}
