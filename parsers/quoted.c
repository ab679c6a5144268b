#include "parsers/quoted.h"

#include "lib/text/json/json.h"

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

static void find(const struct json *value, unsigned depth, struct arena *arena,
                 struct quoted *ret)
{
	const char *text = json_as_text(value);

	if (text && is_report(text_from(text))) {
		ARENA_GROW(arena, ret->texts, ret->count, ret->cap);
		ret->texts[ret->count++] = text_from(arena_strdup(arena, text));
	}
	for (value = json_first(value); value && depth < DEPTH_MAX;
	     value = json_next(value))
		find(value, depth + 1, arena, ret);
}

struct quoted quoted_find(struct text in, struct arena *arena)
{
	struct quoted ret = { .texts = NULL };

	// A text alone is a value, too.
	while ((in = text_trim_left(in)).size && strchr("{[\"", in.data[0])) {
		SCOPED(json_doc_drop) struct json_doc *doc = NULL;
		SCOPED(error_drop) struct error *err = NULL;
		size_t used = 0;

		err = json_parse(in, &used, &doc);
		if (err || !used)
			break;
		find(json_root(doc), 0, arena, &ret);
		in = text_after(in, used);
	}
	return ret;
}
