// SPDX-License-Identifier: MIT
/**
 * The subjects of an explanation, one file each, in the order in which they
 * are asked. What a subject cannot see in the report it does not claim.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_STEPS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_STEPS_H

#include "lib/analysis/crash/explain/claims.h"
#include "lib/analysis/crash/explain/evidence.h"
#include "lib/analysis/crash/explain/lookup.h"

void explain_waits(struct explain *x);        // waits.c
void explain_no_crash(struct explain *x);     // no_crash.c
void explain_jetsam(struct explain *x);       // no_crash.c
void explain_reporter(struct explain *x);     // reporter.c
void explain_watchdog(struct explain *x);     // watchdog.c
void explain_termination(struct explain *x);  // termination.c
void explain_resource(struct explain *x);     // resource.c
void explain_guard(struct explain *x);        // resource.c
void explain_deadlock(struct explain *x);     // deadlock.c
void explain_overflow(struct explain *x);     // recursion.c
void explain_console(struct explain *x);      // console.c
void explain_thrown(struct explain *x);       // messages.c
void explain_hardware(struct explain *x);     // address.c
void explain_corruption(struct explain *x);   // corruption.c
void explain_arithmetic(struct explain *x);   // exception.c
void explain_graphics(struct explain *x);     // graphics.c
void explain_zombie(struct explain *x);       // corruption.c
void explain_fatal_access(struct explain *x); // frames.c
void explain_address(struct explain *x);      // address.c
void explain_messages(struct explain *x);     // messages.c
void explain_exception(struct explain *x);    // exception.c
void explain_launch(struct explain *x);       // exception.c
void explain_where(struct explain *x);        // where.c

/**
 * Conclude from what the frames of the stack mean, where no text says why
 * (frames.c).
 *
 * @return False where they mean nothing.
 */
bool explain_by_frames(struct explain *x);
/** Claim what they mean, where a text gave the verdict. */
void explain_claim_frames(struct explain *x);
/** Whether a frame of the app says where it failed. */
enum frame_use {
	FRAME_USE_OWN,
	FRAME_USE_WRAPPER, ///< no: it throws, checks or reports; its caller may
	FRAME_USE_NONE,    ///< no: a compiler made it
	FRAME_USE_BASE,    ///< no: the thread begins here
};
enum frame_use explain_frame_use(struct explain *x,
                                 const struct report_frame *frame);

struct termination_code;
/** The code that ended it, wherever the report has it; NULL: none known. */
const struct termination_code *explain_termination_code(
        const struct explain *x);
/** The cause that a reason of jetsam is; NULL: a kill without a reason. */
enum cause explain_jetsam_cause(const char *reason);
/**
 * Claim what the dynamic linker says (dyld.c).
 *
 * @return The library or symbol that it names; NULL: it names none.
 */
const char *explain_dyld_claim(struct explain *x);
/** Claim who holds the lock that it was ended for (file_lock.c). */
void explain_lock_holder(struct explain *x);
/** Conclude from its message alone, where no termination reason says so. */
void explain_dyld(struct explain *x);
/** What the innermost frames of a thread wait for; NULL: it does not wait. */
const char *explain_wait(const struct report_stack *stack, size_t *ret_frame);

#endif
