// SPDX-License-Identifier: MIT
#include "parsers/kscrash/parts.h"

#include "lib/base/str.h"
#include "parsers/json/lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/** Add a section after `EOF`, unless its text has no letter. */
static void add_extra(const struct kscrash *ks, const char *title,
                      const struct str *text)
{
	struct json_reader *reader = ks->place.reader;

	if (text->size)
		json_lines_section(reader->report, reader->arena,
		                   arena_printf(reader->arena, "%s%s",
		                                KSCRASH_EXTRA, title),
		                   text);
}

/** Absent, or an empty object or array, KSCrash's "nothing". */
static bool is_nothing(const cJSON *value)
{
	enum json_type type = json_type(value);

	return type == JSON_NULL ||
	       ((type == JSON_OBJECT || type == JSON_ARRAY) &&
	        !cJSON_GetArrayItem(value, 0));
}

/** Text unchanged, other values as indented JSON. */
static void add_any(struct str *text, const cJSON *value)
{
	if (cJSON_GetStringValue(value))
		str_add_text(text, text_trim_right(text_from(
		                           cJSON_GetStringValue(value))));
	else
		json_lines_add(text, value);
}

static void add_value(const struct kscrash *ks, const char *title,
                      const cJSON *value)
{
	SCOPED(str_release) struct str text = { 0 };

	if (is_nothing(value))
		return;
	add_any(&text, value);
	add_extra(ks, title, &text);
}

/** Is @p key one of @p keys, which end with NULL? */
static bool is_listed(const char *const *keys, const char *key)
{
	for (; *keys; keys++)
		if (!strcmp(*keys, key))
			return true;
	return false;
}

/**
 * `key: value`, a line for each member that has no place elsewhere.
 *
 * @param title  The object's name, in any case of letters.
 */
static void add_others(const struct kscrash *ks, const char *title,
                       const cJSON *object, const char *const *known)
{
	SCOPED(str_release) struct str text = { 0 };

	for (const cJSON *value = cJSON_GetArrayItem(object, 0);
	     value && json_lines_fit(&text); value = value->next) {
		if (!value->string || is_nothing(value) ||
		    is_listed(known, value->string) ||
		    kscrash_is_state(title, value))
			continue;
		str_addf(&text, "%s%s: ", text.size ? "\n" : "", value->string);
		add_any(&text, value);
	}
	add_extra(ks, title, &text);
}

/** `memory_termination` as `Memory Termination`. */
static const char *title_of(const char *key, struct arena *arena)
{
	char *title = arena_strdup(arena, key);
	bool begins = true;

	for (char *c = title; *c; c++) {
		if (*c == '_')
			*c = ' ';
		else if (begins)
			*c = (char)toupper((unsigned char)*c);
		begins = *c == ' ';
	}
	return title;
}

/** Max members of one object with a section each. */
#define SECTIONS_MAX 100

/** A section for each member that has no place elsewhere. */
static void add_other_sections(const struct kscrash *ks, const cJSON *object,
                               const char *const *known)
{
	size_t count = 0;

	for (const cJSON *value = cJSON_GetArrayItem(object, 0);
	     value && count < SECTIONS_MAX; value = value->next) {
		if (!value->string || is_nothing(value) ||
		    is_listed(known, value->string))
			continue;
		add_value(ks, title_of(value->string, ks->place.reader->arena),
		          value);
		count++;
	}
}

// Sections in the order of KSCrash's own text

static void add_exception_objects(const struct kscrash *ks)
{
	const cJSON *thrown =
	        cJSON_GetObjectItemCaseSensitive(ks->error, "nsexception");

	add_value(
	        ks, "Object referenced by NSException",
	        cJSON_GetObjectItemCaseSensitive(thrown, "referenced_object"));
	add_value(ks, "User Info of NSException",
	          cJSON_GetObjectItemCaseSensitive(thrown, "userInfo"));
}

static void add_stack_dump(const struct kscrash *ks)
{
	const cJSON *stack = cJSON_GetObjectItemCaseSensitive(
	        kscrash_crashed_thread(ks), "stack");
	struct json_reader *reader = ks->place.reader;
	int digits = kscrash_address_digits(reader->report);
	const char *contents = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(stack, "contents"));
	const char *error = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(stack, "error"));
	SCOPED(str_release) struct str text = { 0 };
	bool overflow = false;
	uint64_t start = 0;
	uint64_t end = 0;

	json_as_u64(cJSON_GetObjectItemCaseSensitive(stack, "dump_start"),
	            &start);
	json_as_u64(cJSON_GetObjectItemCaseSensitive(stack, "dump_end"), &end);
	json_as_bool(cJSON_GetObjectItemCaseSensitive(stack, "overflow"),
	             &overflow);
	if (contents || error)
		str_addf(&text, "\n%s", contents ? contents : error);
	if (overflow)
		str_addf(&text, "%sThe stack has overflowed.",
		         text.size ? "\n" : "");
	add_extra(ks,
	          arena_printf(reader->arena,
	                       "Stack Dump (0x%0*" PRIx64 "-0x%0*" PRIx64 ")",
	                       digits, start, digits, end),
	          &text);
}

/** An exception that was freed before; its backtrace becomes a stack. */
static void add_last_exception(const struct kscrash *ks)
{
	static const char *const known[] = { "last_dealloced_nsexception",
		                             NULL };
	const cJSON *process =
	        cJSON_GetObjectItemCaseSensitive(ks->root, "process");
	const cJSON *exception =
	        cJSON_GetObjectItemCaseSensitive(process, known[0]);
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(
	        exception, "referenced_object");
	const char *name = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(exception, "name"));
	const char *reason = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(exception, "reason"));
	const cJSON *frames = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(exception, "backtrace"),
	        "contents");
	struct json_place process_place =
	        JSON_PLACE_MEMBER(&ks->place, "process");
	struct json_place place = JSON_PLACE_MEMBER(&process_place, known[0]);
	struct json_place frames_place =
	        JSON_PLACE_MEMBER(&place, "backtrace.contents");
	struct json_reader *reader = ks->place.reader;
	SCOPED(str_release) struct str text = { 0 };
	uint64_t address = 0;

	json_as_u64(cJSON_GetObjectItemCaseSensitive(exception, "address"),
	            &address);
	if (cJSON_IsObject(exception))
		str_addf(&text, "%s: %s", name ? name : "(no name)",
		         reason ? reason : "(no reason)");
	if (!is_nothing(object)) {
		str_add(&text, "\nReferenced object:\n");
		json_lines_add(&text, object);
	}
	add_extra(ks,
	          arena_printf(reader->arena,
	                       "Last deallocated NSException (0x%0*" PRIx64 ")",
	                       kscrash_address_digits(reader->report), address),
	          &text);
	if (cJSON_GetArrayItem(frames, 0))
		kscrash_read_frames(&frames_place, frames,
		                    report_add_app_backtrace(reader->report,
		                                             reader->arena));
	add_others(ks, "Process", process, known);
}

static void add_error_facts(const struct kscrash *ks)
{
	static const char *const known[] = {
		"type",          "address",
		"reason",        "mach",
		"signal",        "nsexception",
		"cpp_exception", "user_reported",
		"is_fatal",      "is_clean_exit",
		"exit_reason",   "termination_reason",
		"profile",       NULL,
	};
	// How Matrix stopped the threads.
	static const char *const user_known[] = {
		"name",      "language",  "line_of_code",
		"backtrace", "dump_type", NULL,
	};

	add_other_sections(ks, ks->error, known);
	add_others(ks, "User Report",
	           cJSON_GetObjectItemCaseSensitive(ks->error, "user_reported"),
	           user_known);
}

/** From the report itself: a minimal one has the system of the main report. */
static void add_system_facts(const struct kscrash *ks)
{
	// They are in the header, and three have sections of their own.
	static const char *const known[] = {
		"device_app_hash",
		"machine",
		"process_name",
		"process_id",
		"CFBundleExecutablePath",
		"CFBundleIdentifier",
		"CFBundleShortVersionString",
		"CFBundleVersion",
		"proc_translated",
		"parent_process_name",
		"parent_process_id",
		"os_version",
		"system_name",
		"system_version",
		"app_start_time",
		"application_stats",
		"memory",
		"app_memory",
		NULL,
	};

	const cJSON *system =
	        cJSON_GetObjectItemCaseSensitive(ks->root, "system");

	add_value(
	        ks, "Application Stats",
	        cJSON_GetObjectItemCaseSensitive(system, "application_stats"));
	add_value(ks, "Memory Statistics",
	          cJSON_GetObjectItemCaseSensitive(system, "memory"));
	add_value(ks, "Application Memory",
	          cJSON_GetObjectItemCaseSensitive(system, "app_memory"));
	add_others(ks, "System", system, known);
}

static void add_console_log(const struct kscrash *ks)
{
	static const char *const known[] = { "console_log", NULL };
	const cJSON *debug =
	        cJSON_GetObjectItemCaseSensitive(ks->root, "debug");
	const cJSON *log = cJSON_GetObjectItemCaseSensitive(debug, known[0]);
	SCOPED(str_release) struct str text = { 0 };

	if (cJSON_GetStringValue(log))
		add_any(&text, log);
	for (const cJSON *line = cJSON_GetArrayItem(log, 0);
	     line && json_lines_fit(&text); line = line->next) {
		if (text.size)
			str_add_char(&text, '\n');
		add_any(&text, line);
	}
	add_extra(ks, "Console Log", &text);
	add_others(ks, "Debug", debug, known);
}

/** Members of the report, and of `crash`, that no version is known to have. */
static void add_unknown(const struct kscrash *ks)
{
	// The first are known if trees were found in them.
	static const char *const report_known[] = {
		"stack_string", "profile", "threads_profile",
		"dump_type",    "report",  "binary_images",
		"process",      "system",  "crash",
		"user",         "debug",   "recrash_report",
		"incomplete",   NULL,
	};
	static const char *const crash_known[] = {
		"stack_string",
		"profile",
		"threads_profile",
		"dump_type",
		"error",
		"threads",
		"crashed_thread",
		"diagnosis",
		"last_exception_backtrace",
		NULL,
	};
	size_t skip = ks->matrix && ks->matrix->tree_count ? 0 : 4;
	static const char *const head_known[] = { "id", "process_name",
		                                  "timestamp", NULL };

	add_others(ks, "Report",
	           cJSON_GetObjectItemCaseSensitive(ks->root, "report"),
	           head_known);
	add_other_sections(ks, ks->crash, crash_known + skip);
	add_other_sections(ks, ks->root, report_known + skip);
}

/** Matrix measures each thread: a line each. */
static void add_cpu_usage(const struct kscrash *ks)
{
	const cJSON *threads =
	        cJSON_GetObjectItemCaseSensitive(ks->crash, "threads");
	struct arena *arena = ks->place.reader->arena;
	SCOPED(str_release) struct str text = { 0 };
	size_t position = 0;

	for (const cJSON *thread = cJSON_GetArrayItem(threads, 0);
	     thread && json_lines_fit(&text);
	     thread = thread->next, position++) {
		const char *usage = json_number_text(
		        cJSON_GetObjectItemCaseSensitive(thread, "cpu_usage"),
		        arena);
		const char *name = cJSON_GetStringValue(
		        cJSON_GetObjectItemCaseSensitive(thread, "name"));
		uint64_t index = position;

		if (!usage)
			continue;
		json_as_u64(cJSON_GetObjectItemCaseSensitive(thread, "index"),
		            &index);
		str_addf(&text, "%sThread %" PRIu64 "%s%s: %s %%",
		         text.size ? "\n" : "", index, name ? " " : "",
		         name ? name : "", usage);
	}
	add_extra(ks, "CPU Usage", &text);
}

void kscrash_read_extra(const struct kscrash *ks)
{
	add_exception_objects(ks);
	add_stack_dump(ks);
	add_value(ks, "Notable Addresses",
	          cJSON_GetObjectItemCaseSensitive(kscrash_crashed_thread(ks),
	                                           "notable_addresses"));
	add_last_exception(ks);
	add_cpu_usage(ks);
	add_error_facts(ks);
	add_system_facts(ks);
	add_value(ks, "User",
	          cJSON_GetObjectItemCaseSensitive(ks->root, "user"));
	add_console_log(ks);
	add_unknown(ks);
	add_value(ks, "CrashDoctor Diagnosis",
	          cJSON_GetObjectItemCaseSensitive(ks->crash, "diagnosis"));
}
