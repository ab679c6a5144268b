#include "lib/text/json/pull.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"
#include "lib/text/json/scan.h"
#include "lib/text/json/token.h"
#include "lib/text/json/window.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Levels of a path that are named at either end.
#define PATH_LEVELS     8
#define PATH_NAME_BYTES 40

// More of them inside a string end the input.
#define NUL_BYTES_MAX ((size_t)1 << 20)

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

/** A name as it is written, cut, whose bytes the window has left behind. */
struct path_name {
	unsigned char size;
	char data[PATH_NAME_BYTES + 1]; ///< an escape may end one byte later
};

struct json_pull {
	struct json_tokens t;
	struct json_lines lines; ///< t.lines: const readers may count on
	struct json_window window;
	struct json_scan scan; ///< its copy is the buffer of one string
	struct json_event event;
	enum expect expect;
	unsigned flags;
	bool closing; ///< the input ended, or was at fault
	bool truncated;
	struct error *fault;
	/** Where the token at hand begins, and the repairs before it. */
	size_t start;
	size_t repair_count;
	/** A NUL byte, in the input, that more than NUL bytes follow. */
	size_t inner_nul;
	size_t depth;
	struct path_name *names; ///< of the levels whose mark the window left
	size_t name_cap;
	/** A bit a level: is it an array? */
	uint64_t arrays[JSON_PULL_DEPTH / 64];
	/** Where each level stands: the element, or the offset of the name. */
	size_t marks[JSON_PULL_DEPTH];
};

static struct json_pull *new_pull(struct text in, unsigned flags)
{
	struct json_pull *pull = mem_zalloc(1, sizeof(*pull));

	pull->t = (struct json_tokens){
		.in = in,
		.out = &pull->scan,
		.lines = &pull->lines,
	};
	pull->flags = flags;
	pull->inner_nul = SIZE_MAX;
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

	json_window_init(&pull->window, read, context, &pull->t);
	return pull;
}

void json_pull_free(struct json_pull *pull)
{
	if (!pull)
		return;
	json_scan_release(&pull->scan);
	json_window_release(&pull->window);
	free(pull->names);
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

/** Is there a NUL byte that may be the first of those that end the input? */
static bool at_open_nul(const struct json_pull *pull)
{
	const struct json_tokens *t = &pull->t;

	return pull->window.read && json_token_left(t) && !t->in.data[t->at] &&
	       in_input(pull, t->at) != pull->inner_nul;
}

// Values and names

/** May a number that was read so far go on, or have gone on? */
static bool number_is_open(const struct json_pull *pull)
{
	if (json_token_left(&pull->t))
		return pull->depth && at_open_nul(pull);
	// At the very end of the input more digits may be missing.
	return pull->depth || pull->window.read;
}

static struct error *take_number(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	size_t start = t->at;
	bool whole;
	struct error *err;

	pull->event.type = JSON_EVENT_NUMBER;
	err = json_token_step_number(t, &whole);
	if (!err && number_is_open(pull))
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
	pull->event.text = TEXT_NONE;
	return json_token_word(&pull->t, word);
}

/** The word for no number that stands here; NULL if there is none. */
static const char *nan_word(const struct json_pull *pull)
{
	static const char *const words[] = { "NaN", "Infinity", "-Infinity" };
	struct text left = text_after(pull->t.in, pull->t.at);

	if (!(pull->flags & JSON_PULL_NAN))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		// Of `-`, alone, more must be seen to tell.
		if (left.data[0] == words[i][0] &&
		    (left.data[0] != '-' ||
		     (left.size > 1 && left.data[1] == words[i][1])))
			return words[i];
	return NULL;
}

static struct error *take_nan(struct json_pull *pull, const char *word)
{
	struct error *err = take_word(pull, word, JSON_EVENT_NULL);

	pull->event.text = text_from(word);
	if (!err && !pull->t.ended)
		json_token_repair(&pull->t, pull->start,
		                  "NaN or Infinity taken for null");
	return err;
}

// Objects and arrays

static bool is_array(const struct json_pull *pull, size_t level)
{
	return pull->arrays[level / 64] >> level % 64 & 1;
}

static bool in_array(const struct json_pull *pull)
{
	return pull->depth && is_array(pull, pull->depth - 1);
}

static struct error *open_container(struct json_pull *pull, char opener)
{
	size_t level = pull->depth;
	bool is_element = in_array(pull);
	uint64_t bit = (uint64_t)1 << level % 64;

	if (level == JSON_PULL_DEPTH)
		return json_token_place(
		        &pull->t, pull->t.at,
		        error_new(ERROR_LIMIT, "nested deeper than %d levels",
		                  JSON_PULL_DEPTH));
	// From SIZE_MAX to 0 for the first.
	if (is_element)
		pull->marks[level - 1]++;
	pull->t.at++;
	pull->depth++;
	pull->marks[level] = SIZE_MAX;
	if (opener == '[')
		pull->arrays[level / 64] |= bit;
	else
		pull->arrays[level / 64] &= ~bit;
	pull->event.type = opener == '[' ? JSON_EVENT_ARRAY : JSON_EVENT_OBJECT;
	pull->expect = opener == '[' ? EXPECT_VALUE_OR_END : EXPECT_NAME_OR_END;
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
	pull->event.offset = in_input(pull, t->at);
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
	const char *word;
	struct error *err;

	pull->event.offset = in_input(pull, t->at);
	if (c == '{' || c == '[')
		return open_container(pull, c);
	if (c == '"') {
		pull->event.type = JSON_EVENT_TEXT;
		err = json_token_text(t, &pull->event.text);
	} else if (!text_is_digit(c) && (word = nan_word(pull))) {
		err = take_nan(pull, word);
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
	// A token that the window cut is read once more: it counts once.
	if (err || t->ended)
		return err;
	if (in_array(pull))
		pull->marks[pull->depth - 1]++;
	pull->expect = EXPECT_NEXT;
	return NULL;
}

// More of the input

/** As it is written, from the opening quote at @p offset of the window on. */
static struct text name_at(const struct json_pull *pull, size_t offset)
{
	struct text name = text_after(pull->t.in, offset + 1);
	size_t size = 0;

	while (size < name.size && size < PATH_NAME_BYTES &&
	       name.data[size] != '"')
		size += name.data[size] == '\\' ? 2 : 1;
	return text_first(name, size);
}

/** Copy the names of the path that the window is about to leave. */
static void keep_names(struct json_pull *pull)
{
	size_t base = pull->t.base;

	for (size_t i = 0; i < pull->depth; i++) {
		struct path_name *name;
		struct text text;

		if (is_array(pull, i) || pull->marks[i] == SIZE_MAX ||
		    pull->marks[i] < base)
			continue;
		if (i >= pull->name_cap)
			pull->names = mem_grow(pull->names, &pull->name_cap,
			                       pull->depth, sizeof(*name));
		name = &pull->names[i];
		text = name_at(pull, pull->marks[i] - base);
		name->size = (unsigned char)text.size;
		memcpy(name->data, text.data, text.size);
	}
}

/** Read a piece; what stands from t.at on is kept. */
static struct error *read_piece(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;

	if (json_window_is_full(&pull->window, t))
		keep_names(pull);
	if (json_window_make_room(&pull->window, t)) {
		json_window_read(&pull->window, t);
		return NULL;
	}
	return json_token_place(
	        t, t->at,
	        error_new(ERROR_LIMIT, "a text or number of more than %zu MB",
	                  JSON_PULL_TOKEN_BYTES >> 20));
}

/** Step over what a string may hold; at its closing quote or the end. */
static size_t step_in_string(const struct json_tokens *t, size_t at)
{
	while (at < t->in.size) {
		at += json_token_plain_size(t, at);
		if (at >= t->in.size || t->in.data[at] == '"')
			break;
		at += t->in.data[at] == '\\' ? 2 : 1;
	}
	return at;
}

static size_t step_in_number(const struct json_tokens *t, size_t at)
{
	static const char others[] = { '-', '+', '.', 'e', 'E' };

	while (at < t->in.size &&
	       (text_is_digit(t->in.data[at]) ||
	        memchr(others, t->in.data[at], sizeof(others))))
		at++;
	return at;
}

/**
 * May the token at t.at end in the window? To read it again for each piece
 * would take the square of its size.
 *
 * @param looked  In and out: the bytes of it that were looked at.
 */
static bool token_may_end(const struct json_tokens *t, size_t *looked)
{
	char c = t->in.data[t->at];
	size_t at = t->at + *looked;

	if (c == '"')
		at = step_in_string(t, at);
	else if (c == '-' || text_is_digit(c))
		at = step_in_number(t, at);
	else
		return true;
	*looked = at - t->at;
	return at < t->in.size;
}

/** NUL bytes that end the window; @p nuls of them stood before @p from. */
static size_t count_last_nuls(const struct json_tokens *t, size_t from,
                              size_t nuls)
{
	size_t at = t->in.size;

	while (at > from && !t->in.data[at - 1])
		at--;
	return t->in.size - at + (at == from ? nuls : 0);
}

/** Read on until the token at t.at may be whole. */
static struct error *read_token(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	size_t looked = 1;
	size_t nuls = 0;
	struct error *err;

	do {
		size_t left = t->in.size - t->at;

		err = read_piece(pull);
		nuls = count_last_nuls(t, t->at + left, nuls);
		// No text: what a device that lost power left behind it.
		if (nuls >= NUL_BYTES_MAX) {
			t->in.size -= nuls;
			pull->window.read = NULL;
		}
	} while (!err && pull->window.read &&
	         !token_may_end(&pull->t, &looked));
	return err;
}

/**
 * Read on until it is known whether only NUL bytes follow the one at @p at.
 * Those are forgotten at once: there may be many, and if anything follows
 * them, it is behind a fault.
 */
static struct error *read_nuls(struct json_pull *pull, size_t at)
{
	struct json_tokens *t = &pull->t;
	size_t behind = at + 1 - t->at;
	struct error *err;

	do {
		size_t i = t->at + behind;

		while (i < t->in.size && !t->in.data[i])
			i++;
		if (i < t->in.size) {
			pull->inner_nul = in_input(pull, t->at + behind - 1);
			return NULL;
		}
		t->in.size = t->at + behind;
		err = read_piece(pull);
	} while (!err && pull->window.read);
	return err;
}

/** May what ended the last attempt be the end of the window only? */
static bool may_be_cut(const struct json_pull *pull)
{
	return pull->window.read && (pull->t.ended || at_open_nul(pull));
}

/** Go back to where the token at hand begins, and read on. */
static struct error *read_on(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	bool is_nul = at_open_nul(pull);
	size_t at = t->at;

	t->ended = false;
	t->at = pull->start;
	pull->scan.repair_count = pull->repair_count;
	return is_nul ? read_nuls(pull, at) : read_token(pull);
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
	pull->repair_count = pull->scan.repair_count;
	if (json_token_left(t))
		return (unsigned char)t->in.data[t->at];
	t->ended = true;
	return -1;
}

/** Step over a comma or colon before the next event; it may be an end. */
static struct error *step(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	bool inside_array = in_array(pull);
	int c = peek(pull);

	if (t->ended)
		return NULL;
	if (pull->expect == EXPECT_COLON) {
		if (c != ':')
			return json_token_unexpected(t, "':'");
		pull->expect = EXPECT_VALUE;
	} else if (c == ',') {
		pull->expect = inside_array ? EXPECT_VALUE : EXPECT_NAME;
	} else if (c == '"' && !inside_array &&
	           pull->flags & JSON_PULL_MISSING_COMMA) {
		json_token_repair(t, t->at, "a comma is missing");
		pull->expect = EXPECT_NAME;
		return NULL;
	} else if (c != (inside_array ? ']' : '}')) {
		return json_token_unexpected(t, inside_array ? "',' or ']'"
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
		pull->event.offset = in_input(pull, t->at++);
		end_container(pull);
		return NULL;
	}
	if (pull->expect == EXPECT_NAME || pull->expect == EXPECT_NAME_OR_END)
		return take_name(pull);
	return take_value(pull);
}

/**
 * The next event, if it is a string right behind its comma or colon: most are,
 * in what programs write. Where it is anything else, nothing is done.
 */
static bool take_plain_text(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	bool is_member = pull->expect == EXPECT_COLON;
	size_t at = t->at + 1;
	size_t *mark;

	if ((!is_member && pull->expect != EXPECT_NEXT) || t->in.size <= at ||
	    t->in.data[t->at] != (is_member ? ':' : ',') ||
	    t->in.data[at] != '"' ||
	    !json_token_plain_text(t, at, &pull->event.text))
		return false;
	mark = &pull->marks[pull->depth - 1];
	pull->event.type = JSON_EVENT_TEXT;
	pull->event.offset = in_input(pull, at);
	if (is_member) {
		pull->expect = EXPECT_NEXT;
	} else if (in_array(pull)) {
		++*mark;
	} else {
		pull->event.type = JSON_EVENT_NAME;
		pull->expect = EXPECT_COLON;
		*mark = pull->event.offset;
	}
	return true;
}

/** Nothing more can be read: begin to end what is open. */
static void begin_closing(struct json_pull *pull, struct error *err)
{
	pull->closing = true;
	if (!err && !pull->depth)
		err = json_token_unexpected(&pull->t, "a value");
	pull->truncated = !err;
	pull->fault = err;
	pull->event.offset = in_input(pull, pull->t.at);
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

/** The next event, after what came for it: not one, but an error or an end. */
static void settle(struct json_pull *pull, struct error *err)
{
	while ((err || pull->t.ended) && may_be_cut(pull)) {
		error_free(err);
		err = read_on(pull);
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
	if (pull->closing || (!pull->depth && pull->expect == EXPECT_NEXT)) {
		close_next(pull);
		return &pull->event;
	}
	if (take_plain_text(pull))
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
	depth = pull->depth;
	while (pull->depth >= depth)
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
			if (json_window_make_room(&pull->window, t))
				json_window_read(&pull->window, t);
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

	while (pull->depth)
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

	if (pull->depth || pull->closing)
		return TEXT_NONE;
	while (!err && pull->window.read && t->in.size - t->at < size)
		err = read_piece(pull);
	error_free(err);
	return text_first(text_after(t->in, t->at), size);
}

void json_pull_step(struct json_pull *pull, size_t size)
{
	assert(!pull->depth && size <= pull->t.in.size - pull->t.at);
	pull->t.at += size;
}

// What is known of it

size_t json_pull_depth(const struct json_pull *pull)
{
	return pull->depth;
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

/** The name of a member of an open object, cut. */
static struct text level_name(const struct json_pull *pull, size_t level)
{
	size_t mark = pull->marks[level];
	const struct path_name *name;

	if (mark >= pull->t.base)
		return name_at(pull, mark - pull->t.base);
	name = &pull->names[level];
	return (struct text){ .data = name->data, .size = name->size };
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
		if (is_array(pull, i)) {
			str_addf(out, "[%zu]", pull->marks[i]);
			continue;
		}
		if (i)
			str_add_char(out, '.');
		utf8_add_valid(out, level_name(pull, i));
	}
}
