// SPDX-License-Identifier: MIT
#include "parsers/kscrash/parts.h"

#include "lib/base/str.h"
#include "parsers/json/lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/** A section after `EOF`; nothing for a text without a letter. */
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

/** Absent, or an empty object or array, as KSCrash writes for "nothing". */
static bool is_nothing(const struct json *value)
{
	enum json_type type = json_type(value);

	return type == JSON_NULL ||
	       ((type == JSON_OBJECT || type == JSON_ARRAY) &&
	        !json_first(value));
}

/** Text as it is, anything else as indented JSON. */
static void add_any(struct str *text, const struct json *value)
{
	if (json_as_text(value))
		str_add_text(text,
		             text_trim_right(text_from(json_as_text(value))));
	else
		json_lines_add(text, value);
}

static void add_value(const struct kscrash *ks, const char *title,
                      const struct json *value)
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
                       const struct json *object, const char *const *known)
{
	SCOPED(str_release) struct str text = { 0 };

	for (const struct json *value = json_first(object);
	     value && json_lines_fit(&text); value = json_next(value)) {
		if (!json_key(value) || is_nothing(value) ||
		    is_listed(known, json_key(value)) ||
		    kscrash_is_state(title, value))
			continue;
		str_addf(&text, "%s%s: ", text.size ? "\n" : "",
		         json_key(value));
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

/** Most members of one object that get a section each. */
#define SECTIONS_MAX 100

/** A section for each member that has no place elsewhere. */
static void add_other_sections(const struct kscrash *ks,
                               const struct json *object,
                               const char *const *known)
{
	size_t count = 0;

	for (const struct json *value = json_first(object);
	     value && count < SECTIONS_MAX; value = json_next(value)) {
		if (!json_key(value) || is_nothing(value) ||
		    is_listed(known, json_key(value)))
			continue;
		add_value(ks,
		          title_of(json_key(value), ks->place.reader->arena),
		          value);
		count++;
	}
}

// What KSCrash's own text prints, in its order

static void add_exception_objects(const struct kscrash *ks)
{
	const struct json *thrown = json_member(ks->error, "nsexception");

	add_value(ks, "Object referenced by NSException",
	          json_member(thrown, "referenced_object"));
	add_value(ks, "User Info of NSException",
	          json_member(thrown, "userInfo"));
}

static void add_stack_dump(const struct kscrash *ks)
{
	const struct json *stack =
	        json_member(kscrash_crashed_thread(ks), "stack");
	struct json_reader *reader = ks->place.reader;
	int digits = kscrash_address_digits(reader->report);
	const char *contents = json_as_text(json_member(stack, "contents"));
	const char *error = json_as_text(json_member(stack, "error"));
	SCOPED(str_release) struct str text = { 0 };
	bool overflow = false;
	uint64_t start = 0;
	uint64_t end = 0;

	json_as_u64(json_member(stack, "dump_start"), &start);
	json_as_u64(json_member(stack, "dump_end"), &end);
	json_as_bool(json_member(stack, "overflow"), &overflow);
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

/** An exception that had been freed before; its backtrace is kept as one. */
static void add_last_exception(const struct kscrash *ks)
{
	static const char *const known[] = { "last_dealloced_nsexception",
		                             NULL };
	const struct json *process = json_member(ks->root, "process");
	const struct json *exception = json_member(process, known[0]);
	const struct json *object = json_member(exception, "referenced_object");
	const char *name = json_as_text(json_member(exception, "name"));
	const char *reason = json_as_text(json_member(exception, "reason"));
	const struct json *frames =
	        json_member(json_member(exception, "backtrace"), "contents");
	struct json_place process_place =
	        JSON_PLACE_MEMBER(&ks->place, "process");
	struct json_place place = JSON_PLACE_MEMBER(&process_place, known[0]);
	struct json_place frames_place =
	        JSON_PLACE_MEMBER(&place, "backtrace.contents");
	struct json_reader *reader = ks->place.reader;
	SCOPED(str_release) struct str text = { 0 };
	uint64_t address = 0;

	json_as_u64(json_member(exception, "address"), &address);
	if (json_type(exception) == JSON_OBJECT)
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
	if (json_first(frames))
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
	// Matrix says how it stopped the threads.
	static const char *const user_known[] = {
		"name",      "language",  "line_of_code",
		"backtrace", "dump_type", NULL,
	};

	add_other_sections(ks, ks->error, known);
	add_others(ks, "User Report", json_member(ks->error, "user_reported"),
	           user_known);
}

/** The report's own: a minimal one has borrowed the system of its story. */
static void add_system_facts(const struct kscrash *ks)
{
	// The header has these, and three have sections of their own.
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

	const struct json *system = json_member(ks->root, "system");

	add_value(ks, "Application Stats",
	          json_member(system, "application_stats"));
	add_value(ks, "Memory Statistics", json_member(system, "memory"));
	add_value(ks, "Application Memory", json_member(system, "app_memory"));
	add_others(ks, "System", system, known);
}

static void add_console_log(const struct kscrash *ks)
{
	static const char *const known[] = { "console_log", NULL };
	const struct json *debug = json_member(ks->root, "debug");
	const struct json *log = json_member(debug, known[0]);
	SCOPED(str_release) struct str text = { 0 };

	if (json_as_text(log))
		add_any(&text, log);
	for (const struct json *line = json_first(log);
	     line && json_lines_fit(&text); line = json_next(line)) {
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
	// The first are known where trees were found in them.
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

	add_others(ks, "Report", json_member(ks->root, "report"), head_known);
	add_other_sections(ks, ks->crash, crash_known + skip);
	add_other_sections(ks, ks->root, report_known + skip);
}

/** Matrix measures each thread: a line each. */
static void add_cpu_usage(const struct kscrash *ks)
{
	const struct json *threads = json_member(ks->crash, "threads");
	struct arena *arena = ks->place.reader->arena;
	SCOPED(str_release) struct str text = { 0 };
	size_t position = 0;

	for (const struct json *thread = json_first(threads);
	     thread && json_lines_fit(&text);
	     thread = json_next(thread), position++) {
		const char *usage = json_number_text(
		        json_member(thread, "cpu_usage"), arena);
		const char *name = json_as_text(json_member(thread, "name"));
		uint64_t index = position;

		if (!usage)
			continue;
		json_as_u64(json_member(thread, "index"), &index);
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
	          json_member(kscrash_crashed_thread(ks), "notable_addresses"));
	add_last_exception(ks);
	add_cpu_usage(ks);
	add_error_facts(ks);
	add_system_facts(ks);
	add_value(ks, "User", json_member(ks->root, "user"));
	add_console_log(ks);
	add_unknown(ks);
	add_value(ks, "CrashDoctor Diagnosis",
	          json_member(ks->crash, "diagnosis"));
}
