// What nearly all events are: found without a look at what else may come.

#include "lib/text/json/pull_state.h"

// A byte at a time: lines are indented alike, so that the processor knows the
// end before it has looked at them all, which it cannot with blocks.
static size_t skip_blanks(struct text in, size_t at)
{
	while (at < in.size && text_is_space(in.data[at]))
		at++;
	return at;
}

/**
 * Where the next name or value begins, if it comes as it should; the place of
 * the end of the input otherwise.
 *
 * @param is_name  Set: it is a name, or the end of an object; else a value,
 *                 or the end of an array.
 */
static size_t find_usual(const struct json_pull *pull, bool *is_name)
{
	struct text in = pull->t.in;
	size_t at = skip_blanks(in, pull->t.at);
	bool is_object = !json_pull_in_array(pull);

	*is_name = false;
	if (at == in.size || !pull->path.depth)
		return in.size;
	switch (pull->expect) {
	case EXPECT_COLON:
		return in.data[at] == ':' ? skip_blanks(in, at + 1) : in.size;
	case EXPECT_NAME_OR_END:
		*is_name = true;
		return at;
	case EXPECT_VALUE_OR_END:
		return at;
	case EXPECT_NEXT:
		*is_name = is_object;
		if (in.data[at] == ',') {
			at = skip_blanks(in, at + 1);
			return at < in.size && in.data[at] != '}' &&
			                       in.data[at] != ']'
			               ? at
			               : in.size;
		}
		return in.data[at] == (is_object ? '}' : ']') ? at : in.size;
	default:
		return in.size;
	}
}

/** A number of digits alone, after which it is clear that it ends. */
static bool take_digits(struct json_pull *pull, size_t at)
{
	struct text in = pull->t.in;
	size_t end = at + 1;

	// After a zero no digit may follow.
	while (end < in.size && in.data[at] != '0' &&
	       text_is_digit(in.data[end]))
		end++;
	if (end == in.size ||
	    (in.data[end] != ',' && in.data[end] != '}' &&
	     in.data[end] != ']' && !text_is_space(in.data[end])))
		return false;
	pull->event.type = JSON_EVENT_NUMBER;
	pull->event.text =
	        (struct text){ .data = in.data + at, .size = end - at };
	pull->t.at = end;
	return true;
}

static bool take_usual_value(struct json_pull *pull, size_t at)
{
	char c = pull->t.in.data[at];

	if (c == '"') {
		if (!json_token_plain_text(&pull->t, at, &pull->event.text))
			return false;
		pull->event.type = JSON_EVENT_TEXT;
	} else if (text_is_digit(c)) {
		if (!take_digits(pull, at))
			return false;
	} else if (c == '{' || c == '[') {
		if (pull->path.depth == pull->depth_max)
			return false;
		pull->t.at = at;
		pull->event.offset = json_pull_offset(pull, at);
		error_free(json_pull_open(pull, c));
		return true;
	} else {
		return false;
	}
	pull->event.offset = json_pull_offset(pull, at);
	if (json_pull_in_array(pull))
		json_path_next(&pull->path);
	pull->expect = EXPECT_NEXT;
	return true;
}

bool json_pull_take_usual(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	bool is_name;
	size_t at = find_usual(pull, &is_name);

	if (at == t->in.size)
		return false;
	if (t->in.data[at] == (is_name ? '}' : ']') &&
	    pull->expect != EXPECT_COLON) {
		pull->event.offset = json_pull_offset(pull, at);
		t->at = at + 1;
		json_pull_end(pull);
		return true;
	}
	if (!is_name)
		return take_usual_value(pull, at);
	if (t->in.data[at] != '"' ||
	    !json_token_plain_text(t, at, &pull->event.text))
		return false;
	pull->event.type = JSON_EVENT_NAME;
	pull->event.offset = json_pull_offset(pull, at);
	pull->expect = EXPECT_COLON;
	json_path_name(&pull->path, pull->event.offset);
	return true;
}
