// SPDX-License-Identifier: MIT
#include "lib/text/json/pull_state.h"

// Values and names

/** Can the number read so far continue? */
static bool number_is_open(const struct json_pull *pull)
{
	if (json_token_left(&pull->t))
		return pull->path.depth &&
		       json_window_at_nul(&pull->window, &pull->t);
	// At the very end of the input more digits may be missing.
	return pull->path.depth || pull->window.read;
}

static struct error *take_number(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	size_t start = t->at;
	struct error *err;

	pull->event.type = JSON_EVENT_NUMBER;
	err = json_token_number(t);
	if (!err && number_is_open(pull))
		t->ended = true;
	pull->event.text = text_first(text_after(t->in, start), t->at - start);
	return err;
}

static struct error *take_word(struct json_pull *pull, const char *word,
                               enum json_event_type type)
{
	pull->event.type = type;
	pull->event.truth = word[0] == 't';
	pull->event.text = TEXT_NONE;
	return json_token_word(&pull->t, word);
}

/** Words for "not a number": a null whose text is the word. */
static bool take_nan(struct json_pull *pull)
{
	if (!json_token_nan(&pull->t, &pull->event.text))
		return false;
	pull->event.type = JSON_EVENT_NULL;
	if (!pull->t.ended)
		json_token_repair(&pull->t, pull->start,
		                  "NaN or Infinity read as null");
	return true;
}

struct error *json_pull_open(struct json_pull *pull, char opener)
{
	if (pull->path.depth == pull->depth_max)
		return json_token_place(
		        &pull->t, pull->t.at,
		        error_new(ERROR_LIMIT,
		                  "nested deeper than %zu levels%s",
		                  pull->depth_max, pull->depth_hint));
	if (json_pull_in_array(pull))
		json_path_next(&pull->path);
	pull->t.at++;
	json_path_open(&pull->path, opener == '[');
	pull->event.type = opener == '[' ? JSON_EVENT_ARRAY : JSON_EVENT_OBJECT;
	pull->expect = opener == '[' ? EXPECT_VALUE_OR_END : EXPECT_NAME_OR_END;
	return NULL;
}

void json_pull_end(struct json_pull *pull)
{
	pull->event.type = json_pull_in_array(pull) ? JSON_EVENT_END_ARRAY
	                                            : JSON_EVENT_END_OBJECT;
	pull->path.depth--;
	pull->expect = EXPECT_NEXT;
}

static struct error *take_name(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	struct error *err;

	if (t->in.data[t->at] != '"')
		return json_token_unexpected(t, pull->expect == EXPECT_NAME
		                                        ? "'\"'"
		                                        : "'\"' or '}'");
	pull->event.type = JSON_EVENT_NAME;
	pull->event.offset = json_pull_offset(pull, t->at);
	err = json_token_text(t, &pull->event.text);
	if (err || t->ended)
		return err;
	json_path_name(&pull->path, pull->event.offset);
	pull->expect = EXPECT_COLON;
	return NULL;
}

/** Read a value other than a container. */
static struct error *take_scalar(struct json_pull *pull, char c)
{
	struct json_tokens *t = &pull->t;

	if (c == '"') {
		pull->event.type = JSON_EVENT_TEXT;
		return json_token_text(t, &pull->event.text);
	}
	if (text_is_digit(c))
		return take_number(pull);
	if (c == 't')
		return take_word(pull, "true", JSON_EVENT_BOOL);
	if (c == 'f')
		return take_word(pull, "false", JSON_EVENT_BOOL);
	if (take_nan(pull))
		return NULL;
	if (c == '-')
		return take_number(pull);
	if (c == 'n')
		return take_word(pull, "null", JSON_EVENT_NULL);
	return json_token_unexpected(
	        t, pull->expect == EXPECT_VALUE ? "a value" : "a value or ']'");
}

static struct error *take_value(struct json_pull *pull, char c)
{
	struct error *err;

	pull->event.offset = json_pull_offset(pull, pull->t.at);
	if (c == '{' || c == '[')
		return json_pull_open(pull, c);
	err = take_scalar(pull, c);
	// A token that the window cut is read once more: it counts once.
	if (err || pull->t.ended)
		return err;
	if (json_pull_in_array(pull))
		json_path_next(&pull->path);
	pull->expect = EXPECT_NEXT;
	return NULL;
}

// Repairs of faults by writers

/** The next name, or the end, is in place of a value: null. */
static bool take_missing_value(struct json_pull *pull, char c)
{
	if (!(pull->flags & JSON_PULL_REPAIR) || !pull->path.depth ||
	    json_pull_in_array(pull) || (c != ',' && c != '}') ||
	    (pull->expect != EXPECT_COLON && pull->expect != EXPECT_VALUE))
		return false;
	json_token_repair(&pull->t, pull->t.at,
	                  "name without a value: "
	                  "treated as null");
	pull->event.type = JSON_EVENT_NULL;
	pull->event.text = TEXT_NONE;
	pull->event.offset = json_pull_offset(pull, pull->t.at);
	pull->expect = EXPECT_NEXT;
	return true;
}

/** A comma is before the end: forget it. */
static bool skip_extra_comma(struct json_pull *pull, char c)
{
	bool behind_comma = json_pull_in_array(pull)
	                            ? pull->expect == EXPECT_VALUE && c == ']'
	                            : pull->expect == EXPECT_NAME && c == '}';

	if (!(pull->flags & JSON_PULL_REPAIR) || !behind_comma)
		return false;
	json_token_repair(&pull->t, pull->t.at,
	                  "extra comma before the closing bracket");
	return true;
}

// Events

/**
 * The next non-blank byte; -1 at the end of the input. A repeated attempt
 * begins there.
 */
static int peek(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;

	while (json_token_left(t) && text_is_space(t->in.data[t->at]))
		t->at++;
	pull->start = t->at;
	pull->repair_count = t->repair_count;
	if (json_token_left(t))
		return (unsigned char)t->in.data[t->at];
	t->ended = true;
	return -1;
}

/** Skip the comma before the next value or name; the end may follow. */
static struct error *step_comma(struct json_pull *pull, char c)
{
	struct json_tokens *t = &pull->t;
	bool inside_array = json_pull_in_array(pull);

	if (c == ',') {
		pull->expect = inside_array ? EXPECT_VALUE : EXPECT_NAME;
		t->at++;
	} else if (c == '"' && !inside_array &&
	           pull->flags & JSON_PULL_REPAIR) {
		json_token_repair(t, t->at, "a comma is missing");
		pull->expect = EXPECT_NAME;
	} else if (c != (inside_array ? ']' : '}')) {
		return json_token_unexpected(t, inside_array ? "',' or ']'"
		                                             : "',' or '}'");
	}
	return NULL;
}

/** Step over a comma or colon before the next event. */
static struct error *step(struct json_pull *pull)
{
	int c = peek(pull);

	if (pull->t.ended)
		return NULL;
	if (pull->expect == EXPECT_NEXT)
		return step_comma(pull, (char)c);
	if (c == ':') {
		pull->expect = EXPECT_VALUE;
		pull->t.at++;
		return NULL;
	}
	return take_missing_value(pull, (char)c)
	               ? NULL
	               : json_token_unexpected(&pull->t, "':'");
}

struct error *json_pull_take(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	bool is_name = pull->expect == EXPECT_COLON;
	struct error *err;
	char c;

	if (is_name || pull->expect == EXPECT_NEXT) {
		err = step(pull);
		// A name without a value is done.
		if (err || t->ended || (is_name && pull->expect == EXPECT_NEXT))
			return err;
	}
	c = (char)peek(pull);
	if (t->ended || take_missing_value(pull, c))
		return NULL;
	if ((pull->expect == EXPECT_VALUE_OR_END && c == ']') ||
	    (pull->expect == EXPECT_NAME_OR_END && c == '}') ||
	    pull->expect == EXPECT_NEXT || skip_extra_comma(pull, c)) {
		pull->event.offset = json_pull_offset(pull, t->at++);
		json_pull_end(pull);
		return NULL;
	}
	if (pull->expect == EXPECT_NAME || pull->expect == EXPECT_NAME_OR_END)
		return take_name(pull);
	return take_value(pull, c);
}
