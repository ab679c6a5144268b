// SPDX-License-Identifier: MIT
/*
 * The members of a report.
 */
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"

/** The first element decides: are they nodes? */
static bool take_first(struct lag_json *json)
{
	struct lag_sample sample = { 0 };
	struct lag_node node = { .symbol = INTERN_NONE };
	const struct json_event *event;

	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_OBJECT)
		if (!lag_sample_member(json, event->text, &sample) &&
		    !lag_node_member(json, event->text, &node))
			json_pull_skip(json->source.pull);
	if (node.has_depth)
		lag_node_end(json, &node);
	else
		lag_sample_end(json, &sample);
	return node.has_depth;
}

/** The elements of an open array. */
static void take_list(struct lag_json *json, struct lag_object *object)
{
	const struct json_event *event;
	bool are_nodes = false;
	size_t count = 0;

	object->has_samples = true;
	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		if (event->type != JSON_EVENT_OBJECT)
			json_source_wrong(&json->source, event,
			                  "a sample, an object");
		else if (!count++)
			are_nodes = take_first(json);
		else if (are_nodes)
			lag_node_take(json);
		else
			lag_sample_take(json);
	}
}

/** Names of envelopes may have other contents. */
static bool take_nodes(struct lag_json *json, struct lag_object *object)
{
	if (json_pull_next(json->source.pull)->type == JSON_EVENT_ARRAY)
		take_list(json, object);
	else
		json_pull_skip(json->source.pull);
	return true;
}

static bool take_samples(struct lag_json *json, struct lag_object *object)
{
	const struct json_event *event = json_pull_next(json->source.pull);

	if (event->type != JSON_EVENT_ARRAY) {
		SCOPED(str_release) struct str found = { 0 };
		SCOPED(str_release) struct str place = { 0 };

		json_event_add_found(&found, event);
		json_pull_path(json->source.pull, &place);
		if (!object->fault)
			object->fault = error_new(
			        ERROR_FORMAT,
			        "%s: expected an array of samples, found %s",
			        str_cstr(&place), str_cstr(&found));
		json_pull_skip(json->source.pull);
		return true;
	}
	take_list(json, object);
	return true;
}

static bool take_images(struct lag_json *json, struct lag_object *object)
{
	const struct json_event *event = json_pull_next(json->source.pull);

	if (event->type == JSON_EVENT_ARRAY) {
		object->has_images = true;
		lag_images_take(json);
	} else {
		json_source_unexpected(&json->source, event,
		                       "an array of images");
	}
	return true;
}

static bool take_interval(struct lag_json *json,
                          struct lag_object *object UNUSED)
{
	if (lag_json_take_ms(json, LAG_COST_US_MAX,
	                     &json->report->interval_us) &&
	    !json->report->interval_us)
		json_source_note(&json->source, NULL,
		                 "expected more than 0, found 0: %d ms is used",
		                 LAG_INTERVAL_US / 1000);
	return true;
}

/** Duration of the hang, sampled in full or in part. */
static bool take_duration(struct lag_json *json,
                          struct lag_object *object UNUSED)
{
	lag_json_take_ms(json, LAG_COST_US_MAX, &json->report->duration_us);
	return true;
}

static bool take_order(struct lag_json *json, struct lag_object *object UNUSED)
{
	const struct json_event *event = json_pull_next(json->source.pull);

	if (event->type == JSON_EVENT_TEXT &&
	    text_is(event->text, "leaf-first"))
		json->samples.leaf_first = true;
	else if (event->type == JSON_EVENT_TEXT &&
	         text_is(event->text, "root-first"))
		json->samples.leaf_first = false;
	else
		json_source_unexpected(&json->source, event,
		                       "\"root-first\" or \"leaf-first\"");
	return true;
}

static const struct {
	const char *name;
	/** NULL: a text at @c offset of the report. */
	bool (*take)(struct lag_json *json, struct lag_object *object);
	size_t offset;
} members[] = {
	{ "samples", take_samples, 0 },
	{ "nodes", take_samples, 0 },
	{ "stacks", take_nodes, 0 },
	{ "STACK_TRACE", take_nodes, 0 },
	{ "payload", take_nodes, 0 },
	{ "dyld_images", take_images, 0 },
	{ "interval_ms", take_interval, 0 },
	{ "duration_ms", take_duration, 0 },
	{ "order", take_order, 0 },
	{ "id", NULL, offsetof(struct lag_report, id) },
	{ "session", NULL, offsetof(struct lag_report, session) },
	{ "app", NULL, offsetof(struct lag_report, app) },
	{ "os", NULL, offsetof(struct lag_report, os) },
	{ "device", NULL, offsetof(struct lag_report, device) },
	{ "date", NULL, offsetof(struct lag_report, date) },
	{ "event", NULL, offsetof(struct lag_report, event) },
	{ "scenario", NULL, offsetof(struct lag_report, scenario) },
	// An image list has one, too.
	{ "arch", NULL, offsetof(struct lag_report, arch) },
};

/** Facts of envelopes fill missing values of the report. */
static const struct {
	const char *name;
	size_t offset;
} fillers[] = {
	{ "APP_SESSION_ID", offsetof(struct lag_report, session) },
	{ "APP_VERSION", offsetof(struct lag_report, app) },
	{ "SYS_SYSTEM_VERSION", offsetof(struct lag_report, os) },
	{ "SYS_PHONE_MODEL", offsetof(struct lag_report, device) },
	{ "CREATE_TIME", offsetof(struct lag_report, date) },
};

/**
 * A text, or a number as written.
 *
 * @param fills  Only set a missing value.
 */
static void take_text(struct lag_json *json, size_t offset, bool fills)
{
	const struct json_event *event = json_pull_next(json->source.pull);
	const char **field =
	        (const char **)(void *)((char *)json->report + offset);

	if (fills && *field)
		json_pull_skip(json->source.pull);
	else if (event->type == JSON_EVENT_TEXT ||
	         event->type == JSON_EVENT_NUMBER)
		*field = arena_text(&json->report->arena, event->text);
	else
		json_source_unexpected(&json->source, event, "text");
}

bool lag_json_member(struct lag_json *json, struct text name,
                     struct lag_object *object)
{
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (!text_is(name, members[i].name))
			continue;
		if (members[i].take)
			return members[i].take(json, object);
		take_text(json, members[i].offset, false);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(fillers); i++) {
		if (!text_is(name, fillers[i].name))
			continue;
		take_text(json, fillers[i].offset, true);
		return true;
	}
	return false;
}
