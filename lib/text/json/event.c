// SPDX-License-Identifier: MIT
// What the events of lib/text/json/pull.h say, as values.

#include "lib/text/json/pull.h"

void json_event_add_found(struct str *out, const struct json_event *event)
{
	static const enum json_type types[] = {
		[JSON_EVENT_OBJECT] = JSON_OBJECT,
		[JSON_EVENT_ARRAY] = JSON_ARRAY,
		[JSON_EVENT_TEXT] = JSON_TEXT,
		[JSON_EVENT_NUMBER] = JSON_NUMBER,
		[JSON_EVENT_BOOL] = JSON_BOOL,
		[JSON_EVENT_NULL] = JSON_NULL,
	};

	bool has_text = event->type == JSON_EVENT_TEXT ||
	                event->type == JSON_EVENT_NUMBER ||
	                event->type == JSON_EVENT_NULL;

	json_add_found(out, types[event->type],
	               has_text ? event->text : TEXT_NONE);
}

bool json_event_u64(const struct json_event *event, uint64_t *ret)
{
	return (event->type == JSON_EVENT_NUMBER ||
	        event->type == JSON_EVENT_TEXT) &&
	       json_u64(event->text, ret);
}

bool json_event_bool(const struct json_event *event, bool *ret)
{
	uint64_t number;

	if (event->type == JSON_EVENT_BOOL) {
		*ret = event->truth;
		return true;
	}
	if (event->type == JSON_EVENT_TEXT &&
	    (text_is(event->text, "true") || text_is(event->text, "false"))) {
		*ret = text_is(event->text, "true");
		return true;
	}
	if (!json_event_u64(event, &number) || number > 1)
		return false;
	*ret = number;
	return true;
}
