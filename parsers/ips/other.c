// SPDX-License-Identifier: MIT
#include "parsers/ips/other.h"

#include "lib/base/str.h"
#include "lib/darwin/bug_types.h"
#include "parsers/text/panic.h"

#include <inttypes.h>
#include <string.h>

#define VALUES_MAX 200 ///< scalar values of a body that are listed
#define LIST_MAX   32  ///< values of an inner list or object, on one line
#define NAMES_MAX  8   ///< names in the note about untranslated members

// Kind of body

/** The text of the panic; older systems call it `string`. */
static const char *panic_string(const cJSON *body)
{
	const char *text = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(body, "panicString"));

	if (text)
		return text;
	text = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(body, "string"));
	return text && !strncmp(text, "panic(", 6) ? text : NULL;
}

static bool is_panic(const cJSON *body)
{
	return panic_string(body) ||
	       cJSON_GetObjectItemCaseSensitive(body, "macOSPanicString");
}

bool ips_is_panic_or_stackshot(const cJSON *body)
{
	return is_panic(body) || ips_stackshot(body);
}

/** With its article. The shape knows better than a crash's number. */
static const char *what_is(const cJSON *body, const char *bug_type)
{
	const struct bug_type *type = bug_type_find(bug_type);

	if (type && !bug_type_is_crash(bug_type))
		return type->what;
	if (is_panic(body))
		return "a kernel panic log";
	if (ips_stackshot(body))
		return "a stackshot";
	return "a report of an unknown kind";
}

// Facts

static const struct json_field fact_fields[] = {
	JSON_FIELD("incident", JSON_FIELD_TEXT, struct report, incident),
	JSON_FIELD("crashReporterKey", JSON_FIELD_TEXT, struct report,
	           reporter_key),
	JSON_FIELD("bug_type", JSON_FIELD_NUMBER_TEXT, struct report, bug_type),
};

/** Only in panics and stackshots: elsewhere they have other meanings. */
static const struct json_field shot_fields[] = {
	JSON_FIELD("product", JSON_FIELD_TEXT, struct report, hardware_model),
	JSON_FIELD("build", JSON_FIELD_TEXT, struct report, os_version),
	JSON_FIELD("date", JSON_FIELD_TEXT, struct report, date_time),
	// `0xdeaffeed`: why the system took a stackshot.
	JSON_FIELD("exception", JSON_FIELD_TEXT, struct report,
	           exception.codes),
};

/** Members with a label of their own; others are labelled by key. */
static const struct {
	const char *key;
	const char *label;
	bool is_section; ///< even if it has one line
} labels[] = {
	{ "panicString", "Panic String", true },
	// On older systems.
	{ "string", "Panic String", true },
	{ "macOSPanicString", "macOS Panic String", true },
	{ "otherString", "Other String", true },
	{ "notes", "Notes", true },
	{ "kernel", "Kernel Version", false },
	{ "socId", "SoC", false },
	{ "panicFlags", "Panic Flags", false },
	{ "macOSPanicFlags", "macOS Panic Flags", false },
	{ "reason", "Reason", false },
	{ "frontmostPids", "Frontmost Processes", false },
	{ "memoryStatus", "Memory Status", false },
	{ "memoryStatus.memoryPages", "Memory Pages", false },
};

/** The body being listed. */
struct listing {
	const struct json_place *place;
	bool is_shot; ///< a panic or a stackshot
	size_t value_count;
	size_t untranslated_count;
	struct str untranslated; ///< names of the first ones
};

static bool has_field(const struct json_field *fields, size_t count,
                      const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (text_is(fields[i].key, key))
			return true;
	return false;
}

/** Read into a fact, or by the reader of stackshots. */
static bool is_read(const struct listing *list, const char *key)
{
	if (has_field(fact_fields, ARRAY_SIZE(fact_fields), key))
		return true;
	return list->is_shot &&
	       (has_field(shot_fields, ARRAY_SIZE(shot_fields), key) ||
	        !strcmp(key, "processByPid") || !strcmp(key, "binaryImages") ||
	        !strcmp(key, "stackshot"));
}

/** A text, a number, true or false; NULL for others. */
static const char *single_value(const cJSON *value, struct arena *arena)
{
	bool truth = false;

	switch (json_type(value)) {
	case JSON_TEXT:
		return cJSON_GetStringValue(value);
	case JSON_NUMBER:
		return json_number_text(value, arena);
	case JSON_BOOL:
		json_as_bool(value, &truth);
		return truth ? "true" : "false";
	default:
		return NULL;
	}
}

/**
 * `active 15712, free 621`: the scalar values of a list or object; empty if
 * there are too many. Texts of a list are on lines of their own.
 */
static void join_values(const cJSON *container, struct arena *arena,
                        struct str *out)
{
	bool named = cJSON_IsObject(container);

	if ((size_t)cJSON_GetArraySize(container) > LIST_MAX)
		return;
	const cJSON *value;

	cJSON_ArrayForEach (value, container) {
		const char *text = single_value(value, arena);
		bool own_line = !named && cJSON_IsString(value);

		if (!text)
			continue;
		if (out->size)
			str_add(out, own_line ? "\n" : ", ");
		if (named)
			str_addf(out, "%s ", value->string);
		str_add(out, text);
	}
}

static void add_text(const struct listing *list, const char *label,
                     const char *text, bool is_section)
{
	struct report *report = list->place->reader->report;
	struct arena *arena = list->place->reader->arena;
	struct text trimmed = text_trim(text_from(text));

	if (is_section || text_find_char(trimmed, '\n') != TEXT_NOWHERE)
		report_add_section(report, arena, arena_strdup(arena, label),
		                   arena_text(arena, trimmed));
	else
		report_add_field(report, arena, arena_strdup(arena, label),
		                 arena_text(arena, trimmed));
}

/** The note names the first ones. */
static void add_untranslated(struct listing *list, const char *key)
{
	if (list->untranslated_count++ < NAMES_MAX)
		str_addf(&list->untranslated, "%s%.64s",
		         list->untranslated.size ? ", " : "", key);
}

/** The label of a member, and whether it is a section even if short. */
static const char *label_of(const struct listing *list, const char *key,
                            bool *is_section)
{
	for (size_t i = 0; list->is_shot && i < ARRAY_SIZE(labels); i++) {
		if (strcmp(key, labels[i].key) != 0)
			continue;
		*is_section = labels[i].is_section;
		return labels[i].label;
	}
	return key;
}

/** @param depth  Levels of objects below this one to include. */
static void list_member(struct listing *list, const char *key,
                        const cJSON *value, unsigned depth)
{
	struct arena *arena = list->place->reader->arena;
	SCOPED(str_release) struct str joined = { 0 };
	const char *text = single_value(value, arena);
	bool is_section = false;
	const char *label = label_of(list, key, &is_section);
	bool has_inner = false;

	if (json_is_null(value) || (text && !*text))
		return;
	if (!text) {
		join_values(value, arena, &joined);
		text = joined.data;
	}
	if (text && list->value_count++ < VALUES_MAX)
		add_text(list, label, text, is_section);
	if (depth && cJSON_IsObject(value) &&
	    (size_t)cJSON_GetArraySize(value) <= LIST_MAX) {
		const cJSON *inner;

		cJSON_ArrayForEach (inner, value) {
			if (single_value(inner, arena))
				continue;
			has_inner = true;
			list_member(list,
			            arena_printf(arena, "%s.%.64s", key,
			                         inner->string),
			            inner, depth - 1);
		}
	}
	if (!text && !has_inner && (size_t)cJSON_GetArraySize(value))
		add_untranslated(list, key);
}

static void list_members(struct listing *list, const cJSON *body)
{
	const cJSON *value;

	cJSON_ArrayForEach (value, body) {
		if (!is_read(list, value->string))
			list_member(list, value->string, value, 1);
	}
	if (list->value_count > VALUES_MAX)
		json_place_note(list->place, "body",
		                "only the first %d of %zu values are listed",
		                VALUES_MAX, list->value_count);
}

// All together

/** So that the report is not mistaken for the whole. */
static void note_untranslated(const struct listing *list,
                              const struct report *report, const char *what)
{
	const char *more = list->untranslated_count > NAMES_MAX ? ", …" : "";

	if (list->is_shot && report->thread_count)
		json_place_note(
		        list->place, "body",
		        "%s: its statistics of processes and threads are left "
		        "out",
		        what);
	else if (!list->is_shot)
		json_place_note(
		        list->place, "body",
		        "%s: not translated; its single values are listed",
		        what);
	if (list->untranslated_count)
		json_place_note(list->place, "body", "not shown: %s%s",
		                str_cstr(&list->untranslated), more);
}

static void read_shot(const struct json_place *place, const cJSON *body)
{
	struct report *report = place->reader->report;
	const cJSON *stackshot = ips_stackshot(body);
	const char *panic = panic_string(body);

	report->format = is_panic(body) ? "panic" : "stackshot";
	json_place_fields(place, body, shot_fields, ARRAY_SIZE(shot_fields),
	                  report);
	if (stackshot)
		ips_read_stackshot(place, stackshot);
	if (panic)
		panic_text_read(text_from(panic), place->reader->arena, report);
}

void ips_read_other(struct json_reader *reader, const cJSON *body,
                    const char *bug_type)
{
	struct arena *arena = reader->arena;
	struct report *report = reader->report;
	const char *what = what_is(body, bug_type);
	struct json_place place = { .reader = reader,
		                    .name = "",
		                    .index = JSON_NO_INDEX };
	struct listing list = {
		.place = &place,
		.is_shot = ips_is_panic_or_stackshot(body),
	};

	report->format = "ips";
	report->kind = arena_strdup(arena, bug_type_bare(what));
	json_place_fields(&place, body, fact_fields, ARRAY_SIZE(fact_fields),
	                  report);
	if (list.is_shot)
		read_shot(&place, body);
	list_members(&list, body);
	note_untranslated(&list, report,
	                  bug_type ? bug_type_describe(bug_type, arena) : what);
	str_release(&list.untranslated);
}
