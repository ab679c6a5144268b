// SPDX-License-Identifier: MIT
// What nearly all events are: names, strings without escapes, digits, brackets.
// Found without a look at what else may come; the rest is left to pull_take.c.

#include "lib/text/json/pull_state.h"

// A byte at a time: since indents repeat, the processor predicts their end.
static inline size_t skip_blanks(struct text in, size_t at)
{
	if (at < in.size && in.data[at] == '\n')
		at++;
	while (at < in.size && in.data[at] == ' ')
		at++;
	while (at < in.size && text_is_space(in.data[at]))
		at++;
	return at;
}

/** Only digits, followed by something that certainly ends the number. */
static inline bool take_digits(struct json_pull *pull, size_t at)
{
	struct text in = pull->t.in;
	size_t end = at + 1;

	// No digit may follow a leading zero.
	if (in.data[at] != '0')
		while (end < in.size && text_is_digit(in.data[end]))
			end++;
	if (end == in.size ||
	    (in.data[end] != ',' && in.data[end] != '}' &&
	     in.data[end] != ']' && !text_is_space(in.data[end])))
		return false;
	pull->event.type = JSON_EVENT_NUMBER;
	pull->event.text = (struct text){ in.data + at, end - at };
	pull->t.at = end;
	return true;
}

static inline bool take_token(struct json_pull *pull, size_t at, bool is_name)
{
	char c = pull->t.in.data[at];

	if (c == '"') {
		if (!json_token_plain_text(&pull->t, at, &pull->event.text))
			return false;
		pull->event.type = is_name ? JSON_EVENT_NAME : JSON_EVENT_TEXT;
	} else if (is_name || !text_is_digit(c) || !take_digits(pull, at)) {
		return false;
	}
	pull->event.offset = json_pull_offset(pull, at);
	if (is_name)
		json_path_name(&pull->path, pull->event.offset);
	else if (json_pull_in_array(pull))
		json_path_next(&pull->path);
	pull->expect = is_name ? EXPECT_COLON : EXPECT_NEXT;
	return true;
}

bool json_pull_take_usual(struct json_pull *pull)
{
	struct text in = pull->t.in;
	size_t at = skip_blanks(in, pull->t.at);
	bool in_array = json_pull_in_array(pull);
	bool is_named = pull->expect == EXPECT_COLON;

	if (at == in.size || !pull->path.depth ||
	    pull->expect == EXPECT_VALUE || pull->expect == EXPECT_NAME)
		return false;
	if (!is_named && in.data[at] == (in_array ? ']' : '}')) {
		pull->event.offset = json_pull_offset(pull, at);
		pull->t.at = at + 1;
		json_pull_end(pull);
		return true;
	}
	if (is_named || pull->expect == EXPECT_NEXT) {
		if (in.data[at] != (is_named ? ':' : ','))
			return false;
		at = skip_blanks(in, at + 1);
	}
	return at < in.size && take_token(pull, at, !in_array && !is_named);
}
