// SPDX-License-Identifier: MIT
#include "parsers/json/source.h"

#include "lib/base/str.h"

/** Append the path of member @p key, or of the last event. */
static void add_path(const struct json_source *source, const char *key,
                     struct str *path)
{
	SCOPED(str_release) struct str inner = { 0 };

	if (key)
		str_add(&inner, key);
	else
		json_pull_path(source->pull, &inner);
	json_path_join(path, source->prefix);
	json_path_join(path, str_cstr(&inner));
}

void json_source_note(const struct json_source *source, const char *key,
                      const char *format, ...)
{
	SCOPED(str_release) struct str path = { 0 };
	va_list args;

	if (source->note) {
		va_start(args, format);
		source->note(source, format, args);
		va_end(args);
		return;
	}
	if (json_reader_is_full(source->reader))
		return;
	add_path(source, key, &path);
	va_start(args, format);
	json_reader_note(source->reader, str_text(&path), format, args);
	va_end(args);
}

bool json_source_may_read(const struct json_source *source)
{
	SCOPED(str_release) struct str path = { 0 };
	struct json_reader *reader = source->reader;

	if (report_may_read(reader->arena, 1))
		return true;
	if (!reader->report->is_limited) {
		add_path(source, NULL, &path);
		report_end_reading(reader->report, reader->arena,
		                   arena_text(reader->arena, str_text(&path)));
	}
	return false;
}

void json_source_wrong(const struct json_source *source,
                       const struct json_event *event, const char *expected)
{
	SCOPED(str_release) struct str found = { 0 };

	json_event_add_found(&found, event);
	json_source_note(source, NULL, "expected %s, found %s", expected,
	                 str_cstr(&found));
	json_pull_skip(source->pull);
}

void json_source_unexpected(const struct json_source *source,
                            const struct json_event *event,
                            const char *expected)
{
	bool is_null = event->type == JSON_EVENT_NULL && !event->text.size;

	// Events after the end of the input are not values.
	if (!is_null && event->type != JSON_EVENT_DONE)
		json_source_wrong(source, event, expected);
}

const char *json_take_text(const struct json_source *source)
{
	const struct json_event *event = json_pull_next(source->pull);

	if (event->type == JSON_EVENT_TEXT)
		return arena_text(source->reader->arena, event->text);
	json_source_unexpected(source, event, "text");
	return NULL;
}

bool json_take_u64(const struct json_source *source, uint64_t max,
                   uint64_t *ret)
{
	const struct json_event *event = json_pull_next(source->pull);
	uint64_t number;

	if (json_event_u64(event, &number) && number <= max) {
		*ret = number;
		return true;
	}
	if (event->type != JSON_EVENT_NUMBER)
		json_source_unexpected(source, event, "a number");
	else if (max < UINT64_MAX)
		json_source_unexpected(source, event, "a whole number");
	else
		json_source_unexpected(source, event,
		                       "a whole number of 64 bits");
	return false;
}

bool json_take_bool(const struct json_source *source, bool *ret)
{
	const struct json_event *event = json_pull_next(source->pull);

	if (json_event_bool(event, ret))
		return true;
	json_source_unexpected(source, event, "true or false");
	return false;
}

void json_take_uuid(const struct json_source *source, struct uuid *ret)
{
	const struct json_event *event = json_pull_next(source->pull);

	if (event->type != JSON_EVENT_TEXT || !uuid_parse(event->text, ret))
		json_source_unexpected(source, event, "a UUID");
}

void json_source_end(const struct json_source *source, const char *key,
                     const char *what)
{
	SCOPED(error_drop)
	struct error *err = json_pull_take_error(source->pull);

	if (err)
		json_source_note(source, key, "damaged, read up to %s",
		                 error_message(err));
	if (!json_pull_truncated(source->pull))
		return;
	source->reader->report->truncated = true;
	json_source_note(source, key, "%s is truncated: the rest is lost",
	                 what);
}
