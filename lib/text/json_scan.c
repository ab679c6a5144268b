#include "lib/text/json_scan.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

// Whole numbers of fewer digits are exact in a double (2^53 has 16).
#define EXACT_DIGITS 15

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
	struct text in;
	size_t at;
	bool ended; ///< the input ended inside a token
	enum expect expect;
	struct container open[JSON_DEPTH];
	size_t depth;
	size_t value_count;
	struct key *keys; ///< of all open objects, innermost last
	size_t key_count;
	size_t key_cap;
	struct json_scan *out;
};

static void add_repair(struct scanner *s, size_t offset, const char *text)
{
	struct json_scan *out = s->out;

	if (out->repair_count > JSON_SCAN_REPAIRS)
		return;
	if (out->repair_count == JSON_SCAN_REPAIRS)
		text = "further repairs are not listed";
	MEM_GROW(out->repairs, out->repair_count, out->repair_cap);
	out->repairs[out->repair_count++] = (struct json_repair){
		.offset = offset,
		.text = text,
	};
}

/** `line 12, column 3`: what editors and people count in. */
static struct error *add_place(const struct scanner *s, size_t offset,
                               struct error *err)
{
	size_t line = 1;
	size_t start = 0;

	for (size_t i = 0; i < offset; i++) {
		if (s->in.data[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	return error_prefix(err, "line %zu, column %zu", line,
	                    offset - start + 1);
}

static struct error *unexpected(const struct scanner *s, const char *expected)
{
	struct error *err;
	unsigned char c;

	if (s->at >= s->in.size) {
		err = error_new(ERROR_FORMAT, "expected %s, found the end",
		                expected);
		return add_place(s, s->at, err);
	}
	c = (unsigned char)s->in.data[s->at];
	if (c > 0x20 && c < 0x7f)
		err = error_new(ERROR_FORMAT, "expected %s, found '%c'",
		                expected, c);
	else
		err = error_new(ERROR_FORMAT, "expected %s, found byte 0x%02x",
		                expected, c);
	return add_place(s, s->at, err);
}

static bool has_byte(const struct scanner *s)
{
	return s->at < s->in.size;
}

// Strings

static bool read_hex4(const struct scanner *s, size_t at, uint32_t *ret)
{
	uint32_t value = 0;

	if (at > s->in.size || s->in.size - at < 4)
		return false;
	for (size_t i = 0; i < 4; i++) {
		char c = s->in.data[at + i];

		if (!text_is_hex_digit(c))
			return false;
		value = value << 4 |
		        (uint32_t)(text_is_digit(c) ? c - '0'
		                                    : (c | 0x20) - 'a' + 10);
	}
	*ret = value;
	return true;
}

/** The four digits after `\u`, which stands at s->at. */
static struct error *scan_unicode_escape(struct scanner *s)
{
	struct str *copy = &s->out->copy;
	size_t start = s->at;
	uint32_t unit;
	uint32_t low;

	if (!read_hex4(s, start + 2, &unit)) {
		for (s->at += 2; has_byte(s); s->at++)
			if (!text_is_hex_digit(s->in.data[s->at]))
				return unexpected(s, "four hex digits");
		s->ended = true;
		return NULL;
	}
	s->at += 6;
	if (unit >= 0xd800 && unit <= 0xdbff &&
	    text_starts(text_after(s->in, s->at), "\\u") &&
	    read_hex4(s, s->at + 2, &low) && low >= 0xdc00 && low <= 0xdfff) {
		s->at += 6;
	} else if (unit >= 0xd800 && unit <= 0xdfff) {
		str_add(copy, REPLACEMENT);
		add_repair(s, start, "unpaired surrogate replaced by U+FFFD");
		return NULL;
	} else if (!unit) {
		str_add(copy, REPLACEMENT);
		add_repair(s, start, "\\u0000 replaced by U+FFFD");
		return NULL;
	}
	str_add_bytes(copy, s->in.data + start, s->at - start);
	return NULL;
}

static struct error *scan_escape(struct scanner *s)
{
	char c;

	if (s->in.size - s->at < 2) {
		s->at = s->in.size;
		s->ended = true;
		return NULL;
	}
	c = s->in.data[s->at + 1];
	if (c == 'u')
		return scan_unicode_escape(s);
	if (!c || !strchr("\"\\/bfnrt", c)) {
		s->at++;
		return unexpected(s, "an escape such as \\n or \\u0041");
	}
	str_add_bytes(&s->out->copy, s->in.data + s->at, 2);
	s->at += 2;
	return NULL;
}

/** A control character or bytes that are not UTF-8. */
static void repair_byte(struct scanner *s, bool *noted)
{
	unsigned char c = (unsigned char)s->in.data[s->at];
	const char *text = "bytes that are not UTF-8 replaced by U+FFFD";

	if (c && c < 0x20) {
		// Panic reports hold raw newlines inside strings.
		str_addf(&s->out->copy, "\\u%04x", c);
		text = "control character inside a string";
	} else {
		str_add(&s->out->copy, REPLACEMENT);
		if (!c)
			text = "NUL inside a string replaced by U+FFFD";
	}
	// One note a string: hostile ones hold millions.
	if (!*noted)
		add_repair(s, s->at, text);
	*noted = true;
	s->at++;
}

/** The number of bytes from s->at on that can be copied as they are. */
static size_t plain_size(const struct scanner *s)
{
	size_t at = s->at;
	uint32_t c;

	while (at < s->in.size) {
		unsigned char byte = (unsigned char)s->in.data[at];
		size_t size = 1;

		if (byte == '"' || byte == '\\' || byte < 0x20)
			break;
		if (byte >= 0x80)
			size = utf8_decode(s->in, at, &c);
		if (!size)
			break;
		at += size;
	}
	return at - s->at;
}

/** A string, from its opening quote on. */
static struct error *scan_string(struct scanner *s)
{
	struct str *copy = &s->out->copy;
	bool noted = false;

	str_add_char(copy, '"');
	s->at++;
	while (has_byte(s) && !s->ended) {
		size_t size = plain_size(s);
		struct error *err;

		str_add_bytes(copy, s->in.data + s->at, size);
		s->at += size;
		if (!has_byte(s))
			break;
		if (s->in.data[s->at] == '"') {
			str_add_char(copy, '"');
			s->at++;
			return NULL;
		}
		if (s->in.data[s->at] != '\\') {
			repair_byte(s, &noted);
			continue;
		}
		err = scan_escape(s);
		if (err)
			return err;
	}
	s->ended = true;
	return NULL;
}

// Numbers and words

static void skip_digits(struct scanner *s)
{
	while (has_byte(s) && text_is_digit(s->in.data[s->at]))
		s->at++;
}

/** One or more digits; says whether there are any. */
static struct error *scan_digits(struct scanner *s)
{
	if (!has_byte(s)) {
		s->ended = true;
		return NULL;
	}
	if (!text_is_digit(s->in.data[s->at]))
		return unexpected(s, "a digit");
	skip_digits(s);
	return NULL;
}

static struct error *scan_number_parts(struct scanner *s, bool *whole)
{
	struct error *err;

	if (s->in.data[s->at] == '-')
		s->at++;
	if (has_byte(s) && s->in.data[s->at] == '0')
		s->at++; // and no digit may follow
	else if ((err = scan_digits(s)))
		return err;
	if (has_byte(s) && s->in.data[s->at] == '.') {
		*whole = false;
		s->at++;
		if ((err = scan_digits(s)))
			return err;
	}
	if (has_byte(s) && (s->in.data[s->at] | 0x20) == 'e') {
		*whole = false;
		s->at++;
		if (has_byte(s) &&
		    (s->in.data[s->at] == '+' || s->in.data[s->at] == '-'))
			s->at++;
		if ((err = scan_digits(s)))
			return err;
	}
	return NULL;
}

static struct error *scan_number(struct scanner *s)
{
	struct str *copy = &s->out->copy;
	size_t start = s->at;
	bool whole = true;
	struct error *err;

	err = scan_number_parts(s, &whole);
	if (err)
		return err;
	// At the very end of the input more digits may be missing.
	if (!has_byte(s) && s->depth)
		s->ended = true;
	if (whole && s->at - start <= EXACT_DIGITS) {
		str_add_bytes(copy, s->in.data + start, s->at - start);
		return NULL;
	}
	str_addf(copy, "\"%c", JSON_SCAN_NUMBER);
	str_add_bytes(copy, s->in.data + start, s->at - start);
	str_add_char(copy, '"');
	return NULL;
}

static struct error *scan_word(struct scanner *s, const char *word)
{
	for (size_t i = 0; word[i]; i++) {
		if (!has_byte(s)) {
			s->ended = true;
			return NULL;
		}
		if (s->in.data[s->at] != word[i])
			return unexpected(s, "true, false or null");
		s->at++;
	}
	str_add(&s->out->copy, word);
	return NULL;
}

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
	struct key *keys = s->keys + first;
	size_t count = s->key_count - first;

	if (count > 1)
		qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < count; i++)
		if (keys[i].hash == keys[i - 1].hash)
			add_repair(s, keys[i].offset,
			           "name repeated in an object: the first "
			           "one counts");
	s->key_count = first;
}

static struct error *open_container(struct scanner *s, bool is_array)
{
	if (s->depth == JSON_DEPTH)
		return add_place(s, s->at,
		                 error_new(ERROR_LIMIT,
		                           "nested deeper than %d levels",
		                           JSON_DEPTH));
	str_add_char(&s->out->copy, is_array ? '[' : '{');
	s->at++;
	s->open[s->depth++] = (struct container){
		.is_array = is_array,
		.good = s->out->copy.size,
		.first_key = s->key_count,
	};
	s->expect = is_array ? EXPECT_VALUE_OR_END : EXPECT_KEY_OR_END;
	return NULL;
}

/** A value is complete. */
static void end_value(struct scanner *s)
{
	if (s->depth)
		s->open[s->depth - 1].good = s->out->copy.size;
	s->expect = EXPECT_NEXT;
}

static void close_container(struct scanner *s)
{
	const struct container *inner = &s->open[--s->depth];

	if (!inner->is_array)
		check_keys(s, inner->first_key);
	str_add_char(&s->out->copy, inner->is_array ? ']' : '}');
	s->at++;
	end_value(s);
}

static struct error *scan_key(struct scanner *s)
{
	size_t start = s->at;
	size_t copied = s->out->copy.size;
	struct error *err;

	if (s->in.data[s->at] != '"')
		return unexpected(s, s->expect == EXPECT_KEY ? "'\"'"
		                                             : "'\"' or '}'");
	err = scan_string(s);
	if (err || s->ended)
		return err;
	MEM_GROW(s->keys, s->key_count, s->key_cap);
	s->keys[s->key_count++] = (struct key){
		.hash = hash_key(text_after(str_text(&s->out->copy), copied)),
		.offset = start,
	};
	s->expect = EXPECT_COLON;
	return NULL;
}

static struct error *scan_value(struct scanner *s)
{
	char c = s->in.data[s->at];
	struct error *err;

	if (++s->value_count > JSON_SCAN_VALUES)
		return error_new(ERROR_LIMIT, "more than %d JSON values",
		                 JSON_SCAN_VALUES);
	if (c == '{' || c == '[')
		return open_container(s, c == '[');
	if (c == '"')
		err = scan_string(s);
	else if (c == '-' || text_is_digit(c))
		err = scan_number(s);
	else if (c == 't')
		err = scan_word(s, "true");
	else if (c == 'f')
		err = scan_word(s, "false");
	else if (c == 'n')
		err = scan_word(s, "null");
	else
		return unexpected(s, s->expect == EXPECT_VALUE
		                             ? "a value"
		                             : "a value or ']'");
	if (!err && !s->ended)
		end_value(s);
	return err;
}

static struct error *scan_next(struct scanner *s)
{
	bool is_array = s->open[s->depth - 1].is_array;
	char c = s->in.data[s->at];

	if (c == ',') {
		str_add_char(&s->out->copy, ',');
		s->at++;
		s->expect = is_array ? EXPECT_VALUE : EXPECT_KEY;
		return NULL;
	}
	if (c != (is_array ? ']' : '}'))
		return unexpected(s, is_array ? "',' or ']'" : "',' or '}'");
	close_container(s);
	return NULL;
}

/** Take one token; there is at least a byte. */
static struct error *scan_token(struct scanner *s)
{
	char c = s->in.data[s->at];

	switch (s->expect) {
	case EXPECT_VALUE:
		return scan_value(s);
	case EXPECT_VALUE_OR_END:
		if (c != ']')
			return scan_value(s);
		close_container(s);
		return NULL;
	case EXPECT_KEY:
		return scan_key(s);
	case EXPECT_KEY_OR_END:
		if (c != '}')
			return scan_key(s);
		close_container(s);
		return NULL;
	case EXPECT_COLON:
		if (c != ':')
			return unexpected(s, "':'");
		str_add_char(&s->out->copy, ':');
		s->at++;
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
	struct str *copy = &s->out->copy;

	s->out->truncated = true;
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
	while (has_byte(s) && text_is_space(s->in.data[s->at]))
		s->at++;
}

static struct error *scan_document(struct scanner *s, unsigned flags)
{
	struct error *err;

	do {
		skip_space(s);
		if (!has_byte(s) || s->ended)
			break;
		err = scan_token(s);
		if (err && flags & JSON_SCAN_SALVAGE && s->depth &&
		    error_code(err) == ERROR_FORMAT) {
			s->out->fault = err;
			break;
		}
		if (err)
			return err;
	} while (s->depth || s->expect != EXPECT_NEXT);
	if (s->depth)
		close_truncated(s);
	else if (s->ended || s->expect != EXPECT_NEXT)
		return unexpected(s, "a value");
	s->out->used = s->at;
	if (!(flags & JSON_SCAN_ALONE))
		return NULL;
	skip_space(s);
	return has_byte(s) ? unexpected(s, "the end") : NULL;
}

struct error *json_scan(struct text in, unsigned flags, struct json_scan *ret)
{
	struct scanner scanner = { .in = in, .out = ret };
	struct error *err;

	// A device that lost power leaves NUL bytes where text should be.
	while (scanner.in.size && !scanner.in.data[scanner.in.size - 1])
		scanner.in.size--;
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
