// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/text.h"
#include "lib/darwin/headline.h"
#include "lib/darwin/jetsam.h"

#include <inttypes.h>
#include <string.h>

#define SECTION "Headline"

/** Meaning of a headline, and advice. */
static const struct meaning {
	enum headline_kind kind;
	enum cause cause;
	const char *verdict; ///< completes "PROCESS …"
	const char *advice;
} meanings[] = {
	{ HEADLINE_ZOMBIE, CAUSE_USE_AFTER_FREE,
	  "sent a message to an object that was freed",
	  "find the code that should have kept the object, or stopped using "
	  "it" },
	{ HEADLINE_SWIFT, CAUSE_SWIFT_TRAP,
	  "stopped because a Swift check failed", NULL },
	{ HEADLINE_DYLD, CAUSE_DYLD,
	  "was not started: the dynamic linker could not load it",
	  "check that the library is embedded and signed, and that its minimum "
	  "version fits the system" },
	{ HEADLINE_KOTLIN, CAUSE_KOTLIN_EXCEPTION,
	  "ended because a Kotlin exception was not caught",
	  "catch it, or declare it with @Throws" },
	{ HEADLINE_RUST, CAUSE_RUST_PANIC, "ended because Rust code panicked",
	  "look at the first frame of the app" },
	{ HEADLINE_GO, CAUSE_GO_PANIC, "ended because Go code panicked",
	  "look at the first frame of the app in the goroutine that panicked" },
	{ HEADLINE_DOTNET, CAUSE_DOTNET_EXCEPTION,
	  "ended because a .NET exception was not caught",
	  "look at the first frame of the app" },
	{ HEADLINE_MONO, CAUSE_SIGNAL, "got a signal in native code under Mono",
	  "look for the crash report of the device: it has the images that "
	  "these addresses belong to" },
	{ HEADLINE_DART, CAUSE_DART_EXCEPTION,
	  "reported a Dart exception that was not caught",
	  "name the trace with 'flutter symbolize' and the symbols that "
	  "--split-debug-info wrote for this build id" },
	{ HEADLINE_JAVASCRIPT, CAUSE_JAVASCRIPT_ERROR,
	  "had a JavaScript error that was not caught",
	  "look at the first frame of the app" },
	{ HEADLINE_SANITIZER, CAUSE_SANITIZER, "failed a check of a sanitizer",
	  "look at the first frame of the app" },
	{ HEADLINE_MAIN_THREAD, CAUSE_MAIN_THREAD_CHECKER,
	  "used UI on a background thread, and continued",
	  "call it on the main thread: DispatchQueue.main.async, or "
	  "@MainActor" },
	{ HEADLINE_PERFORMANCE, CAUSE_THREAD_PERFORMANCE,
	  "used threads in a way that delays it, and continued",
	  "let the thread that is waited for run at the same quality of "
	  "service, or do not wait for it" },
	{ HEADLINE_ASSERTION, CAUSE_ASSERTION, "failed an assertion",
	  "read the message: it names the rule that was broken" },
};

/** What a trace may lack, and advice. */
static const struct lacking {
	enum cause cause;
	const char *without_frames; ///< replaces the other advice; or NULL
	/** How to get files and lines of frames; NULL: they have them. */
	const char *without_source;
} lacking[] = {
	{ CAUSE_KOTLIN_EXCEPTION, NULL,
	  "the dSYM of the Kotlin framework names its frames" },
	{ CAUSE_RUST_PANIC,
	  "run it again with RUST_BACKTRACE=full: the trace has addresses, "
	  "which 'apmtool atos' names from the dSYM",
	  "with RUST_BACKTRACE=full the trace has addresses, which 'apmtool "
	  "atos' names from the dSYM" },
	{ CAUSE_GO_PANIC,
	  "look for the trace of the goroutine below it in the log", NULL },
	{ CAUSE_DOTNET_EXCEPTION,
	  "look for the trace of the exception below it in the log",
	  "build with portable PDB files to have files and lines" },
	{ CAUSE_JAVASCRIPT_ERROR,
	  "look for the JavaScript frames below it in the log: the source map "
	  "of this bundle names them",
	  "the source map of this bundle names the JavaScript frames" },
};

#define SYMBOL_ADVICE                                                        \
	"check that the library at run time is the version that was linked " \
	"against, and that the symbol is in the oldest system that is "      \
	"supported: guard what is newer"

/** Headlines with specific words; the first match wins. */
static const struct {
	const char *words;
	struct meaning meaning;
} special_meanings[] = {
	{ "memory allocation of ",
	  { HEADLINE_RUST, CAUSE_OUT_OF_MEMORY,
	    "ran out of memory in Rust code, or asked for too much of it",
	    "look at the size that the caller asks for" } },
	{ "has overflowed its stack",
	  { HEADLINE_RUST, CAUSE_STACK_OVERFLOW,
	    "ran out of stack in Rust code",
	    "look for a recursion without end, and for large values on the "
	    "stack" } },
	{ "fatal runtime error: stack overflow",
	  { HEADLINE_RUST, CAUSE_STACK_OVERFLOW,
	    "ran out of stack in Rust code",
	    "look for a recursion without end, and for large values on the "
	    "stack" } },
	{ " virtual function called",
	  { HEADLINE_ASSERTION, CAUSE_PURE_VIRTUAL,
	    "called a pure virtual function of an object that is being made "
	    "or destroyed",
	    "look for virtual calls in constructors and destructors, and for "
	    "threads that still use the object while it is destroyed" } },
	{ "ymbol missing",
	  { HEADLINE_DYLD, CAUSE_DYLD,
	    "was not started: the dynamic linker could not load it",
	    SYMBOL_ADVICE } },
	{ "ymbol not found",
	  { HEADLINE_DYLD, CAUSE_DYLD,
	    "was not started: the dynamic linker could not load it",
	    SYMBOL_ADVICE } },
	{ "issing symbol",
	  { HEADLINE_DYLD, CAUSE_DYLD,
	    "was not started: the dynamic linker could not load it",
	    SYMBOL_ADVICE } },
	{ "SWIFT TASK CONTINUATION MISUSE",
	  { HEADLINE_SWIFT, CAUSE_SWIFT_TRAP,
	    "stopped because a Swift check failed",
	    "resume each continuation exactly once on every path: look for a "
	    "path that returns without it, and for callbacks that come "
	    "again" } },
};

static const struct meaning *find_special(const struct headline *headline)
{
	for (size_t i = 0; i < ARRAY_SIZE(special_meanings); i++)
		if (special_meanings[i].meaning.kind == headline->kind &&
		    text_find(headline->message, special_meanings[i].words) !=
		            TEXT_NOWHERE)
			return &special_meanings[i].meaning;
	return NULL;
}

static const struct meaning *find_meaning(enum headline_kind kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++)
		if (meanings[i].kind == kind)
			return &meanings[i];
	return NULL;
}

/** The most important headline of the report. */
static const struct report_section *choose(const struct explain *x,
                                           struct headline *ret)
{
	const struct report_section *found = NULL;
	const struct report *report = x->report;

	for (size_t i = 0; i < report->section_count; i++) {
		const struct report_section *section = &report->sections[i];
		struct headline headline = { 0 };

		if (strcmp(section->label, SECTION) != 0 ||
		    !headline_find(text_from(section->text), &headline) ||
		    (found && (ret->ends_process || !headline.ends_process)))
			continue;
		found = section;
		*ret = headline;
	}
	return found;
}

/** `READ of size 4`, the line below ASan's. */
static struct text find_access(struct text section)
{
	static const char *const words[] = { "READ of size ",
		                             "WRITE of size " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t at = text_find(section, words[i]);
		struct text found = text_after(section, at);
		size_t end = strlen(words[i]);

		if (at == TEXT_NOWHERE)
			continue;
		end += text_count_digits(text_after(found, end));
		return text_first(found, end);
	}
	return TEXT_NONE;
}

/** `heap-use-after-free, READ of size 4`. */
static const char *sanitizer_words(const struct explain *x,
                                   const struct report_section *section,
                                   const struct headline *headline)
{
	struct text access = find_access(text_from(section->text));
	struct text what = headline->reason;

	what = text_first(what, text_find_char(what, '\n'));
	what = text_first(what, text_find(what, " on address"));
	what = text_first(what, text_find(what, " on unknown address"));
	return explain_quote(
	        x, arena_printf(x->arena, "%.*s%s%.*s", TEXT_ARGS(what),
	                        access.size ? ", " : "", TEXT_ARGS(access)));
}

/** A trace of Flutter built with --split-debug-info. */
static const char *dart_words(const struct explain *x)
{
	const char *build = report_field(x->report, "Build ID");

	return build ? arena_printf(x->arena,
	                            "a trace without names, of build id %s",
	                            build)
	             : "a trace without names";
}

/** React Native adds the engine and the stack to the message. */
static struct text without_engine(struct text words)
{
	words = text_first(words, text_find(words, ", js engine:"));
	words = text_first(words, text_find(words, ", stack:"));
	return text_first(words, text_find_char(words, '\n'));
}

/**
 * The headline without words about the runtime. Rust's message is on the line
 * below, others' on the first.
 */
static const char *said(const struct explain *x,
                        const struct report_section *section,
                        const struct headline *headline)
{
	const char *reason = x->report->thrown.reason;
	const char *name = x->report->thrown.name;

	if (headline->kind == HEADLINE_SANITIZER)
		return sanitizer_words(x, section, headline);
	// The rest is about Mono itself.
	if (headline->kind == HEADLINE_MONO)
		return explain_quote(
		        x, arena_text(x->arena,
		                      text_first(headline->message,
		                                 text_find(headline->message,
		                                           ". "))));
	if (headline->kind == HEADLINE_DART &&
	    text_starts(headline->message, "*** ***"))
		return dart_words(x);
	if (headline->kind == HEADLINE_RUST && reason && *reason)
		return explain_quote(x, reason);
	if (headline->kind == HEADLINE_MAIN_THREAD ||
	    headline->kind == HEADLINE_PERFORMANCE ||
	    (!headline->name.size && headline->reason.size &&
	     headline->kind != HEADLINE_DOTNET))
		return explain_quote(
		        x,
		        arena_text(x->arena,
		                   text_first(headline->reason,
		                              text_find_char(headline->reason,
		                                             '\n'))));
	if (name && *name && reason && *reason &&
	    headline->kind == HEADLINE_JAVASCRIPT)
		return explain_quote(x,
		                     arena_printf(x->arena, "%s: %.*s", name,
		                                  TEXT_ARGS(without_engine(
		                                          text_from(reason)))));
	if (name && *name && reason && *reason)
		return explain_quote(
		        x, arena_printf(x->arena, "%s: %s", name, reason));
	if (name && *name && headline->name.size)
		return explain_quote(x, name);
	return explain_quote(x, section->text);
}

/** A file of a module of the system: no place of the app. */
static bool is_system_file(struct text file)
{
	static const char *const modules[] = {
		"Swift/",       "_Concurrency/", "_StringProcessing/",
		"Distributed/", "Foundation/",   "FoundationEssentials/",
		"Combine/",     "SwiftUI/",      "SwiftUICore/",
		"SwiftData/",   "Observation/",  "Synchronization/",
		"Dispatch/",    "_RegexParser/", "RealityFoundation/",
	};

	for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
		if (text_starts(file, modules[i]))
			return true;
	return text_starts(file, "/rustc/") ||
	       text_find(file, "/stdlib/public/") != TEXT_NOWHERE ||
	       text_find(file, "com.apple.xbs/") != TEXT_NOWHERE;
}

/** The build that names the frames of a trace of Dart. */
static void claim_build(struct explain *x, const struct headline *headline)
{
	const struct report_field *build = explain_field(x, "Build ID");

	if (headline->kind != HEADLINE_DART || !build)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "the build id is %s",
	              explain_quote(x, build->value));
	explain_cite(x, evidence_of_field(x, build));
}

/** `File.swift:12`, in a headline with a place. */
static void take_place(struct explain *x, const struct headline *headline)
{
	const char *place;

	if (!headline->file.size || !headline->line)
		return;
	place = arena_printf(x->arena, "%.*s:%" PRIu64,
	                     TEXT_ARGS(headline->file), headline->line);
	explain_claim(x, CONFIDENCE_CERTAIN, "it failed at %s", place);
	explain_cite(x, evidence_of_section(x, SECTION, place));
	if ((!x->facts.stack || !x->facts.stack->count) &&
	    !is_system_file(headline->file))
		x->answer->where = place;
}

static const char *swift_advice(const char *words)
{
	if (strstr(words, "nexpectedly found nil"))
		return "find the optional that was nil, and unwrap it with if "
		       "let or guard";
	if (strstr(words, "ndex out of range"))
		return "check the index against the count";
	return "look at the line that failed its check";
}

static bool has_frames(const struct explain *x)
{
	return x->facts.stack && x->facts.stack->count;
}

/** Does an app frame have a source file? A JavaScript bundle is none. */
static bool has_source(const struct explain *x)
{
	for (size_t i = 0; has_frames(x) && i < x->facts.stack->count; i++) {
		const struct report_frame *frame = &x->facts.stack->frames[i];
		const struct report_call *call =
		        frame->call_count ? &frame->calls[0] : NULL;

		if (call && call->file && call->has_line &&
		    report_frame_is_app(x->report, frame) &&
		    !text_ends(text_from(call->file), "bundle"))
			return true;
	}
	return false;
}

/** Only ASan prints where memory was allocated and freed, below its trace. */
static const char *sanitizer_advice(const struct explain *x,
                                    const struct report_section *section)
{
	struct text in = text_from(section->text);

	if (text_find(in, "LeakSanitizer") != TEXT_NOWHERE)
		return "look at the first frame of the app that allocated what "
		       "was not freed";
	if (text_find(in, "ThreadSanitizer") != TEXT_NOWHERE)
		return "let one lock, queue or actor guard what both threads "
		       "use";
	if (text_starts(in, "SUMMARY: ") || !has_frames(x))
		return "look at the place that it names, and at the whole "
		       "report of the sanitizer in the log";
	if (text_find(in, "AddressSanitizer") == TEXT_NOWHERE)
		return "look at the place that it names";
	if (x->report->thread_count > 1)
		return "look at the first frame of the app; where memory was "
		       "freed or allocated is in the traces below";
	return find_meaning(HEADLINE_SANITIZER)->advice;
}

/**
 * Advice that fits the contents of the text.
 *
 * @param section  NULL: a trace without a headline.
 */
static const char *advice_for(const struct explain *x,
                              const struct report_section *section,
                              const struct meaning *meaning, const char *words)
{
	if (meaning->kind == HEADLINE_SANITIZER && section)
		return sanitizer_advice(x, section);
	if (meaning->kind == HEADLINE_DART &&
	    !report_field(x->report, "Build ID"))
		return has_frames(x) ? "look at the first frame of the app"
		                     : "look at the trace below it in the log";
	for (size_t i = 0; i < ARRAY_SIZE(lacking); i++) {
		const struct lacking *at = &lacking[i];

		if (at->cause != meaning->cause)
			continue;
		if (at->without_frames && !has_frames(x))
			return at->without_frames;
		if (at->without_source && !has_source(x))
			return arena_printf(x->arena, "%s; %s", meaning->advice,
			                    at->without_source);
	}
	return meaning->advice ? meaning->advice : swift_advice(words);
}

/**
 * Other programs print `Fatal error: `, too: only a process in the log prefix,
 * or frames, are certain.
 */
static enum confidence confidence_in(const struct explain *x,
                                     const struct headline *headline)
{
	return headline->kind == HEADLINE_SWIFT && headline->needs_frames &&
	                       !x->report->process.name &&
	                       (!x->facts.stack || !x->facts.stack->count)
	               ? CONFIDENCE_LIKELY
	               : CONFIDENCE_CERTAIN;
}

/** `AddressSanitizer found: …`, with the process if its name is known. */
static void conclude_sanitizer(struct explain *x,
                               const struct headline *headline,
                               const char *words)
{
	bool has_name = x->report->process.name && *x->report->process.name;

	explain_conclude(x, CAUSE_SANITIZER, CONFIDENCE_CERTAIN,
	                 "%s found%s%s: %s",
	                 explain_quote(x, arena_text(x->arena, headline->name)),
	                 has_name ? " in " : "",
	                 has_name ? x->facts.process : "", words);
}

/** `Caused by: kotlin.IllegalStateException: boom`, with its own frames. */
static void claim_causes(struct explain *x)
{
	for (size_t i = 0; i < x->report->app_backtrace_count; i++) {
		const struct report_stack *stack = x->report->app_backtraces[i];
		struct text rest = text_from(stack->title ? stack->title : "");
		const char *cause;

		if (!text_take(&rest, "Caused by: "))
			continue;
		cause = explain_quote(x, arena_text(x->arena, rest));
		explain_claim(x, CONFIDENCE_CERTAIN, "it was caused by %s",
		              cause);
		if (stack->count)
			explain_cite(x, evidence_of_frame(x, stack, 0));
	}
}

static void conclude(struct explain *x, const struct report_section *section,
                     const struct headline *headline,
                     const struct meaning *meaning)
{
	const struct report_process_ref *process = &x->report->process;
	const char *words = said(x, section, headline);
	const char *line = arena_text(
	        x->arena,
	        text_first(text_from(section->text),
	                   text_find_char(text_from(section->text), '\n')));

	explain_claim(x, CONFIDENCE_CERTAIN, "the console says: %s",
	              explain_quote(x, line));
	explain_cite(x, evidence_of_section(x, SECTION, line));
	if (headline->kind == HEADLINE_MAIN_THREAD ||
	    headline->kind == HEADLINE_PERFORMANCE) {
		explain_claim(
		        x, CONFIDENCE_CERTAIN,
		        "the process%s continued: the checker only reports",
		        process->has_pid
		                ? arena_printf(x->arena, " (PID %" PRIu64 ")",
		                               process->pid)
		                : "");
		explain_cite(x, evidence_of_section(x, SECTION, line));
	}
	take_place(x, headline);
	claim_causes(x);
	claim_build(x, headline);
	explain_advise(x, advice_for(x, section, meaning, words));
	if (headline->kind == HEADLINE_SANITIZER) {
		conclude_sanitizer(x, headline, words);
		return;
	}
	explain_conclude(x, meaning->cause, confidence_in(x, headline),
	                 "%s %s: %s", x->facts.process, meaning->verdict,
	                 words);
}

// The kernel's messages about memory

#define MEMORY_ADVICE                                                         \
	"look for a jetsam log of the same time: 'apmtool jetsam' shows the " \
	"memory of each process"

/** `Demo[612]`, as the line names it. */
static const char *subject_of(const struct explain *x,
                              const struct headline *headline)
{
	return explain_quote(x, arena_text(x->arena, headline->prefix.process));
}

static enum cause cause_of_kill(const struct jetsam_cause *cause)
{
	if (!cause || cause->blame == JETSAM_BLAME_LEAK ||
	    cause->blame == JETSAM_BLAME_NONE)
		return CAUSE_JETSAM;
	return cause->blame == JETSAM_BLAME_OWN ? CAUSE_MEMORY_LIMIT
	                                        : CAUSE_MEMORY_PRESSURE;
}

/** `(per-process-limit 3)`: killed, and why. */
static void conclude_kill(struct explain *x, const struct headline *headline)
{
	const struct jetsam_cause *cause =
	        jetsam_cause_find(arena_text(x->arena, headline->name));

	explain_advise(x,
	               cause && cause->advice ? cause->advice : MEMORY_ADVICE);
	explain_conclude(
	        x, cause_of_kill(cause), CONFIDENCE_CERTAIN,
	        "the system killed %s: %s", subject_of(x, headline),
	        cause ? cause->meaning
	              : explain_quote(x, arena_text(x->arena, headline->name)));
}

/** `InactiveHard 14 MB (fatal)`: over a limit, and killed if it is fatal. */
static void conclude_limit(struct explain *x, const struct headline *headline)
{
	bool is_fatal = text_find(headline->reason, "(fatal)") != TEXT_NOWHERE;
	const char *limit =
	        explain_quote(x, arena_text(x->arena, headline->reason));

	explain_advise(x, MEMORY_ADVICE);
	if (is_fatal)
		explain_conclude(x, CAUSE_MEMORY_LIMIT, CONFIDENCE_CERTAIN,
		                 "the system killed %s at its memory limit: "
		                 "%s",
		                 subject_of(x, headline), limit);
	else
		explain_conclude(x, CAUSE_MEMORY_LIMIT, CONFIDENCE_CERTAIN,
		                 "%s exceeded a memory limit: %s",
		                 subject_of(x, headline), limit);
}

/** All messages of the log; the first is the verdict. */
static void conclude_memory(struct explain *x, const struct headline *headline)
{
	for (size_t i = 0; i < x->report->section_count; i++) {
		const struct report_section *section = &x->report->sections[i];
		struct headline one = { 0 };

		if (strcmp(section->label, SECTION) != 0 ||
		    !headline_find(text_from(section->text), &one) ||
		    one.kind != HEADLINE_MEMORY_KILL)
			continue;
		explain_claim(x, CONFIDENCE_CERTAIN, "the kernel says: %s",
		              explain_quote(x, section->text));
		explain_cite(x, evidence_of_section(x, SECTION, section->text));
	}
	if (headline->name.size)
		conclude_kill(x, headline);
	else
		conclude_limit(x, headline);
}

/** A log has the first line of a panic: it is not about a process. */
static void conclude_panic(struct explain *x,
                           const struct report_section *section)
{
	const char *words = strstr(section->text, "): ");

	explain_claim(x, CONFIDENCE_CERTAIN, "the console says: %s",
	              explain_quote(x, section->text));
	explain_cite(x, evidence_of_section(x, SECTION, section->text));
	explain_advise(x, "look for the panic's own log of the same time");
	explain_conclude(x, CAUSE_KERNEL_PANIC, CONFIDENCE_CERTAIN,
	                 "the kernel stopped the device: %s",
	                 explain_quote(x, words ? words + strlen("): ")
	                                        : section->text));
}

// Traces without a headline

/** The runtime of a trace, by the word that its reader gave it. */
static const struct meaning *meaning_of_word(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++)
		if (text_same(headline_word(meanings[i].kind), word))
			return &meanings[i];
	return NULL;
}

static void conclude_trace(struct explain *x)
{
	const struct meaning *meaning = meaning_of_word(x->report->thrown.kind);

	if (!meaning || !x->facts.stack || !x->facts.stack->count)
		return;
	explain_claim(x, CONFIDENCE_LIKELY,
	              "the text is a stack trace of this runtime, without its "
	              "message");
	explain_cite(x, evidence_of_frame(x, x->facts.stack, 0));
	explain_advise(x, advice_for(x, NULL, meaning, ""));
	explain_conclude(x, meaning->cause, CONFIDENCE_LIKELY,
	                 "%s %s; the text does not give its message",
	                 x->facts.process, meaning->verdict);
}

// React Native: an error of JavaScript as an Objective-C exception

#define UNHANDLED "Unhandled JS Exception: "

/** `TypeError: undefined is not a function`, once. */
static const char *javascript_words(const struct explain *x)
{
	const struct report_thrown *thrown = &x->report->thrown;
	const char *at = NULL;

	if (thrown->reason)
		at = strstr(thrown->reason, UNHANDLED);
	if (!at && thrown->name)
		at = strstr(thrown->name, UNHANDLED);
	if (!at)
		return NULL;
	return explain_quote(
	        x, arena_text(x->arena, text_trim(without_engine(text_from(
	                                        at + strlen(UNHANDLED))))));
}

static const struct report_thread *javascript_thread(const struct explain *x)
{
	for (size_t i = 0; i < x->report->thread_count; i++)
		if (text_same(x->report->threads[i]->name, "JavaScript"))
			return x->report->threads[i];
	return NULL;
}

static bool conclude_javascript(struct explain *x)
{
	const char *words = javascript_words(x);
	const struct report_thread *thread = javascript_thread(x);

	if (!words || x->facts.is_access)
		return false;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "React Native ended the app because of an error in "
	              "JavaScript: %s",
	              words);
	explain_cite(x,
	             evidence_of_section(x, "Application Specific Information",
	                                 UNHANDLED));
	if (!x->report->lines)
		explain_cite(x, evidence_of(x, PLACE_THROWN));
	if (thread && thread->stack.count) {
		x->facts.thread = thread;
		x->facts.stack = &thread->stack;
	}
	explain_advise(x, advice_for(x, NULL, find_meaning(HEADLINE_JAVASCRIPT),
	                             words));
	explain_conclude(x, CAUSE_JAVASCRIPT_ERROR, CONFIDENCE_CERTAIN,
	                 "%s ended because of a JavaScript error that was not "
	                 "caught: %s",
	                 x->facts.process, words);
	return true;
}

void explain_console(struct explain *x)
{
	struct headline headline = { 0 };
	const struct report_section *section;
	const struct meaning *meaning;

	if (x->concluded || conclude_javascript(x))
		return;
	section = choose(x, &headline);
	if (!section) {
		conclude_trace(x);
		return;
	}
	if (headline.kind == HEADLINE_MEMORY_KILL) {
		conclude_memory(x, &headline);
		return;
	}
	if (headline.kind == HEADLINE_PANIC) {
		conclude_panic(x, section);
		return;
	}
	// Frames of a trace prove what a type alone does not.
	meaning = meaning_of_word(x->report->thrown.kind);
	if (!meaning || !headline.needs_frames)
		meaning = find_special(&headline);
	if (!meaning)
		meaning = find_meaning(headline.kind);
	if (meaning)
		conclude(x, section, &headline, meaning);
}
