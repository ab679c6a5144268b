#include "parsers/json/place.h"

#include "lib/base/str.h"

#include <stdarg.h>

static void add_path(struct str *path, const struct json_place *place)
{
	// The chain is as long as our own calls are deep.
	if (place->outer)
		add_path(path, place->outer);
	if (path->size && *place->name)
		str_add_char(path, '.');
	// Names may come from the input.
	str_addf(path, "%.64s", place->name);
	if (place->index != JSON_NO_INDEX)
		str_addf(path, "[%zu]", place->index);
}

void json_place_note(const struct json_place *place, const char *key,
                     const char *format, ...)
{
	struct json_reader *reader = place->reader;
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	va_list args;

	if (reader->note_count > JSON_NOTES_MAX)
		return;
	if (reader->note_count++ == JSON_NOTES_MAX) {
		report_add_note(reader->report, reader->arena, "report",
		                "further notes are not listed");
		return;
	}
	add_path(&path, place);
	if (key)
		str_addf(&path, "%s%s", path.size && *key != '[' ? "." : "",
		         key);
	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	report_add_note(reader->report, reader->arena,
	                path.size ? arena_text(reader->arena, str_text(&path))
	                          : "report",
	                arena_text(reader->arena, str_text(&text)));
}

static void complain(const char *key, const char *message, void *context)
{
	json_place_note(context, key, "%s", message);
}

void json_place_fields(const struct json_place *place,
                       const struct json *object,
                       const struct json_field *fields, size_t count,
                       void *target)
{
	// The callback takes any pointer; it only reads through this one.
	struct json_place here = *place;

	json_read_fields(object, fields, count, place->reader->arena, target,
	                 complain, &here);
}

const struct json *json_place_member(const struct json_place *place,
                                     const struct json *object, const char *key,
                                     enum json_type type)
{
	const struct json *value = json_member(object, key);
	enum json_type found = json_type(value);

	if (found == type)
		return value;
	if (found != JSON_NULL)
		json_place_note(place, key, "expected %s, found %s",
		                json_type_name(type), json_type_name(found));
	return NULL;
}

void json_note_repairs(const struct json_doc *doc, const char *part,
                       struct report *report, struct arena *arena)
{
	for (size_t i = 0; i < json_repair_count(doc); i++) {
		struct json_repair repair = json_repair(doc, i);

		report_add_note(report, arena,
		                arena_printf(arena, "%soffset 0x%zx", part,
		                             repair.offset),
		                repair.text);
	}
}
