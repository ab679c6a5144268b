// SPDX-License-Identifier: MIT
#include "lib/text/json/token.h"

#include "lib/base/block.h"
#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define REPLACEMENT 0xfffd

/** Copied with one look at the room for it. */
#define COPY_BYTES ((size_t)512)

void json_tokens_release(struct json_tokens *t)
{
	str_release(&t->copy);
	free(t->repairs);
	*t = (struct json_tokens){ 0 };
}

void json_token_repair(struct json_tokens *t, size_t offset, const char *text)
{
	if (t->repair_count > JSON_REPAIRS_MAX)
		return;
	if (t->repair_count == JSON_REPAIRS_MAX)
		text = "further repairs are not listed";
	MEM_GROW(t->repairs, t->repair_count, t->repair_cap);
	t->repairs[t->repair_count++] = (struct json_repair){
		.offset = t->base + offset,
		.text = text,
	};
}

void json_token_count_lines(const struct json_tokens *t, size_t offset,
                            struct json_lines *lines)
{
	const char *line_end;
	const char *from;
	const char *end;

	if (lines->offset >= t->base + offset)
		return;
	end = t->in.data + offset;
	from = t->in.data + (lines->offset - t->base);
	while ((line_end = memchr(from, '\n', (size_t)(end - from)))) {
		from = line_end + 1;
		lines->count++;
		lines->start = t->base + (size_t)(from - t->in.data);
	}
	lines->offset = t->base + offset;
}

struct error *json_token_place(const struct json_tokens *t, size_t offset,
                               struct error *err)
{
	struct json_lines lines = { 0 };

	if (t->lines)
		lines = *t->lines;
	json_token_count_lines(t, offset, &lines);
	return error_prefix(err, "line %zu, column %zu", lines.count + 1,
	                    t->base + offset - lines.start + 1);
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

/** Read the four digits after `\u` at t->at. */
static struct error *take_unicode_escape(struct json_tokens *t)
{
	size_t start = t->at;
	char bytes[UTF8_SIZE];
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
		unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
	} else if (!unit || (unit >= 0xd800 && unit <= 0xdfff)) {
		json_token_repair(t, start,
		                  unit ? "unpaired surrogate replaced by U+FFFD"
		                       : "\\u0000 replaced by U+FFFD");
		unit = REPLACEMENT;
	}
	str_add_bytes(&t->copy, bytes, utf8_encode(unit, bytes));
	return NULL;
}

/** The character that `\n` and its like stand for; NUL: there is no such. */
static char meaning_of(char letter)
{
	switch (letter) {
	case '"':
	case '\\':
	case '/':
		return letter;
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	default:
		return '\0';
	}
}

static struct error *take_escape(struct json_tokens *t)
{
	char meaning;
	char c;

	if (t->in.size - t->at < 2) {
		t->at = t->in.size;
		t->ended = true;
		return NULL;
	}
	c = t->in.data[t->at + 1];
	if (c == 'u')
		return take_unicode_escape(t);
	meaning = meaning_of(c);
	if (!meaning) {
		t->at++;
		return json_token_unexpected(
		        t, "an escape such as \\n or \\u0041");
	}
	str_add_char(&t->copy, meaning);
	t->at += 2;
	return NULL;
}

/** Repair a control character or invalid UTF-8. */
static void repair_byte(struct json_tokens *t, bool *noted)
{
	char c = t->in.data[t->at];
	bool is_control = c && (unsigned char)c < 0x20;
	const char *text = "bytes that are not UTF-8 replaced by U+FFFD";
	char bytes[UTF8_SIZE];

	// Panic reports have unescaped newlines inside strings.
	if (is_control)
		text = "control character inside a string";
	else if (!c)
		text = "NUL inside a string replaced by U+FFFD";
	if (is_control)
		str_add_char(&t->copy, c);
	else
		str_add_bytes(&t->copy, bytes, utf8_encode(REPLACEMENT, bytes));
	// One note per string: hostile ones have millions.
	if (!*noted)
		json_token_repair(t, t->at, text);
	*noted = true;
	t->at++;
}

/** A bit for each byte of a string that is not ASCII, or needs decoding. */
static inline unsigned not_plain(block bytes)
{
	return block_bits(block_unusual(bytes, 0x20) | block_of(bytes, '"') |
	                  block_of(bytes, '\\'));
}

/**
 * Number of ASCII bytes from @p data on that need no decoding in a string.
 * Sixteen at a time: most bytes of JSON are in strings.
 */
static inline size_t plain_ascii(const char *data, size_t size)
{
	size_t at = 0;

	for (; size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
		unsigned found = not_plain(block_load(data + at));

		if (found)
			return at + block_first(found);
	}
	while (at < size && (unsigned char)data[at] >= 0x20 &&
	       (unsigned char)data[at] < 0x80 && data[at] != '"' &&
	       data[at] != '\\')
		at++;
	return at;
}

size_t json_token_plain_size(const struct json_tokens *t, size_t start)
{
	size_t at = start;

	for (;;) {
		uint32_t c;
		size_t size;

		at += plain_ascii(t->in.data + at, t->in.size - at);
		if (at == t->in.size || (unsigned char)t->in.data[at] < 0x80)
			return at - start;
		size = utf8_decode(t->in, at, &c);
		if (!size)
			return at - start;
		at += size;
	}
}

bool json_token_plain_text(struct json_tokens *t, size_t at, struct text *ret)
{
	size_t start = at + 1;
	size_t end = start +
	             plain_ascii(t->in.data + start, t->in.size - start);

	if (end < t->in.size && (unsigned char)t->in.data[end] >= 0x80)
		end += json_token_plain_size(t, end);
	if (end == t->in.size || t->in.data[end] != '"')
		return false;
	ret->data = t->in.data + start;
	ret->size = end - start;
	t->at = end + 1;
	return true;
}

/**
 * Copy up to a quote, a byte outside ASCII or a rare escape. A text within a
 * string has an escape in each line, or at each name.
 */
static void copy_usual(struct json_tokens *t)
{
	size_t size;

	do {
		char *room = str_room(&t->copy, COPY_BYTES + BLOCK_BYTES);

		size = 0;
		while (size < COPY_BYTES && t->in.size - t->at > BLOCK_BYTES) {
			block bytes = block_load(t->in.data + t->at);
			unsigned found = not_plain(bytes);
			size_t plain = found ? block_first(found) : BLOCK_BYTES;
			char meaning;

			block_store(room + size, bytes);
			t->at += plain;
			size += plain;
			if (!found)
				continue;
			meaning = t->in.data[t->at] == '\\'
			                  ? meaning_of(t->in.data[t->at + 1])
			                  : '\0';
			if (!meaning)
				break;
			room[size++] = meaning;
			t->at += 2;
		}
		str_end(&t->copy, size);
	} while (size >= COPY_BYTES);
}

struct error *json_token_text(struct json_tokens *t, struct text *ret)
{
	bool noted = false;
	struct error *err;

	if (json_token_plain_text(t, t->at, ret))
		return NULL;
	str_clear(&t->copy);
	t->at++;
	while (!t->ended) {
		size_t size;

		copy_usual(t);
		size = json_token_plain_size(t, t->at);
		str_add_bytes(&t->copy, t->in.data + t->at, size);
		t->at += size;
		if (!json_token_left(t)) {
			t->ended = true;
		} else if (t->in.data[t->at] == '"') {
			t->at++;
			*ret = str_text(&t->copy);
			return NULL;
		} else if (t->in.data[t->at] != '\\') {
			repair_byte(t, &noted);
		} else if ((err = take_escape(t))) {
			return err;
		}
	}
	return NULL;
}

// Numbers and words

static void skip_digits(struct json_tokens *t)
{
	const struct text in = t->in;
	size_t at = t->at;

	while (at < in.size && text_is_digit(in.data[at]))
		at++;
	t->at = at;
}

/** One or more digits. */
static struct error *take_digits(struct json_tokens *t)
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

struct error *json_token_number(struct json_tokens *t)
{
	struct error *err;

	if (t->in.data[t->at] == '-')
		t->at++;
	if (json_token_left(t) && t->in.data[t->at] == '0')
		t->at++; // no digit may follow
	else if ((err = take_digits(t)))
		return err;
	if (json_token_left(t) && t->in.data[t->at] == '.') {
		t->at++;
		if ((err = take_digits(t)))
			return err;
	}
	if (json_token_left(t) && (t->in.data[t->at] | 0x20) == 'e') {
		t->at++;
		if (json_token_left(t) &&
		    (t->in.data[t->at] == '+' || t->in.data[t->at] == '-'))
			t->at++;
		return take_digits(t);
	}
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
	return NULL;
}

/** Does @p text begin like @p word (lower case), ignoring case? */
static bool begins_word(struct text text, const char *word)
{
	for (size_t i = 0; i < text.size; i++)
		if ((text.data[i] | 0x20) != word[i])
			return false;
	return text.size > 0;
}

bool json_token_nan(struct json_tokens *t, struct text *ret)
{
	// The longer one first.
	static const char *const words[] = { "nan", "infinity", "inf" };
	struct text rest = text_after(t->in, t->at);
	size_t sign = text_starts(rest, "-");

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t size = sign + strlen(words[i]);
		struct text found = text_first(rest, size);

		if (!begins_word(text_after(found, sign), words[i]))
			continue;
		// A truncated word might continue.
		t->ended = found.size < size;
		t->at += found.size;
		*ret = found;
		return true;
	}
	return false;
}
