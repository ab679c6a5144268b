// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/number.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/resources.h"

#include <inttypes.h>
#include <string.h>

// EXC_RESOURCE

static enum cause resource_cause(enum resource_type type)
{
	switch (type) {
	case RESOURCE_CPU:
		return CAUSE_CPU_LIMIT;
	case RESOURCE_WAKEUPS:
		return CAUSE_WAKEUPS;
	case RESOURCE_MEMORY:
		return CAUSE_MEMORY_LIMIT;
	case RESOURCE_IO:
		return CAUSE_DISK_WRITES;
	case RESOURCE_THREADS:
		return CAUSE_THREADS_LIMIT;
	case RESOURCE_PORTS:
		return CAUSE_PORTS_LIMIT;
	case RESOURCE_UNKNOWN:
		break;
	}
	return CAUSE_SYSTEM_TERMINATION;
}

static void claim_resource(struct explain *x,
                           const struct resource_event *event)
{
	if (!event->limit)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "the limit is %" PRIu64 " %s",
	              event->limit, event->unit);
	explain_cite(x, evidence_of(x, PLACE_CODES));
	if (event->interval_s) {
		explain_claim(x, CONFIDENCE_CERTAIN,
		              "it was measured over %" PRIu64 " s",
		              event->interval_s);
		explain_cite(x, evidence_of(x, PLACE_CODES));
	}
	if (!event->observed)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "observed were %" PRIu64 " %s",
	              event->observed, event->unit);
	explain_cite(x, evidence_of(x, PLACE_CODES));
}

void explain_resource(struct explain *x)
{
	const struct report_exception *exception = &x->report->exception;
	struct resource_event event = { .type = RESOURCE_UNKNOWN };
	enum place place = PLACE_CODES;
	const char *message;

	if (x->facts.exception != DARWIN_EXC_RESOURCE)
		return;
	if (x->facts.has_code)
		event = resource_decode(x->facts.code, x->facts.subcode);
	if (event.type == RESOURCE_UNKNOWN) {
		event.type = resource_type_of(exception->subtype);
		place = PLACE_SUBTYPE;
	}
	if (event.type == RESOURCE_UNKNOWN) {
		event.type = resource_type_of(exception->message);
		place = PLACE_MESSAGE;
	}
	message = exception->message && *exception->message
	                  ? explain_quote(x, exception->message)
	                  : NULL;
	if (event.type != RESOURCE_UNKNOWN) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the resource is %s",
		              resource_words(event.type));
		explain_cite(x, evidence_of(x, place));
	}
	if (message) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the system says: %s",
		              message);
		explain_cite(x, evidence_of(x, PLACE_MESSAGE));
	}
	claim_resource(x, &event);
	explain_advise(x, "find what uses it: the stacks show the moment at "
	                  "which the limit was reached");
	explain_conclude(x, resource_cause(event.type), CONFIDENCE_CERTAIN,
	                 "%s exceeded a limit of the system: %s%s%s%s",
	                 x->facts.process, resource_words(event.type),
	                 message ? " (" : "", message ? message : "",
	                 message ? ")" : "");
}

// EXC_GUARD

static bool is_guard_termination(const struct report_termination *t)
{
	return t->has_code && text_same(t->namespace_name, "GUARD");
}

/**
 * The code of the exception, or of the termination if that has none, as on some
 * systems.
 */
static struct guard_event find_guard(const struct explain *x, enum place *ret)
{
	const struct report_termination *t = &x->report->termination;
	struct guard_event guard = { .object = NULL };

	*ret = PLACE_CODES;
	if (x->facts.exception == DARWIN_EXC_GUARD && x->facts.has_code)
		guard = guard_decode(x->facts.code);
	if (guard.object)
		return guard;
	*ret = PLACE_TERMINATION;
	if (is_guard_termination(t))
		guard = guard_decode(t->code);
	return guard;
}

static void claim_guard(struct explain *x, const struct guard_event *guard,
                        enum place place)
{
	const char *message = x->report->exception.message;

	if (message) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the system says: %s",
		              explain_quote(x, message));
		explain_cite(x, evidence_of(x, PLACE_MESSAGE));
	}
	if (!guard->object)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "%s%s%s; %s 0x%" PRIx64,
	              guard->object, guard->violation ? ": " : "",
	              guard->violation ? guard->violation : "",
	              guard->target_words, guard->target);
	explain_cite(x, evidence_of(x, place));
}

/** The refused call, if it is at the top of the stack. */
static const char *guarded_call(const struct explain *x)
{
	static const char *const calls[] = {
		"_kernelrpc_", "mach_",   "close",    "guarded_", "rename",
		"unlink",      "__close", "__unlink", "__rename", NULL
	};
	size_t at;

	if (!explain_find_call(x->facts.stack, 1, calls, &at))
		return NULL;
	return explain_symbol(&x->facts.stack->frames[at]);
}

void explain_guard(struct explain *x)
{
	const char *subtype = x->report->exception.subtype;
	enum place place;
	struct guard_event guard;
	const char *object;
	const char *call;

	if (x->facts.exception != DARWIN_EXC_GUARD &&
	    !is_guard_termination(&x->report->termination))
		return;
	if (x->facts.has_code && x->facts.code == DARWIN_ARM_MTE_TAG_FAULT)
		return;
	guard = find_guard(x, &place);
	claim_guard(x, &guard, place);
	object = guard.object ? guard.object
	                      : guard_object(guard_type_of(subtype));
	call = guarded_call(x);
	if (call) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the innermost call is %s",
		              call);
		explain_cite(x, evidence_of_frame(x, x->facts.stack, 0));
	}
	explain_advise(x, guard.advice);
	explain_conclude(x, CAUSE_GUARD, CONFIDENCE_CERTAIN,
	                 "%s misused a guarded resource%s%s%s%s",
	                 x->facts.process, object ? ": " : "",
	                 object ? object : "", guard.violation ? ", " : "",
	                 guard.violation ? guard.violation : "");
}
