// SPDX-License-Identifier: MIT
// The text of an Objective-C dictionary as -description writes it:
// `{ arch = "arm64 v8"; "dyld_images" = ( { name = x; … }, … ); }`
// (apmtool-formats(5)).

#include "parsers/lag/reader.h"

#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <stdlib.h>
#include <string.h>

/** State of a list. */
struct image_text {
	struct text in;
	size_t at;
	struct str word; ///< the last one, without quotes and escapes
	struct lag_report *report;
	const char *expected; ///< set at a fault
};

static bool fault(struct image_text *t, const char *expected)
{
	if (!t->expected)
		t->expected = expected;
	return false;
}

static bool is_word(char c)
{
	return text_is_alnum(c) || (c && strchr("_./$:-+", c));
}

/** Step over blanks and comments; 0 at the end. */
static char peek(struct image_text *t)
{
	while (t->at < t->in.size) {
		struct text rest = text_after(t->in, t->at);
		bool is_block = text_starts(rest, "/*");
		size_t end;

		if (text_is_space(rest.data[0])) {
			t->at++;
			continue;
		}
		if (!is_block && !text_starts(rest, "//"))
			return rest.data[0];
		end = is_block ? text_find(rest, "*/")
		               : text_find_char(rest, '\n');
		t->at = end == TEXT_NOWHERE ? t->in.size
		                            : t->at + end + (is_block ? 2 : 1);
	}
	return 0;
}

static bool take_sign(struct image_text *t, char sign)
{
	if (peek(t) != sign)
		return false;
	t->at++;
	return true;
}

static bool expect_sign(struct image_text *t, char sign, const char *name)
{
	return take_sign(t, sign) || fault(t, name);
}

// Words

/** Up to @p max digits in base 8 or 16. */
static uint32_t take_digits(struct image_text *t, int base, size_t max)
{
	uint32_t value = 0;

	for (; max && t->at < t->in.size; max--, t->at++) {
		int digit = text_hex_value(t->in.data[t->at]);

		if (digit < 0 || digit >= base)
			break;
		value = value * (uint32_t)base + (uint32_t)digit;
	}
	return value;
}

static void add_character(struct str *out, uint32_t c)
{
	char bytes[UTF8_SIZE];

	if (!c || (c >= 0xd800 && c <= 0xdfff))
		c = 0xfffd;
	str_add_bytes(out, bytes, utf8_encode(c, bytes));
}

/** A UTF-16 unit after `\U`, and the other half of a pair. */
static void take_unit(struct image_text *t)
{
	uint32_t unit = take_digits(t, 16, 4);
	size_t start = t->at;

	if (unit >= 0xd800 && unit <= 0xdbff &&
	    text_starts(text_after(t->in, t->at), "\\U")) {
		uint32_t low;

		t->at += 2;
		low = take_digits(t, 16, 4);
		if (low >= 0xdc00 && low <= 0xdfff)
			unit = 0x10000 + ((unit - 0xd800) << 10) +
			       (low - 0xdc00);
		else
			t->at = start;
	}
	add_character(&t->word, unit);
}

static void take_escape(struct image_text *t)
{
	static const char letters[] = "abfnrtv";
	static const char meanings[] = "\a\b\f\n\r\t\v";
	char c = t->in.data[t->at];
	const char *letter = c ? strchr(letters, c) : NULL;

	if (c >= '0' && c <= '7') {
		add_character(&t->word, take_digits(t, 8, 3));
		return;
	}
	t->at++;
	if (c == 'U' || c == 'u')
		take_unit(t);
	else
		str_add_char(&t->word, letter ? meanings[letter - letters] : c);
}

static bool take_quoted(struct image_text *t)
{
	while (++t->at < t->in.size) {
		char c = t->in.data[t->at];

		if (c == '"') {
			t->at++;
			return true;
		}
		if (c != '\\') {
			str_add_char(&t->word, c);
		} else if (++t->at < t->in.size) {
			take_escape(t);
			t->at--;
		}
	}
	return fault(t, "'\"'");
}

/** A word, quoted or not, or data between `<` and `>`. */
static bool take_word(struct image_text *t, const char *expected)
{
	char c = peek(t);
	bool is_data = c == '<';
	size_t start = t->at;

	str_clear(&t->word);
	if (c == '"')
		return take_quoted(t);
	t->at += is_data;
	while (t->at < t->in.size && (is_data ? t->in.data[t->at] != '>'
	                                      : is_word(t->in.data[t->at])))
		t->at++;
	str_add_bytes(&t->word, t->in.data + start, t->at - start);
	t->at += is_data && t->at < t->in.size;
	return t->at > start || fault(t, expected);
}

// Values

/** Step over any value; nested ones cost no stack. */
static bool skip_value(struct image_text *t)
{
	size_t depth = 0;

	do {
		char c = peek(t);

		if (!c)
			return fault(t, "a value");
		if (c == '{' || c == '(')
			depth++;
		else if ((c == '}' || c == ')') && depth)
			depth--;
		else if (!depth || !strchr(",;=", c)) {
			if (!take_word(t, "a value"))
				return false;
			continue;
		}
		t->at++;
	} while (depth);
	return true;
}

static void note_image(struct image_text *t, const char *text)
{
	SCOPED(str_release) struct str place = { 0 };

	str_addf(&place, "dyld_images[%zu]", t->report->profile.images.count);
	lag_report_note(t->report, str_cstr(&place), text);
}

/** The last word is no @p expected. */
static void note_word(struct image_text *t, const char *expected)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "expected %s, found '", expected);
	utf8_add_valid(&text, utf8_first(str_text(&t->word), 40));
	str_add_char(&text, '\'');
	note_image(t, str_cstr(&text));
}

static bool take_number(struct image_text *t, uint64_t *ret)
{
	if (!take_word(t, "a number"))
		return false;
	if (number_any(str_text(&t->word), ret))
		return true;
	note_word(t, "a number");
	return false;
}

static bool take_member(struct image_text *t, struct profile_image *image,
                        bool *has_base, struct str *name)
{
	struct text key = str_text(&t->word);
	bool is_base = text_is(key, "base_addr");
	bool is_size = text_is(key, "size");
	bool is_uuid = text_is(key, "uuid");
	bool is_name = text_is(key, "name");

	if (!expect_sign(t, '=', "'='"))
		return false;
	if (is_base) {
		*has_base = take_number(t, &image->base);
	} else if (is_size) {
		take_number(t, &image->size);
	} else if (!is_uuid && !is_name) {
		skip_value(t);
	} else if (take_word(t, "a value")) {
		if (is_name)
			utf8_add_valid(name, str_text(&t->word));
		else if (!uuid_parse(str_text(&t->word), &image->uuid))
			note_word(t, "a UUID");
	}
	return !t->expected && expect_sign(t, ';', "';'");
}

static bool take_image(struct image_text *t)
{
	struct profile_image image = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	bool has_base = false;

	t->at++;
	while (!take_sign(t, '}')) {
		if (!take_word(t, "a key or '}'") ||
		    !take_member(t, &image, &has_base, &name))
			return false;
	}
	if (has_base)
		lag_images_add(t->report, image, str_text(&name));
	else
		note_image(t, "expected \"base_addr\", found none: left out");
	return true;
}

/** `( {…}, … )`; a comma may precede the end. */
static bool take_images(struct image_text *t)
{
	t->at++;
	while (!take_sign(t, ')')) {
		size_t start;

		if (peek(t) != '{') {
			// `// ...` is for the rest of the list, and its end.
			if (take_sign(t, '}'))
				peek(t);
			return fault(t, "'{' or ')'");
		}
		start = t->at;
		if (!take_image(t)) {
			// The list is truncated, and a document follows.
			if (lag_first_sign(text_after(t->in, start)) == ':')
				t->at = start;
			return false;
		}
		if (!take_sign(t, ',') && peek(t) != ')')
			return fault(t, "',' or ')'");
	}
	return true;
}

static bool take_root_member(struct image_text *t, bool *has_images)
{
	bool is_arch = text_is(str_text(&t->word), "arch");
	bool is_list = text_is(str_text(&t->word), "dyld_images");

	if (!expect_sign(t, '=', "'='"))
		return false;
	if (is_list && peek(t) == '(') {
		*has_images = true;
		take_images(t);
	} else if (!is_arch) {
		skip_value(t);
	} else if (take_word(t, "a value")) {
		SCOPED(str_release) struct str arch = { 0 };

		utf8_add_valid(&arch, str_text(&t->word));
		t->report->arch =
		        arena_text(&t->report->arena, str_text(&arch));
	}
	return !t->expected && expect_sign(t, ';', "';'");
}

static void take_root(struct image_text *t, bool *has_images)
{
	*has_images = peek(t) == '(';
	if (*has_images) {
		take_images(t);
		return;
	}
	if (!expect_sign(t, '{', "'{'"))
		return;
	while (!take_sign(t, '}'))
		if (!take_word(t, "a key or '}'") ||
		    !take_root_member(t, has_images))
			return;
}

static size_t line_at(const struct image_text *t)
{
	size_t line = 1;

	for (size_t i = 0; i < t->at && i < t->in.size; i++)
		line += t->in.data[i] == '\n';
	return line;
}

struct error *lag_image_text_read(struct text *in, struct lag_report *report)
{
	struct image_text t = { .in = *in, .report = report };
	bool has_images = false;
	struct error *err = NULL;

	take_root(&t, &has_images);
	str_release(&t.word);
	if (!has_images)
		err = error_new(ERROR_FORMAT,
		                "not an image list: expected %s at line %zu",
		                t.expected ? t.expected : "\"dyld_images\"",
		                line_at(&t));
	else if (t.expected)
		err = error_new(ERROR_FORMAT,
		                "line %zu: expected %s: the list is truncated",
		                line_at(&t), t.expected);
	*in = text_after(*in, t.at);
	if (!has_images || !t.expected)
		return err;
	lag_report_note(report, "dyld_images", error_message(err));
	error_free(err);
	// A document may follow a truncated list; other text belongs to the
	// list.
	if (!text_starts(*in, "[") && !text_starts(*in, "{"))
		*in = TEXT_NONE;
	return NULL;
}

char lag_first_sign(struct text in)
{
	struct image_text t = { .in = in };
	char sign = 0;

	if (take_sign(&t, '{') && take_word(&t, "a key"))
		sign = peek(&t);
	str_release(&t.word);
	return sign;
}

bool lag_is_image_text(struct text in)
{
	return (text_starts(in, "(") &&
	        text_starts(text_trim_left(text_after(in, 1)), "{")) ||
	       lag_first_sign(in) == '=';
}
