// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/evidence.h"

#include "lib/analysis/crash/explain/evidence_lines.h"
#include "lib/analysis/crash/explain/lookup.h"

#include <inttypes.h>
#include <string.h>

/** Formats with known paths. */
enum format {
	FORMAT_IPS,
	FORMAT_KSCRASH,
	FORMAT_PLCRASH,
	FORMAT_METRICKIT,
	FORMAT_SWIFT_JSON,
	FORMAT_KIT,
	FORMAT_SENTRY,
	FORMAT_BUGSNAG,
	FORMAT_COUNT
};

static const char *const format_names[] = {
	[FORMAT_IPS] = "ips-crash",         [FORMAT_KSCRASH] = "kscrash",
	[FORMAT_PLCRASH] = "plcrash",       [FORMAT_METRICKIT] = "metrickit",
	[FORMAT_SWIFT_JSON] = "swift-json", [FORMAT_KIT] = "crash-report-kit",
	[FORMAT_SENTRY] = "sentry",         [FORMAT_BUGSNAG] = "bugsnag",
};

/** The headline of Swift's crash logs, with or without colors. */
#define SWIFT_HEADS                                           \
	"*** Program crashed:", "*** Swift runtime failure:", \
	        "\xf0\x9f\x92\xa3 Program crashed:",          \
	        "\xf0\x9f\x92\xa3 Swift runtime failure:"

/** The line of lldb that has the reason of the stop. */
#define LLDB_THREAD "* thread #"

/**
 * Places by format (apmtool-formats(5)): label of the line, path of the value.
 * NULL: none.
 */
static const struct {
	const char *labels[10]; ///< ends with NULL
	const char *paths[FORMAT_COUNT];
} places[PLACE_COUNT] = {
	[PLACE_TYPE] = { { "Exception Type:", SWIFT_HEADS, LLDB_THREAD },
	                 { "exception.type", "crash.error.mach",
	                   "signal.mach_exception.type",
	                   "diagnosticMetaData.exceptionType", "description",
	                   "exception.type", "exception.values[].type",
	                   "exceptions[0].errorClass" } },
	[PLACE_SIGNAL] = { { "Exception Type:", "Application received signal ",
	                     SWIFT_HEADS, LLDB_THREAD },
	                   { "exception.signal", "crash.error.signal",
	                     "signal.name", "diagnosticMetaData.signal",
	                     "description", "exception.type",
	                     "exception.values[].mechanism",
	                     "severityReason" } },
	[PLACE_CODES] = { { "Exception Codes:", "Exception Subtype:",
	                    LLDB_THREAD },
	                  { "exception.codes", "crash.error.mach",
	                    "signal.mach_exception.codes",
	                    "diagnosticMetaData.exceptionCode", NULL,
	                    "exception.codes", "exception.values[].mechanism",
	                    "metaData.error.mach" } },
	[PLACE_ADDRESS] = { { "Exception Subtype:", "Exception Codes:",
	                      SWIFT_HEADS, LLDB_THREAD },
	                    { "exception.codes", "crash.error.address",
	                      "signal.address",
	                      "diagnosticMetaData.virtualMemoryRegionInfo",
	                      "faultAddress", "exception.codes",
	                      "exception.values[].mechanism",
	                      "metaData.error.mach" } },
	[PLACE_SUBTYPE] = { { "Exception Subtype:", "Exception Codes:",
	                      "Exception Type:", SWIFT_HEADS, LLDB_THREAD },
	                    { "exception.subtype", "crash.error.mach",
	                      "signal.mach_exception.codes",
	                      "diagnosticMetaData.exceptionCode", "description",
	                      "exception.codes", "exception.values[].value",
	                      "exceptions[0].message" } },
	[PLACE_MESSAGE] = { { "Exception Message:", "Exception Subtype:" },
	                    { "exception.message",
	                      [FORMAT_SENTRY] = "exception.values[].value",
	                      [FORMAT_BUGSNAG] = "exceptions[0].message" } },
	[PLACE_NOTE] = { { "Exception Note:" },
	                 { "isSimulated", "crash.error.type",
	                   "report_info.user_requested" } },
	[PLACE_TERMINATION] = { { "Termination Reason:", "Exception Codes:" },
	                        { "termination.code",
	                          "crash.error.exit_reason.code", NULL,
	                          "diagnosticMetaData.terminationReason" } },
	[PLACE_INDICATOR] = { { "Termination Reason:" },
	                      { "termination.indicator",
	                        "crash.error.termination_reason", NULL,
	                        "diagnosticMetaData.terminationReason" } },
	[PLACE_BY] = { { "Terminating Process:", "Termination Reason:" },
	               { "termination.byProc" } },
	[PLACE_REASONS] = { { "Termination Reason:" },
	                    { "termination.reasons", NULL, NULL,
	                      "diagnosticMetaData.terminationReason" } },
	[PLACE_DETAILS] = { { "Termination Description:",
	                      "Termination Reason:" },
	                    { "termination.details", NULL, NULL,
	                      "diagnosticMetaData.terminationReason" } },
	[PLACE_ASI] = { { "Application Specific Information:" }, { "asi" } },
	[PLACE_TRIGGERED] = { { "Triggered by Thread:", "Crashed Thread:" },
	                      { "faultingThread" } },
	[PLACE_PANIC] = { { "panic(" }, { NULL } },
	[PLACE_BACKTRACE] = { { "Last Exception Backtrace:",
	                        "*** First throw call stack:",
	                        "Fatal Exception:" },
	                      { "lastExceptionBacktrace",
	                        "crash.threads[].backtrace", "exception.frames",
	                        [FORMAT_SENTRY] =
	                                "exception.values[].stacktrace",
	                        [FORMAT_BUGSNAG] =
	                                "exceptions[0].stacktrace" } },
	[PLACE_LAUNCH] = { { "Launch Time:" },
	                   { "procLaunch", "system.app_start_time",
	                     "process_info.start_time",
	                     [FORMAT_SENTRY] =
	                             "contexts.app.app_start_time" } },
	[PLACE_DATE] = { { "Date/Time:" },
	                 { "captureTime", "report.timestamp",
	                   "system_info.timestamp",
	                   [FORMAT_SWIFT_JSON] = "timestamp",
	                   [FORMAT_KIT] = "capturedAt",
	                   [FORMAT_SENTRY] = "timestamp",
	                   [FORMAT_BUGSNAG] = "device.time" } },
	[PLACE_THROWN] = { { "Application Specific Information:",
	                     "Last Exception Backtrace:" },
	                   { "exceptionReason", "crash.error", "exception",
	                     "diagnosticMetaData.exceptionReason",
	                     [FORMAT_SENTRY] = "exception.values[]",
	                     [FORMAT_BUGSNAG] = "exceptions[0]" } },
};

/** One of enum format; another value for text. */
static size_t format_of(const struct report *report)
{
	for (size_t i = 0; report->format && i < ARRAY_SIZE(format_names); i++)
		if (!strcmp(report->format, format_names[i]))
			return i;
	return ARRAY_SIZE(format_names);
}

/** If no Mach exception was recorded, use the signal's place. */
static enum place place_without_mach(const struct report *report,
                                     enum place place)
{
	if (report->exception.type ||
	    (place != PLACE_TYPE && place != PLACE_CODES &&
	     place != PLACE_SUBTYPE))
		return place;
	return PLACE_SIGNAL;
}

/** PLCrashReporter has two places for codes. */
static const char *plcrash_place(const struct report *report, enum place place)
{
	bool has_raw = report->exception.codes &&
	               !strncmp(report->exception.codes, "0x", 2);

	if (place == PLACE_ADDRESS && has_raw)
		return places[PLACE_CODES].paths[FORMAT_PLCRASH];
	if (place == PLACE_CODES && !has_raw)
		return "signal.code";
	return places[place].paths[FORMAT_PLCRASH];
}

/** Reports other than crashes: a header, a key of a payload, a first line. */
static const char *place_of_kind(const struct explain *x, enum place place)
{
	const struct report *report = x->report;
	bool is_old = report->raw.size &&
	              text_find(report->raw, "\"panicString\"") == TEXT_NOWHERE;

	if (report->lines)
		return evidence_line(x, 1);
	if (place == PLACE_PANIC)
		return is_old ? "string" : "panicString";
	switch (format_of(report)) {
	case FORMAT_METRICKIT:
		return "diagnosticMetaData";
	case FORMAT_KSCRASH:
		return strstr(report->kind, "Matrix")
		               ? "crash.error.user_reported"
		               : "crash.error.type";
	case FORMAT_SENTRY:
	case FORMAT_BUGSNAG:
		return places[PLACE_TYPE].paths[format_of(report)];
	default:
		return report->bug_type ? "bug_type" : NULL;
	}
}

static const char *place_of_field(const struct explain *x,
                                  const struct report_field *field)
{
	static const struct {
		enum format format;
		const char *label;
		const char *path;
	} paths[] = {
		{ FORMAT_METRICKIT, "Hang Duration",
		  "diagnosticMetaData.hangDuration" },
		{ FORMAT_METRICKIT, "Total CPU Time",
		  "diagnosticMetaData.totalCPUTime" },
		{ FORMAT_METRICKIT, "Total Sampled Time",
		  "diagnosticMetaData.totalSampledTime" },
		{ FORMAT_METRICKIT, "Writes Caused",
		  "diagnosticMetaData.writesCaused" },
		{ FORMAT_METRICKIT, "Launch Duration",
		  "diagnosticMetaData.launchDuration" },
		{ FORMAT_KSCRASH, "Hang Duration", "crash.error.hang" },
		{ FORMAT_KSCRASH, "Duration", "crash.error.profile.duration" },
		{ FORMAT_KSCRASH, "Memory Pressure",
		  "system.app_memory.memory_pressure" },
		{ FORMAT_KSCRASH, "Memory Level",
		  "system.app_memory.memory_level" },
		{ FORMAT_KSCRASH, "Thermal State", "system.thermal_state" },
		{ FORMAT_KSCRASH, "CPU State", "system.cpu_state" },
		{ FORMAT_KSCRASH, "CPU Usage",
		  "system.cpu_average_usage_permil" },
		{ FORMAT_KSCRASH, "Battery Level", "system.battery_level" },
		{ FORMAT_KSCRASH, "Run ID", "report.run_id" },
	};

	if (x->report->lines)
		return evidence_line_below(
		        x, arena_printf(x->arena, "%s:", field->label), NULL);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (format_of(x->report) == paths[i].format &&
		    !strcmp(field->label, paths[i].label))
			return paths[i].path;
	return NULL;
}

/** A line with this label, as in Apple's text. */
static const char *const *labels_of(const struct explain *x, const char *label)
{
	const char **labels = arena_array(x->arena, 2, sizeof(*labels));

	labels[0] = label;
	return labels;
}

struct evidence evidence_of_field(const struct explain *x,
                                  const struct report_field *field)
{
	return (struct evidence){ .place = place_of_field(x, field),
		                  .labels = labels_of(x, field->label) };
}

/** Xcode has the stop reason on one line: `Thread 1: EXC_…`. */
static const char *xcode_line(const struct explain *x)
{
	const struct report *report = x->report;

	if (!text_same(report->format, "lldb") || !report->has_triggered_thread)
		return NULL;
	return evidence_line_below(x,
	                           arena_printf(x->arena,
	                                        "Thread %" PRIu64 ": ",
	                                        report->triggered_thread),
	                           NULL);
}

static const char *place_of(const struct explain *x, enum place place)
{
	const struct report *report = x->report;
	size_t format = format_of(report);

	for (size_t i = 0; report->lines && places[place].labels[i]; i++) {
		const char *line =
		        evidence_line_below(x, places[place].labels[i], NULL);

		if (line)
			return line;
	}
	if (place == PLACE_KIND || place == PLACE_PANIC)
		return place_of_kind(x, place);
	if (report->lines)
		return xcode_line(x);
	if (format == ARRAY_SIZE(format_names))
		return NULL;
	place = place_without_mach(report, place);
	// Without a signal of its own, use the exception.
	if (format == FORMAT_KSCRASH && place == PLACE_SIGNAL &&
	    report->exception.type)
		return "crash.error";
	if (format == FORMAT_PLCRASH)
		return plcrash_place(report, place);
	// A body may have the names of codes without codes.
	if (format == FORMAT_IPS && place == PLACE_CODES && report->raw.size &&
	    text_find(report->raw, "\"codes\"") == TEXT_NOWHERE)
		return "exception.rawCodes";
	return places[place].paths[format];
}

struct evidence evidence_of(const struct explain *x, enum place place)
{
	return (struct evidence){ .place = place_of(x, place),
		                  .labels = places[place].labels };
}

/** Paths of the model's sections in JSON formats. */
static const struct {
	enum format format;
	const char *label; ///< its beginning
	const char *path;
} section_paths[] = {
	{ FORMAT_IPS, "VM Region Info", "vmRegionInfo" },
	{ FORMAT_IPS, "Dyld Error Message", "dyldMessages" },
	{ FORMAT_IPS, "Application Specific Information", "asi" },
	{ FORMAT_IPS, "Application Specific Signatures", "asiSignatures" },
	{ FORMAT_IPS, "Kernel Triage", "ktriageinfo" },
	{ FORMAT_METRICKIT, "VM Region Info",
	  "diagnosticMetaData.virtualMemoryRegionInfo" },
	{ FORMAT_KSCRASH, "Application Specific Information", "crash.error" },
	{ FORMAT_KSCRASH, "Extra Information: Stack Dump",
	  "crash.threads[].stack" },
	{ FORMAT_KSCRASH, "Extra Information: Notable Addresses",
	  "crash.threads[].notable_addresses" },
	{ FORMAT_KSCRASH, "Extra Information: Memory Termination",
	  "crash.error.memory_termination" },
	{ FORMAT_KSCRASH, "Extra Information: CrashDoctor Diagnosis",
	  "crash.diagnosis" },
	{ FORMAT_KSCRASH, "Extra Information: Last deallocated NSException",
	  "process.last_dealloced_nsexception" },
	{ FORMAT_KSCRASH, "Extra Information: Console Log",
	  "debug.console_log" },
	{ FORMAT_SWIFT_JSON, "Application Specific Information",
	  "description" },
	{ FORMAT_SENTRY, "Extra Information: Memory Termination",
	  "exception.values[].type" },
	{ FORMAT_BUGSNAG, "Extra Information: Memory Termination",
	  "exceptions[0].errorClass" },
	{ FORMAT_SENTRY, "Application Specific Information",
	  "exception.values[].value" },
	{ FORMAT_BUGSNAG, "Application Specific Information",
	  "exceptions[0].message" },
};

/** `crash.threads[]` with the index of the thread that crashed. */
static const char *number_thread(const struct explain *x, const char *path)
{
	const char *open = strstr(path, "threads[]");

	if (!open || !x->facts.thread)
		return path;
	return arena_printf(x->arena, "%.*sthreads[%zu]%s", (int)(open - path),
	                    path, x->facts.thread_index,
	                    open + strlen("threads[]"));
}

static const char *place_of_section(const struct explain *x, const char *label,
                                    const char *needle)
{
	size_t format = format_of(x->report);

	if (x->report->lines) {
		const char *line = evidence_line_below(x, label, needle);

		// Some writers leave the label out.
		return line || !needle ? line
		                       : evidence_line_below(x, NULL, needle);
	}
	for (size_t i = 0; i < ARRAY_SIZE(section_paths); i++) {
		const char *path = section_paths[i].path;

		if (section_paths[i].format != format ||
		    strncmp(label, section_paths[i].label,
		            strlen(section_paths[i].label)) != 0)
			continue;
		// One text has two spellings of its key.
		if (format == FORMAT_IPS && x->report->raw.size &&
		    !strcmp(path, "vmRegionInfo") &&
		    text_find(x->report->raw, "\"vmRegionInfo\"") ==
		            TEXT_NOWHERE)
			return "vmregioninfo";
		return number_thread(x, path);
	}
	return NULL;
}

struct evidence evidence_of_section(const struct explain *x, const char *label,
                                    const char *needle)
{
	return (struct evidence){ .place = place_of_section(x, label, needle),
		                  .labels = labels_of(x, label) };
}

/** The index of a stack's thread; false: it is no thread's. */
static bool thread_of(const struct report *report,
                      const struct report_stack *stack, size_t *ret)
{
	for (size_t i = 0; i < report->thread_count; i++) {
		if (&report->threads[i]->stack != stack)
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/** Is it a payload, or a bare call tree, whose members differ? */
static bool has_metadata(const struct report *report)
{
	return report->exception.type || report->os_version || report->kind;
}

static const char *place_of_tree(const struct explain *x, size_t index)
{
	if (format_of(x->report) != FORMAT_METRICKIT)
		return x->report->trees[index]->path;
	if (has_metadata(x->report))
		return "callStackTree";
	return arena_printf(x->arena, "callStacks[%zu]", index);
}

static const char *place_of_frame(const struct explain *x,
                                  const struct report_stack *stack,
                                  size_t frame)
{
	const struct report_frame *at = &stack->frames[frame];
	size_t entry = at->entry_count ? at->entry : frame;
	size_t thread = 0;

	if (x->report->lines)
		return evidence_line_of_frame(x, stack, frame);
	for (size_t i = 0; i < x->report->tree_count; i++)
		if (stack == &x->report->trees[i]->frames)
			return place_of_tree(x, i);
	if (!thread_of(x->report, stack, &thread)) {
		if (format_of(x->report) == FORMAT_METRICKIT &&
		    has_metadata(x->report))
			return "callStackTree";
		if (stack != &x->report->exception_backtrace ||
		    format_of(x->report) != FORMAT_IPS)
			return place_of(x, PLACE_BACKTRACE);
		return arena_printf(x->arena, "lastExceptionBacktrace[%zu]",
		                    entry);
	}
	switch (format_of(x->report)) {
	case FORMAT_IPS:
		return arena_printf(x->arena, "threads[%zu].frames[%zu]",
		                    thread, entry);
	case FORMAT_KSCRASH:
		// A minimal report has its thread elsewhere.
		if (x->report->thread_count == 1)
			return "crash";
		return arena_printf(
		        x->arena, "crash.threads[%zu].backtrace.contents[%zu]",
		        thread, frame);
	case FORMAT_PLCRASH:
	case FORMAT_SWIFT_JSON:
	case FORMAT_KIT:
		return arena_printf(x->arena, "threads[%zu].frames[%zu]",
		                    thread, frame);
	case FORMAT_SENTRY:
		return x->report->threads[thread]->crashed
		               ? "exception.values[].stacktrace"
		               : arena_printf(x->arena,
		                              "threads.values[%zu].stacktrace",
		                              thread);
	case FORMAT_BUGSNAG:
		return x->report->threads[thread]->crashed
		               ? arena_printf(x->arena,
		                              "exceptions[0].stacktrace[%zu]",
		                              frame)
		               : arena_printf(x->arena,
		                              "threads[%zu].stacktrace[%zu]",
		                              thread, frame);
	case FORMAT_METRICKIT:
		return has_metadata(x->report)
		               ? "callStackTree"
		               : arena_printf(x->arena, "callStacks[%zu]",
		                              thread);
	default:
		return NULL;
	}
}

struct evidence evidence_of_frame(const struct explain *x,
                                  const struct report_stack *stack,
                                  size_t frame)
{
	return (struct evidence){ .place = place_of_frame(x, stack, frame),
		                  .stack = stack,
		                  .frame = frame };
}

static const char *place_of_register(const struct explain *x, const char *name)
{
	if (x->report->lines)
		return evidence_line_of_register(x, name);
	switch (format_of(x->report)) {
	case FORMAT_IPS:
		return arena_printf(x->arena, "threads[%zu].threadState",
		                    x->facts.thread_index);
	case FORMAT_KSCRASH:
		return arena_printf(x->arena, "crash.threads[%zu].registers",
		                    x->facts.thread_index);
	case FORMAT_PLCRASH:
	case FORMAT_SWIFT_JSON:
	case FORMAT_KIT:
		return arena_printf(x->arena, "threads[%zu].registers",
		                    x->facts.thread_index);
	default:
		return NULL;
	}
}

struct evidence evidence_of_register(const struct explain *x, const char *name)
{
	return (struct evidence){ .place = place_of_register(x, name),
		                  .reg = name };
}

const char *explain_claim_line(struct explain *x, enum confidence confidence,
                               const struct report_section *section,
                               const char *needle)
{
	const char *at = strstr(section->text, needle);
	const char *line =
	        explain_line_at(x, section->text, (size_t)(at - section->text));

	explain_claim(x, confidence, "the report says: %s", line);
	explain_cite(x, evidence_of_section(x, section->label, needle));
	return line;
}
