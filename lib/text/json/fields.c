// SPDX-License-Identifier: MIT
#include "lib/text/json/json.h"

#include <assert.h>
#include <string.h>

// One bit per field, for those already read.
#define FIELDS_MAX 64

/** Store a value; false if it has another type. */
static bool store(const cJSON *value, const struct json_field *field,
                  struct arena *arena, void *target)
{
	unsigned char *at = (unsigned char *)target + field->offset;
	struct text scalar;
	const char *text;
	uint64_t number;
	bool truth;

	switch (field->kind) {
	case JSON_FIELD_U64:
		if (!json_as_u64(value, &number))
			return false;
		memcpy(at, &number, sizeof(number));
		return true;
	case JSON_FIELD_BOOL:
		if (!json_as_bool(value, &truth))
			return false;
		memcpy(at, &truth, sizeof(truth));
		return true;
	case JSON_FIELD_NUMBER_TEXT:
	case JSON_FIELD_TEXT:
		break;
	}
	scalar = json_scalar(value);
	if (!scalar.data ||
	    (field->kind == JSON_FIELD_TEXT && !cJSON_IsString(value)))
		return false;
	text = arena_text(arena, scalar);
	memcpy(at, &text, sizeof(text));
	return true;
}

static void complain_type(const cJSON *value, const struct json_field *field,
                          struct arena *arena, json_complaint complain,
                          void *context)
{
	static const char *const expected[] = {
		[JSON_FIELD_TEXT] = "text",
		[JSON_FIELD_U64] = "a number",
		[JSON_FIELD_BOOL] = "true or false",
		[JSON_FIELD_NUMBER_TEXT] = "text or a number",
	};
	const char *wanted = expected[field->kind];

	if (!complain)
		return;
	if (cJSON_IsNumber(value) && field->kind == JSON_FIELD_U64)
		wanted = "a whole number of 64 bits";
	complain(field->key.data, json_unexpected(value, wanted, arena),
	         context);
}

/** Most different names differ in their first letters. */
static bool is_named(const cJSON *value, struct text name)
{
	return *value->string == *name.data &&
	       !strcmp(value->string, name.data);
}

/**
 * The field of a member; @p count if unknown. Objects are usually in the order
 * of the table: search from @p next on.
 */
static size_t find_field(const cJSON *value, const struct json_field *fields,
                         size_t count, size_t next)
{
	for (size_t i = next; i < count; i++)
		if (is_named(value, fields[i].key))
			return i;
	for (size_t i = 0; i < next; i++)
		if (is_named(value, fields[i].key))
			return i;
	return count;
}

void json_read_fields(const cJSON *object, const struct json_field *fields,
                      size_t count, struct arena *arena, void *target,
                      json_complaint complain, void *context)
{
	uint64_t seen = 0;
	size_t next = 0;
	const cJSON *value;

	assert(count <= FIELDS_MAX);
	if (!cJSON_IsObject(object))
		return;
	// Members in the outer loop: a hostile object may have a million, a
	// table has a few fields.
	cJSON_ArrayForEach (value, object) {
		size_t i = find_field(value, fields, count, next);

		if (i == count || seen >> i & 1)
			continue;
		next = i + 1;
		seen |= (uint64_t)1 << i;
		if (cJSON_IsNull(value))
			continue;
		if (!store(value, &fields[i], arena, target))
			complain_type(value, &fields[i], arena, complain,
			              context);
		else if (fields[i].has_offset != SIZE_MAX)
			((bool *)target)[fields[i].has_offset] = true;
	}
}

// Names in many objects

void json_lookup_add(struct json_lookup *lookup, const char *name)
{
	assert(lookup->count < JSON_LOOKUP_MAX);
	lookup->names[lookup->count++] = text_from(name);
}

/** The name of the member at position @p at; the count of names if unknown. */
static size_t find_name(struct json_lookup *lookup, const cJSON *value,
                        size_t at)
{
	size_t name = at < JSON_LOOKUP_MAX ? lookup->usual[at] : 0;

	if (is_named(value, lookup->names[name]))
		return name;
	for (name = 0; name < lookup->count; name++)
		if (is_named(value, lookup->names[name]))
			break;
	if (at < JSON_LOOKUP_MAX && name < lookup->count)
		lookup->usual[at] = (unsigned char)name;
	return name;
}

void json_lookup_find(struct json_lookup *lookup, const cJSON *object,
                      const cJSON *ret[JSON_LOOKUP_MAX])
{
	size_t at = 0;
	const cJSON *value;

	for (size_t i = 0; i < lookup->count; i++)
		ret[i] = NULL;
	if (!lookup->count || !cJSON_IsObject(object))
		return;
	cJSON_ArrayForEach (value, object) {
		size_t name = find_name(lookup, value, at++);

		// The first of repeated members counts.
		if (name < lookup->count && !ret[name])
			ret[name] = value;
	}
}
