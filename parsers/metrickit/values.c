#include "lib/base/str.h"
#include "parsers/metrickit/metrickit.h"

#include <stdarg.h>
#include <string.h>

void metrickit_note(struct metrickit_reader *r, const char *place,
                    const char *format, ...)
{
	struct metrickit_diagnostic *d = r->at;
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	va_list args;

	if (d->note_count > METRICKIT_NOTES_MAX)
		return;
	if (d->note_count++ == METRICKIT_NOTES_MAX) {
		report_add_note(d->report, r->arena, "payload",
		                "further notes are not listed");
		return;
	}
	str_add(&path, r->prefix);
	if (place)
		str_add(&path, place);
	else
		json_pull_path(r->pull, &path);
	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	report_add_note(d->report, r->arena,
	                path.size ? arena_text(r->arena, str_text(&path))
	                          : "payload",
	                arena_text(r->arena, str_text(&text)));
}

/** @p event is no @p expected: step over it. Null reads as absent. */
void metrickit_unexpected(struct metrickit_reader *r,
                          const struct json_event *event, const char *expected)
{
	const char *found = json_event_name(event);

	if (event->type == JSON_EVENT_NULL || event->type == JSON_EVENT_DONE)
		return;
	if (event->type == JSON_EVENT_NUMBER)
		metrickit_note(r, NULL, "expected %s, found %.*s", expected,
		               TEXT_ARGS(text_first(event->text, 40)));
	else
		metrickit_note(r, NULL, "expected %s, found %s", expected,
		               found);
	json_pull_skip(r->pull);
}

struct metrickit_name metrickit_name(const struct json_event *event)
{
	struct metrickit_name name = { { 0 } };

	if (event->text.size < sizeof(name.text))
		memcpy(name.text, event->text.data, event->text.size);
	return name;
}

const char *metrickit_take_text(struct metrickit_reader *r)
{
	const struct json_event *event = json_pull_next(r->pull);

	if (event->type == JSON_EVENT_TEXT)
		return arena_text(r->arena, event->text);
	metrickit_unexpected(r, event, "text");
	return NULL;
}

bool metrickit_take_u64(struct metrickit_reader *r, uint64_t *ret)
{
	const struct json_event *event = json_pull_next(r->pull);

	if (json_event_u64(event, ret))
		return true;
	metrickit_unexpected(r, event,
	                     event->type == JSON_EVENT_NUMBER
	                             ? "a whole number of 64 bits"
	                             : "a number");
	return false;
}

bool metrickit_take_bool(struct metrickit_reader *r, bool *ret)
{
	const struct json_event *event = json_pull_next(r->pull);

	if (json_event_bool(event, ret))
		return true;
	metrickit_unexpected(r, event, "true or false");
	return false;
}
