// SPDX-License-Identifier: MIT
#include "parsers/ips/crash.h"

#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/darwin/exceptions.h"

#include <inttypes.h>
#include <string.h>

// App, system, date

/** Facts whose format differs in report and body. */
struct facts {
	const char *bundle_build;
	const char *bundle_version;
	const char *coalition_name;
	const char *coalition_id;
	bool is_corpse;
	bool is_nonfatal;
	bool is_simulated;
	bool is_beta;
};

static const struct json_field report_fields[] = {
	JSON_FIELD("incident", JSON_FIELD_TEXT, struct report, incident),
	JSON_FIELD("bug_type", JSON_FIELD_NUMBER_TEXT, struct report, bug_type),
	JSON_FIELD("crashReporterKey", JSON_FIELD_TEXT, struct report,
	           reporter_key),
	JSON_FIELD("modelCode", JSON_FIELD_TEXT, struct report, hardware_model),
	JSON_FIELD("procName", JSON_FIELD_TEXT, struct report, process.name),
	JSON_FIELD_HAS("pid", JSON_FIELD_U64, struct report, process.pid,
	               process.has_pid),
	JSON_FIELD("procPath", JSON_FIELD_TEXT, struct report, path),
	JSON_FIELD("procRole", JSON_FIELD_TEXT, struct report, role),
	JSON_FIELD("cpuType", JSON_FIELD_TEXT, struct report, code_type),
	JSON_FIELD("translated", JSON_FIELD_BOOL, struct report, translated),
	JSON_FIELD("parentProc", JSON_FIELD_TEXT, struct report, parent.name),
	JSON_FIELD_HAS("parentPid", JSON_FIELD_U64, struct report, parent.pid,
	               parent.has_pid),
	JSON_FIELD("responsibleProc", JSON_FIELD_TEXT, struct report,
	           responsible.name),
	JSON_FIELD_HAS("responsiblePid", JSON_FIELD_U64, struct report,
	               responsible.pid, responsible.has_pid),
	JSON_FIELD("userID", JSON_FIELD_NUMBER_TEXT, struct report, user_id),
	JSON_FIELD("captureTime", JSON_FIELD_TEXT, struct report, date_time),
	JSON_FIELD("procLaunch", JSON_FIELD_TEXT, struct report, launch_time),
};

static const struct json_field fact_fields[] = {
	JSON_FIELD("coalitionName", JSON_FIELD_TEXT, struct facts,
	           coalition_name),
	JSON_FIELD("coalitionID", JSON_FIELD_NUMBER_TEXT, struct facts,
	           coalition_id),
	JSON_FIELD("isCorpse", JSON_FIELD_BOOL, struct facts, is_corpse),
	JSON_FIELD("is_corpse", JSON_FIELD_BOOL, struct facts, is_corpse),
	JSON_FIELD("isNonFatal", JSON_FIELD_BOOL, struct facts, is_nonfatal),
	JSON_FIELD("isSimulated", JSON_FIELD_BOOL, struct facts, is_simulated),
	JSON_FIELD("isBeta", JSON_FIELD_BOOL, struct facts, is_beta),
};

static void read_bundle(const struct json_place *body_place, const cJSON *body)
{
	static const struct json_field fields[] = {
		JSON_FIELD("CFBundleIdentifier", JSON_FIELD_TEXT, struct report,
		           identifier),
		JSON_FIELD("CFBundleShortVersionString", JSON_FIELD_NUMBER_TEXT,
		           struct report, version),
		JSON_FIELD("CFBundleVersion", JSON_FIELD_NUMBER_TEXT,
		           struct report, build),
	};
	struct json_place place = { body_place->reader, NULL, "bundleInfo",
		                    JSON_NO_INDEX };
	struct report *report = place.reader->report;

	json_place_fields(
	        &place,
	        json_place_member(body_place, body, "bundleInfo", JSON_OBJECT),
	        fields, ARRAY_SIZE(fields), report);
	if (!report->version) {
		report->version = report->build;
		report->build = NULL;
	}
	// Apple's own text uses the process if there is no bundle.
	if (!report->identifier)
		report->identifier = report->process.name;
}

static void read_os_version(const struct json_place *body_place,
                            const cJSON *body)
{
	static const struct json_field fields[] = {
		JSON_FIELD("train", JSON_FIELD_TEXT, struct report, os_version),
		JSON_FIELD("build", JSON_FIELD_TEXT, struct report, os_build),
		JSON_FIELD("releaseType", JSON_FIELD_TEXT, struct report,
		           release_type),
	};
	struct json_place place = { body_place->reader, NULL, "osVersion",
		                    JSON_NO_INDEX };
	struct report *report = place.reader->report;

	json_place_fields(
	        &place,
	        json_place_member(body_place, body, "osVersion", JSON_OBJECT),
	        fields, ARRAY_SIZE(fields), report);
	if (report->os_version && report->os_build)
		report->os_version = arena_printf(place.reader->arena,
		                                  "%s (%s)", report->os_version,
		                                  report->os_build);
}

static void read_facts(const struct json_place *place, const cJSON *body)
{
	struct arena *arena = place->reader->arena;
	struct report *report = place->reader->report;
	struct facts facts = { 0 };

	json_place_fields(place, body, report_fields, ARRAY_SIZE(report_fields),
	                  report);
	json_place_fields(place, body, fact_fields, ARRAY_SIZE(fact_fields),
	                  &facts);
	read_bundle(place, body);
	read_os_version(place, body);
	if (facts.coalition_name && facts.coalition_id)
		report->coalition = arena_printf(arena, "%s [%s]",
		                                 facts.coalition_name,
		                                 facts.coalition_id);
	else
		report->coalition = facts.coalition_name;
	if (facts.is_beta)
		report_add_field(report, arena, "Beta", "YES");
	// First the mark that it is not a crash: it decides what is counted.
	if (facts.is_simulated)
		report->exception.note = "SIMULATED (this is NOT a crash)";
	else if (facts.is_nonfatal)
		report->exception.note =
		        "NON-FATAL CONDITION (this is NOT a crash)";
	else if (facts.is_corpse)
		report->exception.note =
		        darwin_exception_name(DARWIN_EXC_CORPSE_NOTIFY);
}

// Why it ended

static const char *raw_codes(const cJSON *exception, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	uint64_t code;

	for (const cJSON *value = cJSON_GetArrayItem(
	             cJSON_GetObjectItemCaseSensitive(exception, "rawCodes"),
	             0);
	     value && json_as_u64(value, &code); value = value->next)
		str_addf(&text, "%s0x%016" PRIx64, text.size ? ", " : "", code);
	return text.size ? arena_text(arena, str_text(&text)) : NULL;
}

static void read_exception(const struct json_place *body_place,
                           const cJSON *body)
{
	static const struct json_field fields[] = {
		JSON_FIELD("type", JSON_FIELD_TEXT, struct report_exception,
		           type),
		JSON_FIELD("signal", JSON_FIELD_TEXT, struct report_exception,
		           signal),
		JSON_FIELD("codes", JSON_FIELD_TEXT, struct report_exception,
		           codes),
		JSON_FIELD("subtype", JSON_FIELD_TEXT, struct report_exception,
		           subtype),
		JSON_FIELD("message", JSON_FIELD_TEXT, struct report_exception,
		           message),
	};
	struct json_place place = { body_place->reader, NULL, "exception",
		                    JSON_NO_INDEX };
	struct report_exception *exception = &place.reader->report->exception;
	const cJSON *object =
	        json_place_member(body_place, body, "exception", JSON_OBJECT);

	json_place_fields(&place, object, fields, ARRAY_SIZE(fields),
	                  exception);
	if (!exception->codes)
		exception->codes = raw_codes(object, place.reader->arena);
}

/** The texts of an array; other values become notes. */
static const char *const *read_texts(const struct json_place *place,
                                     const cJSON *object, const char *key,
                                     size_t *ret_count)
{
	const cJSON *array = json_place_member(place, object, key, JSON_ARRAY);
	struct arena *arena = place->reader->arena;
	const char **texts = arena_array(
	        arena, (size_t)cJSON_GetArraySize(array), sizeof(*texts));
	size_t count = 0;
	const cJSON *value;

	cJSON_ArrayForEach (value, array) {
		if (cJSON_GetStringValue(value))
			texts[count++] = arena_strdup(
			        arena, cJSON_GetStringValue(value));
		else
			json_place_unexpected(place, key, value, "text");
	}
	*ret_count = count;
	return texts;
}

static void read_termination(const struct json_place *body_place,
                             const cJSON *body)
{
	static const struct json_field fields[] = {
		JSON_FIELD("namespace", JSON_FIELD_TEXT,
		           struct report_termination, namespace_name),
		JSON_FIELD_HAS("code", JSON_FIELD_U64,
		               struct report_termination, code, has_code),
		JSON_FIELD("indicator", JSON_FIELD_TEXT,
		           struct report_termination, indicator),
		JSON_FIELD("byProc", JSON_FIELD_TEXT, struct report_termination,
		           by.name),
		JSON_FIELD_HAS("byPid", JSON_FIELD_U64,
		               struct report_termination, by.pid, by.has_pid),
	};
	struct json_place place = { body_place->reader, NULL, "termination",
		                    JSON_NO_INDEX };
	struct report_termination *termination =
	        &place.reader->report->termination;
	const cJSON *object =
	        json_place_member(body_place, body, "termination", JSON_OBJECT);

	json_place_fields(&place, object, fields, ARRAY_SIZE(fields),
	                  termination);
	termination->reasons = read_texts(&place, object, "reasons",
	                                  &termination->reason_count);
	termination->details = read_texts(&place, object, "details",
	                                  &termination->detail_count);
}

static void read_thrown(const struct json_place *body_place, const cJSON *body)
{
	static const struct json_field fields[] = {
		JSON_FIELD("name", JSON_FIELD_TEXT, struct report_thrown, name),
		JSON_FIELD("composed_message", JSON_FIELD_TEXT,
		           struct report_thrown, reason),
		JSON_FIELD("class", JSON_FIELD_TEXT, struct report_thrown,
		           class_name),
		JSON_FIELD("type", JSON_FIELD_TEXT, struct report_thrown, kind),
	};
	struct json_place place = { body_place->reader, NULL, "exceptionReason",
		                    JSON_NO_INDEX };
	const cJSON *object = json_place_member(body_place, body,
	                                        "exceptionReason", JSON_OBJECT);

	json_place_fields(&place, object, fields, ARRAY_SIZE(fields),
	                  &place.reader->report->thrown);
}

// Images

/** An image, with values to convert. */
struct image_entry {
	struct report_image image;
	const char *uuid;
	const char *source;
};

// In the order of Apple's writers, for fast lookup.
static const struct json_field image_fields[] = {
	JSON_FIELD("source", JSON_FIELD_TEXT, struct image_entry, source),
	JSON_FIELD("arch", JSON_FIELD_TEXT, struct image_entry, image.arch),
	JSON_FIELD("base", JSON_FIELD_U64, struct image_entry, image.base),
	JSON_FIELD("CFBundleShortVersionString", JSON_FIELD_NUMBER_TEXT,
	           struct image_entry, image.version),
	JSON_FIELD("CFBundleIdentifier", JSON_FIELD_TEXT, struct image_entry,
	           image.bundle_id),
	JSON_FIELD("size", JSON_FIELD_U64, struct image_entry, image.size),
	JSON_FIELD("uuid", JSON_FIELD_TEXT, struct image_entry, uuid),
	JSON_FIELD("path", JSON_FIELD_TEXT, struct image_entry, image.path),
	JSON_FIELD("name", JSON_FIELD_TEXT, struct image_entry, image.name),
	JSON_FIELD("CFBundleVersion", JSON_FIELD_NUMBER_TEXT,
	           struct image_entry, image.build),
};

/** `[uuid, base, source]`, as stackshots and macOS 11 betas write it. */
static void read_image_tuple(const struct json_place *place, const cJSON *tuple,
                             struct image_entry *entry)
{
	const cJSON *uuid = cJSON_GetArrayItem(tuple, 0);
	const cJSON *base = uuid ? uuid->next : NULL;
	const cJSON *source = base ? base->next : NULL;

	if (!json_as_u64(base, &entry->image.base))
		json_place_note(place, NULL, "expected a load address");
	if (cJSON_GetStringValue(uuid))
		entry->uuid = arena_strdup(place->reader->arena,
		                           cJSON_GetStringValue(uuid));
	if (cJSON_GetStringValue(source))
		entry->source = arena_strdup(place->reader->arena,
		                             cJSON_GetStringValue(source));
}

static void read_image(const struct json_place *place, const cJSON *value,
                       const cJSON *extra)
{
	struct json_reader *reader = place->reader;
	struct image_entry entry = { 0 };

	json_place_fields(place, extra, image_fields, ARRAY_SIZE(image_fields),
	                  &entry);
	if (cJSON_IsArray(value))
		read_image_tuple(place, value, &entry);
	else if (cJSON_IsObject(value))
		json_place_fields(place, value, image_fields,
		                  ARRAY_SIZE(image_fields), &entry);
	else
		json_place_unexpected(place, NULL, value, "an object");
	if (entry.source)
		entry.image.kind = entry.source[0];
	if (entry.uuid && !uuid_parse(text_from(entry.uuid), &entry.image.uuid))
		json_place_note(place, "uuid", "expected a UUID, found '%.64s'",
		                entry.uuid);
	// An empty entry still counts, since frames refer to images by index.
	*report_add_image(reader->report, reader->arena) = entry.image;
}

/** Room for all at once. */
static void make_room(const cJSON *images, struct report *report,
                      struct arena *arena)
{
	size_t count = (size_t)cJSON_GetArraySize(images);

	if (!count || report->image_cap)
		return;
	report->image_cap = count < limit_get(LIMIT_IMAGES)
	                            ? count
	                            : limit_get(LIMIT_IMAGES);
	report->images =
	        arena_array(arena, report->image_cap, sizeof(*report->images));
}

void ips_read_images(const struct json_place *body_place, const char *key,
                     const cJSON *body)
{
	const cJSON *images =
	        json_place_member(body_place, body, key, JSON_ARRAY);
	// macOS 11 betas kept all but UUID and base apart.
	const cJSON *extra = cJSON_GetArrayItem(
	        cJSON_GetObjectItemCaseSensitive(
	                cJSON_GetObjectItemCaseSensitive(body, "legacyInfo"),
	                "imageExtraInfo"),
	        0);
	struct json_place place = { .reader = body_place->reader, .name = key };

	make_room(images, place.reader->report, place.reader->arena);
	for (const cJSON *value = cJSON_GetArrayItem(images, 0); value;
	     value = value->next, place.index++) {
		if (place.index == limit_get(LIMIT_IMAGES)) {
			json_place_note_limit(
			        body_place, key, LIMIT_IMAGES,
			        (size_t)cJSON_GetArraySize(images), "images");
			break;
		}
		read_image(&place, value, extra);
		extra = extra ? extra->next : NULL;
	}
}

bool ips_is_crash_body(const cJSON *value)
{
	return cJSON_IsArray(
	               cJSON_GetObjectItemCaseSensitive(value, "threads")) &&
	       cJSON_IsArray(
	               cJSON_GetObjectItemCaseSensitive(value, "usedImages"));
}

/**
 * Converted documents always have name and number. Only the kernel is process
 * 0.
 */
static void drop_unknown_process(struct report_process_ref *process)
{
	if (process->name && !strcmp(process->name, "???"))
		process->name = NULL;
	if (!process->pid &&
	    (!process->name || strcmp(process->name, "kernel_task") != 0))
		process->has_pid = false;
}

/**
 * Converted documents always have a type: Apple's systems write codes with it.
 */
static void drop_unknown_type(struct report_exception *exception)
{
	if (exception->type && !strcmp(exception->type, "00000020") &&
	    !exception->codes && !exception->signal && !exception->subtype &&
	    !exception->message)
		exception->type = NULL;
}

void ips_read_crash(struct json_reader *reader, const cJSON *body)
{
	struct json_place place = { .reader = reader,
		                    .name = "",
		                    .index = JSON_NO_INDEX };

	read_facts(&place, body);
	drop_unknown_process(&reader->report->process);
	read_exception(&place, body);
	drop_unknown_type(&reader->report->exception);
	read_termination(&place, body);
	read_thrown(&place, body);
	ips_read_images(&place, "usedImages", body);
	if (!reader->report->image_count)
		json_place_note(&place, "usedImages",
		                "no images are listed: no frame can be looked "
		                "up");
	ips_read_sections(&place, body);
	ips_read_threads(&place, body);
	report_place_frames(reader->report);
}
