// SPDX-License-Identifier: MIT
#include "lib/darwin/cpu.h"
#include "lib/darwin/platforms.h"
#include "parsers/json/date.h"
#include "parsers/kscrash/parts.h"

#include <inttypes.h>
#include <string.h>

// Dates

/** Does @p text match @p pattern, in which `0` is any digit? */
static bool fits(struct text text, const char *pattern)
{
	size_t size = strlen(pattern);

	if (text.size < size)
		return false;
	for (size_t i = 0; i < size; i++)
		if (pattern[i] == '0' ? !text_is_digit(text.data[i])
		                      : text.data[i] != pattern[i])
			return false;
	return true;
}

/** `2026-01-31T01:08:07.123456Z` in UTC; other text unchanged. */
static const char *date_of_text(const char *iso, struct arena *arena)
{
	struct text text = text_from(iso);
	struct text rest = text_after(text, strlen("2026-01-31T01:08:07"));
	char digits[] = "000";

	if (!fits(text, "0000-00-00T00:00:00"))
		return *iso ? arena_strdup(arena, iso) : NULL;
	if (text_take(&rest, "."))
		for (size_t i = 0; rest.size && text_is_digit(*rest.data);
		     i++) {
			if (i < 3)
				digits[i] = *rest.data;
			rest = text_after(rest, 1);
		}
	if (!text_is(rest, "Z"))
		return arena_strdup(arena, iso);
	return arena_printf(arena, "%.10s %.8s.%s +0000", iso, iso + 11,
	                    digits);
}

const char *kscrash_date(const cJSON *value, struct arena *arena)
{
	uint64_t number;
	const char *date;

	if (cJSON_GetStringValue(value))
		return date_of_text(cJSON_GetStringValue(value), arena);
	if (!cJSON_IsNumber(value))
		return NULL;
	if (!json_as_u64(value, &number))
		return json_number_text(value, arena);
	// Seconds up to 3.2, microseconds from 3.3, milliseconds elsewhere.
	date = json_date(number, arena);
	return date ? date : json_number_text(value, arena);
}

// Processors

int kscrash_address_digits(const struct report *report)
{
	const char *type = report->code_type;

	return type && (!strcmp(type, "ARM") || !strcmp(type, "X86") ||
	                !strcmp(type, "ARM64_32") || !strcmp(type, "PPC"))
	               ? 8
	               : 16;
}

// Systems

/** Facts whose format differs in report and KSCrash. */
struct system_facts {
	const char *name;
	const char *version;
	const char *cpu_arch;
	const char *binary_arch;
	const char *build_type;
	const char *model;
	uint64_t cpu_type;
	uint64_t cpu_subtype;
};

static const struct json_field fact_fields[] = {
	JSON_FIELD("system_name", JSON_FIELD_TEXT, struct system_facts, name),
	JSON_FIELD("system_version", JSON_FIELD_NUMBER_TEXT,
	           struct system_facts, version),
	JSON_FIELD("cpu_arch", JSON_FIELD_TEXT, struct system_facts, cpu_arch),
	JSON_FIELD("binary_arch", JSON_FIELD_TEXT, struct system_facts,
	           binary_arch),
	JSON_FIELD("build_type", JSON_FIELD_TEXT, struct system_facts,
	           build_type),
	JSON_FIELD("model", JSON_FIELD_TEXT, struct system_facts, model),
	JSON_FIELD("binary_cpu_type", JSON_FIELD_U64, struct system_facts,
	           cpu_type),
	JSON_FIELD("binary_cpu_subtype", JSON_FIELD_U64, struct system_facts,
	           cpu_subtype),
};

static const struct json_field report_fields[] = {
	JSON_FIELD("device_app_hash", JSON_FIELD_TEXT, struct report,
	           reporter_key),
	JSON_FIELD("machine", JSON_FIELD_TEXT, struct report, hardware_model),
	JSON_FIELD("process_name", JSON_FIELD_TEXT, struct report,
	           process.name),
	JSON_FIELD_HAS("process_id", JSON_FIELD_U64, struct report, process.pid,
	               process.has_pid),
	JSON_FIELD("CFBundleExecutablePath", JSON_FIELD_TEXT, struct report,
	           path),
	JSON_FIELD("CFBundleIdentifier", JSON_FIELD_TEXT, struct report,
	           identifier),
	JSON_FIELD("CFBundleShortVersionString", JSON_FIELD_NUMBER_TEXT,
	           struct report, version),
	JSON_FIELD("CFBundleVersion", JSON_FIELD_NUMBER_TEXT, struct report,
	           build),
	JSON_FIELD("proc_translated", JSON_FIELD_BOOL, struct report,
	           translated),
	JSON_FIELD("parent_process_name", JSON_FIELD_TEXT, struct report,
	           parent.name),
	JSON_FIELD_HAS("parent_process_id", JSON_FIELD_U64, struct report,
	               parent.pid, parent.has_pid),
	JSON_FIELD("os_version", JSON_FIELD_TEXT, struct report, os_build),
};

static int platform_of(const struct system_facts *facts)
{
	enum darwin_platform platform =
	        darwin_platform_of(text_from(facts->name ? facts->name : ""));
	bool simulated = (facts->build_type &&
	                  !strcmp(facts->build_type, "simulator")) ||
	                 (facts->model && !strcmp(facts->model, "simulator"));

	return (int)(simulated ? darwin_platform_simulator(platform)
	                       : platform);
}

static const char *os_version_of(const struct system_facts *facts,
                                 const char *build, struct arena *arena)
{
	if (!facts->name && !facts->version)
		return build;
	return arena_printf(
	        arena, "%s%s%s%s%s%s", facts->name ? facts->name : "",
	        facts->name && facts->version ? " " : "",
	        facts->version ? facts->version : "", build ? " (" : "",
	        build ? build : "", build ? ")" : "");
}

/**
 * The program's own architecture, else the device's: on old simulators that is
 * `x86` for both widths.
 */
static const char *arch_of(const struct system_facts *facts)
{
	const char *arch = facts->binary_arch;

	if (!arch && facts->cpu_type)
		arch = darwin_arch_name(facts->cpu_type, facts->cpu_subtype);
	return arch ? arch : facts->cpu_arch;
}

/** Min footprint of an app: tests write lower values. */
#define FOOTPRINT_MIN ((uint64_t)1 << 20)
#define FOOTPRINT_MAX ((uint64_t)1 << 40)

/** Footprint and available memory: their sum is the limit. */
static void read_memory(const struct kscrash *ks, struct report *report,
                        struct arena *arena)
{
	const cJSON *memory =
	        cJSON_GetObjectItemCaseSensitive(ks->system, "app_memory");
	struct memory_limit *limit;
	uint64_t used, left;

	if (!json_as_u64(cJSON_GetObjectItemCaseSensitive(memory,
	                                                  "memory_footprint"),
	                 &used) ||
	    !json_as_u64(cJSON_GetObjectItemCaseSensitive(memory,
	                                                  "memory_remaining"),
	                 &left) ||
	    used < FOOTPRINT_MIN || used > FOOTPRINT_MAX ||
	    left > FOOTPRINT_MAX)
		return;
	limit = report_add_memory_limit(report, arena, MEMORY_EVIDENCE_SUM);
	limit->footprint_bytes = used;
	limit->available_bytes = left;
	limit->bytes = used + left;
}

/** In the words of Apple's reports; NULL if unknown. */
static const char *role_of(const char *task_role)
{
	static const struct {
		const char *task_role;
		const char *role;
	} roles[] = {
		{ "FOREGROUND_APPLICATION", "Foreground" },
		{ "BACKGROUND_APPLICATION", "Background" },
		{ "DARWINBG_APPLICATION", "Background" },
		{ "NONUI_APPLICATION", "Non UI" },
	};

	for (size_t i = 0; task_role && i < ARRAY_SIZE(roles); i++)
		if (!strcmp(roles[i].task_role, task_role))
			return roles[i].role;
	return NULL;
}

static void read_system_facts(const struct kscrash *ks,
                              const struct json_place *place)
{
	struct arena *arena = place->reader->arena;
	struct report *report = place->reader->report;
	struct system_facts facts = { 0 };
	const cJSON *stats = cJSON_GetObjectItemCaseSensitive(
	        ks->system, "application_stats");
	bool in_foreground;

	json_place_fields(place, ks->system, report_fields,
	                  ARRAY_SIZE(report_fields), report);
	json_place_fields(place, ks->system, fact_fields,
	                  ARRAY_SIZE(fact_fields), &facts);
	report->launch_time = kscrash_date(
	        cJSON_GetObjectItemCaseSensitive(ks->system, "app_start_time"),
	        arena);
	report->os_version = os_version_of(&facts, report->os_build, arena);
	report->code_type = darwin_code_type_of_arch(arch_of(&facts));
	report->platform = platform_of(&facts);
	if (json_as_bool(cJSON_GetObjectItemCaseSensitive(
	                         stats, "application_in_foreground"),
	                 &in_foreground))
		report->role = in_foreground ? "Foreground" : "Background";
	else
		report->role = role_of(cJSON_GetStringValue(
		        cJSON_GetObjectItemCaseSensitive(stats, "task_role")));
	read_memory(ks, report, arena);
}

/** `{"major":2,"minor":0}`, `"3.3.0"`, or nothing at all. */
static void read_version(const struct json_place *place, const cJSON *head)
{
	const cJSON *version =
	        cJSON_GetObjectItemCaseSensitive(head, "version");
	struct arena *arena = place->reader->arena;
	const char *text = cJSON_GetStringValue(version);
	const char *type = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(head, "type"));
	uint64_t major = 0;
	uint64_t minor = 0;

	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(version, "major"),
	                &major)) {
		json_as_u64(cJSON_GetObjectItemCaseSensitive(version, "minor"),
		            &minor);
		text = arena_printf(arena, "%" PRIu64 ".%" PRIu64, major,
		                    minor);
	} else if (!text && !json_is_null(version)) {
		json_place_unexpected(place, "version", version, "text");
	}
	// Matrix' records have 0.5.
	if (text && text[0] != '2' && text[0] != '3' &&
	    !(type && !strcmp(type, "custom")))
		json_place_note(place, "version",
		                "unknown version %.32s: read as version 3",
		                text);
}

void kscrash_read_system(const struct kscrash *ks)
{
	static const struct json_field fields[] = {
		JSON_FIELD("id", JSON_FIELD_TEXT, struct report, incident),
		JSON_FIELD("process_name", JSON_FIELD_TEXT, struct report,
		           process.name),
	};
	const cJSON *head =
	        json_place_member(&ks->place, ks->root, "report", JSON_OBJECT);
	struct json_place head_place = JSON_PLACE_MEMBER(&ks->place, "report");
	struct json_place system_place =
	        JSON_PLACE_MEMBER(&ks->place, "system");
	struct report *report = ks->place.reader->report;
	struct arena *arena = ks->place.reader->arena;
	const cJSON *exact =
	        cJSON_GetObjectItemCaseSensitive(head, "timestamp_millis");

	json_place_fields(&head_place, head, fields, ARRAY_SIZE(fields),
	                  report);
	report->date_time = kscrash_date(
	        exact ? exact
	              : cJSON_GetObjectItemCaseSensitive(head, "timestamp"),
	        arena);
	read_version(&head_place, head);
	read_system_facts(ks, &system_place);
	if (!report->version) {
		report->version = report->build;
		report->build = NULL;
	}
	if (!report->identifier)
		report->identifier = report->process.name;
	// The first process starts all apps; KSCrash stopped asking for its
	// name.
	if (!report->parent.name && report->parent.has_pid &&
	    report->parent.pid == 1)
		report->parent.name = "launchd";
}
