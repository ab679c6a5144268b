// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/number.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"

#include <string.h>

// Uncaught exceptions

/** Functions that only throwing calls. */
static const char *const objc_throws[] = { "objc_exception_throw",
	                                   "__exceptionPreprocess", NULL };
static const char *const cpp_throws[] = { "__cxa_throw", "__cxa_rethrow",
	                                  NULL };
static const char *const terminates[] = {
	"std::terminate",
	"_objc_terminate",
	"demangling_terminate_handler",
	"std::__terminate",
	"__cxxabiv1::failed_throw",
	"_ZSt9terminatev",
	NULL,
};

/**
 * A mangled C++ class: `11MyException`, `P5Error`, a pointer,
 * `St13runtime_error`. Unchanged unless fully understood.
 */
static const char *plain_class(const struct explain *x, const char *name)
{
	struct text rest = text_from(name);
	bool is_pointer = text_take(&rest, "P");
	bool is_std = text_take(&rest, "St");
	struct text digits = text_take_digits(&rest);
	uint64_t size;

	if (!number_decimal(digits, &size) || size != rest.size)
		return name;
	return arena_printf(x->arena, "%s%s%s", is_std ? "std::" : "",
	                    rest.data, is_pointer ? "*" : "");
}

/** Xamarin appends the stack of its own runtime to the reason. */
static const char *plain_reason(const struct explain *x)
{
	struct text reason = text_from(
	        x->report->thrown.reason ? x->report->thrown.reason : "");

	reason = text_first(reason,
	                    text_find(reason, "Xamarin Exception Stack:"));
	return arena_text(x->arena, text_trim(reason));
}

/** `NAME: REASON`, as far as known. */
static const char *thrown_words(const struct explain *x)
{
	const struct report_thrown *thrown = &x->report->thrown;
	const char *reason = plain_reason(x);
	const char *name = thrown->name && *thrown->name ? thrown->name
	                                                 : thrown->class_name;

	if (name && name == thrown->class_name)
		name = plain_class(x, name);
	if (name && *name && *reason && !text_starts(text_from(reason), name))
		return explain_quote(
		        x, arena_printf(x->arena, "%s: %s", name, reason));
	if (*reason)
		return explain_quote(x, reason);
	return name && *name ? explain_quote(x, name) : NULL;
}

/** The text with it, or the member of a format. */
static void cite_thrown(struct explain *x)
{
	const struct report_thrown *thrown = &x->report->thrown;
	const struct report_section *section =
	        thrown->name ? explain_find_text(x, thrown->name) : NULL;

	if (!section && thrown->reason)
		section = explain_find_text(x, thrown->reason);
	if (section && x->report->lines)
		explain_cite(x, evidence_of_section(x, section->label,
		                                    thrown->name));
	if (section && x->report->lines && thrown->reason)
		explain_cite(x, evidence_of_section(x, section->label,
		                                    thrown->reason));
	if (!x->report->lines)
		explain_cite(x, evidence_of(x, PLACE_THROWN));
	if (x->report->exception_backtrace.count)
		explain_cite(x, evidence_of(x, PLACE_BACKTRACE));
}

/** Advice for an exception by name. */
static const char *exception_advice(const char *name, const char *reason)
{
	static const struct {
		const char *words;
		const char *advice;
	} advices[] = {
		{ "nrecognized selector",
		  "the object is of another class than expected, or nil was "
		  "expected and something else came: check its type" },
		{ "NSRangeException", "check the index against the count" },
		{ "attempt to insert nil", "check the value for nil first" },
		{ "was mutated while being enumerated",
		  "copy the collection before the loop, or keep other threads "
		  "from changing it" },
		{ "NSInternalInconsistencyException",
		  "read the reason: a framework found its rules broken" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(advices); i++)
		if ((name && strstr(name, advices[i].words)) ||
		    (reason && strstr(reason, advices[i].words)))
			return advices[i].advice;
	return "read the reason, and look at the frame of the app that threw";
}

/** The caller of the function that throws; or TEXT_NOWHERE. */
static size_t find_thrower(const struct report_stack *stack)
{
	static const char *const throws[] = {
		"objc_exception_throw",
		"__exceptionPreprocess",
		"-[NSAssertionHandler",
		"+[NSException",
		"-[NSException",
		"_userInfoForFileAndLine",
		"__cxa_throw",
		"__cxa_rethrow",
		NULL,
	};
	struct report_stack one = { .count = 1 };
	size_t unused;
	size_t at = 0;

	for (; at < stack->count; at++) {
		one.frames = &stack->frames[at];
		if (!explain_find_call(&one, 1, throws, &unused))
			break;
	}
	return at && at < stack->count ? at : TEXT_NOWHERE;
}

static void claim_thrower(struct explain *x, size_t at)
{
	const struct report_stack *stack = &x->report->exception_backtrace;

	explain_claim(x, CONFIDENCE_CERTAIN, "%s threw it",
	              explain_frame(x, &stack->frames[at]));
	explain_cite(x, evidence_of_frame(x, stack, at));
}

/** A console's text has no separate thread. */
static void claim_thrower_of_headline(struct explain *x)
{
	size_t at = find_thrower(&x->report->exception_backtrace);

	if (report_section(x->report, "Headline") && at != TEXT_NOWHERE)
		claim_thrower(x, at);
}

static void conclude_thrown(struct explain *x, enum cause cause,
                            const char *kind)
{
	const struct report_thrown *thrown = &x->report->thrown;
	const char *words = thrown_words(x);

	explain_claim(x, CONFIDENCE_CERTAIN, "%s was thrown and not caught%s%s",
	              kind, words ? ": " : "", words ? words : "");
	cite_thrown(x);
	claim_thrower_of_headline(x);
	explain_advise(x, exception_advice(thrown->name, thrown->reason));
	explain_conclude(x, cause, CONFIDENCE_CERTAIN,
	                 "%s ended because %s was not caught%s%s",
	                 x->facts.process, kind, words ? ": " : "",
	                 words ? words : "");
}

/** Messages of libraries before they stop the program. */
static const struct {
	const char *words;
	enum cause cause;
} library_words[] = {
	{ "BUG IN CLIENT OF ", CAUSE_API_MISUSE },
	{ "BUG IN LIB", CAUSE_API_MISUSE },
	{ "Assertion failed: ", CAUSE_ASSERTION },
	{ "assertion failed: ", CAUSE_ASSERTION },
	{ "*** Assertion failure in ", CAUSE_ASSERTION },
	{ "Unrecognized selector -[", CAUSE_SWIFT_TRAP },
	{ "Unrecognized selector +[", CAUSE_SWIFT_TRAP },
	{ "Crashing on exception: ", CAUSE_OBJC_EXCEPTION },
	{ "Terminating app due to uncaught exception", CAUSE_OBJC_EXCEPTION },
	{ "terminating with uncaught exception", CAUSE_UNCAUGHT },
	{ "terminating due to uncaught exception", CAUSE_UNCAUGHT },
};

static const char *library_verdict(enum cause cause)
{
	switch (cause) {
	case CAUSE_API_MISUSE:
		return "was stopped by a library that it misused";
	case CAUSE_ASSERTION:
		return "failed an assertion";
	case CAUSE_SWIFT_TRAP:
		return "sent an object a message that it does not know";
	case CAUSE_OBJC_EXCEPTION:
		return "ended because an Objective-C exception was not caught";
	default:
		return "ended because an exception was not caught";
	}
}

static bool is_exception(enum cause cause)
{
	return cause == CAUSE_OBJC_EXCEPTION || cause == CAUSE_UNCAUGHT;
}

/** `of class 'Foo'`, the only data about it; false for other text. */
static bool conclude_class(struct explain *x, enum cause cause,
                           const char *said)
{
	struct text rest = text_trim(text_from(said));
	struct text name;

	if (!text_take(&rest, "of class '"))
		return false;
	name = text_first(rest, text_find_char(rest, '\''));
	if (!name.size || name.size == rest.size)
		return false;
	explain_conclude(
	        x, cause, CONFIDENCE_CERTAIN,
	        "%s ended because an exception of class %s was not caught",
	        x->facts.process, explain_quote(x, arena_text(x->arena, name)));
	return true;
}

/** Conclude from text with these words; false if there is none. */
static bool conclude_words(struct explain *x, size_t index)
{
	const char *words = library_words[index].words;
	enum cause cause = library_words[index].cause;
	const struct report_section *section = explain_find_text(x, words);
	const char *line;

	if (!section)
		return false;
	line = explain_claim_line(x, CONFIDENCE_CERTAIN, section, words);
	explain_advise(x, is_exception(cause) || cause == CAUSE_SWIFT_TRAP
	                          ? exception_advice(NULL, line)
	                          : "read the message: it names the rule that "
	                            "was broken");
	// The verdict contains the words already.
	if (is_exception(cause) && strstr(line, words))
		line = strstr(line, words) + strlen(words);
	if (is_exception(cause) && conclude_class(x, cause, line))
		return true;
	explain_conclude(x, cause, CONFIDENCE_CERTAIN, "%s %s: %s",
	                 x->facts.process, library_verdict(cause),
	                 line + strspn(line, " "));
	return true;
}

/** Formats without a member for it may have it in text. */
static bool conclude_said(struct explain *x)
{
	for (size_t i = 0; i < ARRAY_SIZE(library_words); i++)
		if (is_exception(library_words[i].cause) &&
		    conclude_words(x, i))
			return true;
	return false;
}

/** The crashed stack shows the exception handler, and perhaps the throw. */
static void conclude_terminated(struct explain *x,
                                const struct report_stack *stack, size_t at)
{
	bool is_objc = explain_find_call(stack, 64, objc_throws, &at);
	bool is_cpp = !is_objc && explain_find_call(stack, 64, cpp_throws, &at);
	const char *shown = explain_symbol(&stack->frames[at]);

	shown = explain_quote(x, shown ? shown : "the handler of exceptions");
	explain_claim(x, CONFIDENCE_CERTAIN, "%s is on the stack of the thread",
	              shown);
	explain_cite(x, evidence_of_frame(x, stack, at));
	explain_advise(x, "look at the log of the app: it has the "
	                  "exception's type and message");
	explain_conclude(x,
	                 is_objc  ? CAUSE_OBJC_EXCEPTION
	                 : is_cpp ? CAUSE_CPP_EXCEPTION
	                          : CAUSE_UNCAUGHT,
	                 CONFIDENCE_LIKELY,
	                 "%s ended because %s was not caught (no message in "
	                 "the report; the stack shows %s)",
	                 x->facts.process,
	                 is_objc  ? "an Objective-C exception"
	                 : is_cpp ? "a C++ exception"
	                          : "an exception",
	                 shown);
}

/** The exception shown by a backtrace, if the report does not describe it. */
static const char *shown_throw(struct explain *x)
{
	const struct report_stack *stack = &x->report->exception_backtrace;
	size_t at = find_thrower(stack);

	if (at == TEXT_NOWHERE || !explain_symbol(&stack->frames[at]))
		return "; the report does not give its reason";
	claim_thrower(x, at);
	return arena_printf(
	        x->arena, " (no message in the report; the stack shows %s)",
	        explain_quote(x, explain_symbol(&stack->frames[at])));
}

/** A backtrace shows the throw, and perhaps the exception. */
static void conclude_backtrace(struct explain *x)
{
	const struct report_stack *backtrace = &x->report->exception_backtrace;
	size_t at;
	bool is_cpp = explain_find_call(backtrace, 4, cpp_throws, &at);
	const char *shown;

	explain_claim(x, CONFIDENCE_CERTAIN,
	              "the report has the backtrace of an exception");
	explain_cite(x, evidence_of(x, PLACE_BACKTRACE));
	shown = shown_throw(x);
	explain_advise(x, "look at the backtrace of the exception, not at the "
	                  "thread, and at the log of the app for its reason");
	explain_conclude(x, is_cpp ? CAUSE_CPP_EXCEPTION : CAUSE_OBJC_EXCEPTION,
	                 CONFIDENCE_LIKELY,
	                 "%s ended because an exception was not caught%s",
	                 x->facts.process, shown);
}

/** Without a name, but a backtrace shows the throw, or its handler. */
static void conclude_unnamed(struct explain *x)
{
	bool has_backtrace = x->report->exception_backtrace.count;
	const struct report_stack *stack =
	        x->facts.thread ? &x->facts.thread->stack : NULL;
	size_t at = 0;
	bool is_terminated = explain_find_call(stack, 16, terminates, &at);

	if ((!has_backtrace && !is_terminated) || explain_by_frames(x))
		return;
	if (has_backtrace)
		conclude_backtrace(x);
	else
		conclude_terminated(x, stack, at);
}

static bool is_frame_in(const struct explain *x,
                        const struct report_stack *stack, size_t frame,
                        const char *image)
{
	return frame < stack->count &&
	       text_same(explain_image(x, &stack->frames[frame]), image);
}

/**
 * The backtrace of an NSException begins in CoreFoundation and
 * objc_exception_throw(), which is recognizable without names.
 */
static bool is_objc_throw(const struct explain *x,
                          const struct report_stack *stack)
{
	return is_frame_in(x, stack, 0, "CoreFoundation") &&
	       is_frame_in(x, stack, 1, "libobjc.A.dylib");
}

/** Some formats omit the language: derive it from a backtrace or a name. */
static const char *guess_kind(const struct explain *x)
{
	const struct report_stack *stack = &x->report->exception_backtrace;
	const char *name = x->report->thrown.name;
	size_t at;

	if (explain_find_call(stack, 8, objc_throws, &at) ||
	    is_objc_throw(x, stack) ||
	    (name && !strncmp(name, "NS", 2) &&
	     text_ends(text_from(name), "Exception")))
		return "objc-exception";
	return explain_find_call(stack, 8, cpp_throws, &at) ? "cpp-exception"
	                                                    : NULL;
}

void explain_thrown(struct explain *x)
{
	const struct report_thrown *thrown = &x->report->thrown;
	const char *kind = thrown->kind;

	if (x->concluded)
		return;
	// In a memory access, the exception is an earlier one: freed, or being
	// handled.
	if (x->facts.is_access)
		return;
	if (!thrown->name && !thrown->reason && !thrown->class_name) {
		if (!conclude_said(x))
			conclude_unnamed(x);
		return;
	}
	if (!kind)
		kind = guess_kind(x);
	if (kind && !strcmp(kind, "user-reported")) {
		explain_claim(x, CONFIDENCE_CERTAIN,
		              "the app reported it itself: %s",
		              thrown_words(x));
		cite_thrown(x);
		explain_conclude(x, CAUSE_USER_REPORT, CONFIDENCE_CERTAIN,
		                 "%s reported an error of its own: %s",
		                 x->facts.process, thrown_words(x));
	} else if (kind && (!strcmp(kind, "cpp-exception") ||
	                    !strcmp(kind, "c++-exception"))) {
		conclude_thrown(x, CAUSE_CPP_EXCEPTION, "a C++ exception");
	} else if (kind && !strcmp(kind, "objc-exception")) {
		conclude_thrown(x, CAUSE_OBJC_EXCEPTION,
		                "an Objective-C exception");
	} else {
		conclude_thrown(x, CAUSE_UNCAUGHT, "an exception");
	}
}

// Checks that failed

/** The runtime's prefix in the name of an inlined function. */
#define SWIFT_FAILURE "Swift runtime failure: "

static const char *find_swift_failure(const struct explain *x, size_t *ret)
{
	const struct report_stack *stack = x->facts.stack;

	for (size_t i = 0; stack && i < stack->count && i < 4; i++) {
		const struct report_frame *frame = &stack->frames[i];

		for (size_t k = 0; k < frame->call_count; k++) {
			const char *symbol = frame->calls[k].symbol;
			const char *at = symbol ? strstr(symbol, SWIFT_FAILURE)
			                        : NULL;

			if (!at)
				continue;
			*ret = i;
			return explain_quote(x, at + strlen(SWIFT_FAILURE));
		}
	}
	return NULL;
}

static const char *swift_advice(const char *words)
{
	if (!words)
		return "look at the frame of the app that failed its check";
	if (strstr(words, "unexpectedly found nil") ||
	    strstr(words, "Unexpectedly found nil"))
		return "find the optional that was nil, and unwrap it with if "
		       "let or guard";
	if (strstr(words, "ut of range"))
		return "check the index against the count";
	if (strstr(words, "overflow"))
		return "use a larger type, or operators that report overflow";
	return "look at the frame of the app that failed its check";
}

/** `Demo/main.swift:10: Fatal error: …`, kept by newer systems. */
static const struct report_section *find_fatal(const struct explain *x,
                                               const char **ret,
                                               const char **ret_words)
{
	static const char *const words[] = { "Fatal error: ", "fatal error: ",
		                             "Precondition failed: ",
		                             "Swift runtime failure: " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const struct report_section *section =
		        explain_find_text(x, words[i]);

		if (!section)
			continue;
		*ret = strstr(section->text, words[i]);
		*ret_words = words[i];
		return section;
	}
	return NULL;
}

/** A trap in the Swift runtime, in a report without names. */
static bool claim_nameless_trap(struct explain *x)
{
	const struct report_stack *stack = x->facts.stack;

	if (x->facts.exception != DARWIN_EXC_BREAKPOINT || !stack ||
	    !stack->count || explain_symbol(&stack->frames[0]) ||
	    !text_same(explain_image(x, &stack->frames[0]),
	               "libswiftCore.dylib"))
		return false;
	explain_claim(x, CONFIDENCE_LIKELY,
	              "the trap is in libswiftCore.dylib, which stops the "
	              "program so when a check fails");
	explain_cite(x, evidence_of_frame(x, stack, 0));
	return true;
}

/**
 * A trap in Swift's own log, by which its checks stop a program. Illegal
 * instructions only on Intel: on ARM checks are breakpoints.
 */
static bool claim_logged_trap(struct explain *x)
{
	const struct report *report = x->report;
	bool is_own = text_same(report->format, "swift-log") ||
	              text_same(report->format, "swift-json");
	bool is_arm = report->code_type &&
	              text_starts(text_from(report->code_type), "ARM");

	if (!is_own ||
	    (x->facts.exception != DARWIN_EXC_BREAKPOINT &&
	     (x->facts.exception != DARWIN_EXC_BAD_INSTRUCTION || is_arm)))
		return false;
	explain_claim(x, CONFIDENCE_LIKELY,
	              "the program has a Swift runtime, whose checks stop it "
	              "with a trap");
	explain_cite(x, evidence_of(x, PLACE_TYPE));
	return true;
}

/** A check of Swift in the report's text, or as a call. */
static bool conclude_swift(struct explain *x)
{
	const char *at = NULL;
	const char *fatal = NULL;
	const struct report_section *section = find_fatal(x, &at, &fatal);
	size_t frame = 0;
	const char *words = find_swift_failure(x, &frame);

	if (words) {
		explain_claim(
		        x, CONFIDENCE_CERTAIN,
		        "an inlined check of the Swift runtime failed: %s",
		        words);
		explain_cite(x, evidence_of_frame(x, x->facts.stack, frame));
	} else if (section) {
		explain_claim_frames(x);
	}
	if (section) {
		words = explain_line_at(x, section->text,
		                        (size_t)(at - section->text));
		explain_claim(x, CONFIDENCE_CERTAIN, "the report says: %s",
		              words);
		explain_cite(x, evidence_of_section(x, section->label, fatal));
	}
	if (!words)
		return false;
	explain_advise(x, swift_advice(words));
	explain_conclude(x, CAUSE_SWIFT_TRAP, CONFIDENCE_CERTAIN,
	                 "%s stopped because a Swift check failed: %s",
	                 x->facts.process, words);
	return true;
}

/** A trap of Swift without a message in text or stack. */
static void conclude_unsaid_trap(struct explain *x)
{
	if (!claim_nameless_trap(x) && !claim_logged_trap(x))
		return;
	explain_advise(x, swift_advice(NULL));
	explain_conclude(x, CAUSE_SWIFT_TRAP, CONFIDENCE_LIKELY,
	                 "%s stopped because a Swift check failed; the report "
	                 "does not say which",
	                 x->facts.process);
}

/**
 * The hardened C++ library puts the message into the name of an inlined
 * function.
 */
static bool conclude_inlined_assertion(struct explain *x)
{
	const struct report_stack *stack = x->facts.stack;
	const struct report_call *call;

	if (!stack || !stack->count || !stack->frames[0].call_count)
		return false;
	call = &stack->frames[0].calls[0];
	if (!explain_is_check_message(call))
		return false;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "a check of the C++ library failed: %s",
	              explain_quote(x, call->symbol));
	explain_cite(x, evidence_of_frame(x, stack, 0));
	explain_advise(x, "look at the frame of the app that called it");
	explain_conclude(x, CAUSE_ASSERTION, CONFIDENCE_CERTAIN,
	                 "%s failed an assertion of the C++ library: %s",
	                 x->facts.process,
	                 explain_quote(x, strstr(call->symbol, "assertion ")));
	return true;
}

void explain_messages(struct explain *x)
{
	if (x->concluded || conclude_swift(x) || conclude_inlined_assertion(x))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(library_words); i++)
		if (conclude_words(x, i))
			return;
	if (!x->facts.is_access && !explain_by_frames(x))
		conclude_unsaid_trap(x);
}
