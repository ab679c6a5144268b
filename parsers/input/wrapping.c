// SPDX-License-Identifier: MIT
#include "parsers/input/wrapping.h"

#include "lib/base/base64.h"
#include "lib/base/str.h"
#include "lib/darwin/headline.h"
#include "lib/text/gzip.h"
#include "lib/text/json/pull.h"
#include "lib/text/zip.h"
#include "parsers/json/shape.h"

#include <string.h>

/** Max levels of JSON that are searched for the text of a report. */
#define DEPTH_MAX 8
/** Max levels for objects, each of which is measured again. */
#define OBJECT_DEPTH_MAX 4
/** Deeper names are unrelated. */
#define NAMED_DEPTH_MAX 1
#define FACT_DEPTH_MAX  2
/** Fewer letters are a word, not Base64. */
#define BASE64_LETTERS_MIN 24
#define BASE64_LOOK_BYTES  64

/** State of searching an envelope. */
struct finder {
	struct text in;
	struct json_pull *pull;
	struct arena *arena;
	struct wrapping *ret;
	size_t limit_bytes;
	size_t name_end; ///< of the last member
};

// Detection of reports

/** Does the text have marks that only reports have? */
static bool is_report(struct text text)
{
	static const char *const lines[] = {
		"Incident Identifier:",
		"\nBinary Images:",
		"\nThread 0",
		"\nHeaviest stack",
	};
	struct headline headline = { 0 };
	struct json_shape shape;

	// Messages of a log: `log stream --style ndjson`.
	if (headline_find(text_first(text, text_find_char(text, '\n')),
	                  &headline) &&
	    !headline.needs_frames)
		return true;
	if (text_starts(text_trim_left(text), "{")) {
		shape = json_shape(text_trim_left(text));
		return json_shape_is_report(&shape) ||
		       text_find(text, "\"bug_type\"") != TEXT_NOWHERE ||
		       text_find(text, "\"binary_images\"") != TEXT_NOWHERE;
	}
	if (text_find_char(text, '\n') == TEXT_NOWHERE)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (text_find(text, lines[i]) != TEXT_NOWHERE)
			return true;
	return false;
}

static bool is_json(struct text text)
{
	return text_starts(text, "{") || text_starts(text, "[");
}

/** Is the decoded text worth a closer look? */
static bool is_promising(struct text decoded)
{
	struct bytes bytes = bytes_from_text(decoded);

	return json_begins(text_trim_left(decoded)) || gzip_is(bytes) ||
	       zip_is(bytes) || text_starts(decoded, "plcrash") ||
	       is_report(decoded);
}

/** Names that envelopes use for a report. */
static bool is_named(struct text name)
{
	static const char *const names[] = { "STACK_TRACE", "payload", "JSON",
		                             "appleReport" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(name, names[i]))
			return true;
	return false;
}

// Results

static void add(struct finder *f, struct wrapped item)
{
	SCOPED(str_release) struct str place = { 0 };
	struct wrapping *ret = f->ret;

	json_pull_path(f->pull, &place);
	item.place = place.size ? arena_text(f->arena, str_text(&place))
	                        : "the text";
	ARENA_GROW(f->arena, ret->items, ret->count, ret->cap);
	ret->items[ret->count++] = item;
}

/** Copy decoded text; false over the limit. */
static bool keep(struct finder *f, struct text text, struct bytes *ret)
{
	uint8_t *copy;

	if (text.size > f->limit_bytes - f->ret->made_bytes) {
		f->ret->is_too_large = true;
		return false;
	}
	f->ret->made_bytes += text.size;
	copy = arena_array(f->arena, text.size + 1, 1);
	if (text.size)
		memcpy(copy, text.data, text.size);
	*ret = (struct bytes){ .data = copy, .size = text.size };
	return true;
}

// Base64

/** `%2B` as `+`: it has been part of an address. */
static void add_unescaped(struct str *out, struct text in)
{
	static const struct {
		const char *escape;
		char letter;
	} escapes[] = {
		{ "%2B", '+' }, { "%2b", '+' }, { "%2F", '/' },  { "%2f", '/' },
		{ "%3D", '=' }, { "%3d", '=' }, { "%0A", '\n' },
	};

	while (in.size) {
		size_t i = 0;

		while (i < ARRAY_SIZE(escapes) &&
		       !text_take(&in, escapes[i].escape))
			i++;
		if (i < ARRAY_SIZE(escapes)) {
			str_add_char(out, escapes[i].letter);
		} else {
			str_add_char(out, in.data[0]);
			in = text_after(in, 1);
		}
	}
}

/** Might it be, by its first letters? Words have blanks between them. */
static bool may_be_base64(struct text in)
{
	struct text head = text_first(in, BASE64_LOOK_BYTES);
	size_t blanks = 0;

	if (in.size < BASE64_LETTERS_MIN)
		return false;
	for (size_t i = 0; i < head.size; i++) {
		char c = head.data[i];

		blanks += c == ' ';
		if (!text_is_letter(c) && !text_is_digit(c) &&
		    !text_is_space(c) && !strchr("+/-_=%", c))
			return false;
	}
	return !blanks;
}

/** `data:application/json;base64,…` */
static struct text without_scheme(struct text in)
{
	static const char sign[] = ";base64,";
	size_t at = text_starts(in, "data:")
	                    ? text_find(text_first(in, 128), sign)
	                    : TEXT_NOWHERE;

	return at == TEXT_NOWHERE ? in : text_after(in, at + strlen(sign));
}

/** @param is_cut  The input ends inside of it. */
static bool take_base64(struct finder *f, bool named, struct text in,
                        bool is_cut)
{
	SCOPED(str_release) struct str plain = { 0 };
	SCOPED(str_release) struct str decoded = { 0 };
	struct wrapped item = { .damage = NULL };
	size_t used;

	in = without_scheme(in);
	if (!may_be_base64(in))
		return false;
	if (text_find_char(in, '%') != TEXT_NOWHERE) {
		add_unescaped(&plain, in);
		in = str_text(&plain);
	}
	used = base64_decode_some(in, &decoded);
	if (!is_promising(str_text(&decoded)) && (!named || used < in.size / 2))
		return false;
	// A truncated end leaves an extra letter.
	if (used < in.size || is_cut)
		item.damage =
		        is_cut || used + 1 == in.size
		                ? "the Base64 ends early: the rest is lost"
		                : "the Base64 is damaged: the rest is "
		                  "lost";
	if (keep(f, str_text(&decoded), &item.bytes))
		add(f, item);
	return true;
}

// Values

static void take_text(struct finder *f, bool named, struct text text,
                      bool is_cut)
{
	struct text trimmed = text_trim(text);
	struct wrapped item = {
		.is_text = true,
		.damage = is_cut ? "the text ends early: the rest is lost"
		                 : NULL,
	};

	if (!is_report(text) && !(named && is_json(trimmed))) {
		if (take_base64(f, named, trimmed, is_cut))
			return;
		// Stacks of all threads are a text, too.
		if (!named || text_find_char(trimmed, '\n') == TEXT_NOWHERE)
			return;
	}
	if (keep(f, text, &item.bytes))
		add(f, item);
}

/** A text that the end of the input truncates is no event. */
static void take_cut_text(struct finder *f, bool named)
{
	struct text rest = text_trim_left(text_after(f->in, f->name_end));
	SCOPED(str_release) struct str closed = { 0 };

	if (!text_take(&rest, ":"))
		return;
	rest = text_trim_left(rest);
	if (!text_starts(rest, "\""))
		return;
	// An escape may be truncated, `\u12`.
	for (size_t cut = 0; cut < 6 && cut + 1 < rest.size; cut++) {
		SCOPED(json_pull_drop) struct json_pull *pull = NULL;
		const struct json_event *event;

		str_clear(&closed);
		str_add_text(&closed, text_first(rest, rest.size - cut));
		str_add_char(&closed, '"');
		pull = json_pull_new(str_text(&closed), 0);
		event = json_pull_next(pull);
		if (event->type != JSON_EVENT_TEXT)
			continue;
		take_text(f, named, event->text, true);
		return;
	}
}

/** Is it a report or a list of nodes, under any name? */
static bool is_report_value(struct text in)
{
	bool is_list = text_take(&in, "[");
	struct json_shape shape = json_shape(text_trim_left(in));

	return is_list ? shape.names & JSON_HAS(DEPTH)
	               : json_shape_is_report(&shape);
}

/**
 * Read an object or array whose first event was read; true if it was skipped.
 */
static bool take_container(struct finder *f, bool named, size_t start)
{
	size_t depth = json_pull_depth(f->pull);
	struct text in = text_after(f->in, start);
	struct wrapped item = { .damage = NULL };

	if (!named && (depth > OBJECT_DEPTH_MAX || !is_report_value(in))) {
		if (depth >= DEPTH_MAX)
			json_pull_skip(f->pull);
		return false;
	}
	add(f, item);
	json_pull_skip(f->pull);
	f->ret->items[f->ret->count - 1].bytes = bytes_from_text(
	        text_first(in, json_pull_used(f->pull) - start));
	return true;
}

// Facts

static const struct {
	const char *name;
	size_t depth_max;
} fact_names[WRAPPING_FACTS] = {
	[WRAPPING_SESSION] = { "APP_SESSION_ID", FACT_DEPTH_MAX },
	[WRAPPING_MODEL] = { "SYS_PHONE_MODEL", FACT_DEPTH_MAX },
	[WRAPPING_OS_NAME] = { "SYS_SYSTEM_MODEL", FACT_DEPTH_MAX },
	[WRAPPING_OS_VERSION] = { "SYS_SYSTEM_VERSION", FACT_DEPTH_MAX },
	[WRAPPING_APP_VERSION] = { "APP_VERSION", FACT_DEPTH_MAX },
	[WRAPPING_TIME] = { "CREATE_TIME", FACT_DEPTH_MAX },
	[WRAPPING_MONITOR] = { "MONITOR_TYPE", FACT_DEPTH_MAX },
	[WRAPPING_IMAGES] = { "dyld_images", FACT_DEPTH_MAX },
	[WRAPPING_CRASH_TIME] = { "crashTime", 1 },
	[WRAPPING_EXCEPTION] = { "userException", 1 },
	[WRAPPING_CUSTOM] = { "custom", 1 },
};

/** WRAPPING_FACTS if unknown. */
static size_t find_fact(struct text name, size_t depth)
{
	size_t i = 0;

	while (i < WRAPPING_FACTS && (depth > fact_names[i].depth_max ||
	                              !text_is(name, fact_names[i].name)))
		i++;
	return i;
}

static void take_fact(struct finder *f, size_t fact,
                      const struct json_event *event)
{
	size_t start = event->offset;
	bool is_null = event->type == JSON_EVENT_NULL;

	json_pull_skip(f->pull);
	if (!is_null && !f->ret->facts[fact].size)
		f->ret->facts[fact] =
		        text_first(text_after(f->in, start),
		                   json_pull_used(f->pull) - start);
}

// The walk

static void take_member(struct finder *f, const struct json_event *event)
{
	size_t depth = json_pull_depth(f->pull);
	bool named = depth <= NAMED_DEPTH_MAX && is_named(event->text);
	size_t fact = find_fact(event->text, depth);

	f->name_end = json_pull_used(f->pull);
	event = json_pull_next(f->pull);
	if (fact < WRAPPING_FACTS) {
		take_fact(f, fact, event);
		return;
	}
	switch (event->type) {
	case JSON_EVENT_TEXT:
		take_text(f, named, event->text, false);
		break;
	case JSON_EVENT_OBJECT:
	case JSON_EVENT_ARRAY:
		take_container(f, named, event->offset);
		break;
	case JSON_EVENT_NULL:
		if (json_pull_is_closing(f->pull))
			take_cut_text(f, named);
		break;
	default:
		break;
	}
}

static void walk(struct finder *f)
{
	const struct json_event *event;

	while ((event = json_pull_next(f->pull))->type != JSON_EVENT_DONE) {
		if (event->type == JSON_EVENT_NAME)
			take_member(f, event);
		else if (event->type == JSON_EVENT_TEXT)
			take_text(f, false, event->text, false);
		else if (event->type == JSON_EVENT_OBJECT &&
		         json_pull_depth(f->pull) > 1)
			take_container(f, false, event->offset);
	}
}

size_t wrapping_find(struct text in, size_t limit_bytes, struct arena *arena,
                     struct wrapping *ret)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
	SCOPED(error_drop) struct error *err = NULL;
	struct finder f = { .in = in,
		            .pull = pull,
		            .arena = arena,
		            .ret = ret,
		            .limit_bytes = limit_bytes };

	json_pull_limit(pull);
	walk(&f);
	err = json_pull_take_error(pull);
	if (!err)
		return json_pull_used(pull);
	ret->count = 0;
	return 0;
}
