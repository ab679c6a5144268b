// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/explain.h"
#include "lib/analysis/crash/explain/steps.h"
#include "lib/analysis/crash/signature/name.h"
#include "lib/darwin/signals.h"

#include <string.h>

// What the frames of a stack mean: data/frame-meanings.yaml, asked by the names
// that signatures have. What says why stands at a place: in the innermost run,
// before the code that failed; under the frames that throw; or anywhere.

/** More calls are not looked at. */
#define CALLS_MAX 64
/** System functions that no rule knows, within the innermost run. */
#define UNKNOWN_MAX 3
/** The same between the throw and the code of the app that led to it. */
#define THROWER_MAX 8

/** Rules that say more of a call than whose it is. */
#define KNOWN            \
	(LAG_RULES_ALL & \
	 ~(LAG_RULES_OF(LAG_RULE_BUSINESS) | LAG_RULES_OF(LAG_RULE_SYSTEM)))

/** A call of the stack, inlined ones too. */
struct stack_call {
	struct lag_rule_subject subject; ///< its symbol as in signatures
	size_t frame;
	bool is_app;
	bool is_looked_up; ///< the next two are known
	bool is_known;     ///< some rule knows it, or a compiler made it
	bool is_base;      ///< where the thread begins
};

struct stack_calls {
	struct stack_call items[CALLS_MAX];
	size_t count;
};

/** What says why. */
struct found_meaning {
	const struct frame_meaning *meaning;
	const char *name; ///< of the function
	size_t frame;
};

static const char *call_name(const struct explain *x,
                             const struct report_call *call)
{
	SCOPED(str_release) struct str name = { 0 };

	if (!call->symbol || signature_is_unnamed(text_from(call->symbol)))
		return NULL;
	signature_name_add(text_from(call->symbol), SIGNATURE_STYLE_APM, &name);
	return arena_text(x->arena, str_text(&name));
}

static struct lag_rule_subject subject_of(const struct explain *x,
                                          const struct report_frame *frame,
                                          const struct report_call *call)
{
	const struct report_image *image = report_frame_image(x->report, frame);

	return (struct lag_rule_subject){
		.image = explain_image(x, frame),
		.path = image ? image->path : NULL,
		.symbol = call_name(x, call),
		.file = call->path ? call->path : call->file,
	};
}

/** Ask the rules about a call, once. */
static void look_up(struct explain *x, struct stack_call *call)
{
	const struct lag_rule *rule, *undecided;

	if (call->is_looked_up)
		return;
	call->is_looked_up = true;
	rule = lag_rules_find_of(x->rules, KNOWN, &call->subject,
	                         &x->rules_budget, &undecided);
	call->is_known |= rule != NULL;
	call->is_base = rule && rule->action == LAG_RULE_THREAD_BASE;
}

static void add_call(struct explain *x, struct stack_calls *calls, size_t frame,
                     const struct report_frame *at,
                     const struct report_call *call)
{
	struct stack_call *to = &calls->items[calls->count++];

	*to = (struct stack_call){ .frame = frame, .is_looked_up = !call };
	to->is_app = report_frame_is_app(x->report, at);
	if (!call)
		return;
	to->subject = subject_of(x, at, call);
	to->is_known = report_call_is_generated(call);
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

/** Where a run of frames that are not the app's own work ends. */
static size_t run_end(struct explain *x, struct stack_calls *calls, size_t from,
                      size_t unknown_max)
{
	size_t unknown = 0;
	size_t i = from;

	for (; i < calls->count; i++) {
		struct stack_call *call = &calls->items[i];

		look_up(x, call);
		if (call->is_base)
			break;
		if (call->is_known)
			continue;
		if (call->is_app || unknown++ == unknown_max)
			break;
	}
	return i;
}

/** Behind objc_exception_throw(); the count of calls where nothing throws. */
static size_t find_thrower(const struct explain *x,
                           const struct stack_calls *calls)
{
	for (size_t i = 0; i < calls->count; i++)
		if (text_same(calls->items[i].subject.symbol,
		              "objc_exception_throw"))
			return i + 1;
	return x->facts.stack == &x->report->exception_backtrace ? 0
	                                                         : calls->count;
}

static bool find_meaning(struct explain *x, struct found_meaning *ret)
{
	const struct report_stack *stack = x->facts.stack;
	struct stack_calls *calls;
	size_t inner, thrower, thrower_end, best;

	if (!x->rules || !stack || !stack->count || x->report->kind)
		return false;
	calls = arena_alloc(x->arena, sizeof(*calls));
	gather(x, stack, calls);
	inner = run_end(x, calls, 0, UNKNOWN_MAX);
	thrower = find_thrower(x, calls);
	thrower_end = run_end(x, calls, thrower, THROWER_MAX);
	best = x->rules->count;
	for (size_t i = 0; i < calls->count; i++) {
		unsigned at = 1u << FRAME_POSITION_ANYWHERE;
		size_t rule;

		at |= !i ? 1u << FRAME_POSITION_TOP : 0;
		at |= i < inner ? 1u << FRAME_POSITION_INNERMOST : 0;
		at |= i >= thrower && i < thrower_end
		              ? 1u << FRAME_POSITION_THROWER
		              : 0;
		rule = lag_rules_find_meaning(x->rules, at, x->facts.is_access,
		                              best, &calls->items[i].subject,
		                              &x->rules_budget);
		if (rule >= best)
			continue;
		best = rule;
		*ret = (struct found_meaning){
			.meaning = x->rules->rules[rule].meaning,
			.name = calls->items[i].subject.symbol,
			.frame = calls->items[i].frame,
		};
	}
	return best < x->rules->count;
}

static void claim_meaning(struct explain *x, const struct found_meaning *found)
{
	explain_claim(x, (enum confidence)found->meaning->confidence,
	              "%s is on the stack: %s",
	              explain_quote(x, found->name ? found->name : "it"),
	              found->meaning->meaning);
	explain_cite(x, evidence_of_frame(x, x->facts.stack, found->frame));
}

void explain_claim_frames(struct explain *x)
{
	struct found_meaning found;

	if (find_meaning(x, &found))
		claim_meaning(x, &found);
}

/** Signals that others send: the stack is of what it did at that time. */
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
	struct found_meaning found;

	if (x->concluded || is_sent(x) || !find_meaning(x, &found))
		return false;
	meaning = found.meaning;
	claim_meaning(x, &found);
	explain_advise(x, meaning->advice);
	explain_conclude(x, cause_of(meaning->cause),
	                 (enum confidence)meaning->confidence,
	                 "%s %s (no message in the report; the stack shows %s)",
	                 x->facts.process, meaning->sentence,
	                 explain_quote(x, found.name ? found.name : "it"));
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
	struct lag_rule_subject subject;
	const struct lag_rule *skip;

	if (report_call_is_generated(call))
		return FRAME_USE_NONE;
	if (!x->rules)
		return FRAME_USE_OWN;
	subject = subject_of(x, frame, call);
	skip = lag_rules_find_skip(x->rules, &subject, &x->rules_budget);
	if (!skip)
		return FRAME_USE_OWN;
	return skip->action == LAG_RULE_THREAD_BASE ? FRAME_USE_BASE
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
			                 "%s:%u: '%s' is no cause; "
			                 "apmtool-explain(1) lists them",
			                 rule->source.name, rule->source.line,
			                 rule->meaning->cause);
	}
	return NULL;
}
