// SPDX-License-Identifier: MIT
/*
 * XML property lists, parsed by expat: eleven element names; attributes are
 * ignored. A document type with declarations is refused, so entities cannot
 * expand; undeclared entities are refused as well, which expat would skip.
 */
#include "lib/base/base64.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/timestamp.h"
#include "lib/text/plist/plist.h"

#include <errno.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>

/** An open array or dictionary. */
struct level {
	struct plist *value;
	struct plist_item *items; ///< elements of value, growing
	size_t cap;
	bool has_key; ///< of the next value
	struct text key;
};

struct reader {
	XML_Parser parser;
	struct arena *arena;
	size_t object_count;
	struct level levels[PLIST_DEPTH_MAX];
	size_t depth;
	bool in_list; ///< `<plist>` is open
	bool is_done; ///< its value is complete
	struct plist *root;
	/** Name of the open element with text, constant; or NULL. */
	const char *leaf;
	struct str text;
	struct error *err; ///< that ended the reading
};

static void fail(struct reader *r, struct error *err)
{
	error_keep_first(&r->err, err);
	XML_StopParser(r->parser, XML_FALSE);
}

static struct error *at_line(struct reader *r, const char *what)
{
	return error_new(ERROR_FORMAT, "line %lu: %s",
	                 (unsigned long)XML_GetCurrentLineNumber(r->parser),
	                 what);
}

static void expected(struct reader *r, const char *what)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "expected %s", what);
	fail(r, at_line(r, str_cstr(&text)));
}

static struct level *innermost(struct reader *r)
{
	return r->depth ? &r->levels[r->depth - 1] : NULL;
}

// Values

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

/** The value of an element with text; false, with an error, if invalid. */
static bool read_leaf(struct reader *r, const char *name, struct plist *value)
{
	SCOPED(str_release) struct str data = { 0 };
	struct text text = str_text(&r->text);
	struct text trimmed = text_trim(text);
	const char *fault = NULL;

	if (!strcmp(name, "string")) {
		value->kind = PLIST_STRING;
	} else if (!strcmp(name, "true") || !strcmp(name, "false")) {
		value->kind = PLIST_BOOL;
		value->number = !strcmp(name, "true");
	} else if (!strcmp(name, "integer")) {
		value->kind = PLIST_INTEGER;
		if (!parse_integer(trimmed, value))
			fault = "a number in <integer>";
	} else if (!strcmp(name, "real")) {
		value->kind = PLIST_REAL;
		if (!parse_real(str_cstr(&r->text), value))
			fault = "a number in <real>";
	} else if (!strcmp(name, "date")) {
		value->kind = PLIST_DATE;
		if (!parse_date(trimmed, value))
			fault = "a date such as 2001-02-03T04:05:06Z";
	} else {
		value->kind = PLIST_DATA;
		if (!base64_decode(text, &data))
			fault = "Base64 in <data>";
		text = str_text(&data);
	}
	if (value->kind == PLIST_STRING || value->kind == PLIST_DATA)
		value->text = (struct text){
			.data = arena_text(r->arena, text),
			.size = text.size,
		};
	if (fault)
		expected(r, fault);
	return !fault;
}

/** Add a value: under its key, to an array, or as the root. */
static void add_value(struct reader *r, struct plist *value)
{
	struct level *level = innermost(r);

	if (!level) {
		r->root = value;
		return;
	}
	ARENA_GROW(r->arena, level->items, level->value->count, level->cap);
	level->items[level->value->count++] = (struct plist_item){
		.key = level->has_key ? level->key : TEXT_NONE,
		.value = value,
	};
	level->value->items = level->items;
	level->has_key = false;
}

/** The value of `<plist>` is complete: ignore the rest. */
static void end_value(struct reader *r)
{
	if (r->depth)
		return;
	r->is_done = true;
	XML_StopParser(r->parser, XML_FALSE);
}

// Elements

/** As a constant; NULL for elements without text. */
static const char *leaf_name(const char *name)
{
	static const char *const names[] = { "string",  "true", "false",
		                             "integer", "real", "date",
		                             "data" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return names[i];
	return NULL;
}

static void open_container(struct reader *r, enum plist_kind kind)
{
	struct plist *value = arena_alloc(r->arena, sizeof(*value));

	if (r->depth == PLIST_DEPTH_MAX) {
		fail(r, error_new(ERROR_LIMIT, "nested deeper than %d levels",
		                  PLIST_DEPTH_MAX));
		return;
	}
	value->kind = kind;
	add_value(r, value);
	r->levels[r->depth++] = (struct level){ .value = value };
}

static void refuse_element(struct reader *r, const char *name)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "unknown element <%s>", name);
	fail(r, at_line(r, str_cstr(&text)));
}

/** Begin an element that may contain a value. */
static void begin_value(struct reader *r, const char *name)
{
	if (++r->object_count > PLIST_OBJECTS_MAX)
		fail(r, error_new(ERROR_LIMIT, "more than %d objects",
		                  PLIST_OBJECTS_MAX));
	else if (!strcmp(name, "dict"))
		open_container(r, PLIST_DICT);
	else if (!strcmp(name, "array"))
		open_container(r, PLIST_ARRAY);
	else if ((r->leaf = leaf_name(name)))
		return;
	else
		refuse_element(r, name);
}

static void start_element(void *context, const char *name,
                          const char **attributes UNUSED)
{
	struct reader *r = context;
	const struct level *level = innermost(r);
	bool in_dict = level && level->value->kind == PLIST_DICT;

	if (r->err || r->is_done)
		return;
	str_clear(&r->text);
	if (!r->in_list && strcmp(name, "plist") != 0)
		fail(r, error_new(ERROR_UNSUPPORTED,
		                  "XML, but not a property list: its root is "
		                  "<%s>",
		                  name));
	else if (!r->in_list)
		r->in_list = true;
	else if (r->leaf)
		expected(r, "text without elements");
	else if (in_dict && !level->has_key && strcmp(name, "key") != 0)
		expected(r, "<key> in <dict>");
	else if (in_dict && level->has_key && !strcmp(name, "key"))
		expected(r, "a value after <key>");
	else if (in_dict && !level->has_key)
		r->leaf = "key";
	else
		begin_value(r, name);
}

static void end_leaf(struct reader *r, const char *name)
{
	struct level *level = innermost(r);
	struct plist *value;

	r->leaf = NULL;
	if (!strcmp(name, "key")) {
		level->key = (struct text){
			.data = arena_text(r->arena, str_text(&r->text)),
			.size = r->text.size,
		};
		level->has_key = true;
		return;
	}
	value = arena_alloc(r->arena, sizeof(*value));
	if (!read_leaf(r, name, value))
		return;
	add_value(r, value);
	end_value(r);
}

/** Expat has checked that it is the open one. */
static void end_element(void *context, const char *name)
{
	struct reader *r = context;
	const struct level *level = innermost(r);

	if (r->err || r->is_done)
		return;
	if (r->leaf) {
		end_leaf(r, name);
	} else if (!level) {
		expected(r, "a value in <plist>");
	} else if (level->has_key) {
		expected(r, "a value after <key>");
	} else {
		r->depth--;
		end_value(r);
	}
}

static void take_text(void *context, const char *data, int size)
{
	struct reader *r = context;
	struct text text = { .data = data, .size = (size_t)size };

	if (r->err || r->is_done)
		return;
	if (r->leaf)
		str_add_text(&r->text, text);
	else if (text_trim(text).size)
		expected(r, "a tag");
}

static void refuse_declarations(void *context, const char *name UNUSED,
                                const char *system UNUSED,
                                const char *public UNUSED, int has_internal)
{
	if (has_internal)
		expected(context, "a DOCTYPE without declarations");
}

static void refuse_entity(void *context, const char *name UNUSED,
                          int is_parameter UNUSED)
{
	struct reader *r = context;

	if (!r->err)
		expected(r, "an XML entity after '&'");
}

// Documents

static void *allocate(size_t size)
{
	return mem_alloc(size);
}

static void *reallocate(void *memory, size_t size)
{
	return mem_realloc(memory, 1, size);
}

/** Error about a wrong end tag. */
static struct error *mismatch(struct reader *r)
{
	const struct level *level = innermost(r);
	const char *name = "plist";
	SCOPED(str_release) struct str text = { 0 };

	if (r->leaf)
		name = r->leaf;
	else if (level)
		name = level->value->kind == PLIST_DICT ? "dict" : "array";
	str_addf(&text, "expected </%s>", name);
	return at_line(r, str_cstr(&text));
}

/** Expat's error with its position. */
static struct error *parser_error(struct reader *r)
{
	enum XML_Error code = XML_GetErrorCode(r->parser);

	switch (code) {
	case XML_ERROR_UNDEFINED_ENTITY:
	case XML_ERROR_BAD_CHAR_REF:
		return at_line(r, "expected an XML entity after '&'");
	case XML_ERROR_TAG_MISMATCH:
		return mismatch(r);
	case XML_ERROR_NO_ELEMENTS:
	case XML_ERROR_UNCLOSED_TOKEN:
		return at_line(r, "expected more: the list ends here");
	default:
		return at_line(r, XML_ErrorString(code));
	}
}

struct error *plist_xml_parse(struct text in, struct arena *arena,
                              const struct plist **ret)
{
	static const XML_Memory_Handling_Suite memory = { allocate, reallocate,
		                                          free };
	struct reader r = {
		// Ignores the encoding declared in the document.
		.parser = XML_ParserCreate_MM("UTF-8", &memory, NULL),
		.arena = arena,
	};
	bool good;

	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, start_element, end_element);
	XML_SetCharacterDataHandler(r.parser, take_text);
	XML_SetStartDoctypeDeclHandler(r.parser, refuse_declarations);
	XML_SetSkippedEntityHandler(r.parser, refuse_entity);
	good = XML_Parse(r.parser, in.data, (int)in.size, true) ==
	       XML_STATUS_OK;
	if (!good && !r.err && !r.is_done)
		r.err = parser_error(&r);
	XML_ParserFree(r.parser);
	str_release(&r.text);
	// Return what precedes the fault.
	if (r.root)
		*ret = r.root;
	return r.err;
}

const char *plist_library_version(void)
{
	struct text version = text_from(XML_ExpatVersion());

	text_take(&version, "expat_");
	return version.data;
}
