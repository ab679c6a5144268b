#include "lib/text/json/pull.h"

#include "lib/base/mem.h"
#include "lib/text/json/path.h"
#include "lib/text/json/token.h"
#include "lib/text/json/window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Begins each text of a JSON text sequence (RFC 7464).
#define RECORD_SEPARATOR '\x1e'

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
	struct json_lines lines; ///< t.lines: const readers may count on
	struct json_window window;
	struct json_event event;
	enum expect expect;
	unsigned flags;
	size_t depth_max;
	bool closing; ///< the input ended, or was at fault
	bool truncated;
	struct error *fault;
	/** Where the current token begins, and the repairs before it. */
	size_t start;
	size_t repair_count;
	struct json_path path; ///< last, see new_pull()
};

static struct json_pull *new_pull(struct text in, unsigned flags)
{
	struct json_pull *pull = mem_alloc(sizeof(*pull));

	// But for the marks: they are 32 KB, and set when a level opens. That
	// of each line of JSON Lines would cost more than the line.
	memset(pull, 0, offsetof(struct json_pull, path.marks));
	pull->t = (struct json_tokens){
		.in = in,
		.lines = &pull->lines,
	};
	pull->flags = flags;
	pull->depth_max = JSON_PULL_DEPTH;
	return pull;
}

struct json_pull *json_pull_new(struct text in, unsigned flags)
{
	// A device that lost power leaves NUL bytes where text should be.
	while (in.size && !in.data[in.size - 1])
		in.size--;
	return new_pull(in, flags);
}

struct json_pull *json_pull_new_feed(json_pull_read read, void *context,
                                     unsigned flags)
{
	struct json_pull *pull = new_pull(TEXT_NONE, flags);

	json_window_init(&pull->window, read, context, &pull->path, &pull->t);
	return pull;
}

void json_pull_limit(struct json_pull *pull, size_t depth)
{
	assert(depth <= JSON_PULL_DEPTH);
	pull->depth_max = depth;
}

void json_pull_free(struct json_pull *pull)
{
	if (!pull)
		return;
	json_tokens_release(&pull->t);
	json_window_release(&pull->window);
	json_path_release(&pull->path);
	error_free(pull->fault);
	free(pull);
}

void json_pull_drop(struct json_pull **pull)
{
	json_pull_free(*pull);
}

/** An offset in the window, counted from the start of the input. */
static size_t in_input(const struct json_pull *pull, size_t at)
{
	return pull->t.base + at;
}

static bool in_array(const struct json_pull *pull)
{
	return json_path_in_array(&pull->path);
}

// Values and names

/** May a number that was read so far go on, or have gone on? */
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

/** What is no number, but stands for one: a null whose text is the word. */
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

static struct error *open_container(struct json_pull *pull, char opener)
{
	if (pull->path.depth == pull->depth_max)
		return json_token_place(
		        &pull->t, pull->t.at,
		        error_new(ERROR_LIMIT, "nested deeper than %zu levels",
		                  pull->depth_max));
	if (in_array(pull))
		json_path_next(&pull->path);
	pull->t.at++;
	json_path_open(&pull->path, opener == '[');
	pull->event.type = opener == '[' ? JSON_EVENT_ARRAY : JSON_EVENT_OBJECT;
	pull->expect = opener == '[' ? EXPECT_VALUE_OR_END : EXPECT_NAME_OR_END;
	return NULL;
}

static void end_container(struct json_pull *pull)
{
	pull->event.type = in_array(pull) ? JSON_EVENT_END_ARRAY
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
	pull->event.offset = in_input(pull, t->at);
	err = json_token_text(t, &pull->event.text);
	if (err || t->ended)
		return err;
	json_path_name(&pull->path, pull->event.offset);
	pull->expect = EXPECT_COLON;
	return NULL;
}

/** A value that is no container. */
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

	pull->event.offset = in_input(pull, pull->t.at);
	if (c == '{' || c == '[')
		return open_container(pull, c);
	err = take_scalar(pull, c);
	// A token that the window cut is read once more: it counts once.
	if (err || pull->t.ended)
		return err;
	if (in_array(pull))
		json_path_next(&pull->path);
	pull->expect = EXPECT_NEXT;
	return NULL;
}

// What writers that slip, or die between two calls, leave behind

/** The next name, or the end, is where a value should be: null. */
static bool take_missing_value(struct json_pull *pull, char c)
{
	if (!(pull->flags & JSON_PULL_REPAIR) || !pull->path.depth ||
	    in_array(pull) || (c != ',' && c != '}') ||
	    (pull->expect != EXPECT_COLON && pull->expect != EXPECT_VALUE))
		return false;
	json_token_repair(&pull->t, pull->t.at,
	                  "name without a value: "
	                  "treated as null");
	pull->event.type = JSON_EVENT_NULL;
	pull->event.text = TEXT_NONE;
	pull->event.offset = in_input(pull, pull->t.at);
	pull->expect = EXPECT_NEXT;
	return true;
}

/** A comma is before the end: forget it. */
static bool skip_extra_comma(struct json_pull *pull, char c)
{
	bool behind_comma = in_array(pull)
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
 * The next byte that is no blank; -1 at the end of the input. Up to there all
 * is settled: what is read once more begins there.
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

/** Step over the comma before the next value or name; it may be an end. */
static struct error *step_comma(struct json_pull *pull, char c)
{
	struct json_tokens *t = &pull->t;
	bool inside_array = in_array(pull);

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

/** The next event as the input has it. */
static struct error *take_event(struct json_pull *pull)
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
		pull->event.offset = in_input(pull, t->at++);
		end_container(pull);
		return NULL;
	}
	if (pull->expect == EXPECT_NAME || pull->expect == EXPECT_NAME_OR_END)
		return take_name(pull);
	return take_value(pull, c);
}

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
	bool is_object = !in_array(pull);

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
		pull->event.offset = in_input(pull, at);
		error_free(open_container(pull, c));
		return true;
	} else {
		return false;
	}
	pull->event.offset = in_input(pull, at);
	if (in_array(pull))
		json_path_next(&pull->path);
	pull->expect = EXPECT_NEXT;
	return true;
}

/**
 * The next event, if it is what nearly all are in what programs write: a
 * string without escapes, digits, a bracket. Where it is anything else, or
 * damaged, or cut by the window, nothing is done.
 */
static bool take_usual(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	bool is_name;
	size_t at = find_usual(pull, &is_name);

	if (at == t->in.size)
		return false;
	if (t->in.data[at] == (is_name ? '}' : ']') &&
	    pull->expect != EXPECT_COLON) {
		pull->event.offset = in_input(pull, at);
		t->at = at + 1;
		end_container(pull);
		return true;
	}
	if (!is_name)
		return take_usual_value(pull, at);
	if (t->in.data[at] != '"' ||
	    !json_token_plain_text(t, at, &pull->event.text))
		return false;
	pull->event.type = JSON_EVENT_NAME;
	pull->event.offset = in_input(pull, at);
	pull->expect = EXPECT_COLON;
	json_path_name(&pull->path, pull->event.offset);
	return true;
}

/** Nothing more can be read: begin to end what is open. */
static void begin_closing(struct json_pull *pull, struct error *err)
{
	pull->closing = true;
	if (!err && !pull->path.depth)
		err = json_token_unexpected(&pull->t, "a value");
	pull->truncated = !err;
	pull->fault = err;
	pull->event.offset = in_input(pull, pull->t.at);
}

/** The next event after all that could be read. */
static void close_next(struct json_pull *pull)
{
	bool misses_value =
	        pull->path.depth && !in_array(pull) &&
	        (pull->expect == EXPECT_COLON || pull->expect == EXPECT_VALUE);

	pull->event.text = TEXT_NONE;
	if (misses_value) {
		pull->event.type = JSON_EVENT_NULL;
		pull->expect = EXPECT_NEXT;
	} else if (pull->path.depth) {
		end_container(pull);
	} else {
		pull->event.type = JSON_EVENT_DONE;
	}
}

/** May what ended the last attempt be the end of the window only? */
static bool may_be_cut(const struct json_pull *pull)
{
	return pull->window.read &&
	       (pull->t.ended || json_window_at_nul(&pull->window, &pull->t));
}

/** The next event, after what came for it: not one, but an error or an end. */
static void settle(struct json_pull *pull, struct error *err)
{
	while ((err || pull->t.ended) && may_be_cut(pull)) {
		error_free(err);
		pull->t.repair_count = pull->repair_count;
		err = json_window_read_on(&pull->window, &pull->t, pull->start);
		if (!err)
			err = take_event(pull);
	}
	if (!err && !pull->t.ended)
		return;
	begin_closing(pull, err);
	close_next(pull);
}

const struct json_event *json_pull_next(struct json_pull *pull)
{
	struct error *err;

	// A complete value needs no closing, only the word that it is done.
	if (pull->closing ||
	    (!pull->path.depth && pull->expect == EXPECT_NEXT)) {
		close_next(pull);
		return &pull->event;
	}
	if (take_usual(pull))
		return &pull->event;
	err = take_event(pull);
	if (err || pull->t.ended)
		settle(pull, err);
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
	depth = pull->path.depth;
	while (pull->path.depth >= depth)
		json_pull_next(pull);
}

// Several values

/** Note NUL bytes that no end of the input explains. */
static void note_nuls(struct json_pull *pull, size_t nul)
{
	if (nul != SIZE_MAX)
		json_token_repair(&pull->t, nul - pull->t.base,
		                  "NUL bytes before a value");
}

/** Step to the next value; false at the end of the input. */
static bool find_value(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	size_t end = in_input(pull, t->at); // but for NUL bytes
	size_t nul = SIZE_MAX;

	while (json_token_left(t) || pull->window.read) {
		char c;

		if (!json_token_left(t)) {
			// Nothing is kept, so there is room.
			error_free(json_window_read(&pull->window, t));
			continue;
		}
		c = t->in.data[t->at];
		if (c && c != RECORD_SEPARATOR && !text_is_space(c)) {
			note_nuls(pull, nul);
			return true;
		}
		if (!c && nul == SIZE_MAX)
			nul = in_input(pull, t->at);
		t->at++;
		if (c)
			end = in_input(pull, t->at);
	}
	if (end == in_input(pull, t->at))
		return false;
	// As if the NUL bytes that end the input had not been read.
	t->base = end;
	t->at = 0;
	t->in.size = 0;
	return false;
}

bool json_pull_again(struct json_pull *pull)
{
	bool found;

	while (pull->path.depth)
		json_pull_next(pull);
	if (pull->closing)
		return false;
	found = find_value(pull);
	if (found)
		pull->expect = EXPECT_VALUE;
	pull->event = (struct json_event){
		.type = JSON_EVENT_DONE,
		.text = TEXT_NONE,
		.offset = in_input(pull, pull->t.at),
	};
	return found;
}

struct text json_pull_peek(struct json_pull *pull, size_t size)
{
	struct json_tokens *t = &pull->t;
	struct error *err = NULL;

	if (pull->path.depth || pull->closing)
		return TEXT_NONE;
	while (!err && pull->window.read && t->in.size - t->at < size)
		err = json_window_read(&pull->window, t);
	error_free(err);
	return text_first(text_after(t->in, t->at), size);
}

void json_pull_step(struct json_pull *pull, size_t size)
{
	assert(!pull->path.depth && size <= pull->t.in.size - pull->t.at);
	pull->t.at += size;
}

// What is known of it

size_t json_pull_depth(const struct json_pull *pull)
{
	return pull->path.depth;
}

size_t json_pull_used(const struct json_pull *pull)
{
	return in_input(pull, pull->t.at);
}

size_t json_pull_line(const struct json_pull *pull)
{
	const struct json_tokens *t = &pull->t;

	// Goes on from the last time it was asked.
	json_token_count_lines(t, pull->event.offset - t->base, t->lines);
	return t->lines->count + 1;
}

bool json_pull_truncated(const struct json_pull *pull)
{
	return pull->truncated;
}

bool json_pull_is_closing(const struct json_pull *pull)
{
	return pull->closing;
}

struct error *json_pull_unexpected(const struct json_pull *pull,
                                   const char *expected)
{
	return json_token_unexpected(&pull->t, expected);
}

void json_pull_repair_add(struct json_pull *pull, size_t offset,
                          const char *text)
{
	json_token_repair(&pull->t, offset - pull->t.base, text);
}

struct error *json_pull_take_error(struct json_pull *pull)
{
	struct error *err = pull->fault;

	pull->fault = NULL;
	return err;
}

size_t json_pull_repair_count(const struct json_pull *pull)
{
	return pull->t.repair_count;
}

struct json_repair json_pull_repair(const struct json_pull *pull, size_t index)
{
	return pull->t.repairs[index];
}

void json_pull_path(const struct json_pull *pull, struct str *out)
{
	bool opens = pull->event.type == JSON_EVENT_OBJECT ||
	             pull->event.type == JSON_EVENT_ARRAY;

	json_path_add(&pull->path, pull->path.depth - opens, &pull->t, out);
}
