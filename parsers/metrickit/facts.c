// SPDX-License-Identifier: MIT
#include "lib/darwin/cpu.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"
#include "parsers/metrickit/reader.h"
#include "parsers/text/bracket.h"
#include "parsers/text/log_head.h"
#include "parsers/text/termination.h"

#include <inttypes.h>
#include <string.h>

// Kinds

static const struct metrickit_kind kinds[] = {
	{ "crash", NULL, false, SAMPLE_KIND_NONE },
	{ "hang", "hang report", true, SAMPLE_KIND_STALL },
	{ "cpuException", "CPU exception report", true, SAMPLE_KIND_CPU },
	{ "diskWriteException", "disk write exception report", true,
	  SAMPLE_KIND_DISK },
	{ "appLaunch", "app launch report", true, SAMPLE_KIND_LAUNCH },
	{ "memoryException", "memory exception report", false,
	  SAMPLE_KIND_NONE },
};

/** Cut `Diagnostics` or `Diagnostic` off @p key. */
static bool take_kind(struct text *key)
{
	static const char *const ends[] = { "Diagnostics", "Diagnostic" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		if (key->size > strlen(ends[i]) && text_ends(*key, ends[i])) {
			key->size -= strlen(ends[i]);
			return true;
		}
	}
	return false;
}

static const struct metrickit_kind *known_kind(struct text key)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (text_is(key, kinds[i].key))
			return &kinds[i];
	return NULL;
}

bool metrickit_is_kind(struct text key)
{
	return take_kind(&key) && known_kind(key);
}

const struct metrickit_kind *metrickit_kind_of(const char *key,
                                               struct arena *arena)
{
	struct text text = text_from(key);
	const struct metrickit_kind *known;
	struct metrickit_kind *kind;

	if (!take_kind(&text))
		return NULL;
	known = known_kind(text);
	if (known)
		return known;
	// A future kind: the shape of its stacks decides.
	kind = arena_alloc(arena, sizeof(*kind));
	kind->key = arena_text(arena, text);
	kind->name = arena_printf(arena, "%s report", kind->key);
	return kind;
}

// Facts that are independent

static void read_architecture(struct metrickit_reader *r)
{
	r->at->arch = json_take_text(&r->source);
}

static void read_pid(struct metrickit_reader *r)
{
	struct report_process_ref *process = &r->at->report->process;

	process->has_pid = json_take_u64(&r->source, UINT64_MAX, &process->pid);
}

static void read_exception_type(struct metrickit_reader *r)
{
	r->at->has_exception_type =
	        json_take_u64(&r->source, UINT64_MAX, &r->at->exception_type);
}

static void read_exception_code(struct metrickit_reader *r)
{
	r->at->has_exception_code =
	        json_take_u64(&r->source, UINT64_MAX, &r->at->exception_code);
}

static void read_signal(struct metrickit_reader *r)
{
	r->at->has_signal =
	        json_take_u64(&r->source, UINT64_MAX, &r->at->signal);
}

/** The string has the grammar of the line in a text report. */
static void read_termination(struct metrickit_reader *r)
{
	const char *value = json_take_text(&r->source);

	if (value && *value)
		termination_parse(text_from(value), r->arena,
		                  &r->at->report->termination);
}

static void read_region(struct metrickit_reader *r)
{
	const char *value = json_take_text(&r->source);

	if (value && *value)
		report_add_section(r->at->report, r->arena, "VM Region Info",
		                   value);
}

/** The uncaught NSException. */
static void read_thrown(struct metrickit_reader *r)
{
	struct report_thrown *thrown = &r->at->report->thrown;
	const struct json_event *event = json_pull_next(r->source.pull);
	const char *type = NULL;
	const char *pattern = NULL;
	const struct {
		const char *key;
		const char **text;
	} fields[] = {
		{ "exceptionName", &thrown->name },
		{ "composedMessage", &thrown->reason },
		{ "className", &thrown->class_name },
		{ "exceptionType", &type },
		{ "formatString", &pattern },
	};

	if (event->type != JSON_EVENT_OBJECT) {
		json_source_unexpected(&r->source, event, "an object");
		return;
	}
	while ((event = json_pull_next(r->source.pull))->type ==
	       JSON_EVENT_NAME) {
		struct metrickit_name name = metrickit_name(event);
		size_t i = 0;

		while (i < ARRAY_SIZE(fields) &&
		       strcmp(fields[i].key, name.text) != 0)
			i++;
		if (i < ARRAY_SIZE(fields))
			*fields[i].text = json_take_text(&r->source);
		else
			json_pull_skip(r->source.pull);
	}
	if (!thrown->name)
		thrown->name = type;
	if (!thrown->reason)
		thrown->reason = pattern;
	if (thrown->name || thrown->reason || thrown->class_name)
		thrown->kind = "objc-exception";
}

static const struct {
	const char *key;
	void (*read)(struct metrickit_reader *r);
} facts[] = {
	{ "platformArchitecture", read_architecture },
	{ "pid", read_pid },
	{ "exceptionType", read_exception_type },
	{ "exceptionCode", read_exception_code },
	{ "signal", read_signal },
	{ "terminationReason", read_termination },
	{ "virtualMemoryRegionInfo", read_region },
	{ "exceptionReason", read_thrown },
	// Both spellings circulate.
	{ "objectiveCexceptionReason", read_thrown },
	{ "objectiveCExceptionReason", read_thrown },
};

/** Facts that are strings of the report. */
static const struct {
	const char *key;
	size_t offset;
} texts[] = {
	{ "appVersion", offsetof(struct report, version) },
	{ "appBuildVersion", offsetof(struct report, build) },
	{ "bundleIdentifier", offsetof(struct report, identifier) },
	{ "deviceType", offsetof(struct report, hardware_model) },
	{ "osVersion", offsetof(struct report, os_version) },
};

/** Facts that a report has no place for; others keep their key. */
static const struct {
	const char *key;
	const char *label;
} labels[] = {
	{ "hangDuration", "Hang Duration" },
	{ "totalCPUTime", "Total CPU Time" },
	{ "totalSampledTime", "Total Sampled Time" },
	{ "writesCaused", "Writes Caused" },
	{ "launchDuration", "Launch Duration" },
	{ "terminationCategory", "Termination Category" },
	{ "regionFormat", "Region Format" },
	{ "isTestFlightApp", "TestFlight App" },
	{ "lowPowerModeEnabled", "Low Power Mode" },
	{ "version", "MetricKit Version" },
};

static const char *label_of(const char *key, struct arena *arena)
{
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (!strcmp(labels[i].key, key))
			return labels[i].label;
	return arena_strdup(arena, key);
}

/** A single value as text in the arena; NULL for any other. */
static const char *take_any(struct metrickit_reader *r)
{
	const struct json_event *event = json_pull_next(r->source.pull);

	if (event->type == JSON_EVENT_TEXT || event->type == JSON_EVENT_NUMBER)
		return arena_text(r->arena, event->text);
	if (event->type == JSON_EVENT_BOOL)
		return event->truth ? "yes" : "no";
	json_pull_skip(r->source.pull);
	return NULL;
}

void metrickit_read_fact(struct metrickit_reader *r, const char *key)
{
	struct report *report = r->at->report;
	const char *value;

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (!strcmp(facts[i].key, key)) {
			facts[i].read(r);
			return;
		}
	}
	value = take_any(r);
	// macOS writes empty versions.
	if (!value || !*value || !*key)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!strcmp(texts[i].key, key)) {
			memcpy((char *)report + texts[i].offset, &value,
			       sizeof(value));
			return;
		}
	}
	metrickit_keep_measure(r, key, value);
	report_add_field(report, r->arena, label_of(key, r->arena), value);
}

// Facts that depend on others

static const char *name_or_number(const char *name, uint64_t number,
                                  struct arena *arena)
{
	return name ? name : arena_printf(arena, "%" PRIu64, number);
}

static void finish_exception(struct metrickit_reader *r)
{
	const struct metrickit_diagnostic *d = r->at;
	struct report_exception *exception = &d->report->exception;

	if (d->has_exception_type)
		exception->type =
		        name_or_number(darwin_exception_name(d->exception_type),
		                       d->exception_type, r->arena);
	if (d->has_signal)
		exception->signal = name_or_number(
		        darwin_signal_name(d->signal), d->signal, r->arena);
	if (d->has_exception_code)
		exception->codes = arena_printf(r->arena, "0x%016" PRIx64,
		                                d->exception_code);
	if (d->has_exception_type && d->has_exception_code)
		exception->subtype = darwin_exception_code(d->report->code_type,
		                                           d->exception_type,
		                                           d->exception_code)
		                             .name;
}

void metrickit_finish_facts(struct metrickit_reader *r)
{
	const struct metrickit_diagnostic *d = r->at;
	struct report *report = d->report;

	if (d->kind) {
		report->kind = d->kind->name;
		report->sample_kind = d->kind->sample_kind;
	}
	if (d->arch && *d->arch)
		report->code_type = darwin_code_type_of_arch(d->arch);
	finish_exception(r);
	if (report->os_version)
		text_bracket_os_version(text_from(report->os_version), report,
		                        r->arena);
}
