#include "lib/analysis/crash/signature/class.h"

#include "lib/darwin/exceptions.h"
#include "lib/darwin/jetsam.h"
#include "lib/darwin/terminations.h"

#include <inttypes.h>

/** Smaller codes are counted in decimal, as headers write them. */
#define SMALL_CODE 0x10000

/** Words of a watchdog's message, and what took too long. */
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

/** A termination that says more than the exception it came as. */
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
	// What ended by a signal has an exception of its own.
	if (!end->has_code || !name.size || text_is_nocase(name, "SIGNAL") ||
	    text_is_digit(*name.data))
		return false;
	text_take(&name, "Namespace ");
	// The same part of the system, renamed.
	if (text_is_nocase(name, "FRONTBOARD"))
		name = text_from("SPRINGBOARD");
	str_add_text(out, text_first(name, 40));
	// Its code alone may be 0; logs of kills have the words, too.
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
	// Numbers are what a reader could not make out.
	if (!text_is_letter(*type))
		return NULL;
	// The same trap on both kinds of processors, `ud2` and `brk`: on ARM it
	// is no trap.
	if (text_same(type, "EXC_BAD_INSTRUCTION") &&
	    !text_starts(text_from(processor), "ARM"))
		return "EXC_BREAKPOINT";
	return type;
}

/** Exceptions that mean different things by their subtype. */
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
	[SAMPLE_KIND_STALL] = "HANG",
	[SAMPLE_KIND_CPU] = "CPU",
	[SAMPLE_KIND_DISK] = "DISK",
	[SAMPLE_KIND_LAUNCH] = "LAUNCH",
};

void signature_class_add(const struct report *report, struct str *out)
{
	const char *type = exception_type(report);

	if (add_termination(report, out))
		return;
	if (type) {
		str_add_text(out, text_first(text_from(type), 40));
		add_subtype(type, report->exception.subtype, out);
		return;
	}
	if (sampled[report->sample_kind])
		str_add(out, sampled[report->sample_kind]);
	else if (report->thrown.name || report->thrown.class_name ||
	         report->exception_backtrace.count)
		str_add(out, "EXC_CRASH");
	else
		str_add(out, "NO_EXCEPTION");
}
