#include "lib/text/json_pull.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"
#include "lib/text/json_scan.h"
#include "lib/text/json_token.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Levels of a path that are named at either end.
#define PATH_LEVELS     8
#define PATH_NAME_BYTES 40

/** What may come next. */
enum expect {
	EXPECT_VALUE,
	EXPECT_VALUE_OR_END, ///< after `[`
	EXPECT_NAME,
	EXPECT_NAME_OR_END, ///< after `{`
	EXPECT_COLON,
	EXPECT_NEXT, ///< after a value: a comma or the end
};

struct json_pull {
	struct json_tokens t;
	struct json_scan scan; ///< its copy is the buffer of one string
	struct json_event event;
	enum expect expect;
	unsigned flags;
	bool closing; ///< the input ended, or was at fault
	bool truncated;
	struct error *fault;
	size_t depth;
	/** A bit a level: is it an array? */
	uint64_t arrays[JSON_PULL_DEPTH / 64];
	/** Where each level stands: the element, or the offset of the name. */
	size_t marks[JSON_PULL_DEPTH];
};

struct json_pull *json_pull_new(struct text in, unsigned flags)
{
	struct json_pull *pull = mem_zalloc(1, sizeof(*pull));

	// A device that lost power leaves NUL bytes where text should be.
	while (in.size && !in.data[in.size - 1])
		in.size--;
	pull->t = (struct json_tokens){ .in = in, .out = &pull->scan };
	pull->flags = flags;
	return pull;
}

void json_pull_free(struct json_pull *pull)
{
	if (!pull)
		return;
	json_scan_release(&pull->scan);
	error_free(pull->fault);
	free(pull);
}

void json_pull_drop(struct json_pull **pull)
{
	json_pull_free(*pull);
}

// Values and names

static struct error *take_number(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	size_t start = t->at;
	bool whole;
	struct error *err;

	pull->event.type = JSON_EVENT_NUMBER;
	err = json_token_step_number(t, &whole);
	// At the very end of the input more digits may be missing.
	if (!err && !json_token_left(t) && pull->depth)
		t->ended = true;
	pull->event.text = text_first(text_after(t->in, start), t->at - start);
	return err;
}

static struct error *take_word(struct json_pull *pull, const char *word,
                               enum json_event_type type)
{
	str_clear(&pull->scan.copy);
	pull->event.type = type;
	pull->event.truth = word[0] == 't';
	return json_token_word(&pull->t, word);
}

// Objects and arrays

static bool in_array(const struct json_pull *pull)
{
	size_t level = pull->depth - 1;

	return pull->depth && pull->arrays[level / 64] >> level % 64 & 1;
}

static struct error *open_container(struct json_pull *pull, bool is_array)
{
	size_t level = pull->depth;
	uint64_t bit = (uint64_t)1 << level % 64;

	if (level == JSON_PULL_DEPTH)
		return json_token_place(
		        &pull->t, pull->t.at,
		        error_new(ERROR_LIMIT, "nested deeper than %d levels",
		                  JSON_PULL_DEPTH));
	pull->t.at++;
	pull->depth++;
	pull->marks[level] = SIZE_MAX;
	if (is_array)
		pull->arrays[level / 64] |= bit;
	else
		pull->arrays[level / 64] &= ~bit;
	pull->event.type = is_array ? JSON_EVENT_ARRAY : JSON_EVENT_OBJECT;
	pull->expect = is_array ? EXPECT_VALUE_OR_END : EXPECT_NAME_OR_END;
	return NULL;
}

static void end_container(struct json_pull *pull)
{
	pull->event.type = in_array(pull) ? JSON_EVENT_END_ARRAY
	                                  : JSON_EVENT_END_OBJECT;
	pull->depth--;
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
	pull->event.offset = t->at;
	err = json_token_text(t, &pull->event.text);
	if (err || t->ended)
		return err;
	pull->marks[pull->depth - 1] = pull->event.offset;
	pull->expect = EXPECT_COLON;
	return NULL;
}

static struct error *take_value(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	char c = t->in.data[t->at];
	struct error *err;

	// From SIZE_MAX to 0 for the first.
	if (in_array(pull))
		pull->marks[pull->depth - 1]++;
	pull->event.offset = t->at;
	if (c == '{' || c == '[')
		return open_container(pull, c == '[');
	if (c == '"') {
		pull->event.type = JSON_EVENT_TEXT;
		err = json_token_text(t, &pull->event.text);
	} else if (c == '-' || text_is_digit(c)) {
		err = take_number(pull);
	} else if (c == 't') {
		err = take_word(pull, "true", JSON_EVENT_BOOL);
	} else if (c == 'f') {
		err = take_word(pull, "false", JSON_EVENT_BOOL);
	} else if (c == 'n') {
		err = take_word(pull, "null", JSON_EVENT_NULL);
	} else {
		return json_token_unexpected(t, pull->expect == EXPECT_VALUE
		                                        ? "a value"
		                                        : "a value or ']'");
	}
	if (!err && !t->ended)
		pull->expect = EXPECT_NEXT;
	return err;
}

// Events

/** The next byte that is no blank; -1 at the end of the input. */
static int peek(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;

	while (json_token_left(t) && text_is_space(t->in.data[t->at]))
		t->at++;
	if (json_token_left(t))
		return (unsigned char)t->in.data[t->at];
	t->ended = true;
	return -1;
}

/** Step over a comma or colon before the next event; it may be an end. */
static struct error *step(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	bool is_array = in_array(pull);
	int c = peek(pull);

	if (t->ended)
		return NULL;
	if (pull->expect == EXPECT_COLON) {
		if (c != ':')
			return json_token_unexpected(t, "':'");
		pull->expect = EXPECT_VALUE;
	} else if (c == ',') {
		pull->expect = is_array ? EXPECT_VALUE : EXPECT_NAME;
	} else if (c == '"' && !is_array &&
	           pull->flags & JSON_PULL_MISSING_COMMA) {
		json_token_repair(t, t->at, "a comma is missing");
		pull->expect = EXPECT_NAME;
		return NULL;
	} else if (c != (is_array ? ']' : '}')) {
		return json_token_unexpected(t, is_array ? "',' or ']'"
		                                         : "',' or '}'");
	} else {
		return NULL;
	}
	t->at++;
	return NULL;
}

/** The next event as the input has it. */
static struct error *take_event(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	struct error *err;
	int c;

	if (pull->expect == EXPECT_COLON || pull->expect == EXPECT_NEXT) {
		err = step(pull);
		if (err || t->ended)
			return err;
	}
	c = peek(pull);
	if (t->ended)
		return NULL;
	if ((pull->expect == EXPECT_VALUE_OR_END && c == ']') ||
	    (pull->expect == EXPECT_NAME_OR_END && c == '}') ||
	    pull->expect == EXPECT_NEXT) {
		pull->event.offset = t->at++;
		end_container(pull);
		return NULL;
	}
	if (pull->expect == EXPECT_NAME || pull->expect == EXPECT_NAME_OR_END)
		return take_name(pull);
	return take_value(pull);
}

/** Nothing more can be read: begin to end what is open. */
static void begin_closing(struct json_pull *pull, struct error *err)
{
	pull->closing = true;
	if (!err && !pull->depth)
		err = json_token_unexpected(&pull->t, "a value");
	pull->truncated = !err;
	pull->fault = err;
	pull->event.offset = pull->t.at;
}

/** The next event after all that could be read. */
static void close_next(struct json_pull *pull)
{
	bool lacks_value =
	        pull->depth && !in_array(pull) &&
	        (pull->expect == EXPECT_COLON || pull->expect == EXPECT_VALUE);

	pull->event.text = TEXT_NONE;
	if (lacks_value) {
		pull->event.type = JSON_EVENT_NULL;
		pull->expect = EXPECT_NEXT;
	} else if (pull->depth) {
		end_container(pull);
	} else {
		pull->event.type = JSON_EVENT_DONE;
	}
}

const struct json_event *json_pull_next(struct json_pull *pull)
{
	struct error *err;

	// A complete value needs no closing, only the word that it is done.
	if (pull->closing || (!pull->depth && pull->expect == EXPECT_NEXT)) {
		close_next(pull);
		return &pull->event;
	}
	err = take_event(pull);
	if (err || pull->t.ended) {
		begin_closing(pull, err);
		close_next(pull);
	}
	return &pull->event;
}

void json_pull_skip(struct json_pull *pull)
{
	size_t depth;

	if (pull->event.type == JSON_EVENT_NAME)
		json_pull_next(pull);
	if (pull->event.type != JSON_EVENT_OBJECT &&
	    pull->event.type != JSON_EVENT_ARRAY)
		return;
	depth = pull->depth;
	while (pull->depth >= depth)
		json_pull_next(pull);
}

// What is known of it

size_t json_pull_depth(const struct json_pull *pull)
{
	return pull->depth;
}

size_t json_pull_used(const struct json_pull *pull)
{
	return pull->t.at;
}

bool json_pull_truncated(const struct json_pull *pull)
{
	return pull->truncated;
}

struct error *json_pull_take_error(struct json_pull *pull)
{
	struct error *err = pull->fault;

	pull->fault = NULL;
	return err;
}

size_t json_pull_repair_count(const struct json_pull *pull)
{
	return pull->scan.repair_count;
}

struct json_repair json_pull_repair(const struct json_pull *pull, size_t index)
{
	return pull->scan.repairs[index];
}

/** A name as it is written, from its opening quote at @p offset on. */
static struct text name_at(const struct json_pull *pull, size_t offset)
{
	struct text name = text_after(pull->t.in, offset + 1);
	size_t size = 0;

	while (size < name.size && size < PATH_NAME_BYTES &&
	       name.data[size] != '"')
		size += name.data[size] == '\\' ? 2 : 1;
	return text_first(name, size);
}

void json_pull_path(const struct json_pull *pull, struct str *out)
{
	bool opens = pull->event.type == JSON_EVENT_OBJECT ||
	             pull->event.type == JSON_EVENT_ARRAY;
	size_t levels = pull->depth - opens;

	for (size_t i = 0; i < levels; i++) {
		if (levels > 2 * PATH_LEVELS && i == PATH_LEVELS) {
			str_add(out, ".…");
			i = levels - PATH_LEVELS;
		}
		if (pull->marks[i] == SIZE_MAX)
			continue;
		if (pull->arrays[i / 64] >> i % 64 & 1) {
			str_addf(out, "[%zu]", pull->marks[i]);
			continue;
		}
		if (i)
			str_add_char(out, '.');
		utf8_add_valid(out, name_at(pull, pull->marks[i]));
	}
}

const char *json_event_name(const struct json_event *event)
{
	static const enum json_type types[] = {
		[JSON_EVENT_OBJECT] = JSON_OBJECT,
		[JSON_EVENT_ARRAY] = JSON_ARRAY,
		[JSON_EVENT_TEXT] = JSON_TEXT,
		[JSON_EVENT_NUMBER] = JSON_NUMBER,
		[JSON_EVENT_BOOL] = JSON_BOOL,
		[JSON_EVENT_NULL] = JSON_NULL,
	};

	return json_type_name(types[event->type]);
}

bool json_event_u64(const struct json_event *event, uint64_t *ret)
{
	return (event->type == JSON_EVENT_NUMBER ||
	        event->type == JSON_EVENT_TEXT) &&
	       json_token_u64(event->text, ret);
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
