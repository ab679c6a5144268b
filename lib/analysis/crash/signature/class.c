// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/class.h"

#include "lib/darwin/exceptions.h"
#include "lib/darwin/headline.h"
#include "lib/darwin/jetsam.h"
#include "lib/darwin/terminations.h"

#include <inttypes.h>
#include <string.h>

/** Smaller codes are counted in decimal, as headers write them. */
#define SMALL_CODE 0x10000

/** Words of a watchdog's message, and the slow phase. */
static const struct {
	const char *words;
	const char *scenario;
} scenarios[] = {
	{ "scene-create", "scene-create" }, { "scene-update", "scene-update" },
	{ "process-launch", "launch" },     { "process-exit", "exit" },
	{ "failed to launch", "launch" },   { "failed to resume", "resume" },
	{ "failed to suspend", "suspend" }, { "failed to terminate", "exit" },
	{ "background", "background" },
};

bool signature_is_watchdog(const struct report *report)
{
	const struct report_termination *end = &report->termination;

	const struct termination_code *code =
	        end->has_code ? termination_code_find(end->namespace_name,
	                                              end->code & UINT32_MAX)
	                      : NULL;

	return code && code->kind == TERMINATION_WATCHDOG;
}

bool signature_is_found_later(const struct report *report)
{
	const struct report_termination *end = &report->termination;

	return text_same(end->namespace_name, "KSCRASH") && end->indicator;
}

static const char *find_scenario(const struct report_termination *end)
{
	for (size_t i = 0; i < ARRAY_SIZE(scenarios); i++) {
		const char *words = scenarios[i].words;

		for (size_t j = 0; j < end->reason_count; j++)
			if (text_find(text_from(end->reasons[j]), words) !=
			    TEXT_NOWHERE)
				return scenarios[i].scenario;
		for (size_t j = 0; j < end->detail_count; j++)
			if (text_find(text_from(end->details[j]), words) !=
			    TEXT_NOWHERE)
				return scenarios[i].scenario;
	}
	return NULL;
}

/** A termination that is more specific than its exception. */
static bool add_termination(const struct report *report, struct str *out)
{
	const struct report_termination *end = &report->termination;
	struct text name =
	        text_from(end->namespace_name ? end->namespace_name : "");
	const char *scenario;

	if (signature_is_watchdog(report)) {
		scenario = find_scenario(end);
		str_addf(out, "WATCHDOG%s%s", scenario ? "/" : "",
		         scenario ? scenario : "");
		return true;
	}
	if (signature_is_found_later(report)) {
		str_addf(out, "KSCRASH/%.40s", end->indicator);
		return true;
	}
	// Signals have exceptions of their own.
	if (!end->has_code || !name.size || text_is_nocase(name, "SIGNAL") ||
	    text_is_digit(*name.data))
		return false;
	text_take(&name, "Namespace ");
	// The same part of the system, renamed.
	if (text_is_nocase(name, "FRONTBOARD"))
		name = text_from("SPRINGBOARD");
	str_add_text(out, text_first(name, 40));
	// Its code may be 0; logs of kills have the reason in words.
	if (text_is(name, "JETSAM") && jetsam_cause_find(end->indicator))
		str_addf(out, "/%s", end->indicator);
	else if (end->code < SMALL_CODE)
		str_addf(out, "/%" PRIu64, end->code);
	else
		str_addf(out, "/0x%" PRIx64, end->code);
	return true;
}

static const char *exception_type(const struct report *report)
{
	const struct report_exception *exception = &report->exception;
	const char *processor = report->code_type ? report->code_type : "";
	const char *type = exception->type;

	if (!type && exception->signal)
		type = darwin_exception_of_signal(exception->signal);
	if (!type)
		return exception->signal;
	// A reader writes unknown types as numbers.
	if (!text_is_letter(*type))
		return NULL;
	// The trap of both kinds of processors, `ud2` and `brk`: on ARM,
	// `ud2`'s exception is no trap.
	if (text_same(type, "EXC_BAD_INSTRUCTION") &&
	    !text_starts(text_from(processor), "ARM"))
		return "EXC_BREAKPOINT";
	return type;
}

/** Exceptions whose subtype changes their meaning. */
static void add_subtype(const char *type, const char *subtype, struct str *out)
{
	struct text text = text_from(subtype ? subtype : "");
	struct text word;

	if ((text_same(type, "EXC_RESOURCE") || text_same(type, "EXC_GUARD")) &&
	    text_next_word(&text, &word)) {
		str_add_char(out, '/');
		str_add_text(out, text_first(word, 40));
	}
}

static const char *const sampled[SAMPLE_KINDS] = {
	[SAMPLE_KIND_STALL] = "HANG",      [SAMPLE_KIND_CPU] = "CPU",
	[SAMPLE_KIND_DISK] = "DISK",       [SAMPLE_KIND_LAUNCH] = "LAUNCH",
	[SAMPLE_KIND_WAKEUPS] = "WAKEUPS",
};

/** A panic of Go, regardless of the signal that its runtime caught. */
static bool add_panic(const struct report *report, struct str *out)
{
	if (!text_same(report->thrown.kind, headline_word(HEADLINE_GO)))
		return false;
	str_add(out, "Go panic");
	return true;
}

/** A type of an exception: `NSRangeException`, `demo::Error`, `a.b.Error`. */
static bool is_type_name(struct text name)
{
	for (size_t i = 0; i < name.size; i++)
		if (!text_is_letter(name.data[i]) &&
		    !text_is_digit(name.data[i]) &&
		    !strchr("_.:$", name.data[i]))
			return false;
	return name.size && name.size <= 80;
}

/** The kind of exception thrown, if there is no type of the kernel. */
static bool add_thrown(const struct report *report, struct str *out)
{
	static const struct {
		enum headline_kind kind;
		const char *word;
	} kinds[] = {
		{ HEADLINE_JAVASCRIPT, "JS" },
		{ HEADLINE_RUST, "Rust panic" },
		{ HEADLINE_DART, "Dart" },
		{ HEADLINE_SANITIZER, "Sanitizer" },
		{ HEADLINE_DOTNET, ".NET" },
		{ HEADLINE_KOTLIN, "Kotlin" },
		{ HEADLINE_MONO, "Mono" },
	};
	const struct report_thrown *thrown = &report->thrown;
	const char *name = thrown->name ? thrown->name : thrown->class_name;
	bool has_name = name && is_type_name(text_from(name));

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!text_same(thrown->kind, headline_word(kinds[i].kind)))
			continue;
		str_add(out, kinds[i].word);
		if (has_name)
			str_addf(out, "/%s", name);
		return true;
	}
	if (has_name)
		str_add(out, name);
	else if (name)
		str_add(out, "EXC_CRASH");
	return name != NULL;
}

void signature_class_add(const struct report *report, struct str *out)
{
	const char *type = exception_type(report);

	if (add_termination(report, out) || add_panic(report, out))
		return;
	if (type) {
		str_add_text(out, text_first(text_from(type), 40));
		add_subtype(type, report->exception.subtype, out);
		return;
	}
	if (sampled[report->sample_kind])
		str_add(out, sampled[report->sample_kind]);
	else if (!add_thrown(report, out))
		str_add(out, report->exception_backtrace.count
		                     ? "EXC_CRASH"
		                     : "NO_EXCEPTION");
}
