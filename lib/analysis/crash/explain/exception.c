// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/text.h"
#include "lib/base/timestamp.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** A crash within this time is one at launch. */
#define LAUNCH_MS 5000

/** Claim the meaning of exception and signal. */
static void claim_type(struct explain *x)
{
	const struct report_exception *exception = &x->report->exception;
	const char *meaning = darwin_exception_meaning(x->facts.exception);
	const char *signal = darwin_signal_meaning(x->facts.signal);

	// If the system killed the process, any type may have been recorded.
	if (meaning && (x->facts.signal != DARWIN_SIGKILL ||
	                x->facts.exception != DARWIN_EXC_BAD_ACCESS)) {
		explain_claim(x, CONFIDENCE_CERTAIN, "%s: %s", exception->type,
		              meaning);
		explain_cite(x, evidence_of(x, PLACE_TYPE));
	}
	if (signal) {
		explain_claim(x, CONFIDENCE_CERTAIN, "%s: %s",
		              exception->signal, signal);
		explain_cite(x, evidence_of(x, PLACE_SIGNAL));
	}
}

/** `EXC_I386_DIV (divide by zero)`, `FLTDIV`: the kind of error. */
static const char *arithmetic_error(const struct explain *x)
{
	const char *codes = x->report->exception.codes;
	const char *name = NULL;

	if (x->facts.exception == DARWIN_EXC_ARITHMETIC && x->facts.has_code)
		name = darwin_exception_code(x->report->code_type,
		                             DARWIN_EXC_ARITHMETIC,
		                             x->facts.code)
		               .name;
	if (name && strstr(name, "divide"))
		return "an integer was divided by zero";
	if (codes && strstr(codes, "INTDIV"))
		return "an integer was divided by zero";
	if (name && strstr(name, "FP_DZ"))
		return "a floating-point number was divided by zero";
	return NULL;
}

void explain_arithmetic(struct explain *x)
{
	const char *error;

	if (x->facts.exception != DARWIN_EXC_ARITHMETIC &&
	    !(x->facts.signal == DARWIN_SIGFPE && !x->facts.exception))
		return;
	error = arithmetic_error(x);
	if (error) {
		explain_claim(x, CONFIDENCE_CERTAIN, "%s", error);
		explain_cite(x, evidence_of(x, PLACE_CODES));
	}
	explain_advise(x, "check the divisor before the division");
	explain_conclude(x, CAUSE_ARITHMETIC, CONFIDENCE_CERTAIN,
	                 "%s ended by an arithmetic error: %s",
	                 x->facts.process,
	                 error ? error : "most often, a division by zero");
}

/** The frame of @p function near the top: the process ended itself. */
static bool claim_called(struct explain *x, const char *function)
{
	const struct report_stack *stack = x->facts.stack;

	for (size_t i = 0; stack && i < stack->count && i < 8; i++) {
		const char *symbol = explain_symbol(&stack->frames[i]);

		if (!symbol || strcmp(symbol, function) != 0)
			continue;
		explain_claim(x, CONFIDENCE_CERTAIN, "%s() was called",
		              function);
		explain_cite(x, evidence_of_frame(x, stack, i));
		return true;
	}
	return false;
}

static void conclude_abort(struct explain *x)
{
	claim_called(x, "abort");
	explain_advise(x, "look at what called abort(): the frames below it, "
	                  "and the log of the app just before");
	explain_conclude(x, CAUSE_ABORT, CONFIDENCE_CERTAIN,
	                 "%s aborted (SIGABRT); the report does not say why",
	                 x->facts.process);
}

static void conclude_kill(struct explain *x)
{
	explain_advise(x, "look for a jetsam log (JetsamEvent) of the same "
	                  "minute, and for the system's log");
	explain_conclude(x, CAUSE_KILLED, CONFIDENCE_CERTAIN,
	                 "%s was killed (SIGKILL); the report does not say by "
	                 "whom or why",
	                 x->facts.process);
}

/** Advice for finding the check that caused a trap. */
static void advise_trap(struct explain *x, const char *unnamed)
{
	const struct report_stack *stack = x->facts.stack;

	explain_advise(x, stack && stack->count &&
	                                  explain_symbol(&stack->frames[0])
	                          ? "look at what the innermost frame checks: "
	                            "a value that is nil, an index, a number "
	                            "that overflows, a precondition"
	                          : unnamed);
}

/** On ARM a trap of a compiler is a breakpoint, and never this. */
static void conclude_bad_instruction(struct explain *x)
{
	const char *type = x->report->code_type;
	bool is_arm = type && text_starts(text_from(type), "ARM");

	if (is_arm)
		explain_advise(x, "look at the code at that address: it was "
		                  "overwritten, is data, or is for a newer "
		                  "processor");
	else
		advise_trap(x, "symbolicate the report: on Intel, traps of "
		               "compilers and of Swift are such instructions");
	explain_conclude(x, CAUSE_BAD_INSTRUCTION, CONFIDENCE_CERTAIN,
	                 "%s executed an illegal instruction: %ssomething "
	                 "that is not code, or is for a newer processor",
	                 x->facts.process,
	                 is_arm ? "" : "a trap of the compiler, ");
}

/**
 * Signals of faults without the kernel's exception: they were raised by the
 * process.
 */
static const char *advice_of_signal(uint64_t signal)
{
	if (signal == DARWIN_SIGSEGV || signal == DARWIN_SIGBUS ||
	    signal == DARWIN_SIGFPE)
		return "look at the frames of the crashed thread; a crash "
		       "handler in the app that raises the signal again "
		       "leaves such a report, and has one of its own that "
		       "says more";
	return "find the sender of the signal: the app itself (raise, kill), "
	       "its parent, or a user";
}

static void conclude_signal(struct explain *x)
{
	const char *signal = x->report->exception.signal;

	explain_advise(x, advice_of_signal(x->facts.signal));
	if (!x->concluded && claim_called(x, "raise"))
		explain_conclude(x, CAUSE_SIGNAL, CONFIDENCE_CERTAIN,
		                 "%s raised %s itself", x->facts.process,
		                 signal);
	explain_conclude(x, CAUSE_SIGNAL, CONFIDENCE_CERTAIN,
	                 "%s was ended by %s; the report does not say "
	                 "what sent it",
	                 x->facts.process, signal);
}

/** Only a trap or signal is known. */
void explain_exception(struct explain *x)
{
	const struct crash_facts *facts = &x->facts;

	claim_type(x);
	if (facts->exception == DARWIN_EXC_BREAKPOINT ||
	    (!facts->exception && facts->signal == DARWIN_SIGTRAP)) {
		advise_trap(x, "symbolicate the report: the frame that "
		               "trapped, and calls inlined there, say which "
		               "check failed");
		explain_conclude(x, CAUSE_TRAP, CONFIDENCE_CERTAIN,
		                 "%s stopped itself with a trap; the report "
		                 "does not say which check failed",
		                 facts->process);
	} else if (facts->exception == DARWIN_EXC_BAD_INSTRUCTION ||
	           (!facts->exception && facts->signal == DARWIN_SIGILL)) {
		conclude_bad_instruction(x);
	} else if (facts->signal == DARWIN_SIGABRT) {
		conclude_abort(x);
	} else if (facts->signal == DARWIN_SIGKILL) {
		conclude_kill(x);
	} else if (facts->signal == DARWIN_SIGTERM) {
		explain_conclude(x, CAUSE_SIGNAL, CONFIDENCE_CERTAIN,
		                 "%s was asked to end (SIGTERM): no fault of "
		                 "its own is seen",
		                 facts->process);
	} else if (facts->signal) {
		conclude_signal(x);
	}
}

/** Soon after launch: the crash may recur at each launch. */
void explain_launch(struct explain *x)
{
	const struct report *report = x->report;
	int64_t launched, ended;

	// The record of an app that ran out of memory is of the next launch.
	if (!report->launch_time || !report->date_time || report->kind ||
	    report_section(report, "Extra Information: Memory Termination") ||
	    !timestamp_parse(text_from(report->launch_time), &launched) ||
	    !timestamp_parse(text_from(report->date_time), &ended) ||
	    ended < launched || ended - launched > LAUNCH_MS)
		return;
	// Some formats have whole seconds only.
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "it ended less than %" PRId64
	              " s after its launch: users may be unable to start it",
	              (ended - launched) / 1000 + 1);
	explain_cite(x, evidence_of(x, PLACE_LAUNCH));
	explain_cite(x, evidence_of(x, PLACE_DATE));
}
