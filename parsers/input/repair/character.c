// SPDX-License-Identifier: MIT
#include "parsers/input/repair/character.h"

#include "lib/base/number.h"
#include "lib/base/utf8.h"

#include <string.h>

#define ESC "\x1b"
// Longer ones are no escapes, but text.
#define ESCAPE_BYTES ((size_t)64)
#define ENTITY_BYTES ((size_t)12)
#define TAG_BYTES    ((size_t)256)

size_t character_color_size(struct text at)
{
	struct text rest = text_first(at, ESCAPE_BYTES);
	size_t size = 2;

	if (!text_starts(rest, ESC) || rest.size < 2)
		return 0;
	if (rest.data[1] == '(' || rest.data[1] == ')')
		return rest.size > 2 ? 3 : 0;
	if (rest.data[1] == ']') {
		// A title or a link: ends with BEL, or with ESC and a
		// backslash.
		for (; size < rest.size; size++) {
			if (rest.data[size] == '\a')
				return size + 1;
			if (rest.data[size] == '\n')
				return 0;
			if (text_starts(text_after(rest, size), ESC "\\"))
				return size + 2;
		}
		return 0;
	}
	if (rest.data[1] != '[')
		return 0;
	while (size < rest.size && rest.data[size] >= 0x20 &&
	       rest.data[size] <= 0x3f)
		size++;
	return size < rest.size && rest.data[size] >= 0x40 &&
	                       rest.data[size] <= 0x7e
	               ? size + 1
	               : 0;
}

static void set_text(struct character *ret, const char *text)
{
	ret->text_size = strlen(text);
	memcpy(ret->text, text, ret->text_size);
}

/** `&#39;`, `&#x27;`: @p digits is between the mark and the semicolon. */
static bool read_number(struct text digits, struct character *ret)
{
	uint64_t number;
	bool is_number = text_starts(digits, "x") || text_starts(digits, "X")
	                         ? number_hex(text_after(digits, 1), &number)
	                         : number_decimal(digits, &number);

	if (!is_number || !number || number > 0x10ffff ||
	    (number >= 0xd800 && number <= 0xdfff))
		return false;
	if (number == 0xa0)
		number = ' ';
	ret->text_size = utf8_encode((uint32_t)number, ret->text);
	return true;
}

static bool read_entity(struct text at, struct character *ret)
{
	static const struct {
		const char *name;
		const char *text;
	} entities[] = {
		{ "lt", "<" },     { "gt", ">" },   { "amp", "&" },
		{ "quot", "\"" },  { "apos", "'" }, { "nbsp", " " },
		{ "ensp", " " },   { "emsp", " " }, { "ndash", "-" },
		{ "mdash", "--" }, { "shy", "" },
	};
	struct text name = text_after(text_first(at, ENTITY_BYTES), 1);
	size_t end = text_find_char(name, ';');

	if (end == TEXT_NOWHERE)
		return false;
	name = text_first(name, end);
	ret->size = end + 2;
	if (text_take(&name, "#"))
		return read_number(name, ret);
	for (size_t i = 0; i < ARRAY_SIZE(entities); i++)
		if (text_is(name, entities[i].name)) {
			set_text(ret, entities[i].text);
			return true;
		}
	return false;
}

/** A tag around text; line-breaking tags become a line end. */
static bool read_tag(struct text at, struct character *ret)
{
	static const struct {
		const char *name;
		const char *text;
	} tags[] = {
		{ "br", "\n" },        { "p", "" },
		{ "/p", "\n" },        { "pre", "" },
		{ "/pre", "" },        { "div", "" },
		{ "/div", "\n" },      { "span", "" },
		{ "/span", "" },       { "code", "" },
		{ "/code", "" },       { "tt", "" },
		{ "/tt", "" },         { "font", "" },
		{ "/font", "" },       { "html", "" },
		{ "/html", "" },       { "body", "" },
		{ "/body", "" },       { "td", "" },
		{ "/td", "" },         { "tr", "" },
		{ "/tr", "\n" },       { "table", "" },
		{ "/table", "" },      { "b", "" },
		{ "/b", "" },          { "details", "" },
		{ "/details", "\n" },  { "summary", "" },
		{ "/summary", "\n" },  { "blockquote", "" },
		{ "/blockquote", "" },
	};
	struct text head = text_after(text_first(at, TAG_BYTES), 1);
	size_t end = text_find_char(head, '>');
	size_t size = 0;

	if (end == TEXT_NOWHERE)
		return false;
	head = text_first(head, end);
	while (size < head.size && !text_is_space(head.data[size]) &&
	       (head.data[size] != '/' || !size))
		size++;
	ret->size = end + 2;
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++) {
		if (!text_is_nocase(text_first(head, size), tags[i].name))
			continue;
		set_text(ret, tags[i].text);
		at = text_after(at, ret->size);
		if (ret->text_size &&
		    (!at.size || at.data[0] == '\n' || at.data[0] == '\r'))
			ret->text_size = 0;
		return true;
	}
	return false;
}

static const struct {
	const char *bytes;
	enum character_kind kind;
	const char *text;
} wide[] = {
	{ "\xc2\xa0", CHARACTER_SPACE, " " },
	{ "\xc2\xad", CHARACTER_INVISIBLE, "" },
	{ "\xe2\x80\x82", CHARACTER_SPACE, " " },
	{ "\xe2\x80\x83", CHARACTER_SPACE, " " },
	{ "\xe2\x80\x87", CHARACTER_SPACE, " " },
	{ "\xe2\x80\x89", CHARACTER_SPACE, " " },
	{ "\xe2\x80\xaf", CHARACTER_SPACE, " " },
	{ "\xe3\x80\x80", CHARACTER_SPACE, " " },
	{ "\xe2\x80\x8b", CHARACTER_INVISIBLE, "" },
	{ "\xe2\x80\x8c", CHARACTER_INVISIBLE, "" },
	{ "\xe2\x80\x8d", CHARACTER_INVISIBLE, "" },
	{ "\xe2\x80\x8e", CHARACTER_INVISIBLE, "" },
	{ "\xe2\x80\x8f", CHARACTER_INVISIBLE, "" },
	{ "\xe2\x81\xa0", CHARACTER_INVISIBLE, "" },
	{ UTF8_MARK, CHARACTER_INVISIBLE, "" },
	{ "\xe2\x80\x90", CHARACTER_MARK, "-" },
	{ "\xe2\x80\x91", CHARACTER_MARK, "-" },
	{ "\xe2\x80\x92", CHARACTER_MARK, "-" },
	{ "\xe2\x80\x93", CHARACTER_MARK, "-" },
	{ "\xe2\x80\x94", CHARACTER_MARK, "--" },
	{ "\xe2\x88\x92", CHARACTER_MARK, "-" },
	{ "\xe2\x80\x98", CHARACTER_MARK, "'" },
	{ "\xe2\x80\x99", CHARACTER_MARK, "'" },
	{ "\xe2\x80\x9a", CHARACTER_MARK, "'" },
	{ "\xe2\x80\x9c", CHARACTER_MARK, "\"" },
	{ "\xe2\x80\x9d", CHARACTER_MARK, "\"" },
	{ "\xe2\x80\x9e", CHARACTER_MARK, "\"" },
	{ "\xe2\x80\xb2", CHARACTER_MARK, "'" },
	{ "\xe2\x80\xb3", CHARACTER_MARK, "\"" },
	{ "\xe2\x80\xa6", CHARACTER_MARK, "..." },
};

static bool is_ascii(struct text in, size_t at)
{
	return at >= in.size || !(in.data[at] & 0x80);
}

static bool read_wide(struct text in, size_t at, struct character *ret)
{
	struct text rest = text_after(in, at);

	for (size_t i = 0; i < ARRAY_SIZE(wide); i++) {
		if (!text_starts(rest, wide[i].bytes))
			continue;
		ret->kind = wide[i].kind;
		ret->size = strlen(wide[i].bytes);
		set_text(ret, wide[i].text);
		// They have a meaning between letters of some scripts, and in
		// emoji.
		if (!ret->text_size && at && !is_ascii(in, at - 1) &&
		    !is_ascii(in, at + ret->size))
			return false;
		// Dashes: one between addresses and before a method, else two.
		if (ret->text_size == 2) {
			rest = text_after(rest, ret->size);
			if (rest.size &&
			    (rest.data[0] == ' ' || rest.data[0] == '['))
				ret->text_size = 1;
		}
		return true;
	}
	return false;
}

bool character_read(struct text in, size_t at, struct character *ret)
{
	struct text rest = text_after(in, at);

	ret->text_size = 0;
	switch (rest.data[0]) {
	case '\x1b':
		ret->kind = CHARACTER_COLOR;
		ret->size = character_color_size(rest);
		return ret->size > 0;
	case '&':
		ret->kind = CHARACTER_HTML;
		return read_entity(rest, ret);
	case '<':
		ret->kind = CHARACTER_HTML;
		return read_tag(rest, ret);
	case '\xc2':
	case '\xe2':
	case '\xe3':
	case '\xef':
		return read_wide(in, at, ret);
	default:
		return false;
	}
}

/** Size of a character, which may be escaped several times: `&amp;lt;`. */
static size_t read_again(struct text in, size_t at, struct character *c)
{
	char again[ENTITY_BYTES] = { '&' };
	struct text rest = text_after(in, at + c->size);
	struct character inner = { 0 };
	size_t size;

	if (c->kind != CHARACTER_HTML || !c->text_size || c->text[0] != '&')
		return c->size;
	while (text_take(&rest, "amp;"))
		;
	size = rest.size < sizeof(again) - 1 ? rest.size : sizeof(again) - 1;
	memcpy(again + 1, rest.data, size);
	if (!read_entity((struct text){ .data = again, .size = size + 1 },
	                 &inner))
		return c->size;
	memcpy(c->text, inner.text, sizeof(inner.text));
	c->text_size = inner.text_size;
	// Except its first mark, which is part of the escape.
	return (size_t)(rest.data - in.data) - at + inner.size - 1;
}

struct text characters_plain(struct text in, char *buffer, size_t size)
{
	struct text head = text_first(in, size);
	size_t used = 0;
	size_t at = 0;

	while (at < head.size && !character_is_special(head.data[at]))
		at++;
	if (at == head.size)
		return in;
	memcpy(buffer, head.data, at);
	for (used = at; at < head.size;) {
		struct character c;

		if (!character_read(in, at, &c)) {
			buffer[used++] = in.data[at++];
			continue;
		}
		// The last one may not fit: it is omitted.
		at += read_again(in, at, &c);
		if (c.text_size > size - used)
			break;
		memcpy(buffer + used, c.text, c.text_size);
		used += c.text_size;
	}
	return (struct text){ .data = buffer, .size = used };
}
