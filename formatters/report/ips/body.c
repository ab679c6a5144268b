// SPDX-License-Identifier: MIT
#include "formatters/report/ips/ips.h"

#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/registers.h"

#include <inttypes.h>
#include <string.h>

const char *ips_known(const char *value)
{
	return value && strcmp(value, "???") != 0 ? value : NULL;
}

void ips_add_text(struct json_writer *w, const char *key, struct text text)
{
	SCOPED(str_release) struct str copy = { 0 };

	str_add_text(&copy, text);
	json_text(w, key, str_cstr(&copy));
}

/** Write a number from its text; as text if it is not one. */
static void add_number(struct json_writer *w, const char *key,
                       const char *value)
{
	uint64_t number;

	if (value && number_decimal(text_from(value), &number))
		json_number(w, key, number);
	else
		json_text(w, key, value);
}

/** `name [id]` or `name (build)`, cut in two. */
struct pair {
	struct text name;
	struct text inside; ///< empty: there is no bracket
};

static struct pair split(const char *value, char open, char close)
{
	struct text text = text_from(value ? value : "");
	size_t at = text_find_last_char(text, open);

	if (at == TEXT_NOWHERE || !at || text.data[at - 1] != ' ' ||
	    text.data[text.size - 1] != close)
		return (struct pair){ .name = text, .inside = TEXT_NONE };
	return (struct pair){
		.name = text_first(text, at - 1),
		.inside = text_after(text_first(text, text.size - 1), at + 1),
	};
}

/** `name` and `pid`, or their like, under two keys. */
static void add_process_ref(struct json_writer *w, const char *name_key,
                            const char *pid_key,
                            const struct report_process_ref *process)
{
	json_text(w, name_key, ips_known(process->name));
	if (process->has_pid)
		json_number(w, pid_key, process->pid);
}

/** Both members always: LLDB's reader demands them. */
static void add_process(struct json_writer *w,
                        const struct report_process_ref *process)
{
	json_text(w, "procName", process->name ? process->name : "???");
	json_number(w, "pid", process->has_pid ? process->pid : 0);
}

static void add_coalition(struct json_writer *w, const char *coalition)
{
	struct pair pair = split(coalition, '[', ']');
	uint64_t id;

	if (!coalition)
		return;
	if (!pair.inside.size || !number_decimal(pair.inside, &id)) {
		json_text(w, "coalitionName", coalition);
		return;
	}
	ips_add_text(w, "coalitionName", pair.name);
	json_number(w, "coalitionID", id);
}

/** `train (build)`; a system without a bracket has a train only. */
static void add_os_version(struct json_writer *w, const struct report *report)
{
	struct pair pair = split(report->os_version, '(', ')');

	if (!report->os_version && !report->release_type && !report->os_build)
		return;
	json_open_object(w, "osVersion");
	if (report->os_version)
		ips_add_text(w, "train", pair.name);
	if (pair.inside.size)
		ips_add_text(w, "build", pair.inside);
	else if (!report->os_version)
		json_text(w, "build", report->os_build);
	json_text(w, "releaseType", report->release_type);
	json_close(w);
}

const char *ips_bundle_id(const struct report *report)
{
	const char *name = report->process.name;
	const char *identifier = ips_known(report->identifier);

	return identifier && name && !strcmp(identifier, name) ? NULL
	                                                       : identifier;
}

static void add_bundle(struct json_writer *w, const struct report *report)
{
	const char *tools = report_field(report, "AppStoreTools");
	const char *version = ips_known(report->version);

	if (!version && !report->build && !ips_bundle_id(report) && !tools)
		return;
	json_open_object(w, "bundleInfo");
	json_text(w, "CFBundleShortVersionString", version);
	json_text(w, "CFBundleVersion", report->build);
	json_text(w, "CFBundleIdentifier", ips_bundle_id(report));
	json_text(w, "DTAppStoreToolsBuild", tools);
	json_close(w);
}

static void add_store(struct json_writer *w, const struct report *report)
{
	const char *variant = report_field(report, "AppVariant");
	const char *item = report_field(report, "App Item ID");
	const char *external = report_field(report, "App External ID");

	if (!variant && !item && !external)
		return;
	json_open_object(w, "storeInfo");
	json_text(w, "applicationVariant", variant);
	json_text(w, "itemID", item);
	json_text(w, "softwareVersionExternalIdentifier", external);
	json_close(w);
}

/** `Project-Source~Build (Product)`, without the part in parentheses. */
static bool find_build_info(struct text name, size_t *ret_dash,
                            size_t *ret_tilde)
{
	*ret_dash = text_find_char(name, '-');
	*ret_tilde = text_find_last_char(name, '~');
	return *ret_dash != TEXT_NOWHERE && *ret_tilde != TEXT_NOWHERE &&
	       *ret_tilde > *ret_dash;
}

static bool is_build_info(const char *value)
{
	size_t dash, tilde;

	return find_build_info(split(value, '(', ')').name, &dash, &tilde);
}

static void add_build_info(struct json_writer *w, const char *value)
{
	struct pair pair = split(value, '(', ')');
	size_t dash, tilde;

	if (!find_build_info(pair.name, &dash, &tilde))
		return;
	json_open_object(w, "buildInfo");
	ips_add_text(w, "ProjectName", text_first(pair.name, dash));
	ips_add_text(w, "SourceVersion",
	             text_after(text_first(pair.name, tilde), dash + 1));
	ips_add_text(w, "BuildVersion", text_after(pair.name, tilde + 1));
	if (pair.inside.size)
		ips_add_text(w, "ProductBuildVersion", pair.inside);
	json_close(w);
}

static bool is_bridge(const char *value)
{
	return split(value, '(', ')').inside.size;
}

static void add_bridge(struct json_writer *w, const char *value)
{
	struct pair pair = split(value, '(', ')');

	if (!pair.inside.size)
		return;
	json_open_object(w, "bridgeVersion");
	ips_add_text(w, "build", pair.inside);
	ips_add_text(w, "train", pair.name);
	json_close(w);
}

/** `7800 seconds`. */
static bool read_seconds(const char *value, uint64_t *ret)
{
	struct text text = text_from(value);

	return number_decimal(text_first(text, text_find(text, " seconds")),
	                      ret);
}

static bool is_seconds(const char *value)
{
	uint64_t seconds;

	return read_seconds(value, &seconds);
}

static void add_seconds(struct json_writer *w, const char *key,
                        const char *value)
{
	uint64_t seconds;

	if (value && read_seconds(value, &seconds))
		json_number(w, key, seconds);
}

/** The flag for the exception's note; or NULL. */
static const char *note_flag(const char *note)
{
	struct text text = text_from(note);

	if (text_starts(text, "SIMULATED"))
		return "isSimulated";
	if (text_starts(text, "NON-FATAL"))
		return "isNonFatal";
	if (text_is(text, darwin_exception_name(DARWIN_EXC_CORPSE_NOTIFY)))
		return "isCorpse";
	return NULL;
}

static bool is_note(const char *value)
{
	return note_flag(value);
}

static bool is_yes(const char *value)
{
	return !strcmp(value, "YES");
}

static void add_flags(struct json_writer *w, const struct report *report)
{
	const char *note = report->exception.note;
	const char *flag = note ? note_flag(note) : NULL;
	const char *beta = report_field(report, "Beta");

	if (flag)
		json_number(w, flag, 1);
	if (beta && is_yes(beta))
		json_number(w, "isBeta", 1);
}

/** macOS's text calls it otherwise. */
static void add_reporter_key(struct json_writer *w, const struct report *report)
{
	const char *key = report->reporter_key;

	json_text(w, "crashReporterKey",
	          key ? key : report_field(report, "Anonymous UUID"));
}

void ips_add_facts(struct json_writer *w, const struct report *report)
{
	add_seconds(w, "uptime", report_field(report, "Time Awake Since Boot"));
	json_text(w, "procRole", report->role);
	// The layout of the body that we know, and Apple's tool that wrote it.
	json_number(w, "version", 2);
	add_number(w, "userID", report->user_id);
	json_number(w, "deployVersion", 210);
	json_text(w, "modelCode", report->hardware_model);
	add_os_version(w, report);
	json_text(w, "captureTime", report->date_time);
	json_text(w, "incident", report->incident);
	add_process(w, &report->process);
	json_text(w, "cpuType", report->code_type);
	json_bool(w, "translated", report->translated);
	json_text(w, "bug_type", report->bug_type ? report->bug_type : "309");
	json_text(w, "procLaunch", report->launch_time);
	json_text(w, "procPath", ips_known(report->path));
	add_bundle(w, report);
	add_build_info(w, report_field(report, "Build Info"));
	add_store(w, report);
	add_process_ref(w, "parentProc", "parentPid", &report->parent);
	add_coalition(w, report->coalition);
	add_reporter_key(w, report);
	add_process_ref(w, "responsibleProc", "responsiblePid",
	                &report->responsible);
	json_text(w, "codeName", report_field(report, "Device Model"));
	json_text(w, "systemID", report_field(report, "UDID"));
	add_bridge(w, report_field(report, "Bridge OS Version"));
	json_text(w, "basebandVersion",
	          report_field(report, "Baseband Version"));
	add_seconds(w, "wakeTime", report_field(report, "Time Since Wake"));
	json_text(w, "sleepWakeUUID", report_field(report, "Sleep/Wake UUID"));
	json_text(w, "sip",
	          report_field(report, "System Integrity Protection"));
	add_flags(w, report);
}

/** The numbers of `0x…, 0x…`; nothing for other text. */
static void add_raw_codes(struct json_writer *w, const char *codes)
{
	struct text rest = text_from(codes ? codes : "");
	uint64_t values[8];
	size_t count = 0;

	while (rest.size) {
		size_t comma = text_find_char(rest, ',');
		struct text code = text_trim(text_first(rest, comma));

		if (count == ARRAY_SIZE(values) || !text_starts(code, "0x") ||
		    !number_hex(code, &values[count++]))
			return;
		rest = comma == TEXT_NOWHERE ? TEXT_NONE
		                             : text_after(rest, comma + 1);
	}
	if (!count)
		return;
	json_open_array(w, "rawCodes");
	for (size_t i = 0; i < count; i++)
		json_number(w, NULL, values[i]);
	json_close(w);
}

/**
 * LLDB's reader requires a type. Without one, use that of the signal, or of an
 * end other than a processor exception; without an end (a hang, a sample), the
 * number in Apple's reports without an exception (stackshots, wakeups).
 */
static const char *exception_type(const struct report *report)
{
	const struct report_exception *exception = &report->exception;
	const char *type = exception->type;

	if (!type && exception->signal)
		type = darwin_exception_of_signal(exception->signal);
	if (!type && !report->kind &&
	    (report->thrown.name || report->thrown.class_name ||
	     report->termination.namespace_name))
		type = darwin_exception_name(DARWIN_EXC_CRASH);
	return type ? type : "00000020";
}

static void add_exception(struct json_writer *w, const struct report *report)
{
	const struct report_exception *exception = &report->exception;

	json_open_object(w, "exception");
	json_text(w, "codes", exception->codes);
	add_raw_codes(w, exception->codes);
	json_text(w, "type", exception_type(report));
	json_text(w, "signal", exception->signal);
	json_text(w, "subtype", exception->subtype);
	json_text(w, "message", exception->message);
	json_close(w);
}

static void add_termination(struct json_writer *w,
                            const struct report_termination *end)
{
	if (!end->namespace_name && !end->has_code && !end->indicator &&
	    !end->reason_count && !end->detail_count && !end->by.name &&
	    !end->by.has_pid)
		return;
	json_open_object(w, "termination");
	if (end->has_code)
		json_number(w, "code", end->code);
	json_text(w, "namespace", end->namespace_name);
	json_text(w, "indicator", end->indicator);
	add_process_ref(w, "byProc", "byPid", &end->by);
	json_texts(w, "reasons", end->reasons, end->reason_count);
	json_texts(w, "details", end->details, end->detail_count);
	json_close(w);
}

static void add_thrown(struct json_writer *w,
                       const struct report_thrown *thrown)
{
	if (!thrown->name && !thrown->reason && !thrown->class_name)
		return;
	json_open_object(w, "exceptionReason");
	json_text(w, "composed_message", thrown->reason);
	json_text(w, "type", thrown->kind);
	json_text(w, "name", thrown->name);
	json_text(w, "class", thrown->class_name);
	json_close(w);
}

void ips_add_end(struct json_writer *w, const struct report *report)
{
	add_exception(w, report);
	add_termination(w, &report->termination);
	add_thrown(w, &report->thrown);
}

// Fields with a key

/** A line of a text report's head, and the kind of value its key can have. */
struct field_key {
	const char *label;
	bool (*fits)(const char *value); ///< NULL: anything
};

/** A line for the subtype, and one for the codes, on macOS. */
#define EXCEPTION_CODES "Exception Codes"

/**
 * Lines of the system's text that are not facts: the version of the text
 * format, and the signal in other words.
 */
static const struct field_key field_keys[] = {
	{ "Incident Identifier", NULL },
	{ "CrashReporter Key", NULL },
	{ "Crash Reporter Key", NULL },
	{ "Beta Identifier", NULL },
	{ "Anonymous UUID", NULL },
	{ "Hardware Model", NULL },
	{ "Device Model", NULL },
	{ "UDID", NULL },
	{ "Process", NULL },
	{ "Path", NULL },
	{ "Identifier", NULL },
	{ "Version", NULL },
	{ "AppStoreTools", NULL },
	{ "AppVariant", NULL },
	{ "App Item ID", NULL },
	{ "App External ID", NULL },
	{ "Build Info", is_build_info },
	{ "Beta", is_yes },
	{ "Code Type", NULL },
	{ "Role", NULL },
	{ "Parent Process", NULL },
	{ "Responsible", NULL },
	{ "Responsible Process", NULL },
	{ "Coalition", NULL },
	{ "User ID", NULL },
	{ "Date/Time", NULL },
	{ "Launch Time", NULL },
	{ "OS Version", NULL },
	{ "Release Type", NULL },
	{ "Baseband Version", NULL },
	{ "Bridge OS Version", is_bridge },
	{ "Report Version", NULL },
	{ "Time Awake Since Boot", is_seconds },
	{ "Time Since Wake", is_seconds },
	{ "Sleep/Wake UUID", NULL },
	{ "System Integrity Protection", NULL },
	{ "Exception Type", NULL },
	{ "Exception Subtype", NULL },
	{ EXCEPTION_CODES, NULL },
	{ "Exception Message", NULL },
	{ "Exception Reason", NULL },
	{ "Exception Note", is_note },
	{ "Termination Signal", NULL },
	{ "Termination Reason", NULL },
	{ "Termination Description", NULL },
	{ "Terminating Process", NULL },
	{ "Triggered by Thread", NULL },
	{ "Crashed Thread", NULL },
	{ "Highlighted by Thread", NULL },
	{ "Highlighted Thread", NULL },
	{ DARWIN_LOGICAL_CPU, NULL },
	{ DARWIN_ERROR_CODE, NULL },
	{ DARWIN_TRAP_NUMBER, NULL },
};

/** Of several lines with a label, the first counts. */
static bool is_first(const struct report *report,
                     const struct report_field *field)
{
	return !strcmp(field->value, report_field(report, field->label)) ||
	       !strcmp(field->label, EXCEPTION_CODES);
}

static bool holds_field(const struct report *report,
                        const struct report_field *field)
{
	const char *value = ips_known(field->value);

	if (!value || !*value)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(field_keys); i++)
		if (!strcmp(field->label, field_keys[i].label))
			return is_first(report, field) &&
			       (!field_keys[i].fits ||
			        field_keys[i].fits(value));
	return false;
}

bool ips_holds_fields(const struct report *report)
{
	for (size_t i = 0; i < report->field_count; i++)
		if (!holds_field(report, &report->fields[i]))
			return false;
	return true;
}
