// What nearly all events are: found without a look at what else may come.

#include "lib/base/block.h"
#include "lib/text/json/pull_state.h"

// A byte at a time: lines are indented alike, so that the processor knows the
// end before it has looked at them all, which it cannot with blocks.
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

/** json_token_plain_text(), most of which are a few blocks. */
static inline bool take_text(struct json_pull *pull, size_t at)
{
	struct text *ret = &pull->event.text;
	struct text rest = text_after(pull->t.in, at + 1);

	for (size_t i = 0; rest.size - i >= BLOCK_BYTES; i += BLOCK_BYTES) {
		block bytes = block_load(rest.data + i);
		unsigned found = block_bits(block_unusual(bytes, 0x20) |
		                            block_of(bytes, '"') |
		                            block_of(bytes, '\\'));
		size_t size = found ? i + block_first(found) : 0;

		if (!found)
			continue;
		if (rest.data[size] != '"')
			break;
		*ret = text_first(rest, size);
		pull->t.at = at + size + 2;
		return true;
	}
	return json_token_plain_text(&pull->t, at, ret);
}

/** A number of digits alone, after which it is clear that it ends. */
static inline bool take_digits(struct json_pull *pull, size_t at)
{
	struct text in = pull->t.in;
	size_t end = at + 1;

	// After a zero no digit may follow.
	if (in.data[at] != '0')
		while (end < in.size && text_is_digit(in.data[end]))
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

static inline bool take_value(struct json_pull *pull, size_t at, bool in_array)
{
	char c = pull->t.in.data[at];

	if (c == '"') {
		if (!take_text(pull, at))
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
	if (in_array)
		json_path_next(&pull->path);
	pull->expect = EXPECT_NEXT;
	return true;
}

static inline bool take_name(struct json_pull *pull, size_t at)
{
	if (pull->t.in.data[at] != '"' || !take_text(pull, at))
		return false;
	pull->event.type = JSON_EVENT_NAME;
	pull->event.offset = json_pull_offset(pull, at);
	pull->expect = EXPECT_COLON;
	json_path_name(&pull->path, pull->event.offset);
	return true;
}

static inline bool take_end(struct json_pull *pull, size_t at)
{
	pull->event.offset = json_pull_offset(pull, at);
	pull->t.at = at + 1;
	json_pull_end(pull);
	return true;
}

/** The colon is at @p at: the value of a name. */
static inline bool take_named(struct json_pull *pull, size_t at)
{
	at = skip_blanks(pull->t.in, at + 1);
	return at < pull->t.in.size && take_value(pull, at, false);
}

/** What follows a value is at @p at. */
static inline bool take_next(struct json_pull *pull, size_t at)
{
	struct text in = pull->t.in;
	bool in_array = json_pull_in_array(pull);

	if (in.data[at] == (in_array ? ']' : '}'))
		return take_end(pull, at);
	if (in.data[at] != ',')
		return false;
	at = skip_blanks(in, at + 1);
	if (at == in.size)
		return false;
	return in_array ? take_value(pull, at, true) : take_name(pull, at);
}

bool json_pull_take_usual(struct json_pull *pull)
{
	struct text in = pull->t.in;
	size_t at = skip_blanks(in, pull->t.at);

	if (at == in.size || !pull->path.depth)
		return false;
	switch (pull->expect) {
	case EXPECT_COLON:
		return in.data[at] == ':' && take_named(pull, at);
	case EXPECT_NEXT:
		return take_next(pull, at);
	case EXPECT_NAME_OR_END:
		return in.data[at] == '}' ? take_end(pull, at)
		                          : take_name(pull, at);
	case EXPECT_VALUE_OR_END:
		return in.data[at] == ']' ? take_end(pull, at)
		                          : take_value(pull, at, true);
	default:
		return false;
	}
}
