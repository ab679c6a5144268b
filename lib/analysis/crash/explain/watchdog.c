// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/base/units.h"
#include "lib/darwin/hangs.h"
#include "lib/darwin/headline.h"
#include "lib/darwin/terminations.h"

#include <inttypes.h>
#include <string.h>

/**
 * CPU time of the app in percent of its time: below the first it waited, above
 * the second it was busy.
 */
#define WAITING_PERCENT 20
#define BUSY_PERCENT    60

/** Allowances and CPU times are read up to this many milliseconds: a day. */
#define MS_MOST UINT64_C(86400000)

/** The evidence is a line of a log, stored as a section. */
#define PLACE_HEADLINE PLACE_COUNT
#define SECTION        "Headline"

/** Contents of the watchdog's text. */
struct watchdog {
	const char *event;      ///< `scene-create`; or NULL
	const char *visibility; ///< `Foreground`
	uint64_t allowance_ms;
	bool has_allowance;
	bool is_cpu_clock; ///< it is of CPU time
	uint64_t app_cpu_ms;
	bool has_app_cpu;
	uint64_t total_cpu_ms;
	bool has_total_cpu;
	enum place allowance_place;
	enum place cpu_place;
	enum place event_place;
};

/** The number of seconds after @p label. */
static bool read_seconds(struct text line, const char *label, uint64_t *ret)
{
	size_t at = text_find(line, label);
	struct text rest;
	size_t size = 0;

	if (at == TEXT_NOWHERE)
		return false;
	rest = text_trim_left(text_after(line, at + strlen(label)));
	while (size < rest.size &&
	       (text_is_digit(rest.data[size]) || rest.data[size] == '.'))
		size++;
	// The full stop of the sentence is not part of the number.
	while (size && rest.data[size - 1] == '.')
		size--;
	return units_read(text_first(rest, size), 1000, MS_MOST, ret);
}

/** `com.example.demo failed to launch in time` */
static void read_old_event(struct explain *x, struct text line,
                           enum place place, struct watchdog *ret)
{
	static const char failed[] = " failed to ";
	size_t at = text_find(line, failed);

	line = text_after(line, at + strlen(failed));
	if (at == TEXT_NOWHERE || ret->event || !text_ends(line, " in time"))
		return;
	ret->event = arena_text(
	        x->arena, text_first(line, line.size - strlen(" in time")));
	ret->event_place = place;
}

/** `scene-create` of `… scene-create watchdog transgression: …` */
static void read_event(struct explain *x, struct text line, enum place place,
                       struct watchdog *ret)
{
	size_t at = text_find(line, " watchdog transgression");
	struct text before = text_first(line, at);
	size_t start = before.size;

	if (text_take(&line, "WatchdogEvent:")) {
		ret->event = explain_quote(x, arena_text(x->arena, line));
		ret->event_place = place;
	}
	read_old_event(x, line, place, ret);
	if (at == TEXT_NOWHERE || ret->event)
		return;
	while (start && (text_is_alnum(before.data[start - 1]) ||
	                 before.data[start - 1] == '-'))
		start--;
	if (start == before.size)
		return;
	ret->event = arena_text(x->arena, text_after(before, start));
	ret->event_place = place;
}

static void read_line(struct explain *x, const char *in, enum place place,
                      struct watchdog *ret)
{
	static const char app[] = "Elapsed application CPU time (seconds):";
	static const char total[] = "Elapsed total CPU time (seconds):";
	struct text line = text_trim(text_from(in));

	while (line.size && strchr("\"'( ", line.data[0]))
		line = text_after(line, 1);
	read_event(x, line, place, ret);
	if (text_starts(line, "ProcessVisibility:"))
		ret->visibility = explain_quote(
		        x,
		        arena_text(x->arena,
		                   text_after(line,
		                              strlen("ProcessVisibility:"))));
	if (!ret->has_allowance &&
	    (read_seconds(line, "time allowance of", &ret->allowance_ms) ||
	     read_seconds(line, "terminate gracefully after",
	                  &ret->allowance_ms))) {
		ret->has_allowance = true;
		ret->is_cpu_clock = text_find(line, "CPU time allowance") !=
		                    TEXT_NOWHERE;
		ret->allowance_place = place;
	}
	if (!ret->has_app_cpu && read_seconds(line, app, &ret->app_cpu_ms)) {
		ret->has_app_cpu = true;
		ret->cpu_place = place;
	}
	if (!ret->has_total_cpu &&
	    read_seconds(line, total, &ret->total_cpu_ms)) {
		ret->has_total_cpu = true;
		ret->cpu_place = place;
	}
}

/** Parts are elements, or lines of one. */
static void read_text(struct explain *x, const char *in, enum place place,
                      struct watchdog *ret)
{
	struct text rest = text_from(in ? in : "");
	struct text line;

	while (text_next_line(&rest, &line))
		read_line(x, arena_text(x->arena, line), place, ret);
}

static void read_watchdog(struct explain *x, struct watchdog *ret)
{
	const struct report_termination *t = &x->report->termination;

	for (size_t i = 0; i < t->reason_count; i++)
		read_text(x, t->reasons[i], PLACE_REASONS, ret);
	for (size_t i = 0; i < t->detail_count; i++)
		read_text(x, t->details[i], PLACE_DETAILS, ret);
	read_text(x, t->indicator, PLACE_INDICATOR, ret);
	// Its place up to iOS 8.
	if (!t->has_code)
		read_text(x,
		          report_section(x->report,
		                         "Application Specific Information"),
		          PLACE_ASI, ret);
}

/** The system's log message about the app; or NULL. */
static const struct report_section *find_headline(const struct explain *x)
{
	struct headline headline = { 0 };

	for (size_t i = 0; i < x->report->section_count; i++) {
		const struct report_section *section = &x->report->sections[i];

		if (!strcmp(section->label, SECTION) &&
		    headline_find(text_from(section->text), &headline) &&
		    headline.kind == HEADLINE_WATCHDOG)
			return section;
	}
	return NULL;
}

/** `transgression: … | ProcessVisibility: Foreground | …`. */
static void read_headline(struct explain *x, const char *in,
                          struct watchdog *ret)
{
	struct text rest = text_from(in);

	while (rest.size) {
		size_t end = text_find_char(rest, '|');

		read_text(x, arena_text(x->arena, text_first(rest, end)),
		          PLACE_HEADLINE, ret);
		rest = end == TEXT_NOWHERE ? TEXT_NONE
		                           : text_after(rest, end + 1);
	}
}

static void cite(struct explain *x, enum place place, const char *needle)
{
	explain_cite(x, place == PLACE_HEADLINE
	                        ? evidence_of_section(x, SECTION, needle)
	                        : evidence_of(x, place));
}

static const char *seconds(struct explain *x, uint64_t ms)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_exact(&text, ms, 1000);
	return arena_text(x->arena, str_text(&text));
}

/** The events that have a name. */
static const struct watchdog_event {
	const char *event;
	const char *words;    ///< plain ones
	const char *scenario; ///< of lib/darwin/hangs.h; or NULL
} events[] = {
	{ "scene-create", "while its first screen was to appear", "launch" },
	{ "scene-update",
	  "while a scene was to change, as when it goes to the background",
	  NULL },
	{ "process-launch", "while it was to launch", "launch" },
	{ "process-exit", "while it was to end", "quit" },
	{ "launch", "while it was to launch", "launch" },
	{ "resume", "while it was to come to the foreground", "resume" },
	{ "suspend", "while it was to be suspended", "suspend" },
	{ "terminate", "while it was to end", "quit" },
};

static const struct watchdog_event *find_event(const char *event)
{
	for (size_t i = 0; event && i < ARRAY_SIZE(events); i++)
		if (!strcmp(events[i].event, event))
			return &events[i];
	return NULL;
}

static const char *event_words(const char *event)
{
	const struct watchdog_event *found = find_event(event);

	return found ? found->words : NULL;
}

/** Did it wait, or was it busy? Only its own CPU time shows that. */
static const char *claim_cpu(struct explain *x, const struct watchdog *w)
{
	uint64_t percent;
	const char *verdict;

	if (w->has_total_cpu) {
		explain_claim(x, CONFIDENCE_CERTAIN,
		              "all processes together used %s s of CPU time "
		              "meanwhile",
		              seconds(x, w->total_cpu_ms));
		cite(x, w->cpu_place, "CPU time");
	}
	if (!w->has_app_cpu || !w->has_allowance || !w->allowance_ms ||
	    w->is_cpu_clock)
		return w->is_cpu_clock ? "busy" : NULL;
	percent = units_share(w->app_cpu_ms, w->allowance_ms, 100);
	verdict = percent < WAITING_PERCENT ? "waiting"
	          : percent > BUSY_PERCENT  ? "busy"
	                                    : NULL;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "the app itself used %s s of CPU time in %s s: %s",
	              seconds(x, w->app_cpu_ms), seconds(x, w->allowance_ms),
	              !verdict ? "whether it waited or was busy is "
	                         "inconclusive"
	              : *verdict == 'w'
	                      ? "it waited (for a lock, input or output, or "
	                        "another process)"
	                      : "it was busy");
	cite(x, w->cpu_place, "CPU time");
	return verdict;
}

/** The stack only shows the moment of the kill. */
static void claim_main_thread(struct explain *x)
{
	const struct report *report = x->report;
	const struct report_stack *stack;
	const char *wait;
	size_t frame = 0;

	if (!report->thread_count || report->threads[0]->number)
		return;
	stack = &report->threads[0]->stack;
	wait = explain_wait(stack, &frame);
	if (!wait)
		return;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "at the moment of the kill, the main thread waited %s",
	              wait);
	explain_cite(x, evidence_of_frame(x, stack, frame));
}

/** The usual allowance, if the report has none. */
static void claim_usual(struct explain *x, const struct watchdog *w)
{
	const struct watchdog_event *event = find_event(w->event);
	const struct hang_allowance *allowance =
	        hang_allowance_find(event ? event->scenario : NULL);

	if (w->has_allowance || !allowance)
		return;
	explain_claim(x, CONFIDENCE_LIKELY,
	              "the watchdog usually allows %" PRIu32 " s for %s",
	              allowance->seconds, allowance->words);
	cite(x, w->event_place, "watchdog transgression");
}

static void claim_event(struct explain *x, const struct watchdog *w)
{
	const char *words = event_words(w->event);

	if (w->event) {
		explain_claim(x, CONFIDENCE_CERTAIN, "the event was %s%s%s%s",
		              w->event, words ? " (" : "", words ? words : "",
		              words ? ")" : "");
		cite(x, w->event_place, "watchdog transgression");
	}
	if (w->has_allowance) {
		explain_claim(x, CONFIDENCE_CERTAIN, "it had %s s of %s",
		              seconds(x, w->allowance_ms),
		              w->is_cpu_clock ? "CPU time" : "real time");
		cite(x, w->allowance_place, "time allowance of");
	}
	claim_usual(x, w);
}

/**
 * Background tasks have the same code: from SpringBoard up to iOS 8, later in
 * the namespace of the daemon that counts them.
 */
static bool conclude_background(struct explain *x, const struct watchdog *w)
{
	static const char words[] = "active assertions beyond permitted time";
	const char *space = x->report->termination.namespace_name;
	bool is_said = explain_find_text(x, words) != NULL;

	if (!is_said && (w->event || !text_same(space, "ASSERTIOND")))
		return false;
	if (!is_said) {
		explain_claim(x, CONFIDENCE_LIKELY,
		              "assertiond, which counts the time of background "
		              "tasks, ended it");
		explain_cite(x, evidence_of(x, PLACE_TERMINATION));
	}
	explain_advise(x, "end each background task in time, also when its "
	                  "expiration handler is called");
	explain_conclude(x, CAUSE_BACKGROUND_TASK,
	                 is_said ? CONFIDENCE_CERTAIN : CONFIDENCE_LIKELY,
	                 "the system ended %s: a background task was not over "
	                 "in the time that it had",
	                 x->facts.process);
	return true;
}

static const char *advice_of(const char *verdict)
{
	if (!verdict)
		return "find what the main thread did during the whole time: "
		       "the stacks are of the last moment only";
	if (*verdict == 'w')
		return "look for locks, synchronous input and output, and "
		       "calls to other processes on the main thread";
	return "look for long work on the main thread, and move it off";
}

void explain_watchdog(struct explain *x)
{
	const struct termination_code *code = explain_termination_code(x);
	const struct report_section *headline = code ? NULL : find_headline(x);
	struct watchdog w = { .event = NULL };
	const char *verdict;
	const char *words;

	if (!headline && (!code || code->kind != TERMINATION_WATCHDOG))
		return;
	if (headline)
		read_headline(x, headline->text, &w);
	else
		read_watchdog(x, &w);
	if (headline && !x->report->process.name && x->report->identifier)
		x->facts.process = explain_quote(x, x->report->identifier);
	if (conclude_background(x, &w))
		return;
	claim_event(x, &w);
	verdict = claim_cpu(x, &w);
	claim_main_thread(x);
	explain_advise(x, advice_of(verdict));
	words = event_words(w.event);
	explain_conclude(
	        x, CAUSE_WATCHDOG, CONFIDENCE_CERTAIN,
	        "the watchdog ended %s: it did not respond%s%s%s%s%s%s%s",
	        x->facts.process, w.has_allowance ? " within " : " in time",
	        w.has_allowance ? seconds(x, w.allowance_ms) : "",
	        w.has_allowance ? " s" : "", words ? " " : "",
	        words ? words : "", verdict ? "; it was " : "",
	        verdict ? verdict : "");
}
