// SPDX-License-Identifier: MIT
/*
 * XML property lists: elements of eleven names, no attributes but a version,
 * no entities but the five of XML and numbers. What a document type declares
 * is not looked at; one that declares something itself is refused, so no
 * entity can grow.
 */
#include "lib/base/base64.h"
#include "lib/base/number.h"
#include "lib/base/timestamp.h"
#include "lib/base/utf8.h"
#include "lib/text/plist/plist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct text in;
	size_t pos;
	struct arena *arena;
	size_t object_count;
	unsigned depth;
};

/** A start or end tag. */
struct tag {
	struct text name;
	bool closes; ///< `</name>`
	bool empty;  ///< `<name/>`
};

static struct error *read_value(struct reader *r, const struct tag *tag,
                                struct plist *value);

static size_t line_of(const struct reader *r)
{
	size_t line = 1;

	for (size_t i = 0; i < r->pos && i < r->in.size; i++)
		line += r->in.data[i] == '\n';
	return line;
}

static struct error *bad(const struct reader *r, const char *expected)
{
	return error_new(ERROR_FORMAT, "line %zu: expected %s", line_of(r),
	                 expected);
}

static struct text rest_of(const struct reader *r)
{
	return text_after(r->in, r->pos);
}

/** Move after @p end; false where it does not come. */
static bool skip_past(struct reader *r, const char *end)
{
	size_t at = text_find(rest_of(r), end);

	if (at == TEXT_NOWHERE)
		return false;
	r->pos += at + strlen(end);
	return true;
}

static void skip_blanks(struct reader *r)
{
	while (r->pos < r->in.size && text_is_space(r->in.data[r->pos]))
		r->pos++;
}

/** Skip blanks, comments, processing instructions, the document type. */
static struct error *skip_misc(struct reader *r)
{
	for (;;) {
		struct text rest;
		size_t end;

		skip_blanks(r);
		rest = rest_of(r);
		if (text_starts(rest, "<!--")) {
			r->pos += strlen("<!--");
			if (!skip_past(r, "-->"))
				return bad(r, "the end of a comment");
		} else if (text_starts(rest, "<?")) {
			if (!skip_past(r, "?>"))
				return bad(r, "'?>'");
		} else if (text_starts(rest, "<!DOCTYPE")) {
			end = text_find_char(rest, '>');
			if (end == TEXT_NOWHERE)
				return bad(r, "the end of DOCTYPE");
			if (text_find_char(text_first(rest, end), '[') !=
			    TEXT_NOWHERE)
				return bad(r, "a DOCTYPE without declarations");
			r->pos += end + 1;
		} else {
			return NULL;
		}
	}
}

/** Read the next tag; attributes are passed over. */
static struct error *read_tag(struct reader *r, struct tag *ret)
{
	struct error *err = skip_misc(r);
	struct text rest = rest_of(r);
	struct text inside;
	size_t end;

	if (err)
		return err;
	if (!text_take(&rest, "<"))
		return bad(r, rest.size ? "a tag" : "more: the list ends here");
	end = text_find_char(rest, '>');
	if (end == TEXT_NOWHERE)
		return bad(r, "the end of a tag");
	inside = text_first(rest, end);
	r->pos += end + 2;
	ret->closes = text_take(&inside, "/");
	ret->empty = text_ends(inside, "/");
	inside = text_first(inside, inside.size - ret->empty);
	for (end = 0; end < inside.size && !text_is_space(inside.data[end]);)
		end++;
	ret->name = text_first(inside, end);
	return NULL;
}

/** The character after `&…;`; 0 for what is none. */
static uint32_t entity(struct text name)
{
	static const struct {
		const char *name;
		char value;
	} known[] = { { "lt", '<' },
		      { "gt", '>' },
		      { "amp", '&' },
		      { "quot", '"' },
		      { "apos", '\'' } };
	uint64_t code = 0;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (text_is(name, known[i].name))
			return (uint32_t)known[i].value;
	if (text_take(&name, "#x")) {
		if (!name.size || name.size > 8 || !number_hex(name, &code))
			return 0;
	} else if (!text_take(&name, "#") || !number_decimal(name, &code)) {
		return 0;
	}
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return (uint32_t)code;
}

static struct error *add_entity(struct reader *r, struct str *out)
{
	// The longest is `&#x10ffff;`, zeros aside.
	struct text rest = text_first(rest_of(r), 16);
	size_t end = text_find_char(rest, ';');
	char bytes[UTF8_SIZE];
	uint32_t code;

	if (end == TEXT_NOWHERE)
		end = 0;
	code = entity(text_after(text_first(rest, end), 1));
	if (!code)
		return bad(r, "an XML entity after '&'");
	str_add_bytes(out, bytes, utf8_encode(code, bytes));
	r->pos += end + 1;
	return NULL;
}

static struct error *add_cdata(struct reader *r, struct str *out)
{
	size_t first = r->pos + strlen("<![CDATA[");
	struct text rest = text_after(r->in, first);
	size_t size = text_find(rest, "]]>");

	if (size == TEXT_NOWHERE)
		return bad(r, "']]>'");
	str_add_text(out, text_first(rest, size));
	r->pos = first + size + strlen("]]>");
	return NULL;
}

/** The text of an element, its end tag taken too. */
static struct error *read_text(struct reader *r, const struct tag *tag,
                               struct str *out)
{
	struct error *err = NULL;
	struct tag end;

	if (tag->empty)
		return NULL;
	while (!err) {
		struct text rest = rest_of(r);
		size_t plain = 0;

		while (plain < rest.size && rest.data[plain] != '<' &&
		       rest.data[plain] != '&')
			plain++;
		str_add_text(out, text_first(rest, plain));
		r->pos += plain;
		rest = text_after(rest, plain);
		if (text_starts(rest, "&"))
			err = add_entity(r, out);
		else if (text_starts(rest, "<![CDATA["))
			err = add_cdata(r, out);
		else if (text_starts(rest, "<!--") && skip_past(r, "-->"))
			continue;
		else
			break;
	}
	if (!err)
		err = read_tag(r, &end);
	if (err)
		return err;
	if (!end.closes || !text_equal(end.name, tag->name))
		return error_new(ERROR_FORMAT,
		                 "line %zu: expected '</%.*s>', found "
		                 "'<%s%.*s>'",
		                 line_of(r), TEXT_ARGS(tag->name),
		                 end.closes ? "/" : "", TEXT_ARGS(end.name));
	return NULL;
}

static bool parse_integer(struct text text, struct plist *value)
{
	bool negative;

	text_take(&text, "+");
	negative = text_take(&text, "-");
	if (!number_any(text, &value->number))
		return false;
	if (!negative || !value->number)
		return true;
	value->negative = true;
	value->number = 0 - value->number;
	return value->number >> 63;
}

static bool parse_real(const char *text, struct plist *value)
{
	char *end;

	errno = 0;
	value->real = strtod(text, &end);
	return *text && !*end;
}

/** A field of a date, @p size digits and then @p after. */
static bool take_digits(struct text *text, size_t size, const char *after,
                        int64_t *ret)
{
	uint64_t value;

	if (!number_decimal(text_first(*text, size), &value))
		return false;
	*text = text_after(*text, size);
	*ret = (int64_t)value;
	return text_take(text, after);
}

/** `2001-02-03T04:05:06Z` */
static bool parse_date(struct text text, struct plist *value)
{
	int64_t year, month, day, hour, minute, second;

	if (!take_digits(&text, 4, "-", &year) ||
	    !take_digits(&text, 2, "-", &month) ||
	    !take_digits(&text, 2, "T", &day) ||
	    !take_digits(&text, 2, ":", &hour) ||
	    !take_digits(&text, 2, ":", &minute) ||
	    !take_digits(&text, 2, "Z", &second) || text.size)
		return false;
	if (!year || month < 1 || month > 12 || day < 1 || day > 31 ||
	    hour > 23 || minute > 59 || second > 60)
		return false;
	value->real = (double)(timestamp_of_day(year, month, day) -
	                       timestamp_of_day(2001, 1, 1) + hour * 3600 +
	                       minute * 60 + second);
	return true;
}

static void set_text(struct reader *r, const struct str *text,
                     struct plist *value)
{
	value->text.size = text->size;
	value->text.data = arena_text(r->arena, str_text(text));
}

/** Elements that hold text, by name. */
static struct error *read_leaf(struct reader *r, const struct tag *tag,
                               struct plist *value)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str data = { 0 };
	struct error *err = read_text(r, tag, &text);
	struct text trimmed = text_trim(str_text(&text));

	if (err)
		return err;
	if (text_is(tag->name, "string")) {
		value->kind = PLIST_STRING;
		set_text(r, &text, value);
	} else if (text_is(tag->name, "true") || text_is(tag->name, "false")) {
		value->kind = PLIST_BOOL;
		value->number = text_is(tag->name, "true");
	} else if (text_is(tag->name, "integer")) {
		value->kind = PLIST_INTEGER;
		if (!parse_integer(trimmed, value))
			return bad(r, "a number in <integer>");
	} else if (text_is(tag->name, "real")) {
		value->kind = PLIST_REAL;
		if (!parse_real(str_cstr(&text), value))
			return bad(r, "a number in <real>");
	} else if (text_is(tag->name, "date")) {
		value->kind = PLIST_DATE;
		if (!parse_date(trimmed, value))
			return bad(r, "a date such as 2001-02-03T04:05:06Z");
	} else if (text_is(tag->name, "data")) {
		value->kind = PLIST_DATA;
		if (!base64_decode(str_text(&text), &data))
			return bad(r, "Base64 in <data>");
		set_text(r, &data, value);
	} else {
		return error_new(ERROR_FORMAT,
		                 "line %zu: unknown element <%.*s>", line_of(r),
		                 TEXT_ARGS(tag->name));
	}
	return NULL;
}

/** The key of the next entry, of which @p tag is the start. */
static struct error *read_key(struct reader *r, const struct tag *tag,
                              struct text *ret)
{
	SCOPED(str_release) struct str text = { 0 };
	struct error *err;

	if (!text_is(tag->name, "key"))
		return bad(r, "<key> in <dict>");
	err = read_text(r, tag, &text);
	ret->size = text.size;
	ret->data = arena_text(r->arena, str_text(&text));
	return err;
}

/** An entry that begins with @p tag: of a dictionary, key and value. */
static struct error *read_item(struct reader *r, struct tag tag, bool has_key,
                               struct plist_item *ret)
{
	struct plist *value = arena_alloc(r->arena, sizeof(*value));
	struct error *err;

	*ret = (struct plist_item){ .key = TEXT_NONE, .value = value };
	if (has_key) {
		err = read_key(r, &tag, &ret->key);
		if (!err)
			err = read_tag(r, &tag);
		if (err)
			return err;
		if (tag.closes)
			return bad(r, "a value after <key>");
	}
	return read_value(r, &tag, value);
}

static struct error *read_container(struct reader *r, const struct tag *tag,
                                    struct plist *value)
{
	struct plist_item *items = NULL;
	size_t cap = 0;

	while (!tag->empty) {
		struct tag next;
		struct error *err = read_tag(r, &next);

		if (err)
			return err;
		if (next.closes) {
			if (text_equal(next.name, tag->name))
				break;
			return bad(r, value->kind == PLIST_DICT ? "</dict>"
			                                        : "</array>");
		}
		ARENA_GROW(r->arena, items, value->count, cap);
		err = read_item(r, next, value->kind == PLIST_DICT,
		                &items[value->count]);
		if (err)
			return err;
		value->count++;
	}
	value->items = items;
	return NULL;
}

static struct error *read_value(struct reader *r, const struct tag *tag,
                                struct plist *value)
{
	struct error *err;

	if (++r->object_count > PLIST_OBJECTS_MAX)
		return error_new(ERROR_LIMIT, "more than %d objects",
		                 PLIST_OBJECTS_MAX);
	if (text_is(tag->name, "dict"))
		value->kind = PLIST_DICT;
	else if (text_is(tag->name, "array"))
		value->kind = PLIST_ARRAY;
	else
		return read_leaf(r, tag, value);
	if (r->depth == PLIST_DEPTH_MAX)
		return error_new(ERROR_LIMIT, "nested deeper than %d levels",
		                 PLIST_DEPTH_MAX);
	r->depth++;
	err = read_container(r, tag, value);
	r->depth--;
	return err;
}

struct error *plist_xml_parse(struct text in, struct arena *arena,
                              const struct plist **ret)
{
	struct reader r = { .in = in, .arena = arena };
	struct plist *root = arena_alloc(arena, sizeof(*root));
	struct error *err;
	struct tag tag;

	err = read_tag(&r, &tag);
	if (err)
		return err;
	if (!text_is(tag.name, "plist") || tag.closes || tag.empty)
		return error_new(ERROR_UNSUPPORTED,
		                 "XML, but not a property list: its root is "
		                 "<%.*s>",
		                 TEXT_ARGS(tag.name));
	err = read_tag(&r, &tag);
	if (!err && tag.closes)
		err = bad(&r, "a value in <plist>");
	if (!err)
		err = read_value(&r, &tag, root);
	if (err)
		return err;
	*ret = root;
	return NULL;
}
