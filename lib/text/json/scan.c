#include "lib/text/json/scan.h"

#include "lib/base/mem.h"
#include "lib/text/json/token.h"

#include <stdlib.h>
#include <string.h>

/** What may come next. */
enum expect {
	EXPECT_VALUE,
	EXPECT_VALUE_OR_END, ///< after `[`
	EXPECT_KEY,
	EXPECT_KEY_OR_END, ///< after `{`
	EXPECT_COLON,
	EXPECT_NEXT, ///< after a value: a comma or the end
};

struct container {
	bool is_array;
	size_t good;      ///< size of the copy after the last whole child
	size_t first_key; ///< of this object, in scanner.keys
};

/** A member's name, for finding repeated ones. */
struct key {
	uint64_t hash;
	size_t offset;
};

struct scanner {
	struct json_tokens t;
	enum expect expect;
	struct container open[JSON_DEPTH];
	size_t depth;
	bool lenient; ///< JSON_SCAN_SALVAGE: step over small faults
	size_t value_count;
	struct key *keys; ///< of all open objects, innermost last
	size_t key_count;
	size_t key_cap;
};

// Objects and arrays

static uint64_t hash_key(struct text key)
{
	uint64_t hash = 0xcbf29ce484222325; // FNV-1a

	for (size_t i = 0; i < key.size; i++)
		hash = (hash ^ (unsigned char)key.data[i]) * 0x100000001b3;
	return hash;
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a;
	const struct key *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/** Note the repeated names of the innermost object, and forget its names. */
static void check_keys(struct scanner *s, size_t first)
{
	size_t count = s->key_count - first;
	struct key *keys;

	// Without any name yet there is no array either.
	if (!count)
		return;
	keys = s->keys + first;
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < count; i++)
		if (keys[i].hash == keys[i - 1].hash)
			json_token_repair(
			        &s->t, keys[i].offset,
			        "name repeated in an object: the first "
			        "one counts");
	s->key_count = first;
}

static struct error *open_container(struct scanner *s, bool is_array)
{
	if (s->depth == JSON_DEPTH)
		return json_token_place(
		        &s->t, s->t.at,
		        error_new(ERROR_LIMIT, "nested deeper than %d levels",
		                  JSON_DEPTH));
	str_add_char(&s->t.out->copy, is_array ? '[' : '{');
	s->t.at++;
	s->open[s->depth++] = (struct container){
		.is_array = is_array,
		.good = s->t.out->copy.size,
		.first_key = s->key_count,
	};
	s->expect = is_array ? EXPECT_VALUE_OR_END : EXPECT_KEY_OR_END;
	return NULL;
}

/** A value is complete. */
static void end_value(struct scanner *s)
{
	if (s->depth)
		s->open[s->depth - 1].good = s->t.out->copy.size;
	s->expect = EXPECT_NEXT;
}

static void close_container(struct scanner *s)
{
	const struct container *inner = &s->open[--s->depth];

	if (!inner->is_array)
		check_keys(s, inner->first_key);
	str_add_char(&s->t.out->copy, inner->is_array ? ']' : '}');
	s->t.at++;
	end_value(s);
}

// What writers that stream leave behind when they die between two calls

/** A comma stands before the end: forget it. Any child came before it. */
static bool take_extra_comma(struct scanner *s)
{
	const struct container *inner = &s->open[s->depth - 1];

	if (!s->lenient ||
	    s->t.in.data[s->t.at] != (inner->is_array ? ']' : '}'))
		return false;
	json_token_repair(&s->t, s->t.at, "comma before the end");
	s->t.out->copy.size = inner->good;
	close_container(s);
	return true;
}

/** The next name, or the end, stands where a value should: null. */
static bool take_missing_value(struct scanner *s)
{
	char c = s->t.in.data[s->t.at];

	if (!s->lenient || s->open[s->depth - 1].is_array ||
	    (c != ',' && c != '}'))
		return false;
	json_token_repair(&s->t, s->t.at, "name without a value: null");
	str_add(&s->t.out->copy, s->expect == EXPECT_COLON ? ":null" : "null");
	end_value(s);
	return true;
}

/** `nan`, `-inf`, `Infinity`: what printf makes of them, and others: null. */
static bool take_non_number(struct scanner *s)
{
	static const char *const words[] = { "nan", "infinity", "inf" };
	struct text rest = text_after(s->t.in, s->t.at);
	size_t sign = text_starts(rest, "-");

	rest = text_after(rest, sign);
	for (size_t i = 0; s->lenient && i < ARRAY_SIZE(words); i++) {
		struct text word = text_first(rest, strlen(words[i]));

		if (!text_is_nocase(word, words[i]))
			continue;
		json_token_repair(&s->t, s->t.at, "not a number: null");
		str_add(&s->t.out->copy, "null");
		s->t.at += sign + word.size;
		end_value(s);
		return true;
	}
	return false;
}

static struct error *scan_key(struct scanner *s)
{
	size_t start = s->t.at;
	size_t copied = s->t.out->copy.size;
	size_t first = s->open[s->depth - 1].first_key;
	struct error *err;

	if (s->key_count - first == JSON_SCAN_KEYS)
		return error_new(ERROR_LIMIT, "more than %d names in an object",
		                 JSON_SCAN_KEYS);
	if (s->t.in.data[s->t.at] != '"')
		return json_token_unexpected(&s->t, s->expect == EXPECT_KEY
		                                            ? "'\"'"
		                                            : "'\"' or '}'");
	err = json_token_string(&s->t);
	if (err || s->t.ended)
		return err;
	MEM_GROW(s->keys, s->key_count, s->key_cap);
	s->keys[s->key_count++] = (struct key){
		.hash = hash_key(text_after(str_text(&s->t.out->copy), copied)),
		.offset = start,
	};
	s->expect = EXPECT_COLON;
	return NULL;
}

static struct error *scan_value(struct scanner *s)
{
	char c = s->t.in.data[s->t.at];
	struct error *err;

	if (++s->value_count > JSON_SCAN_VALUES)
		return error_new(ERROR_LIMIT, "more than %d JSON values",
		                 JSON_SCAN_VALUES);
	if ((s->depth && take_missing_value(s)) || take_non_number(s))
		return NULL;
	if (c == '{' || c == '[')
		return open_container(s, c == '[');
	if (c == '"')
		err = json_token_string(&s->t);
	else if (c == '-' || text_is_digit(c))
		err = json_token_number(&s->t, s->depth);
	else if (c == 't')
		err = json_token_word(&s->t, "true");
	else if (c == 'f')
		err = json_token_word(&s->t, "false");
	else if (c == 'n')
		err = json_token_word(&s->t, "null");
	else
		return json_token_unexpected(&s->t, s->expect == EXPECT_VALUE
		                                            ? "a value"
		                                            : "a value or ']'");
	if (!err && !s->t.ended)
		end_value(s);
	return err;
}

static struct error *scan_next(struct scanner *s)
{
	bool is_array = s->open[s->depth - 1].is_array;
	char c = s->t.in.data[s->t.at];

	if (c == ',') {
		str_add_char(&s->t.out->copy, ',');
		s->t.at++;
		s->expect = is_array ? EXPECT_VALUE : EXPECT_KEY;
		return NULL;
	}
	if (c != (is_array ? ']' : '}'))
		return json_token_unexpected(&s->t, is_array ? "',' or ']'"
		                                             : "',' or '}'");
	close_container(s);
	return NULL;
}

/** Take one token; there is at least a byte. */
static struct error *scan_token(struct scanner *s)
{
	char c = s->t.in.data[s->t.at];

	switch (s->expect) {
	case EXPECT_VALUE:
		// Behind a comma; behind a colon a `}` is a missing value.
		if (s->depth && s->open[s->depth - 1].is_array &&
		    take_extra_comma(s))
			return NULL;
		return scan_value(s);
	case EXPECT_VALUE_OR_END:
		if (c != ']')
			return scan_value(s);
		close_container(s);
		return NULL;
	case EXPECT_KEY:
		return take_extra_comma(s) ? NULL : scan_key(s);
	case EXPECT_KEY_OR_END:
		if (c != '}')
			return scan_key(s);
		close_container(s);
		return NULL;
	case EXPECT_COLON:
		if (c != ':' && take_missing_value(s))
			return NULL;
		if (c != ':')
			return json_token_unexpected(&s->t, "':'");
		str_add_char(&s->t.out->copy, ':');
		s->t.at++;
		s->expect = EXPECT_VALUE;
		return NULL;
	case EXPECT_NEXT:
		return scan_next(s);
	}
	return NULL;
}

/** The input ended: drop what is unfinished, close what is open. */
static void close_truncated(struct scanner *s)
{
	struct str *copy = &s->t.out->copy;

	s->t.out->truncated = true;
	copy->size = s->open[s->depth - 1].good;
	while (s->depth) {
		const struct container *inner = &s->open[--s->depth];

		if (!inner->is_array)
			check_keys(s, inner->first_key);
		str_add_char(copy, inner->is_array ? ']' : '}');
	}
}

static void skip_space(struct scanner *s)
{
	while (json_token_left(&s->t) && text_is_space(s->t.in.data[s->t.at]))
		s->t.at++;
}

static struct error *scan_document(struct scanner *s, unsigned flags)
{
	struct error *err;

	do {
		skip_space(s);
		if (!json_token_left(&s->t) || s->t.ended)
			break;
		err = scan_token(s);
		if (err && flags & JSON_SCAN_SALVAGE && s->depth &&
		    error_code(err) == ERROR_FORMAT) {
			s->t.out->fault = err;
			break;
		}
		if (err)
			return err;
	} while (s->depth || s->expect != EXPECT_NEXT);
	if (s->depth)
		close_truncated(s);
	else if (s->t.ended || s->expect != EXPECT_NEXT)
		return json_token_unexpected(&s->t, "a value");
	s->t.out->used = s->t.at;
	if (!(flags & JSON_SCAN_ALONE))
		return NULL;
	skip_space(s);
	return json_token_left(&s->t) ? json_token_unexpected(&s->t, "the end")
	                              : NULL;
}

struct error *json_scan(struct text in, unsigned flags, struct json_scan *ret)
{
	struct scanner scanner = {
		.t = { .in = in, .out = ret },
		.lenient = flags & JSON_SCAN_SALVAGE,
	};
	struct error *err;

	// A device that lost power leaves NUL bytes where text should be.
	while (scanner.t.in.size && !scanner.t.in.data[scanner.t.in.size - 1])
		scanner.t.in.size--;
	err = scan_document(&scanner, flags);
	free(scanner.keys);
	return err;
}

void json_scan_release(struct json_scan *scan)
{
	str_release(&scan->copy);
	free(scan->repairs);
	error_free(scan->fault);
	*scan = (struct json_scan){ 0 };
}
