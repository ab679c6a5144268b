// SPDX-License-Identifier: MIT
#include "cmd/filter/envelope.h"

#include "lib/base/utf8.h"
#include "lib/text/json/pull.h"

#include <stdbool.h>
#include <string.h>

enum member {
	MEMBER_APM,
	MEMBER_ID,
	MEMBER_META,
	MEMBER_REPORT,
	MEMBER_SHAPE,
	MEMBERS
};

static const char *const names[MEMBERS] = { "apm", "id", "meta", "report",
	                                    "shape" };

static enum member member_of(struct text name)
{
	size_t i = 0;

	while (i < MEMBERS && !text_is(name, names[i]))
		i++;
	return (enum member)i;
}

/** A larger meta is refused. */
#define META_BYTES_MAX ((size_t)1 << 20)

/** A member of a frame, as in the JSON. */
struct value {
	struct text text;
	enum json_event_type type;
	bool is_repaired; ///< not valid JSON: the JSON reader repaired it
};

/**
 * Whether a frame begins as an envelope. Looks only at the start, so that
 * reports are not read twice.
 */
static bool begins_as_one(struct text frame)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(frame, 0);
	const struct json_event *event = json_pull_next(pull);

	if (event->type != JSON_EVENT_OBJECT)
		return false;
	event = json_pull_next(pull);
	return event->type == JSON_EVENT_NAME &&
	       member_of(event->text) < MEMBER_SHAPE;
}

static bool is_utf8(struct text value)
{
	uint32_t c;
	size_t size;

	for (size_t at = 0; at < value.size; at += size) {
		size = utf8_decode(value, at, &c);
		if (!size)
			return false;
	}
	return true;
}

/**
 * Whether a value is valid JSON, since the answer repeats it. The JSON reader
 * also accepts the invalid JSON that devices write.
 */
static bool is_strict(struct text value)
{
	static const char *const words[] = { "true", "false", "null" };
	bool in_string = false;
	struct text rest = value;

	if (!is_utf8(value))
		return false;
	while (rest.size) {
		char c = rest.data[0];
		size_t size = 1;

		if (in_string && c == '\\')
			size = 2;
		else if (c == '"')
			in_string = !in_string;
		else if ((unsigned char)c < ' ' &&
		         (in_string || !text_is_blank(c)))
			return false;
		else if (!in_string && text_is_letter(c) &&
		         !((c == 'e' || c == 'E') && rest.data > value.data &&
		           text_is_digit(rest.data[-1]))) {
			size = 0;
			for (size_t i = 0; i < ARRAY_SIZE(words); i++)
				if (text_starts(rest, words[i]))
					size = strlen(words[i]);
			if (!size)
				return false;
		}
		rest = text_after(rest, size < rest.size ? size : rest.size);
	}
	return true;
}

/** Skip the value of the last name, and return it. */
static struct value take_value(struct json_pull *pull, struct text frame)
{
	const struct json_event *event = json_pull_next(pull);
	struct value value = { .type = event->type };
	size_t start = event->offset;
	size_t repairs = json_pull_repair_count(pull);

	json_pull_skip(pull);
	value.text = text_after(text_first(frame, json_pull_used(pull)), start);
	value.is_repaired = json_pull_repair_count(pull) > repairs ||
	                    json_pull_is_closing(pull);
	return value;
}

/** Whether @p object is `{"base64":"…"}`. */
static bool is_base64(struct text object, struct text *ret)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(object, 0);
	const struct json_event *event;
	size_t start;

	if (json_pull_next(pull)->type != JSON_EVENT_OBJECT)
		return false;
	event = json_pull_next(pull);
	if (event->type != JSON_EVENT_NAME || !text_is(event->text, "base64"))
		return false;
	event = json_pull_next(pull);
	start = event->offset;
	if (event->type != JSON_EVENT_TEXT)
		return false;
	*ret = text_after(text_first(object, json_pull_used(pull)), start);
	return json_pull_next(pull)->type == JSON_EVENT_END_OBJECT;
}

static struct error *take_id(const struct value *id, struct frame_envelope *ret)
{
	if (id->type == JSON_EVENT_NULL)
		return NULL;
	if (id->type != JSON_EVENT_TEXT && id->type != JSON_EVENT_NUMBER)
		return error_new(ERROR_FORMAT,
		                 "id: expected a string or a number");
	if (id->text.size > ENVELOPE_ID_BYTES_MAX)
		return error_new(ERROR_FORMAT,
		                 "id: expected at most %d bytes, found %zu",
		                 ENVELOPE_ID_BYTES_MAX, id->text.size);
	if (id->is_repaired || !is_strict(id->text))
		return error_new(ERROR_FORMAT, "id: not valid JSON");
	ret->id = id->text;
	return NULL;
}

static struct error *take_meta(const struct value *meta,
                               struct frame_envelope *ret)
{
	if (meta->text.size > META_BYTES_MAX)
		return error_new(ERROR_FORMAT, "meta: larger than 1 MB");
	if (meta->is_repaired || !is_strict(meta->text))
		return error_new(ERROR_FORMAT, "meta: not valid JSON");
	ret->meta = meta->text;
	return NULL;
}

static struct error *take_report(const struct value *report,
                                 struct frame_envelope *ret)
{
	ret->report = report->text;
	if (report->type == JSON_EVENT_TEXT)
		ret->content = ENVELOPE_STRING;
	else if (report->type != JSON_EVENT_OBJECT &&
	         report->type != JSON_EVENT_ARRAY)
		return error_new(ERROR_FORMAT,
		                 "report: expected an object or a string");
	else if (is_base64(report->text, &ret->report))
		ret->content = ENVELOPE_BASE64;
	return NULL;
}

/** Check the members; the error is about the first wrong one. */
static struct error *check(const struct value *values,
                           struct frame_envelope *ret)
{
	const struct value *version = &values[MEMBER_APM];
	struct error *err = NULL;

	// Take the id first, so that even an error has it.
	if (values[MEMBER_ID].text.data)
		err = take_id(&values[MEMBER_ID], ret);
	if (values[MEMBER_META].text.data)
		error_keep_first(&err, take_meta(&values[MEMBER_META], ret));
	if (err)
		return err;
	if (!text_is(version->text, "1"))
		return error_new(ERROR_FORMAT, "apm: expected 1, found %.*s",
		                 TEXT_ARGS(text_first(version->text, 40)));
	if (!values[MEMBER_REPORT].text.data)
		return error_new(ERROR_FORMAT, "report: missing");
	ret->shape = values[MEMBER_SHAPE].text;
	return take_report(&values[MEMBER_REPORT], ret);
}

/** Why the frame cannot be read to its end; NULL: it can. */
static struct error *find_fault(struct json_pull *pull, bool *ret_is_truncated)
{
	struct error *err = json_pull_take_error(pull);

	*ret_is_truncated = !err && json_pull_truncated(pull);
	if (*ret_is_truncated)
		err = error_new(ERROR_FORMAT, "the envelope is truncated");
	return err;
}

struct error *envelope_find(struct text frame, struct frame_envelope *ret)
{
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	struct value values[MEMBERS] = { 0 };
	const struct json_event *event;
	enum member member = MEMBERS;
	struct error *twice = NULL;
	bool is_truncated;
	struct error *fault;
	struct error *err;

	*ret = (struct frame_envelope){ .report = frame };
	text_take(&frame, UTF8_MARK);
	if (!begins_as_one(frame))
		return NULL;
	pull = json_pull_new(frame, 0);
	json_pull_limit(pull);
	json_pull_next(pull);
	while ((event = json_pull_next(pull))->type == JSON_EVENT_NAME) {
		struct value value;

		member = member_of(event->text);
		value = take_value(pull, frame);
		if (member == MEMBERS)
			continue;
		if (values[member].text.data && !twice)
			twice = error_new(ERROR_FORMAT, "%s: given twice",
			                  names[member]);
		values[member] = value;
	}
	// Without `apm`, these are members of a report.
	if (!values[MEMBER_APM].text.data) {
		error_free(twice);
		return NULL;
	}
	err = check(values, ret);
	fault = find_fault(pull, &is_truncated);
	// Pass on a damaged report: parsers can read a part of it.
	if (fault && !err && !twice && member == MEMBER_REPORT &&
	    ret->content == ENVELOPE_BYTES) {
		size_t start = (size_t)(ret->report.data - frame.data);

		ret->report = text_after(frame, start);
		error_free(fault);
		return NULL;
	}
	// The fault may be in the id: no id is better than a wrong one.
	if (twice || (fault && !is_truncated))
		ret->id = ret->meta = (struct text){ 0 };
	error_keep_first(&err, twice);
	error_keep_first(&err, fault);
	return err;
}
