// SPDX-License-Identifier: MIT
#include "lib/text/yaml.h"

#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/nearest.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

/** State of a list or map. */
struct level {
	struct yml *container;
	const struct yml **tail;  ///< where to link the next child
	struct yml *key;          ///< read, its value is still to come
	const struct yml **names; ///< of a map, to detect duplicates
	size_t name_count;
	size_t name_cap;
};

struct reader {
	yaml_parser_t parser;
	struct text in;
	const char *file;
	bool is_private;
	struct arena *arena;
	struct level levels[LIMIT_MOST_CONFIG_DEPTH];
	size_t depth;
	size_t event_count;
	const struct yml *root; ///< NULL: the document has not begun
	bool done;
};

static void reader_release(struct reader *r)
{
	for (size_t i = 0; i < LIMIT_MOST_CONFIG_DEPTH; i++)
		free(r->levels[i].names);
	yaml_parser_delete(&r->parser);
}

static struct yml node_at(const struct reader *r, const yaml_mark_t *mark)
{
	return (struct yml){
		.file = r->file,
		.line = (unsigned)mark->line + 1,
		.column = (unsigned)mark->column + 1,
		.is_private = r->is_private,
	};
}

static struct error *fault(enum error_code code, const struct yml *at,
                           const char *text)
{
	return error_new(code, "%s:%u:%u: %s", at->file, at->line, at->column,
	                 text);
}

/** Line and column of a byte, for libyaml's errors without them. */
static struct yml place_of_byte(const struct reader *r, size_t offset)
{
	struct yml place = { .file = r->file, .line = 1, .column = 1 };

	for (size_t i = 0; i < offset && i < r->in.size; i++) {
		bool is_end = r->in.data[i] == '\n';

		place.line += is_end;
		place.column = is_end ? 1 : place.column + 1;
	}
	return place;
}

/**
 * Refuse directives before libyaml reads them: it searches all `%TAG` tags for
 * each new one, and takes 12 s for 1 MB.
 */
static struct error *refuse_directives(const struct reader *r)
{
	// Everything that libyaml treats as a line start.
	static const char *const starts[] = {
		"\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9",
	};

	for (size_t at = 0; at < r->in.size; at++) {
		struct text before = text_first(r->in, at);
		bool is_start = at == 0;
		struct yml place;

		if (r->in.data[at] != '%')
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
			is_start |= text_ends(before, starts[i]);
		if (!is_start)
			continue;
		place = place_of_byte(r, at);
		return fault(ERROR_CONFIG, &place,
		             "directives are not supported");
	}
	return NULL;
}

/** Does the line begin with a tab, perhaps after blanks? */
static bool is_indented_by_tab(const struct reader *r, size_t line)
{
	struct text rest = r->in;
	struct text found = TEXT_NONE;
	size_t blanks = 0;

	for (size_t i = 0; i <= line; i++)
		if (!text_next_line(&rest, &found))
			return false;
	while (blanks < found.size && found.data[blanks] == ' ')
		blanks++;
	return blanks < found.size && found.data[blanks] == '\t';
}

static struct error *syntax_error(const struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	struct yml place = node_at(r, &p->problem_mark);

	if (p->error == YAML_MEMORY_ERROR)
		mem_fail();
	if (p->error == YAML_READER_ERROR)
		place = place_of_byte(r, p->problem_offset);
	else if (is_indented_by_tab(r, p->problem_mark.line))
		return fault(ERROR_CONFIG, &place,
		             "expected spaces for indentation, found a tab");
	return fault(ERROR_CONFIG, &place, p->problem);
}

/** A place in the tree for @p node: the root, a key, a value or an item. */
static struct error *attach(struct reader *r, struct yml *node)
{
	struct level *level = r->depth ? &r->levels[r->depth - 1] : NULL;

	if (!level) {
		r->root = node;
		return NULL;
	}
	if (level->container->type == YML_MAP && !level->key) {
		if (!node->text)
			return yml_error(node, "expected the name of a field");
		// `null:` is an ordinary field name.
		node->type = YML_TEXT;
		level->key = node;
		MEM_GROW(level->names, level->name_count, level->name_cap);
		level->names[level->name_count++] = node;
		return NULL;
	}
	node->key = level->key;
	level->key = NULL;
	*level->tail = node;
	level->tail = &node->next;
	return NULL;
}

static struct error *check_plain(const struct yml *node,
                                 const yaml_char_t *anchor,
                                 const yaml_char_t *tag)
{
	if (anchor)
		return yml_error(node, "anchors are not supported");
	if (tag)
		return yml_error(node, "tags are not supported");
	return NULL;
}

static bool is_empty_word(const struct yml *node)
{
	return !node->quoted && (!node->text[0] || !strcmp(node->text, "~") ||
	                         !strcmp(node->text, "null"));
}

static struct error *take_scalar(struct reader *r, const yaml_event_t *event)
{
	struct yml *node = arena_alloc(r->arena, sizeof(*node));
	const char *value = (const char *)event->data.scalar.value;
	size_t size = event->data.scalar.length;
	struct error *err;

	*node = node_at(r, &event->start_mark);
	err = check_plain(node, event->data.scalar.anchor,
	                  event->data.scalar.tag);
	if (err)
		return err;
	if (size > YML_SCALAR_BYTES)
		return fault(ERROR_LIMIT, node, "text of more than 64 kB");
	if (memchr(value, '\0', size))
		return yml_error(node, "expected text, found a NUL in it");
	node->text = arena_strndup(r->arena, value, size);
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	node->type = is_empty_word(node) ? YML_EMPTY : YML_TEXT;
	return attach(r, node);
}

static struct error *open_container(struct reader *r, const yaml_event_t *event,
                                    enum yml_type type,
                                    const yaml_char_t *anchor,
                                    const yaml_char_t *tag)
{
	struct yml *node = arena_alloc(r->arena, sizeof(*node));
	struct level *level;
	struct error *err;

	*node = node_at(r, &event->start_mark);
	node->type = type;
	if ((err = check_plain(node, anchor, tag)))
		return err;
	if (r->depth == limit_get(LIMIT_CONFIG_DEPTH))
		return limit_error(LIMIT_CONFIG_DEPTH,
		                   "%s:%u:%u: nested deeper than %zu levels",
		                   node->file, node->line, node->column,
		                   r->depth);
	if ((err = attach(r, node)))
		return err;
	level = &r->levels[r->depth++];
	level->container = node;
	level->tail = &node->first;
	level->key = NULL;
	level->name_count = 0;
	return NULL;
}

static int compare_names(const void *a, const void *b)
{
	const struct yml *x = *(const struct yml *const *)a;
	const struct yml *y = *(const struct yml *const *)b;
	int order = strcmp(x->text, y->text);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

/** ` 'TEXT'` of a scalar, in @p room; "" for a private file. */
static const char *quote(const struct yml *node, struct str *room)
{
	if (!node->is_private)
		str_addf(room, " '%s'", node->text);
	return str_cstr(room);
}

static struct error *close_container(struct reader *r)
{
	SCOPED(str_release) struct str room = { 0 };
	struct level *level = &r->levels[--r->depth];
	const struct yml **names = level->names;

	if (level->name_count)
		qsort(names, level->name_count, sizeof(*names), compare_names);
	for (size_t i = 1; i < level->name_count; i++)
		if (!strcmp(names[i - 1]->text, names[i]->text))
			return yml_error(
			        names[i], "field%s is already set in line %u",
			        quote(names[i], &room), names[i - 1]->line);
	return NULL;
}

static struct error *take_event(struct reader *r, const yaml_event_t *event)
{
	struct yml place = node_at(r, &event->start_mark);

	if (++r->event_count > YML_EVENTS)
		return fault(ERROR_LIMIT, &place, "more than 50,000 values");
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (r->root)
			return yml_error(
			        &place, "expected one document, found another");
		return NULL;
	case YAML_ALIAS_EVENT:
		return yml_error(&place, "aliases are not supported");
	case YAML_SCALAR_EVENT:
		return take_scalar(r, event);
	case YAML_SEQUENCE_START_EVENT:
		return open_container(r, event, YML_LIST,
		                      event->data.sequence_start.anchor,
		                      event->data.sequence_start.tag);
	case YAML_MAPPING_START_EVENT:
		return open_container(r, event, YML_MAP,
		                      event->data.mapping_start.anchor,
		                      event->data.mapping_start.tag);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_container(r);
	case YAML_STREAM_END_EVENT:
		r->done = true;
		return NULL;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		break;
	}
	return NULL;
}

static struct error *read_events(struct reader *r)
{
	struct error *err = refuse_directives(r);

	while (!err && !r->done) {
		yaml_event_t event;

		if (!yaml_parser_parse(&r->parser, &event))
			return syntax_error(r);
		err = take_event(r, &event);
		yaml_event_delete(&event);
	}
	return err;
}

static struct error *parse(struct text in, const char *name, bool is_private,
                           struct arena *arena, const struct yml **ret)
{
	struct reader r = {
		.in = in,
		.file = arena_strdup(arena, name),
		.is_private = is_private,
		.arena = arena,
	};
	struct yml *empty;
	struct error *err;

	if (in.size > limit_get(LIMIT_CONFIG_FILE))
		return limit_error_of(
		        LIMIT_CONFIG_FILE,
		        file_too_large(name, limit_get(LIMIT_CONFIG_FILE)));
	// libyaml would count a byte order mark as a column.
	text_take(&r.in, UTF8_MARK);
	if (!yaml_parser_initialize(&r.parser))
		mem_fail();
	// Otherwise libyaml may detect UTF-16.
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
	        &r.parser, (const unsigned char *)r.in.data, r.in.size);
	err = read_events(&r);
	reader_release(&r);
	if (err)
		return err;
	if (!r.root) {
		empty = arena_alloc(arena, sizeof(*empty));
		*empty = node_at(&r, &(yaml_mark_t){ 0 });
		r.root = empty;
	}
	*ret = r.root;
	return NULL;
}

struct error *yml_parse(struct text in, const char *name, struct arena *arena,
                        const struct yml **ret)
{
	return parse(in, name, false, arena, ret);
}

struct error *yml_parse_private(struct text in, const char *name,
                                struct arena *arena, const struct yml **ret)
{
	return parse(in, name, true, arena, ret);
}

const struct yml *yml_of_rows(const struct yml_row *rows, size_t count,
                              const char *name, struct arena *arena)
{
	struct yml *nodes = arena_array(arena, 3 * count + 1, sizeof(*nodes));
	struct yml *list = nodes++;
	const struct yml **item_tail = &list->first;
	const struct yml **tail = NULL;

	*list = (struct yml){ .type = YML_LIST, .file = name };
	for (size_t i = 0; i < count; i++) {
		struct yml *item = nodes++, *key = nodes++, *value = nodes++;

		*key = (struct yml){
			.type = YML_TEXT,
			.file = name,
			.line = rows[i].line,
			.is_built_in = true,
			.text = rows[i].name,
		};
		*value = *key;
		value->text = rows[i].value;
		value->key = key;
		if (rows[i].is_first) {
			*item = *key;
			item->type = YML_MAP;
			item->text = NULL;
			*item_tail = item;
			item_tail = &item->next;
			tail = &item->first;
		}
		*tail = value;
		tail = &value->next;
	}
	return list;
}

struct error *yml_error(const struct yml *node, const char *format, ...)
{
	SCOPED(str_release) struct str message = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&message, format, args);
	va_end(args);
	return fault(ERROR_CONFIG, node, str_cstr(&message));
}

struct error *yml_error_found(const struct yml *node, const char *format, ...)
{
	SCOPED(str_release) struct str message = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&message, format, args);
	va_end(args);
	if (!node->is_private)
		str_addf(&message, ", found '%s'", node->text);
	return fault(ERROR_CONFIG, node, str_cstr(&message));
}

/** `expected WHAT, found …`, after the name of the field, if any. */
static struct error *unexpected(const struct yml *node, const char *what)
{
	static const char *const found[] = {
		[YML_EMPTY] = "nothing",
		[YML_LIST] = "a list",
		[YML_MAP] = "a map",
	};
	const char *name = node->key ? node->key->text : "";
	const char *colon = node->key ? ": " : "";

	if (node->type == YML_TEXT)
		return yml_error_found(node, "%s%sexpected %s", name, colon,
		                       what);
	return yml_error(node, "%s%sexpected %s, found %s", name, colon, what,
	                 found[node->type]);
}

struct error *yml_known_fields(const struct yml *node, const char *const *names)
{
	SCOPED(str_release) struct str room = { 0 };

	if (node->type == YML_EMPTY)
		return NULL;
	if (node->type != YML_MAP)
		return unexpected(node, "a map");
	for (const struct yml *at = node->first; at; at = at->next) {
		const char *const *name = names;
		const char *near;

		while (*name && strcmp(*name, at->key->text) != 0)
			name++;
		if (*name)
			continue;
		near = nearest_word(at->key->text, names);
		if (!near)
			return yml_error(at->key, "unknown field%s",
			                 quote(at->key, &room));
		return yml_error(at->key,
		                 "unknown field%s (did you mean '%s'?)",
		                 quote(at->key, &room), near);
	}
	return NULL;
}

const struct yml *yml_field(const struct yml *map, const char *name)
{
	if (map->type != YML_MAP)
		return NULL;
	for (const struct yml *at = map->first; at; at = at->next)
		if (!strcmp(at->key->text, name))
			return at;
	return NULL;
}

struct error *yml_list(const struct yml *node)
{
	if (node->type == YML_LIST || node->type == YML_EMPTY)
		return NULL;
	return unexpected(node, "a list");
}

struct error *yml_text(const struct yml *node, const char **ret)
{
	if (node->type != YML_TEXT || !node->text[0])
		return unexpected(node, "text");
	*ret = node->text;
	return NULL;
}

struct error *yml_bool(const struct yml *node, bool *ret)
{
	bool is_word = node->type == YML_TEXT && !node->quoted;

	if (is_word && !strcmp(node->text, "true"))
		*ret = true;
	else if (is_word && !strcmp(node->text, "false"))
		*ret = false;
	else
		return unexpected(node, "true or false");
	return NULL;
}

struct error *yml_number(const struct yml *node, uint64_t min, uint64_t max,
                         uint64_t *ret)
{
	SCOPED(str_release) struct str range = { 0 };
	uint64_t number;

	if (node->type == YML_TEXT && !node->quoted &&
	    number_decimal(text_from(node->text), &number) && number >= min &&
	    number <= max) {
		*ret = number;
		return NULL;
	}
	str_addf(&range, "a number from %" PRIu64 " to %" PRIu64, min, max);
	return unexpected(node, str_cstr(&range));
}

struct error *yml_choice(const struct yml *node, const char *const *names,
                         unsigned *ret)
{
	SCOPED(str_release) struct str listed = { 0 };

	for (unsigned i = 0; names[i]; i++) {
		if (node->type == YML_TEXT && !strcmp(node->text, names[i])) {
			*ret = i;
			return NULL;
		}
		str_addf(&listed, "%s%s",
		         i == 0         ? ""
		         : names[i + 1] ? ", "
		                        : " or ",
		         names[i]);
	}
	return unexpected(node, str_cstr(&listed));
}

const char *yml_library_version(void)
{
	return yaml_get_version_string();
}
