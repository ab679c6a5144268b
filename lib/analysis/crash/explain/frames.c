// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/explain.h"
#include "lib/analysis/crash/explain/steps.h"
#include "lib/darwin/signals.h"

#include <string.h>

// Meaning of a stack's frames: data/frame-meanings.yaml, by normalized names. A
// frame has its meaning at a position: in the innermost run, before the failing
// code; below the frames that throw; or anywhere.

/** More calls are not looked at. */
#define CALLS_MAX 64
/** System functions that no rule knows, within the innermost run. */
#define UNKNOWN_MAX 3
/** The same, between the throw and the app's code. */
#define THROWER_MAX 8

/** Actions that classify a call beyond its owner. */
#define KNOWN            \
	(LAG_RULES_ALL & \
	 ~(LAG_RULES_OF(LAG_RULE_BUSINESS) | LAG_RULES_OF(LAG_RULE_SYSTEM)))

/** A call of the stack, inlined ones too. */
struct stack_call {
	const char *name; ///< of its function, normalized; or NULL
	struct lag_matches matches;
	size_t frame;
	bool is_app;
	bool is_known; ///< a rule matches it, or it is compiler-generated
	bool is_base;  ///< where the thread begins
};

struct stack_calls {
	struct stack_call items[CALLS_MAX];
	size_t count;
};

static const struct crash_function *function_of(const struct explain *x,
                                                const struct report_frame *at,
                                                const struct report_call *call)
{
	const struct report_image *image = report_frame_image(x->report, at);

	return crash_functions_find(x->functions, explain_image(x, at),
	                            image ? image->path : NULL, call);
}

static void add_call(struct explain *x, struct stack_calls *calls, size_t frame,
                     const struct report_frame *at,
                     const struct report_call *call)
{
	struct stack_call *to = &calls->items[calls->count++];
	const struct crash_function *function;
	const struct lag_rule *rule, *undecided;

	*to = (struct stack_call){ .frame = frame };
	to->is_app = report_frame_is_app(x->report, at);
	if (!call)
		return;
	function = function_of(x, at, call);
	rule = lag_matches_find(&function->matches, KNOWN, &undecided);
	to->name = function->name;
	to->matches = function->matches;
	to->is_known = rule || report_call_is_generated(call);
	to->is_base = rule && rule->action == LAG_RULE_THREAD_BASE;
}

static void gather(struct explain *x, const struct report_stack *stack,
                   struct stack_calls *ret)
{
	ret->count = 0;
	for (size_t i = 0; i < stack->count && ret->count < CALLS_MAX; i++) {
		const struct report_frame *frame = &stack->frames[i];

		if (!frame->call_count)
			add_call(x, ret, i, frame, NULL);
		for (size_t k = 0;
		     k < frame->call_count && ret->count < CALLS_MAX; k++)
			add_call(x, ret, i, frame, &frame->calls[k]);
	}
}

/** End of a run of frames other than the app's own work. */
static size_t run_end(const struct stack_calls *calls, size_t from,
                      size_t unknown_max)
{
	size_t unknown = 0;
	size_t i = from;

	for (; i < calls->count; i++) {
		const struct stack_call *call = &calls->items[i];

		if (call->is_base)
			break;
		if (call->is_known)
			continue;
		if (call->is_app || unknown++ == unknown_max)
			break;
	}
	return i;
}

/**
 * Position after objc_exception_throw(); the number of calls if nothing throws.
 */
static size_t find_thrower(const struct explain *x,
                           const struct stack_calls *calls)
{
	for (size_t i = 0; i < calls->count; i++)
		if (text_same(calls->items[i].name, "objc_exception_throw"))
			return i + 1;
	return x->facts.stack == &x->report->exception_backtrace ? 0
	                                                         : calls->count;
}

/** Find the meaning of this stack; sets none if it has none. */
static void find_meaning(struct explain *x, struct frame_found *ret)
{
	struct stack_calls *calls = arena_alloc(x->arena, sizeof(*calls));
	const struct lag_rule *best = NULL;
	size_t inner, thrower, thrower_end;

	gather(x, ret->stack, calls);
	inner = run_end(calls, 0, UNKNOWN_MAX);
	thrower = find_thrower(x, calls);
	thrower_end = run_end(calls, thrower, THROWER_MAX);
	for (size_t i = 0; i < calls->count; i++) {
		const struct stack_call *call = &calls->items[i];
		unsigned at = 1u << FRAME_POSITION_ANYWHERE;
		const struct lag_rule *rule;

		at |= !i ? 1u << FRAME_POSITION_TOP : 0;
		at |= i < inner ? 1u << FRAME_POSITION_INNERMOST : 0;
		at |= i >= thrower && i < thrower_end
		              ? 1u << FRAME_POSITION_THROWER
		              : 0;
		rule = lag_matches_find_meaning(&call->matches, at,
		                                x->facts.is_access);
		// Rules are in one array, the special ones first.
		if (!rule || (best && rule >= best))
			continue;
		best = rule;
		ret->meaning = rule->meaning;
		ret->name = call->name;
		ret->frame = call->frame;
	}
}

/** NULL if there is none. */
static const struct frame_found *look_at_frames(struct explain *x)
{
	const struct report_stack *stack = x->facts.stack;

	if (!x->functions || !stack || !stack->count || x->report->kind)
		return NULL;
	if (x->found.stack != stack) {
		x->found = (struct frame_found){ .stack = stack };
		find_meaning(x, &x->found);
	}
	return x->found.meaning ? &x->found : NULL;
}

static void claim_meaning(struct explain *x, const struct frame_found *found)
{
	explain_claim(x, (enum confidence)found->meaning->confidence,
	              "%s is on the stack: %s",
	              explain_quote(x, found->name ? found->name : "it"),
	              found->meaning->meaning);
	explain_cite(x, evidence_of_frame(x, x->facts.stack, found->frame));
}

void explain_claim_frames(struct explain *x)
{
	const struct frame_found *found = look_at_frames(x);

	if (found)
		claim_meaning(x, found);
}

/** Signals sent by others: the stack only shows the current activity. */
static bool is_sent(const struct explain *x)
{
	switch (x->facts.signal) {
	case 0:
	case DARWIN_SIGABRT:
	case DARWIN_SIGTRAP:
	case DARWIN_SIGILL:
	case DARWIN_SIGSEGV:
	case DARWIN_SIGBUS:
		return false;
	default:
		return true;
	}
}

static enum cause cause_of(const char *word)
{
	for (size_t i = 0; explain_causes[i].word; i++)
		if (!strcmp(explain_causes[i].word, word))
			return (enum cause)i;
	return CAUSE_UNKNOWN;
}

bool explain_by_frames(struct explain *x)
{
	const struct frame_meaning *meaning;
	const struct frame_found *found;

	if (x->concluded || is_sent(x) || !(found = look_at_frames(x)))
		return false;
	meaning = found->meaning;
	claim_meaning(x, found);
	explain_advise(x, meaning->advice);
	explain_conclude(x, cause_of(meaning->cause),
	                 (enum confidence)meaning->confidence,
	                 "%s %s (no message in the report; the stack shows %s)",
	                 x->facts.process, meaning->sentence,
	                 explain_quote(x, found->name ? found->name : "it"));
	return true;
}

void explain_fatal_access(struct explain *x)
{
	if (x->facts.is_access)
		explain_by_frames(x);
}

static enum frame_use call_use(struct explain *x,
                               const struct report_frame *frame,
                               const struct report_call *call)
{
	const struct lag_rule *rule, *undecided;

	if (report_call_is_generated(call))
		return FRAME_USE_NONE;
	if (!x->functions)
		return FRAME_USE_OWN;
	rule = lag_matches_find(&function_of(x, frame, call)->matches, KNOWN,
	                        &undecided);
	if (!rule || !rule->skip)
		return FRAME_USE_OWN;
	return rule->action == LAG_RULE_THREAD_BASE ? FRAME_USE_BASE
	                                            : FRAME_USE_WRAPPER;
}

enum frame_use explain_frame_use(struct explain *x,
                                 const struct report_frame *frame)
{
	enum frame_use use = FRAME_USE_OWN;

	for (size_t i = 0; i < frame->call_count; i++) {
		use = call_use(x, frame, &frame->calls[i]);
		if (use == FRAME_USE_OWN)
			break;
	}
	return use;
}

struct error *explain_check_rules(const struct lag_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct lag_rule *rule = &rules->rules[i];

		if (rule->meaning &&
		    cause_of(rule->meaning->cause) == CAUSE_UNKNOWN)
			return error_new(ERROR_CONFIG,
			                 "%s:%u: unknown cause '%s'; "
			                 "apmtool-explain(1) lists all",
			                 rule->source.name, rule->source.line,
			                 rule->meaning->cause);
	}
	return NULL;
}
