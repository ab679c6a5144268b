// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/text.h"
#include "lib/darwin/headline.h"
#include "lib/darwin/system_images.h"
#include "lib/model/report_tree.h"

#include <inttypes.h>
#include <string.h>

/**
 * The innermost useful app frame above the thread's base; else the innermost
 * app frame, or the caller of those that wrap the failure.
 */
static bool find_own(struct explain *x, const struct report_stack *stack,
                     size_t *ret)
{
	bool found = false;
	bool is_wrapped = true;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];
		enum frame_use use;

		if (!report_frame_is_app(x->report, frame))
			continue;
		use = explain_frame_use(x, frame);
		is_wrapped &= use == FRAME_USE_WRAPPER;
		if (!found || is_wrapped)
			*ret = i;
		found = true;
		if (use == FRAME_USE_BASE)
			break;
		if (use != FRAME_USE_OWN || explain_is_folded(frame))
			continue;
		*ret = i;
		return true;
	}
	return found;
}

/** A thread that its text names by the kernel's id alone. */
static const char *thread_number(const struct explain *x,
                                 const struct report_thread *thread)
{
	bool is_id = thread->has_id && thread->id == thread->number;

	return arena_printf(x->arena, "%s %" PRIu64, is_id ? "TID" : "thread",
	                    thread->number);
}

static const char *thread_name(const struct explain *x,
                               const struct report_thread *thread)
{
	const char *name = thread->queue && *thread->queue ? thread->queue
	                                                   : thread->name;

	// Matrix' name for the most frequent stack.
	if (text_same(name, "HandledThread"))
		return "the heaviest stack";
	if (name && *name)
		return arena_printf(x->arena, "%s (%s)",
		                    thread_number(x, thread),
		                    explain_quote(x, name));
	return thread_number(x, thread);
}

/** KSCrash's diagnosis on the device. */
static void claim_diagnosis(struct explain *x)
{
	static const char label[] = "Extra Information: CrashDoctor Diagnosis";
	const char *diagnosis = report_section(x->report, label);

	if (!diagnosis)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "the reporter's own diagnosis: %s",
	              explain_quote(x, diagnosis));
	explain_cite(x, evidence_of_section(x, label, NULL));
}

/** The heaviest stack that a spindump has before all trees. */
static const struct report_stack *heaviest_stack(const struct explain *x)
{
	const struct report *report = x->report;

	return text_same(report->format, "spindump") &&
	                       report->app_backtrace_count
	               ? report->app_backtraces[0]
	               : NULL;
}

/** How many frames are of no image of the report, so perhaps the app's. */
static size_t count_unplaced(const struct report_stack *stack)
{
	size_t count = 0;

	for (size_t i = 0; i < stack->count; i++)
		count += stack->frames[i].image == REPORT_NO_IMAGE;
	return count;
}

/** Does the report not show which images are the app's? */
static bool is_app_unknown(const struct report *report)
{
	if (report->process.name || report->path || !report->image_count)
		return false;
	for (size_t i = 0; i < report->image_count; i++)
		if (report->images[i].path || report->images[i].own)
			return false;
	return true;
}

// Stacks of bare addresses

/**
 * Load addresses of programs on 64-bit devices, and of the shared cache above.
 */
#define PROGRAM_FROM UINT64_C(0x100000000)
#define CACHE_FROM   UINT64_C(0x180000000)
#define CACHE_UP_TO  UINT64_C(0x300000000)

static bool is_bare(const struct report_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].image != REPORT_NO_IMAGE ||
		    stack->frames[i].image_name || stack->frames[i].call_count)
			return false;
	return stack->count > 0;
}

/** The innermost frame below the shared cache, which all others are in. */
static bool find_below_cache(const struct report_stack *stack, size_t *ret)
{
	size_t above = 0;
	bool found = false;

	for (size_t i = 0; i < stack->count; i++) {
		uint64_t address = stack->frames[i].address;

		if (address < PROGRAM_FROM || address >= CACHE_UP_TO)
			return false;
		above += address >= CACHE_FROM;
		if (address >= CACHE_FROM || found)
			continue;
		*ret = i;
		found = true;
	}
	return found && above;
}

/** `*** Assertion failure in -[Cart pay], /x/Cart.m:35`, of the app's code. */
static const char *failed_assertion(struct explain *x)
{
	const struct report_section *section =
	        explain_find_text(x, "Assertion failure in ");
	struct headline headline = { 0 };
	struct text method, place;
	size_t at;

	if (!section || !headline_find(text_from(section->text), &headline) ||
	    headline.kind != HEADLINE_ASSERTION)
		return NULL;
	at = text_find(headline.reason, "], ");
	at += at != TEXT_NOWHERE;
	method = text_first(headline.reason, at);
	place = text_after(headline.reason, at + strlen(", "));
	if (at == TEXT_NOWHERE || darwin_source_is_apple(place))
		return NULL;
	explain_claim(x, CONFIDENCE_CERTAIN, "the assertion is in %s",
	              explain_quote(x, arena_text(x->arena, headline.reason)));
	explain_cite(x, evidence_of_section(x, section->label, section->text));
	return arena_printf(x->arena, "%.*s (%.*s)", TEXT_ARGS(method),
	                    TEXT_ARGS(text_base_name(place)));
}

/** @return Is anything known about the place of the failure? */
static bool claim_bare(struct explain *x, const struct report_stack *stack,
                       const char *on)
{
	const struct report_frame *frame = NULL;
	const char *where;
	size_t at = 0;

	if (!is_bare(stack))
		return false;
	where = failed_assertion(x);
	if (!where && find_below_cache(stack, &at)) {
		frame = &stack->frames[at];
		where = arena_printf(x->arena, "%s, %s",
		                     explain_frame(x, &stack->frames[at]), on);
		explain_claim(x, CONFIDENCE_LIKELY,
		              "0x%" PRIx64 " is the innermost frame on %s "
		              "below the addresses of the system's libraries: "
		              "it belongs to the app or its libraries",
		              stack->frames[at].address, on);
		explain_cite(x, evidence_of_frame(x, stack, at));
	}
	if (where && !x->answer->where) {
		x->answer->where = where;
		x->answer->where_frame = frame;
	}
	return where;
}

/** The first place wins. */
static void set_where(struct explain *x, const struct report_frame *frame,
                      const char *name, const char *on)
{
	if (x->answer->where)
		return;
	x->answer->where = arena_printf(x->arena, "%s, %s", name, on);
	x->answer->where_frame = frame;
	x->answer->where_call = explain_call(frame);
}

static void claim_frame(struct explain *x, const struct report_stack *stack,
                        const char *on)
{
	size_t unplaced = count_unplaced(stack);
	const char *frame;
	size_t at = 0;

	if (claim_bare(x, stack, on))
		return;
	if (find_own(x, stack, &at)) {
		frame = explain_frame(x, &stack->frames[at]);
		explain_claim(x, CONFIDENCE_CERTAIN,
		              "the innermost frame of the app on %s is %s%s",
		              on, frame,
		              explain_is_folded(&stack->frames[at])
		                      ? ", code that several functions share"
		                      : "");
	} else {
		at = 0;
		frame = explain_frame(x, &stack->frames[0]);
		if (unplaced)
			explain_claim(x, CONFIDENCE_CERTAIN,
			              "it is unknown which frames on %s are "
			              "the app's: %zu of %zu are of no image "
			              "in the report; the innermost is %s",
			              on, unplaced, stack->count, frame);
		else if (is_app_unknown(x->report))
			explain_claim(x, CONFIDENCE_CERTAIN,
			              "it is unknown which frames on %s are "
			              "the app's: the report does not name "
			              "the app; the innermost is %s",
			              on, frame);
		else
			explain_claim(x, CONFIDENCE_CERTAIN,
			              "no frame of the app is on %s; its "
			              "innermost frame is %s",
			              on, frame);
	}
	explain_cite(x, evidence_of_frame(x, stack, at));
	set_where(x, &stack->frames[at], frame, on);
}

/** The innermost app frame on the heaviest path; else the innermost frame. */
static void claim_tree(struct explain *x, const struct report_tree *tree)
{
	uint32_t node = CALLTREE_ROOT, last = CALLTREE_ROOT;
	uint32_t own = CALLTREE_ROOT;
	const struct report_frame *frames = tree->frames.frames;
	const char *on = "the heaviest stack";
	const char *frame;

	if (!report_tree_is_own(x->report, tree))
		on = arena_printf(x->arena, "the heaviest stack of %s",
		                  explain_process(x, &tree->process));

	while ((node = calltree_heaviest(&tree->calls, node)) !=
	       CALLTREE_ROOT) {
		last = node;
		if (report_frame_is_app(x->report, &frames[node - 1]) &&
		    !explain_is_folded(&frames[node - 1]))
			own = node;
	}
	if (last == CALLTREE_ROOT)
		return;
	if (own != CALLTREE_ROOT)
		last = own;
	frame = explain_frame(x, &frames[last - 1]);
	explain_claim(
	        x, CONFIDENCE_CERTAIN,
	        own == CALLTREE_ROOT
	                ? "no frame of the app is on %s; its innermost frame "
	                  "is %s"
	                : "the innermost frame of the app on %s is %s",
	        on, frame);
	explain_cite(x, evidence_of_frame(x, &tree->frames, last - 1));
	set_where(x, &frames[last - 1], frame, on);
}

/**
 * Are all of these certainly frames? Without a report around them, some are
 * not.
 */
static bool is_sure(const struct report_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];
		const char *image = frame->image_name;

		if (!image || strpbrk(image, ":|") || strstr(image, "0x") ||
		    (!frame->address &&
		     !(frame->call_count && frame->calls[0].has_line)))
			return false;
	}
	return stack->count > 0;
}

/** The only stack of an excerpt of unknown kind; or NULL. */
static const struct report_stack *lone_stack(const struct report *report)
{
	const struct report_stack *stack = NULL;

	// If the crashed thread is missing, another one is no evidence.
	if (report->kind || report_crashed_thread(report) ||
	    report->has_triggered_thread)
		return NULL;
	if (report->truncated && report->thread_count == 1)
		stack = &report->threads[0]->stack;
	else if (report->app_backtrace_count && !report->thread_count)
		stack = report->app_backtraces[0];
	return stack && is_sure(stack) ? stack : NULL;
}

/** Samples: not the place of a failure, but where the time went. */
static void claim_samples(struct explain *x)
{
	const struct report *report = x->report;
	const struct report_stack *stack = heaviest_stack(x);
	const struct report_tree *tree = report_blamed_tree(report);

	if (!tree)
		tree = report_app_tree(report);
	if (stack && stack->count)
		claim_frame(x, stack, "the heaviest stack");
	else if (tree)
		claim_tree(x, tree);
	else if (report->sample_kind && report->thread_count &&
	         report->threads[0]->stack.count)
		claim_frame(x, &report->threads[0]->stack,
		            thread_name(x, report->threads[0]));
	else if (!x->facts.stack && lone_stack(report))
		claim_frame(x, lone_stack(report),
		            report->thread_count
		                    ? thread_name(x, report->threads[0])
		                    : "the backtrace");
}

/** The report was truncated before its faulting thread. */
static void claim_missing_thread(struct explain *x)
{
	const struct report *report = x->report;

	if (report->kind || x->facts.stack || !report->has_triggered_thread ||
	    report_crashed_thread(report))
		return;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "thread %" PRIu64 " failed, and the report does not have "
	              "its stack",
	              report->triggered_thread);
	explain_cite(x, evidence_of(x, PLACE_TRIGGERED));
}

/** Choose the frame to look at first. */
void explain_where(struct explain *x)
{
	const struct report_stack *stack = x->facts.stack;
	bool is_thread = x->facts.thread && stack == &x->facts.thread->stack;

	claim_diagnosis(x);
	claim_missing_thread(x);
	if (!x->report->kind && (!stack || !stack->count) && !x->answer->where)
		x->answer->where = failed_assertion(x);
	if (x->report->kind || !stack)
		claim_samples(x);
	else
		claim_frame(x, stack,
		            is_thread      ? thread_name(x, x->facts.thread)
		            : stack->title ? stack->title
		                           : "the backtrace of the exception");
}
