#include "lib/text/json_token.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

// Whole numbers of fewer digits are exact in a double (2^53 has 16).
#define EXACT_DIGITS 15

void json_token_repair(struct json_tokens *t, size_t offset, const char *text)
{
	struct json_scan *out = t->out;

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

struct error *json_token_place(const struct json_tokens *t, size_t offset,
                               struct error *err)
{
	size_t line = 1;
	size_t start = 0;

	for (size_t i = 0; i < offset; i++) {
		if (t->in.data[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	return error_prefix(err, "line %zu, column %zu", line,
	                    offset - start + 1);
}

struct error *json_token_unexpected(const struct json_tokens *t,
                                    const char *expected)
{
	struct error *err;
	unsigned char c;

	if (t->at >= t->in.size) {
		err = error_new(ERROR_FORMAT, "expected %s, found the end",
		                expected);
		return json_token_place(t, t->at, err);
	}
	c = (unsigned char)t->in.data[t->at];
	if (c > 0x20 && c < 0x7f)
		err = error_new(ERROR_FORMAT, "expected %s, found '%c'",
		                expected, c);
	else
		err = error_new(ERROR_FORMAT, "expected %s, found byte 0x%02x",
		                expected, c);
	return json_token_place(t, t->at, err);
}

// Strings

static bool read_hex4(const struct json_tokens *t, size_t at, uint32_t *ret)
{
	uint32_t value = 0;

	if (at > t->in.size || t->in.size - at < 4)
		return false;
	for (size_t i = 0; i < 4; i++) {
		char c = t->in.data[at + i];

		if (!text_is_hex_digit(c))
			return false;
		value = value << 4 |
		        (uint32_t)(text_is_digit(c) ? c - '0'
		                                    : (c | 0x20) - 'a' + 10);
	}
	*ret = value;
	return true;
}

/** The four digits after `\u`, which stands at t->at. */
static struct error *scan_unicode_escape(struct json_tokens *t)
{
	struct str *copy = &t->out->copy;
	size_t start = t->at;
	uint32_t unit;
	uint32_t low;

	if (!read_hex4(t, start + 2, &unit)) {
		for (t->at += 2; json_token_left(t); t->at++)
			if (!text_is_hex_digit(t->in.data[t->at]))
				return json_token_unexpected(t,
				                             "four hex digits");
		t->ended = true;
		return NULL;
	}
	t->at += 6;
	if (unit >= 0xd800 && unit <= 0xdbff &&
	    text_starts(text_after(t->in, t->at), "\\u") &&
	    read_hex4(t, t->at + 2, &low) && low >= 0xdc00 && low <= 0xdfff) {
		t->at += 6;
	} else if (unit >= 0xd800 && unit <= 0xdfff) {
		str_add(copy, REPLACEMENT);
		json_token_repair(t, start,
		                  "unpaired surrogate replaced by U+FFFD");
		return NULL;
	} else if (!unit) {
		str_add(copy, REPLACEMENT);
		json_token_repair(t, start, "\\u0000 replaced by U+FFFD");
		return NULL;
	}
	str_add_bytes(copy, t->in.data + start, t->at - start);
	return NULL;
}

static struct error *scan_escape(struct json_tokens *t)
{
	char c;

	if (t->in.size - t->at < 2) {
		t->at = t->in.size;
		t->ended = true;
		return NULL;
	}
	c = t->in.data[t->at + 1];
	if (c == 'u')
		return scan_unicode_escape(t);
	if (!c || !strchr("\"\\/bfnrt", c)) {
		t->at++;
		return json_token_unexpected(
		        t, "an escape such as \\n or \\u0041");
	}
	str_add_bytes(&t->out->copy, t->in.data + t->at, 2);
	t->at += 2;
	return NULL;
}

/** A control character or bytes that are not UTF-8. */
static void repair_byte(struct json_tokens *t, bool *noted)
{
	unsigned char c = (unsigned char)t->in.data[t->at];
	const char *text = "bytes that are not UTF-8 replaced by U+FFFD";

	if (c && c < 0x20) {
		// Panic reports hold raw newlines inside strings.
		str_addf(&t->out->copy, "\\u%04x", c);
		text = "control character inside a string";
	} else {
		str_add(&t->out->copy, REPLACEMENT);
		if (!c)
			text = "NUL inside a string replaced by U+FFFD";
	}
	// One note a string: hostile ones hold millions.
	if (!*noted)
		json_token_repair(t, t->at, text);
	*noted = true;
	t->at++;
}

/** The number of bytes from t->at on that can be copied as they are. */
static size_t plain_size(const struct json_tokens *t)
{
	size_t at = t->at;
	uint32_t c;

	while (at < t->in.size) {
		unsigned char byte = (unsigned char)t->in.data[at];
		size_t size = 1;

		if (byte == '"' || byte == '\\' || byte < 0x20)
			break;
		if (byte >= 0x80)
			size = utf8_decode(t->in, at, &c);
		if (!size)
			break;
		at += size;
	}
	return at - t->at;
}

/** A string, from its opening quote on. */
struct error *json_token_string(struct json_tokens *t)
{
	struct str *copy = &t->out->copy;
	bool noted = false;

	str_add_char(copy, '"');
	t->at++;
	while (json_token_left(t) && !t->ended) {
		size_t size = plain_size(t);
		struct error *err;

		str_add_bytes(copy, t->in.data + t->at, size);
		t->at += size;
		if (!json_token_left(t))
			break;
		if (t->in.data[t->at] == '"') {
			str_add_char(copy, '"');
			t->at++;
			return NULL;
		}
		if (t->in.data[t->at] != '\\') {
			repair_byte(t, &noted);
			continue;
		}
		err = scan_escape(t);
		if (err)
			return err;
	}
	t->ended = true;
	return NULL;
}

// Numbers and words

static void skip_digits(struct json_tokens *t)
{
	while (json_token_left(t) && text_is_digit(t->in.data[t->at]))
		t->at++;
}

/** One or more digits. */
static struct error *scan_digits(struct json_tokens *t)
{
	if (!json_token_left(t)) {
		t->ended = true;
		return NULL;
	}
	if (!text_is_digit(t->in.data[t->at]))
		return json_token_unexpected(t, "a digit");
	skip_digits(t);
	return NULL;
}

static struct error *scan_number_parts(struct json_tokens *t, bool *whole)
{
	struct error *err;

	if (t->in.data[t->at] == '-')
		t->at++;
	if (json_token_left(t) && t->in.data[t->at] == '0')
		t->at++; // and no digit may follow
	else if ((err = scan_digits(t)))
		return err;
	if (json_token_left(t) && t->in.data[t->at] == '.') {
		*whole = false;
		t->at++;
		if ((err = scan_digits(t)))
			return err;
	}
	if (json_token_left(t) && (t->in.data[t->at] | 0x20) == 'e') {
		*whole = false;
		t->at++;
		if (json_token_left(t) &&
		    (t->in.data[t->at] == '+' || t->in.data[t->at] == '-'))
			t->at++;
		if ((err = scan_digits(t)))
			return err;
	}
	return NULL;
}

struct error *json_token_number(struct json_tokens *t, bool inside)
{
	struct str *copy = &t->out->copy;
	size_t start = t->at;
	bool whole = true;
	struct error *err;

	err = scan_number_parts(t, &whole);
	if (err)
		return err;
	// At the very end of the input more digits may be missing.
	if (!json_token_left(t) && inside)
		t->ended = true;
	if (whole && t->at - start <= EXACT_DIGITS) {
		str_add_bytes(copy, t->in.data + start, t->at - start);
		return NULL;
	}
	str_addf(copy, "\"%c", JSON_SCAN_NUMBER);
	str_add_bytes(copy, t->in.data + start, t->at - start);
	str_add_char(copy, '"');
	return NULL;
}

struct error *json_token_word(struct json_tokens *t, const char *word)
{
	for (size_t i = 0; word[i]; i++) {
		if (!json_token_left(t)) {
			t->ended = true;
			return NULL;
		}
		if (t->in.data[t->at] != word[i])
			return json_token_unexpected(t, "true, false or null");
		t->at++;
	}
	str_add(&t->out->copy, word);
	return NULL;
}
