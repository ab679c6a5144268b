#include "lib/text/json/token.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
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

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/**
 * The top bit of each byte that is not ASCII or does not mean itself in a
 * string: exact up to the first find, above which a borrow may have gone.
 */
static uint64_t special_bytes(uint64_t word)
{
	// A byte from which more is taken than it holds gets its top bit set;
	// what has it already is not ASCII.
	return (word | (word - EACH_BYTE(0x20)) |
	        ((word ^ EACH_BYTE('"')) - EACH_BYTE(1)) |
	        ((word ^ EACH_BYTE('\\')) - EACH_BYTE(1))) &
	       EACH_BYTE(0x80);
}

/** Eight bytes, the first of them the lowest. */
static uint64_t load_word(const char *data)
{
	uint64_t word;

	memcpy(&word, data, sizeof(word));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		word = __builtin_bswap64(word);
	return word;
}

/**
 * The number of bytes from @p data on that are ASCII and mean themselves in a
 * string. Eight at a time: most bytes of any JSON stand in strings.
 */
static size_t plain_ascii(const char *data, size_t size)
{
	size_t at = 0;

	for (; size - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
		uint64_t found = special_bytes(load_word(data + at));

		if (found)
			return at + (size_t)__builtin_ctzll(found) / 8;
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

/** A string, from its opening quote on. */
struct error *json_token_string(struct json_tokens *t)
{
	struct str *copy = &t->out->copy;
	bool noted = false;

	str_add_char(copy, '"');
	t->at++;
	while (json_token_left(t) && !t->ended) {
		size_t size = json_token_plain_size(t, t->at);
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

/** The character of an escape at @p at, which moves behind it. */
static uint32_t take_escape(const struct json_tokens *t, size_t *at)
{
	static const char letters[] = "bfnrt";
	static const char meanings[] = "\b\f\n\r\t";
	char c = t->in.data[*at + 1];
	const char *letter;
	uint32_t unit = 0;
	uint32_t low = 0;

	*at += 2;
	if (c != 'u') {
		letter = strchr(letters, c);
		return (unsigned char)(letter ? meanings[letter - letters] : c);
	}
	read_hex4(t, *at, &unit);
	*at += 4;
	if (unit < 0xd800 || unit > 0xdbff)
		return unit;
	// The scanner lets pairs through only.
	read_hex4(t, *at + 2, &low);
	*at += 6;
	return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

/** Undo the escapes of a scanned string in place: nothing gets longer. */
static struct text unescape(char *data, size_t size)
{
	const struct json_tokens t = { .in = { data, size } };
	char *to = data;

	for (size_t at = 0; at < size;) {
		if (data[at] != '\\')
			*to++ = data[at++];
		else
			to += utf8_encode(take_escape(&t, &at), to);
	}
	return (struct text){ .data = data, .size = (size_t)(to - data) };
}

bool json_token_plain_text(struct json_tokens *t, size_t at, struct text *ret)
{
	size_t start = at + 1;
	size_t end = start + json_token_plain_size(t, start);

	if (end == t->in.size || t->in.data[end] != '"')
		return false;
	ret->data = t->in.data + start;
	ret->size = end - start;
	t->at = end + 1;
	return true;
}

struct error *json_token_text(struct json_tokens *t, struct text *ret)
{
	struct str *copy = &t->out->copy;
	struct error *err;

	if (json_token_plain_text(t, t->at, ret))
		return NULL;
	str_clear(copy);
	err = json_token_string(t);
	if (!err && !t->ended)
		*ret = unescape(copy->data + 1, copy->size - 2);
	return err;
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

struct error *json_token_step_number(struct json_tokens *t, bool *ret_whole)
{
	struct error *err;

	if (t->in.data[t->at] == '-')
		t->at++;
	if (json_token_left(t) && t->in.data[t->at] == '0')
		t->at++; // and no digit may follow
	else if ((err = scan_digits(t)))
		return err;
	if (json_token_left(t) && t->in.data[t->at] == '.') {
		*ret_whole = false;
		t->at++;
		if ((err = scan_digits(t)))
			return err;
	}
	if (json_token_left(t) && (t->in.data[t->at] | 0x20) == 'e') {
		*ret_whole = false;
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

	err = json_token_step_number(t, &whole);
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

bool json_token_u64(struct text digits, uint64_t *ret)
{
	int64_t negative;

	if (!text_starts(digits, "-"))
		return number_any(digits, ret);
	if (!number_signed(digits, &negative))
		return false;
	*ret = (uint64_t)negative;
	return true;
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
