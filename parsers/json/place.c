// SPDX-License-Identifier: MIT
#include "parsers/json/place.h"

static void add_path(struct str *path, const struct json_place *place)
{
	// The chain is as long as the call depth.
	if (place->outer)
		add_path(path, place->outer);
	if (path->size && *place->name)
		str_add_char(path, '.');
	// Names may be from the input.
	str_addf(path, "%.64s", place->name);
	if (place->index != JSON_NO_INDEX)
		str_addf(path, "[%zu]", place->index);
}

const char *json_place_path(const struct json_place *place)
{
	SCOPED(str_release) struct str path = { 0 };

	add_path(&path, place);
	return arena_text(place->reader->arena, str_text(&path));
}

void json_path_join(struct str *path, const char *inner)
{
	struct text outer = str_text(path);

	if (outer.size && *inner && *inner != '[' && !text_ends(outer, " "))
		str_add_char(path, '.');
	str_add(path, inner);
}

void json_reader_note(struct json_reader *reader, struct text path,
                      const char *format, va_list args)
{
	const char *whole = reader->whole ? reader->whole : "report";
	SCOPED(str_release) struct str text = { 0 };

	if (json_reader_is_full(reader))
		return;
	if (reader->note_count++ == JSON_NOTES_MAX) {
		report_add_note(reader->report, reader->arena, whole,
		                "further notes are not listed");
		return;
	}
	str_addv(&text, format, args);
	report_add_note(reader->report, reader->arena,
	                path.size ? arena_text(reader->arena, path) : whole,
	                arena_text(reader->arena, str_text(&text)));
}

void json_place_note(const struct json_place *place, const char *key,
                     const char *format, ...)
{
	SCOPED(str_release) struct str path = { 0 };
	va_list args;

	if (json_reader_is_full(place->reader))
		return;
	add_path(&path, place);
	json_path_join(&path, key ? key : "");
	va_start(args, format);
	json_reader_note(place->reader, str_text(&path), format, args);
	va_end(args);
}

void json_place_note_limit(const struct json_place *place, const char *key,
                           enum limit_id id, size_t total, const char *what)
{
	size_t max = limit_get(id);

	if (max == 1)
		json_place_note(place, key,
		                "only the first of %zu %s was read%s", total,
		                what, limit_hint(id));
	else
		json_place_note(place, key,
		                "only the first %zu of %zu %s were read%s", max,
		                total, what, limit_hint(id));
}

bool json_place_may_read(const struct json_place *place, size_t lines)
{
	struct json_reader *reader = place->reader;

	if (report_may_read(reader->arena, lines))
		return true;
	if (!reader->report->is_limited)
		report_end_reading(reader->report, reader->arena,
		                   json_place_path(place));
	return false;
}

void json_place_unexpected(const struct json_place *place, const char *key,
                           const cJSON *value, const char *expected)
{
	if (!json_reader_is_full(place->reader))
		json_place_note(
		        place, key, "%s",
		        json_unexpected(value, expected, place->reader->arena));
}

static void complain(const char *key, const char *message, void *context)
{
	json_place_note(context, key, "%s", message);
}

void json_place_fields(const struct json_place *place, const cJSON *object,
                       const struct json_field *fields, size_t count,
                       void *target)
{
	// The callback takes any pointer, and only reads through this one.
	struct json_place here = *place;

	json_read_fields(object, fields, count, place->reader->arena, target,
	                 complain, &here);
}

const cJSON *json_place_member(const struct json_place *place,
                               const cJSON *object, const char *key,
                               enum json_type type)
{
	return json_place_value(place, key,
	                        cJSON_GetObjectItemCaseSensitive(object, key),
	                        type);
}

const cJSON *json_place_value(const struct json_place *place, const char *key,
                              const cJSON *value, enum json_type type)
{
	if (json_type(value) == type)
		return value;
	if (!json_is_null(value))
		json_place_unexpected(place, key, value, json_type_name(type));
	return NULL;
}

void json_note_repairs(const struct json_doc *doc, const char *part,
                       struct report *report, struct arena *arena)
{
	for (size_t i = 0; i < json_repair_count(doc); i++) {
		struct json_repair repair = json_repair(doc, i);

		report_add_note(report, arena,
		                arena_printf(arena, "%s%soffset 0x%zx",
		                             part ? part : "", part ? ", " : "",
		                             repair.offset),
		                repair.text);
	}
}

void json_note_document(const struct json_doc *doc, const char *part,
                        struct report *report, struct arena *arena)
{
	const char *place = part ? part : "report";

	json_note_repairs(doc, part, report, arena);
	report->truncated |= json_truncated(doc);
	if (json_fault(doc))
		report_add_note(report, arena, place,
		                arena_printf(arena, "damaged, read up to %s",
		                             json_fault(doc)));
	else if (json_truncated(doc))
		report_add_note(report, arena, place,
		                "the report is truncated: the rest is lost");
}

void json_place_each(const struct json_place *outer, const cJSON *object,
                     const char *key, enum limit_id limit, const char *what,
                     json_place_visit visit, void *context)
{
	struct json_place place = JSON_PLACE_MEMBER(outer, key);
	const cJSON *array = json_place_member(outer, object, key, JSON_ARRAY);

	place.index = 0;
	for (const cJSON *value = cJSON_GetArrayItem(array, 0); value;
	     value = value->next, place.index++) {
		if (place.index == limit_get(limit)) {
			json_place_note_limit(outer, key, limit,
			                      (size_t)cJSON_GetArraySize(array),
			                      what);
			return;
		}
		if (cJSON_IsObject(value))
			visit(&place, value, context);
		else if (!json_is_null(value))
			json_place_unexpected(&place, NULL, value, "an object");
	}
}
