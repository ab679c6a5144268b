#include "parsers/input/embedded.h"

#include "lib/text/json/pull.h"

#include <string.h>

/** Levels of JSON around a report that are looked into. */
#define DEPTH_MAX 8

/** What texts hold that are reports, and no others do. */
static bool is_report(struct text text)
{
	static const char *const lines[] = {
		"Incident Identifier:",
		"\nBinary Images:",
		"\nThread 0",
		"\nHeaviest stack",
	};

	if (text_starts(text_trim_left(text), "{"))
		return text_find(text, "\"bug_type\"") != TEXT_NOWHERE ||
		       text_find(text, "\"binary_images\"") != TEXT_NOWHERE;
	if (text_find_char(text, '\n') == TEXT_NOWHERE)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (text_find(text, lines[i]) != TEXT_NOWHERE)
			return true;
	return false;
}

static void add(struct text text, struct arena *arena, struct embedded *ret)
{
	ARENA_GROW(arena, ret->texts, ret->count, ret->cap);
	ret->texts[ret->count++] = text_from(arena_text(arena, text));
}

/**
 * Find the texts in the first value of @p in, piece by piece: a tree of all
 * that is in it may be many times as large.
 *
 * @return How far it reaches; 0: it is no JSON, and none was found.
 */
static size_t find(struct text in, struct arena *arena, struct embedded *ret)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
	SCOPED(error_drop) struct error *err = NULL;
	const struct json_event *event;
	size_t known = ret->count;

	json_pull_limit(pull);
	while ((event = json_pull_next(pull))->type != JSON_EVENT_DONE)
		if (event->type == JSON_EVENT_TEXT &&
		    json_pull_depth(pull) <= DEPTH_MAX &&
		    is_report(event->text))
			add(event->text, arena, ret);
	err = json_pull_take_error(pull);
	if (!err)
		return json_pull_used(pull);
	ret->count = known;
	return 0;
}

struct embedded embedded_find(struct text in, struct arena *arena)
{
	struct embedded ret = { .texts = NULL };
	size_t used = 1;

	// A text alone is a value, too.
	while (used && (in = text_trim_left(in)).size &&
	       strchr("{[\"", in.data[0])) {
		used = find(in, arena, &ret);
		in = text_after(in, used);
	}
	return ret;
}
