// SPDX-License-Identifier: MIT
#include "lib/text/json/json.h"

#include "lib/base/block.h"
#include "lib/base/hash.h"
#include "lib/base/limit.h"
#include "lib/base/map.h"
#include "lib/base/mem.h"
#include "lib/text/json/pull.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/** Above this number of names in an object, compare by a map. */
#define FEW_NAMES 16

/** Digits of a whole number that always fit uint64_t. */
#define WHOLE_DIGITS_MAX 19

/** Recently copied names to reuse. */
#define NAMES_KEPT 64

struct json_doc {
	struct json_pull *pull;
	struct arena arena;
	cJSON *root;
	struct error *fault; ///< why a salvaged document ended; or NULL
};

// The tree

/** A member's name, for finding repeated ones. */
struct name {
	uint64_t hash;
	size_t offset;
};

/** A copied name: most names repeat, in the same order. */
struct kept_name {
	struct text text; ///< data NULL: unused
	uint64_t hash;
	struct kept_name *next; ///< the name that last followed it
};

/** An open object or array. */
struct level {
	cJSON *node;
	size_t first_name; ///< of this object, in struct builder
};

/** State of building a document from events. */
struct builder {
	struct json_doc *doc;
	struct level open[LIMIT_MOST_JSON_DEPTH];
	size_t depth;
	size_t value_count;
	char *key;          ///< of the next value's member; or NULL
	struct name *names; ///< in all open objects, innermost last
	size_t name_count;
	size_t name_cap;
	uint64_t seed; ///< of their hashes: hostile names must not collide
	/** indexes of the names of one object, if there are many */
	struct map map;
	struct kept_name kept[NAMES_KEPT]; ///< by their hash
	struct kept_name *last;            ///< of the last name; or NULL
};

static uint64_t hash_name(uint64_t seed, const void *key)
{
	return map_hash_number(seed, ((const struct name *)key)->hash);
}

static bool is_name(const void *table, uint32_t index, const void *key)
{
	return ((const struct name *)table)[index].hash ==
	       ((const struct name *)key)->hash;
}

static const struct map_keys name_keys = { hash_name, is_name };

/** Is the name equal to an earlier one? For many names the map is used. */
static bool is_repeated(const struct name *names, uint32_t index,
                        struct map *map)
{
	if (map)
		return map_add(map, &name_keys, names, &names[index], index) !=
		       index;
	for (uint32_t i = index; i-- > 0;)
		if (names[i].hash == names[index].hash)
			return true;
	return false;
}

/** List the repeated names of the innermost object, and forget its names. */
static void end_names(struct builder *b, size_t first)
{
	uint32_t count = (uint32_t)(b->name_count - first);
	struct map *map = count > FEW_NAMES ? &b->map : NULL;

	b->name_count = first;
	if (map)
		map_clear(map);
	for (uint32_t i = 0; i < count; i++)
		if (is_repeated(b->names + first, i, map))
			json_pull_repair_add(b->doc->pull,
			                     b->names[first + i].offset,
			                     "duplicate name in an object: the "
			                     "first is used");
}

static bool is_kept(const struct kept_name *kept, struct text name)
{
	return kept->text.data && kept->text.size == name.size &&
	       block_equal(kept->text.data, name.data, name.size);
}

static const struct kept_name *keep_name(struct builder *b, struct text name)
{
	struct kept_name *kept = b->last ? b->last->next : NULL;
	uint64_t hash;

	if (kept && is_kept(kept, name)) {
		b->last = kept;
		return kept;
	}
	hash = hash_bytes(b->seed, name.data, name.size);
	kept = &b->kept[hash % NAMES_KEPT];
	if (!is_kept(kept, name))
		*kept = (struct kept_name){
			.text = { .data = arena_text(&b->doc->arena, name),
			          .size = name.size },
			.hash = hash,
		};
	if (b->last)
		b->last->next = kept;
	b->last = kept;
	return kept;
}

static struct error *add_name(struct builder *b, const struct json_event *event)
{
	size_t first = b->open[b->depth - 1].first_name;
	const struct kept_name *kept;

	if (b->name_count - first == JSON_NAMES_MAX)
		return error_new(ERROR_LIMIT, "more than %d names in an object",
		                 JSON_NAMES_MAX);
	MEM_GROW(b->names, b->name_count, b->name_cap);
	kept = keep_name(b, event->text);
	b->names[b->name_count++] = (struct name){
		.hash = kept->hash,
		.offset = event->offset,
	};
	b->key = (char *)kept->text.data;
	return NULL;
}

static int node_type(const struct json_event *event)
{
	static const int types[] = {
		[JSON_EVENT_OBJECT] = cJSON_Object,
		[JSON_EVENT_ARRAY] = cJSON_Array,
		[JSON_EVENT_TEXT] = cJSON_String,
		[JSON_EVENT_NUMBER] = cJSON_Number,
		[JSON_EVENT_NULL] = cJSON_NULL,
	};

	if (event->type == JSON_EVENT_BOOL)
		return event->truth ? cJSON_True : cJSON_False;
	return types[event->type];
}

/** As cJSON keeps them: the first child knows the last one. */
static void append(cJSON *container, cJSON *node)
{
	cJSON *first = container->child;

	if (!first) {
		container->child = node->prev = node;
		return;
	}
	node->prev = first->prev;
	first->prev->next = node;
	first->prev = node;
}

/**
 * As strtod(), to the last bit. Most numbers are whole and short: converting an
 * integer rounds like strtod().
 */
static double number_value(const char *digits, size_t size)
{
	bool is_negative = *digits == '-';
	uint64_t value = 0;

	if (size - is_negative > WHOLE_DIGITS_MAX)
		return strtod(digits, NULL);
	for (size_t i = is_negative; i < size; i++) {
		if (digits[i] < '0' || digits[i] > '9')
			return strtod(digits, NULL);
		value = value * 10 + (uint64_t)(digits[i] - '0');
	}
	return is_negative ? -(double)value : (double)value;
}

/** As in cJSON, whose integers are limited. */
static int saturated(double number)
{
	if (number >= INT_MAX)
		return INT_MAX;
	return number <= INT_MIN ? INT_MIN : (int)number;
}

/** A node followed by its text: both are short. */
static cJSON *new_scalar(struct arena *arena, const struct json_event *event)
{
	struct text text = event->text;
	cJSON *node = arena_take(arena, sizeof(*node) + text.size + 1);
	char *copy = (char *)(node + 1);

	block_copy(copy, text.data, text.size);
	copy[text.size] = '\0';
	*node = (cJSON){ .valuestring = copy };
	if (event->type == JSON_EVENT_NUMBER) {
		node->valuedouble = number_value(copy, text.size);
		node->valueint = saturated(node->valuedouble);
	}
	return node;
}

static cJSON *new_node(struct arena *arena, const struct json_event *event)
{
	cJSON *node;

	if (event->type == JSON_EVENT_TEXT || event->type == JSON_EVENT_NUMBER)
		return new_scalar(arena, event);
	node = arena_take(arena, sizeof(*node));
	*node = (cJSON){ .valueint = event->type == JSON_EVENT_BOOL &&
		                     event->truth };
	return node;
}

static struct error *add_value(struct builder *b,
                               const struct json_event *event)
{
	cJSON *node;

	if (++b->value_count > JSON_VALUES_MAX)
		return error_new(ERROR_LIMIT, "more than %d JSON values",
		                 JSON_VALUES_MAX);
	node = new_node(&b->doc->arena, event);
	node->type = node_type(event);
	node->string = b->key;
	b->key = NULL;
	if (b->depth)
		append(b->open[b->depth - 1].node, node);
	else
		b->doc->root = node;
	if (event->type == JSON_EVENT_OBJECT || event->type == JSON_EVENT_ARRAY)
		b->open[b->depth++] = (struct level){
			.node = node,
			.first_name = b->name_count,
		};
	return NULL;
}

static struct error *build(struct builder *b)
{
	struct json_pull *pull = b->doc->pull;
	const struct json_event *event;
	struct error *err = NULL;

	while (!err && (event = json_pull_next(pull))->type != JSON_EVENT_DONE)
		switch (event->type) {
		case JSON_EVENT_NAME:
			err = add_name(b, event);
			break;
		case JSON_EVENT_END_OBJECT:
			end_names(b, b->open[--b->depth].first_name);
			break;
		case JSON_EVENT_END_ARRAY:
			b->depth--;
			break;
		default:
			// Drop a member whose value is missing.
			if (!json_pull_is_closing(pull))
				err = add_value(b, event);
			break;
		}
	return err;
}

// Documents

static struct error *parse(struct text in, unsigned flags, struct json_doc *doc)
{
	struct builder builder = { .doc = doc, .seed = hash_seed() };
	struct error *err;

	doc->pull = json_pull_new(in, flags);
	json_pull_limit(doc->pull);
	err = build(&builder);
	free(builder.names);
	map_release(&builder.map);
	return err ? err : json_pull_take_error(doc->pull);
}

struct error *json_parse(struct text in, size_t *ret_used,
                         struct json_doc **ret)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = mem_zalloc(1, sizeof(*doc));
	struct error *err = parse(in, 0, doc);

	if (!err && !ret_used && json_pull_again(doc->pull))
		err = json_pull_unexpected(doc->pull, "the end");
	if (err)
		return err;
	if (ret_used)
		*ret_used = json_pull_used(doc->pull);
	*ret = doc;
	doc = NULL;
	return NULL;
}

struct error *json_salvage(struct text in, size_t *ret_used,
                           struct json_doc **ret)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = mem_zalloc(1, sizeof(*doc));
	struct error *err = parse(in, JSON_PULL_REPAIR, doc);

	// Outside of the outermost container nothing can be salvaged.
	if (err && (!doc->root || error_code(err) != ERROR_FORMAT))
		return err;
	doc->fault = err;
	*ret_used = json_pull_used(doc->pull);
	*ret = doc;
	doc = NULL;
	return NULL;
}

const char *json_fault(const struct json_doc *doc)
{
	return doc->fault ? error_message(doc->fault) : NULL;
}

void json_doc_free(struct json_doc *doc)
{
	if (!doc)
		return;
	json_pull_free(doc->pull);
	arena_release(&doc->arena);
	error_free(doc->fault);
	free(doc);
}

void json_doc_drop(struct json_doc **doc)
{
	json_doc_free(*doc);
}

const cJSON *json_root(const struct json_doc *doc)
{
	return doc->root;
}

bool json_truncated(const struct json_doc *doc)
{
	return doc->fault || json_pull_truncated(doc->pull);
}

size_t json_repair_count(const struct json_doc *doc)
{
	return json_pull_repair_count(doc->pull);
}

struct json_repair json_repair(const struct json_doc *doc, size_t index)
{
	return json_pull_repair(doc->pull, index);
}

// Values

enum json_type json_type(const cJSON *value)
{
	if (!value)
		return JSON_NULL;
	switch (value->type) {
	case cJSON_Object:
		return JSON_OBJECT;
	case cJSON_Array:
		return JSON_ARRAY;
	case cJSON_String:
		return JSON_TEXT;
	case cJSON_Number:
		return JSON_NUMBER;
	case cJSON_True:
	case cJSON_False:
		return JSON_BOOL;
	default:
		return JSON_NULL;
	}
}

struct text json_scalar(const cJSON *value)
{
	// Only numbers and texts have one.
	return value && value->valuestring ? text_from(value->valuestring)
	                                   : (struct text){ 0 };
}

bool json_as_u64(const cJSON *value, uint64_t *ret)
{
	struct text text = json_scalar(value);

	return text.data && json_u64(text, ret);
}

bool json_as_bool(const cJSON *value, bool *ret)
{
	uint64_t number;

	if (cJSON_IsBool(value)) {
		*ret = cJSON_IsTrue(value);
		return true;
	}
	if (!cJSON_IsNumber(value) || !json_as_u64(value, &number) ||
	    number > 1)
		return false;
	*ret = number;
	return true;
}

const char *json_number_text(const cJSON *value, struct arena *arena)
{
	return cJSON_IsNumber(value) ? arena_strdup(arena, value->valuestring)
	                             : NULL;
}

char *json_unexpected(const cJSON *value, const char *expected,
                      struct arena *arena)
{
	struct text text = json_scalar(value);
	SCOPED(str_release) struct str found = { 0 };

	json_add_found(&found, json_type(value), text.data ? text : TEXT_NONE);
	return arena_printf(arena, "expected %s, found %s", expected,
	                    str_cstr(&found));
}

const char *json_library_version(void)
{
	return cJSON_Version();
}
