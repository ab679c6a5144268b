// SPDX-License-Identifier: MIT
#include "parsers/ips/crash.h"

#include "lib/base/str.h"
#include "parsers/text/stack_line.h"

#include <inttypes.h>
#include <string.h>

/** A value that Apple's text shows in its header, under this label. */
struct label {
	const char *object; ///< object with the member; NULL: the body
	const char *key;
	const char *label;
	const char *unit;
};

static const struct label labels[] = {
	{ "bundleInfo", "DTAppStoreToolsBuild", "AppStoreTools", "" },
	{ "storeInfo", "applicationVariant", "AppVariant", "" },
	{ "storeInfo", "itemID", "App Item ID", "" },
	{ "storeInfo", "softwareVersionExternalIdentifier", "App External ID",
	  "" },
	{ NULL, "codeName", "Device Model", "" },
	{ NULL, "systemID", "UDID", "" },
	{ NULL, "basebandVersion", "Baseband Version", "" },
	{ NULL, "sleepWakeUUID", "Sleep/Wake UUID", "" },
	{ NULL, "uptime", "Time Awake Since Boot", " seconds" },
	{ NULL, "wakeTime", "Time Since Wake", " seconds" },
	{ NULL, "sip", "System Integrity Protection", "" },
};

/** A text, or a number as written; NULL and a note for others. */
static const char *read_label(const struct json_place *place,
                              const cJSON *object, const char *key)
{
	const struct json_field field = { .key = text_from(key),
		                          .kind = JSON_FIELD_NUMBER_TEXT,
		                          .has_offset = SIZE_MAX };
	const char *text = NULL;

	json_place_fields(place, object, &field, 1, &text);
	return text;
}

static void read_labels(const struct json_place *place, const cJSON *body)
{
	struct json_reader *reader = place->reader;

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		const struct label *label = &labels[i];
		struct json_place inner = { reader, NULL, label->object,
			                    JSON_NO_INDEX };
		const char *text =
		        label->object
		                ? read_label(&inner,
		                             cJSON_GetObjectItemCaseSensitive(
		                                     body, label->object),
		                             label->key)
		                : read_label(place, body, label->key);

		if (!text || !*text)
			continue;
		if (*label->unit)
			text = arena_printf(reader->arena, "%s%s", text,
			                    label->unit);
		report_add_field(reader->report, reader->arena, label->label,
		                 text);
	}
}

struct build_info {
	const char *project;
	const char *source;
	const char *build;
	const char *product;
};

/** `Project-Source~Build (ProductBuild)`, for Apple's own programs. */
static void read_build_info(const struct json_place *body_place,
                            const cJSON *body)
{
	static const struct json_field fields[] = {
		JSON_FIELD("ProjectName", JSON_FIELD_TEXT, struct build_info,
		           project),
		JSON_FIELD("SourceVersion", JSON_FIELD_NUMBER_TEXT,
		           struct build_info, source),
		JSON_FIELD("BuildVersion", JSON_FIELD_NUMBER_TEXT,
		           struct build_info, build),
		JSON_FIELD("ProductBuildVersion", JSON_FIELD_NUMBER_TEXT,
		           struct build_info, product),
	};
	struct json_place place = { body_place->reader, NULL, "buildInfo",
		                    JSON_NO_INDEX };
	struct arena *arena = place.reader->arena;
	struct build_info info = { 0 };
	const char *text;

	json_place_fields(
	        &place,
	        json_place_member(body_place, body, "buildInfo", JSON_OBJECT),
	        fields, ARRAY_SIZE(fields), &info);
	if (!info.project || !info.source || !info.build)
		return;
	text = arena_printf(arena, "%s-%s~%s", info.project, info.source,
	                    info.build);
	if (info.product)
		text = arena_printf(arena, "%s (%s)", text, info.product);
	report_add_field(place.reader->report, arena, "Build Info", text);
}

/** `6.5 (19P5071)`: the second system of Macs with a T2. */
static void read_bridge_version(const struct json_place *place,
                                const cJSON *body)
{
	const cJSON *object =
	        json_place_member(place, body, "bridgeVersion", JSON_OBJECT);
	const char *train = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(object, "train"));
	const char *build = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(object, "build"));
	struct arena *arena = place->reader->arena;

	if (train && build)
		report_add_field(place->reader->report, arena,
		                 "Bridge OS Version",
		                 arena_printf(arena, "%s (%s)", train, build));
}

/** A block of text with this label in Apple's text format. */
struct section {
	const char *key;
	const char *label;
};

static const struct section sections[] = {
	// Two spellings of one text; the first one counts.
	{ "vmRegionInfo", "VM Region Info" },
	{ "vmregioninfo", "VM Region Info" },
	{ "dyldMessages", "Dyld Error Message" },
	// An object: one array of texts an image.
	{ "asi", "Application Specific Information" },
	{ "asiSignatures", "Application Specific Signatures" },
	{ "ktriageinfo", "Kernel Triage" },
	{ "vmSummary", "VM Region Summary" },
	{ "reportNotes", "Error Formulating Crash Report" },
	{ "filteredLog", "Filtered log messages" },
	{ "diagnosticOutput", "Diagnostic Output" },
};

/**
 * The texts of a value, one per line. No more than @p depth containers deep:
 * `asi` is an object of arrays.
 */
static void add_lines(const struct json_place *place, const char *key,
                      const cJSON *value, unsigned depth, struct str *lines)
{
	enum json_type type = json_type(value);

	if (type == JSON_TEXT) {
		if (lines->size)
			str_add_char(lines, '\n');
		str_add_text(lines, text_trim_right(text_from(
		                            cJSON_GetStringValue(value))));
	} else if (depth && (type == JSON_ARRAY || type == JSON_OBJECT)) {
		for (value = cJSON_GetArrayItem(value, 0); value;
		     value = value->next)
			add_lines(place, key, value, depth - 1, lines);
	} else if (type != JSON_NULL) {
		json_place_unexpected(place, key, value, "text");
	}
}

static void read_texts(const struct json_place *place, const cJSON *body)
{
	struct json_reader *reader = place->reader;

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		SCOPED(str_release) struct str lines = { 0 };

		if (report_section(reader->report, sections[i].label))
			continue;
		add_lines(
		        place, sections[i].key,
		        cJSON_GetObjectItemCaseSensitive(body, sections[i].key),
		        2, &lines);
		if (lines.size)
			report_add_section(
			        reader->report, reader->arena,
			        sections[i].label,
			        arena_text(reader->arena, str_text(&lines)));
	}
}

/** Counters of operations on other tasks, worded as in Apple's text. */
static void read_modifications(const struct json_place *body_place,
                               const cJSON *body)
{
	static const struct section groups[] = {
		{ "targeted", "Calls made by other processes targeting this "
		              "process" },
		{ "caller", "Calls made by this process" },
		{ "system", "Calls made by all processes on this machine" },
	};
	static const char *const counters[] = { "task_for_pid", "thread_create",
		                                "thread_set_state" };
	const cJSON *object =
	        json_place_member(body_place, body, "extMods", JSON_OBJECT);
	struct json_reader *reader = body_place->reader;
	SCOPED(str_release) struct str lines = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		const cJSON *group =
		        cJSON_GetObjectItemCaseSensitive(object, groups[i].key);

		if (!cJSON_IsObject(group))
			continue;
		str_addf(&lines, "%s  %s:", lines.size ? "\n" : "",
		         groups[i].label);
		for (size_t k = 0; k < ARRAY_SIZE(counters); k++) {
			uint64_t count = 0;

			json_as_u64(cJSON_GetObjectItemCaseSensitive(
			                    group, counters[k]),
			            &count);
			str_addf(&lines, "\n    %s: %" PRIu64, counters[k],
			         count);
		}
	}
	if (lines.size)
		report_add_section(reader->report, reader->arena,
		                   "External Modification Summary",
		                   arena_text(reader->arena, str_text(&lines)));
}

/** Backtraces as text: one per string. */
static void read_app_backtraces(const struct json_place *body_place,
                                const cJSON *body)
{
	struct json_reader *reader = body_place->reader;
	struct json_place place = { .reader = reader, .name = "asiBacktraces" };

	for (const cJSON *value = cJSON_GetArrayItem(
	             json_place_member(body_place, body, "asiBacktraces",
	                               JSON_ARRAY),
	             0);
	     value; value = value->next, place.index++) {
		struct report_stack *stack =
		        report_add_app_backtrace(reader->report, reader->arena);
		const char *text = cJSON_GetStringValue(value);
		struct text rest = text_from(text ? text : "");
		struct text line;
		struct frame_line frame;

		if (!text)
			json_place_unexpected(&place, NULL, value, "text");
		while (text_next_line(&rest, &line)) {
			if (frame_line_parse(line, &frame))
				stack_add_line(stack, &frame, reader->arena);
			else if (text_trim(line).size)
				json_place_note(&place, NULL,
				                "not a frame: \"%.*s\"",
				                TEXT_ARGS(line));
		}
	}
}

void ips_read_sections(const struct json_place *body_place, const cJSON *body)
{
	read_labels(body_place, body);
	read_build_info(body_place, body);
	read_bridge_version(body_place, body);
	read_texts(body_place, body);
	read_modifications(body_place, body);
	read_app_backtraces(body_place, body);
}
