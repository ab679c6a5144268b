// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/evidence_lines.h"
#include "lib/analysis/crash/explain/steps.h"

#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/units.h"
#include "lib/darwin/bug_types.h"
#include "lib/darwin/hangs.h"
#include "lib/darwin/jetsam.h"
#include "lib/model/jetsam_answer.h"

#include <inttypes.h>
#include <string.h>

enum cause explain_jetsam_cause(const char *reason)
{
	static const enum cause causes[] = {
		CAUSE_JETSAM_LIMIT,
		CAUSE_JETSAM_HIGH_WATER,
		CAUSE_JETSAM_PAGES,
	};

	for (size_t i = 0; reason && i < ARRAY_SIZE(causes); i++)
		if (!strcmp(explain_causes[causes[i]].word + strlen("jetsam-"),
		            reason))
			return causes[i];
	return CAUSE_JETSAM;
}

/** Kinds of reports about other events than a crash. */
static const struct {
	const char *kind; ///< part of report.kind
	enum cause cause;
	const char *verdict;
	const char *measure; ///< field with the amount; or NULL
} kinds[] = {
	{ "kernel panic", CAUSE_KERNEL_PANIC, "the kernel stopped the device",
	  NULL },
	{ "forced reset", CAUSE_FORCED_RESET,
	  "the device was reset by its user", NULL },
	{ "stackshot", CAUSE_NONE,
	  "a record of the stacks of all processes: it does not say that "
	  "anything failed",
	  NULL },
	{ "hang", CAUSE_HANG, "the main thread did not respond for a while",
	  NULL },
	{ "CPU exception", CAUSE_CPU_LIMIT,
	  "more CPU time was used than the system permits", "Total CPU Time" },
	{ "CPU usage", CAUSE_CPU_USAGE, "a record of CPU time by process",
	  NULL },
	{ "disk write", CAUSE_DISK_WRITES,
	  "more was written to storage than the system permits",
	  "Writes Caused" },
	{ "memory exception", CAUSE_MEMORY_LIMIT,
	  "more memory was used than the system permits", NULL },
	{ "app launch", CAUSE_HANG, "the app took long to launch",
	  "Launch Duration" },
	{ "spindump", CAUSE_NONE,
	  "samples of threads: the text says why they were taken", "Event" },
	{ "main thread block", CAUSE_HANG,
	  "the main thread did not respond for a while", NULL },
	{ "list of backtraces", CAUSE_NONE,
	  "the stacks of threads at one moment: it does not say that anything "
	  "failed",
	  NULL },
	{ "profile", CAUSE_NONE, "samples of a thread", NULL },
	{ "'sample'", CAUSE_NONE, "samples of threads", NULL },
	{ "'leaks'", CAUSE_NONE, "a list of memory that nothing refers to",
	  NULL },
};

/** A line with the reason for sampling. */
struct occasion {
	const char *label;
	const char *sign; ///< part of its value
	enum cause cause;
	/** the process's activity; NULL: a hang of the main thread */
	const char *what;
};

static const struct occasion occasions[] = {
	{ "CPU", "exceeding limit", CAUSE_CPU_LIMIT,
	  "used more CPU time than the system permits" },
	{ "Writes", "exceeding limit", CAUSE_DISK_WRITES,
	  "wrote more to storage than the system permits" },
	{ "Wakeups", "exceeding limit", CAUSE_WAKEUPS,
	  "woke the processor more often than the system permits" },
	{ "Event", "hang", CAUSE_HANG, NULL },
	{ "Event", "Hang", CAUSE_HANG, NULL },
};

/** Limits first: an event is their consequence. */
static const struct occasion *find_occasion(const struct explain *x)
{
	for (size_t i = 0; i < ARRAY_SIZE(occasions); i++) {
		const struct report_field *field =
		        explain_field(x, occasions[i].label);

		if (field && strstr(field->value, occasions[i].sign))
			return &occasions[i];
	}
	return NULL;
}

/** `20 secs.` without its stop, `2,000 byte` in the plural: for a sentence. */
static const char *quote_measure(const struct explain *x,
                                 const struct report_field *field)
{
	struct text value = text_from(explain_quote(x, field->value));
	bool is_byte = text_ends(value, " byte") && !text_is(value, "1 byte");

	if (text_ends(value, "."))
		value.size--;
	return arena_printf(x->arena, "%.*s%s", (int)value.size, value.data,
	                    is_byte ? "s" : "");
}

/** As its reader found it elsewhere: `9850 ms`, `4.8 to 5.6 s`. */
static const char *measured_text(const struct explain *x)
{
	const struct report *report = x->report;
	SCOPED(str_release) struct str text = { 0 };

	if (!report->sampled_us)
		return NULL;
	if (report->sampled_most_us) {
		units_add_exact(&text, report->sampled_us, 1000000);
		str_add(&text, " to ");
		units_add_exact(&text, report->sampled_most_us, 1000000);
		str_add(&text, " s");
		return arena_text(x->arena, str_text(&text));
	}
	if (report->sampled_at_least)
		str_add(&text, "at least ");
	units_add_exact(&text, report->sampled_us,
	                report->sampled_at_least ? 1000000 : 1000);
	str_add(&text, report->sampled_at_least ? " s" : " ms");
	return arena_text(x->arena, str_text(&text));
}

/** Duration of the hang, in any format. */
static const char *find_duration(const struct explain *x)
{
	static const char *const labels[] = { "Hang Duration", "Duration" };

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		const struct report_field *field = explain_field(x, labels[i]);

		if (field && *field->value)
			return quote_measure(x, field);
	}
	// A launch duration has a verdict of its own.
	return explain_field(x, "Launch Duration") ? NULL : measured_text(x);
}

/** Are there calls to draw? Not in a list of the heaviest frames. */
static bool has_calls(const struct explain *x)
{
	return x->report->tree_count || x->report->thread_count;
}

static const char *advice_of(const struct explain *x, enum cause cause)
{
	switch (cause) {
	case CAUSE_HANG:
		return has_calls(x) ? "look at what the main thread did: "
		                      "'apmtool flamegraph' draws its call "
		                      "tree"
		                    : "look at what the main thread did";
	case CAUSE_CPU_LIMIT:
	case CAUSE_DISK_WRITES:
	case CAUSE_WAKEUPS:
		return has_calls(x)
		               ? "look at the heaviest stacks: 'apmtool "
		                 "flamegraph' draws them"
		               : "look at the heaviest stack of the report";
	case CAUSE_MEMORY_LIMIT:
		return "look at what the app held in memory, and for a jetsam "
		       "log of the same time";
	default:
		return NULL;
	}
}

static void conclude_hang(struct explain *x)
{
	const char *duration = find_duration(x);

	explain_advise(x, advice_of(x, CAUSE_HANG));
	explain_conclude(x, CAUSE_HANG, CONFIDENCE_CERTAIN,
	                 "%s: the main thread did not respond for %s",
	                 x->report->kind, duration ? duration : "a while");
}

static void conclude_occasion(struct explain *x,
                              const struct occasion *occasion)
{
	const struct report_field *field = explain_field(x, occasion->label);
	const struct report_field *action = explain_field(x, "Action taken");
	bool is_killed = action && strstr(action->value, "killed");

	if (!occasion->what) {
		conclude_hang(x);
		return;
	}
	explain_advise(x, advice_of(x, occasion->cause));
	explain_conclude(x, occasion->cause, CONFIDENCE_CERTAIN, "%s %s%s: %s",
	                 x->facts.process, occasion->what,
	                 is_killed ? ", and was killed for it" : "",
	                 explain_quote(x, field->value));
}

/** Measurements of the app's monitors: `Hang Duration` and the like. */
static void claim_measures(struct explain *x)
{
	static const char *const labels[] = {
		"Hang Duration",
		"Total CPU Time",
		"Total Sampled Time",
		"Writes Caused",
		"Launch Duration",
		"Duration",
		"Action taken",
		"CPU",
		"Event",
		"Writes",
		"Wakeups",
		"Reason",
	};

	for (size_t i = 0; i < x->report->field_count; i++) {
		const struct report_field *field = &x->report->fields[i];

		for (size_t k = 0; k < ARRAY_SIZE(labels); k++) {
			if (strcmp(field->label, labels[k]) != 0)
				continue;
			explain_claim(x, CONFIDENCE_CERTAIN, "%s: %s",
			              field->label,
			              explain_quote(x, field->value));
			explain_cite(x, evidence_of_field(x, field));
		}
	}
}

/** Claim how much of the watchdog's allowance was used. */
static void claim_allowance(struct explain *x)
{
	const struct report *report = x->report;
	const struct report_field *field = explain_field(x, "Event");
	const struct hang_event *event =
	        hang_event_find(field ? field->value : NULL);
	bool is_launch = report->sample_kind == SAMPLE_KIND_LAUNCH;
	const struct hang_allowance *allowance =
	        hang_allowance_find(is_launch ? "launch"
	                            : event   ? event->scenario
	                                      : NULL);

	if (!allowance || !report->sampled_us || report->sampled_at_least)
		return;
	explain_claim(x, CONFIDENCE_LIKELY,
	              "that is %" PRIu64 " %% of the %" PRIu32
	              " s that the watchdog usually allows for %s",
	              units_share(report->sampled_us,
	                          allowance->seconds * UINT64_C(1000000), 100),
	              allowance->seconds, allowance->words);
	if (!field)
		field = explain_field(x, "Launch Duration");
	if (field)
		explain_cite(x, evidence_of_field(x, field));
}

/** The first line of a panic has process and reason. */
static void claim_panic(struct explain *x)
{
	const char *panic = report_section(x->report, "Panic String");

	if (!panic)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN, "the panic string begins: %s",
	              explain_quote(x, panic));
	explain_cite(x, evidence_of(x, PLACE_PANIC));
}

/** `: 20 sec within 60 sec`, as in the report; or empty. */
static const char *measure_of(const struct explain *x, const char *label)
{
	const struct report_field *field = label ? explain_field(x, label)
	                                         : NULL;
	const struct report_field *sampled = NULL;

	if (!field || !*field->value)
		return "";
	if (!strcmp(label, "Total CPU Time"))
		sampled = explain_field(x, "Total Sampled Time");
	return arena_printf(x->arena, ": %s%s%s", quote_measure(x, field),
	                    sampled ? " within " : "",
	                    sampled ? quote_measure(x, sampled) : "");
}

/** The text in the quotes at the start of a reason, with nested quotes. */
static struct text unquoted(struct text reason)
{
	size_t end;

	if (!text_take(&reason, "\""))
		return reason;
	end = text_find(reason, "\" @");
	if (end == TEXT_NOWHERE)
		end = text_find(reason, "\"@");
	if (end == TEXT_NOWHERE && text_ends(reason, "\""))
		end = reason.size - 1;
	return text_first(reason, end);
}

/** The words of a panic without addresses; or NULL. */
static const char *panic_reason(const struct explain *x)
{
	static const char *const ends[] = { " (expected", " (saved", " at pc ",
		                            " @", ", registers" };
	const char *panic = report_section(x->report, "Panic String");
	struct text reason = text_from(panic ? explain_quote(x, panic) : "");
	size_t at = text_find(reason, "): ");

	if (!text_starts(reason, "panic(") || at == TEXT_NOWHERE)
		return NULL;
	reason = text_after(reason, at + strlen("): "));
	reason = unquoted(reason);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		reason = text_first(reason, text_find(reason, ends[i]));
	reason = text_trim(reason);
	// The text after such a mark is on the next lines, or missing.
	while (reason.size && strchr(":,;", reason.data[reason.size - 1]))
		reason = text_trim(text_first(reason, reason.size - 1));
	return reason.size ? arena_text(x->arena, reason) : NULL;
}

static void conclude_panic(struct explain *x)
{
	const char *reason = panic_reason(x);
	const char *task = x->report->process.name;

	explain_advise(x, "update the system and third-party drivers; if the "
	                  "same reason comes again, send the log to Apple");
	if (!reason)
		return;
	explain_conclude(x, CAUSE_KERNEL_PANIC, CONFIDENCE_CERTAIN,
	                 "%s: the kernel stopped the device: %s%s%s%s",
	                 x->report->kind, reason, task ? " (task " : "",
	                 task ? explain_quote(x, task) : "", task ? ")" : "");
}

/** Its line in a text, its key in JSON. */
static struct evidence stackshot_place(const struct explain *x,
                                       const char *label, const char *key)
{
	return (struct evidence){
		.place = x->report->lines ? evidence_line_below(x, label, NULL)
		                          : key,
	};
}

/** A stackshot has a reason, and the code it was requested with. */
static void conclude_stackshot(struct explain *x)
{
	static const char label[] = "Reason";
	const char *reason = report_section(x->report, label);
	const char *code = x->report->exception.codes;

	// Old ones are text, with a header.
	if (!reason)
		reason = report_field(x->report, label);
	if (reason && *reason) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the reason is: %s",
		              explain_quote(x, reason));
		explain_cite(x, stackshot_place(x, "Reason:", "reason"));
	}
	if (code) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the exception is %s",
		              code);
		explain_cite(
		        x, stackshot_place(x, "Exception Code:", "exception"));
	}
	if (!code && !(reason && *reason))
		return;
	explain_conclude(x, CAUSE_NONE, CONFIDENCE_CERTAIN,
	                 "%s: taken because of: %s%s%s%s", x->report->kind,
	                 reason && *reason ? explain_quote(x, reason)
	                                   : "exception ",
	                 code && reason ? " (exception " : "", code ? code : "",
	                 code && reason ? ")" : "");
}

static void conclude_kind(struct explain *x)
{
	const struct occasion *occasion = find_occasion(x);
	const char *kind = x->report->kind;

	if (occasion) {
		claim_measures(x);
		claim_allowance(x);
		conclude_occasion(x, occasion);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strstr(kind, kinds[i].kind))
			continue;
		claim_panic(x);
		claim_measures(x);
		claim_allowance(x);
		if (kinds[i].cause == CAUSE_KERNEL_PANIC)
			conclude_panic(x);
		if (!strcmp(kinds[i].kind, "stackshot"))
			conclude_stackshot(x);
		if (has_calls(x) && (!strcmp(kinds[i].kind, "'sample'") ||
		                     !strcmp(kinds[i].kind, "profile")))
			explain_advise(x,
			               "look at what its threads did: 'apmtool "
			               "flamegraph' draws their calls");
		if (kinds[i].cause == CAUSE_HANG && find_duration(x))
			conclude_hang(x);
		explain_advise(x, advice_of(x, kinds[i].cause));
		explain_conclude(x, kinds[i].cause, CONFIDENCE_CERTAIN,
		                 "%s: %s%s", kind, kinds[i].verdict,
		                 measure_of(x, kinds[i].measure));
		return;
	}
	claim_measures(x);
	explain_conclude(x, CAUSE_NONE, CONFIDENCE_CERTAIN,
	                 "%s: it is not about a crash", kind);
}

/** Does a MetricKit diagnostic have more than its call tree? */
static bool has_diagnostic(const struct report *report)
{
	return report->kind || report->exception.type ||
	       report->exception.signal || report->thrown.name ||
	       report->thrown.reason || report->termination.namespace_name ||
	       report->os_version || report->version;
}

/** Call trees are passed on without the reason for sampling. */
static void conclude_bare_tree(struct explain *x)
{
	const struct report *report = x->report;
	bool is_sampled = report->tree_count > 0;

	if (!text_same(report->format, "metrickit") || has_diagnostic(report))
		return;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              is_sampled
	                      ? "the report is only a call tree, with samples"
	                      : "the report is only a call tree");
	explain_cite(x, (struct evidence){ .place = "callStacks" });
	explain_advise(x, "pass the whole payload of MetricKit: it says why "
	                  "the call tree was recorded");
	explain_conclude(
	        x, CAUSE_UNKNOWN, CONFIDENCE_CERTAIN,
	        "inconclusive: this is only the call tree of a MetricKit "
	        "diagnostic; whether %s is in the payload around it",
	        is_sampled ? "it was sampled during a hang, a launch or while "
	                     "much CPU time or storage was used"
	                   : "it was a crash or a hang");
}

void explain_no_crash(struct explain *x)
{
	const struct report *report = x->report;
	const char *note = report->exception.note;
	const char *message;

	if (report->kind && !report->jetsam) {
		explain_claim(x, CONFIDENCE_CERTAIN,
		              "this is not a crash report but %s%s",
		              bug_type_article(report->kind), report->kind);
		explain_cite(x, evidence_of(x, PLACE_KIND));
		conclude_kind(x);
	}
	conclude_bare_tree(x);
	if (!note || !strstr(note, "NOT a crash"))
		return;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "the report is not about a crash: %s", note);
	explain_cite(x, evidence_of(x, PLACE_NOTE));
	if (strstr(note, "NON-FATAL"))
		return;
	message = report->exception.message;
	explain_conclude(x, CAUSE_NONE, CONFIDENCE_CERTAIN,
	                 "%s did not crash: the report was made on purpose%s%s",
	                 x->facts.process, message ? ": " : "",
	                 message ? explain_quote(x, message) : "");
}

/** Advice is not a claim. */
static bool is_advice(const struct jetsam_answer *answer, const char *line)
{
	for (size_t i = 0; i < answer->victim_count; i++)
		if (answer->victims[i].advice &&
		    strstr(line, answer->victims[i].advice))
			return true;
	return false;
}

/** A log of kills: lib/analysis/jetsam has read it. */
static void conclude_log(struct explain *x)
{
	const struct jetsam_answer *answer = x->report->jetsam_answer;
	const struct jetsam_victim *victim =
	        answer->victim_count ? &answer->victims[0] : NULL;
	// A text has no paths: use the one of apmtool.report/1.
	bool is_text = text_same(x->report->format, "jetsam-text");
	const char *verdict = answer->verdict_count
	                              ? explain_quote(x, answer->verdict[0])
	                              : "a jetsam log";

	for (size_t i = 0; i < answer->verdict_count; i++) {
		if (is_advice(answer, answer->verdict[i]))
			continue;
		explain_claim(x, CONFIDENCE_CERTAIN, "%s",
		              explain_quote(x, answer->verdict[i]));
		explain_cite(x, (struct evidence){
		                        .place = is_text ? "jetsam.processes"
		                                         : "processes" });
	}
	if (!victim) {
		explain_conclude(
		        x, x->report->truncated ? CAUSE_UNKNOWN : CAUSE_NONE,
		        CONFIDENCE_CERTAIN, "%s", verdict);
		return;
	}
	// Cause and advice are for one victim.
	if (answer->victim_count > 1)
		verdict = arena_printf(
		        x->arena, "%s; the heaviest was %s (%s)", verdict,
		        victim->process->name
		                ? explain_quote(x, victim->process->name)
		                : "a process without a name",
		        explain_quote(x, victim->process->reason));
	explain_advise(x, victim->advice);
	explain_conclude(x, explain_jetsam_cause(victim->process->reason),
	                 CONFIDENCE_CERTAIN, "%s", verdict);
}

/** KSCrash's conclusion at the next launch: killed for memory. */
static void conclude_memory_termination(struct explain *x)
{
	static const char label[] = "Extra Information: Memory Termination";

	if (!report_section(x->report, label))
		return;
	explain_claim(x, CONFIDENCE_LIKELY,
	              "the reporter found, at the next launch, that the app "
	              "had run out of memory");
	explain_cite(x, evidence_of_section(x, label, NULL));
	explain_advise(x, "look for a jetsam log of the same time, and at what "
	                  "used the memory");
	explain_conclude(x, CAUSE_OUT_OF_MEMORY, CONFIDENCE_LIKELY,
	                 "%s was killed, likely because it ran out of memory",
	                 x->facts.process);
}

void explain_jetsam(struct explain *x)
{
	if (x->report->jetsam_answer)
		conclude_log(x);
	else
		conclude_memory_termination(x);
}
