// SPDX-License-Identifier: MIT
#include "cmd/worker/reference.h"

#include "lib/base/hash.h"
#include "lib/base/number.h"
#include "lib/text/json/pull.h"

#include <stdlib.h>
#include <string.h>

/** Of the UUIDs of a reference: workers list 1,000 at most. */
#define MISSING_BYTES_MAX ((size_t)64 << 10)

static uint64_t hash_key(uint64_t seed, const void *key)
{
	const struct text *text = key;

	return hash_bytes(seed, text->data, text->size);
}

static bool is_key(const void *table, uint32_t index, const void *key)
{
	const struct references *references = table;

	return text_equal(references->all[index].key,
	                  *(const struct text *)key);
}

static const struct map_keys keys = { hash_key, is_key };

static bool take_number(struct json_pull *pull, uint64_t most, uint64_t *ret)
{
	const struct json_event *event = json_pull_next(pull);

	return event->type == JSON_EVENT_NUMBER &&
	       number_decimal(event->text, ret) && *ret <= most;
}

static bool take_text(struct json_pull *pull, struct arena *arena,
                      const char **ret)
{
	const struct json_event *event = json_pull_next(pull);

	if (event->type != JSON_EVENT_TEXT || !event->text.size)
		return false;
	*ret = arena_text(arena, event->text);
	return true;
}

static bool take_missing(struct json_pull *pull, struct arena *arena,
                         const char **ret)
{
	SCOPED(str_release) struct str all = { 0 };
	const struct json_event *event = json_pull_next(pull);

	if (event->type != JSON_EVENT_ARRAY)
		return false;
	while ((event = json_pull_next(pull))->type == JSON_EVENT_TEXT &&
	       all.size < MISSING_BYTES_MAX) {
		str_add_text(&all, event->text);
		str_add_char(&all, ' ');
	}
	*ret = arena_text(arena, str_text(&all));
	return event->type == JSON_EVENT_END_ARRAY;
}

static bool is_whole(struct json_pull *pull)
{
	SCOPED(error_drop) struct error *err = json_pull_take_error(pull);

	return !err && !json_pull_truncated(pull);
}

/** @return Whether @p value is a reference. */
static bool read_value(struct text value, struct arena *arena,
                       struct reference *ret)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(value, 0);
	const struct json_event *event = json_pull_next(pull);
	uint64_t partition = UINT64_MAX, offset = UINT64_MAX, attempt = 0;
	bool good = event->type == JSON_EVENT_OBJECT;

	while (good &&
	       (event = json_pull_next(pull))->type == JSON_EVENT_NAME) {
		if (text_is(event->text, "topic"))
			good = take_text(pull, arena, &ret->topic);
		else if (text_is(event->text, "partition"))
			good = take_number(pull, INT32_MAX, &partition);
		else if (text_is(event->text, "offset"))
			good = take_number(pull, INT64_MAX, &offset);
		else if (text_is(event->text, "attempt"))
			good = take_number(pull, UINT32_MAX - 1, &attempt);
		else if (text_is(event->text, "missing"))
			good = take_missing(pull, arena, &ret->missing);
		else
			json_pull_skip(pull);
	}
	if (!good || !is_whole(pull) || !ret->topic || !ret->missing ||
	    partition == UINT64_MAX || offset == UINT64_MAX)
		return false;
	ret->partition = (int32_t)partition;
	ret->offset = (int64_t)offset;
	ret->attempt = (unsigned)attempt;
	return true;
}

struct error *references_add(struct references *references, struct text key,
                             struct text value)
{
	struct reference found = { 0 };
	uint32_t at;

	if (value.data && !read_value(value, &references->arena, &found))
		return error_new(ERROR_FORMAT, "not a reference");
	at = map_add(&references->map, &keys, references, &key,
	             (uint32_t)references->count);
	if (at < references->count) {
		found.key = references->all[at].key;
		references->all[at] = found;
		return NULL;
	}
	found.key = (struct text){
		arena_strndup(&references->arena, key.data, key.size), key.size
	};
	ARENA_GROW(&references->arena, references->all, references->count,
	           references->cap);
	references->all[references->count++] = found;
	return NULL;
}

static int compare(const void *a, const void *b)
{
	const struct reference *one = a, *other = b;
	// Finished references come first, and are skipped.
	int order = strcmp(one->topic ? one->topic : "",
	                   other->topic ? other->topic : "");

	if (order)
		return order;
	if (one->partition != other->partition)
		return one->partition < other->partition ? -1 : 1;
	if (one->offset != other->offset)
		return one->offset < other->offset ? -1 : 1;
	return text_compare(one->key, other->key);
}

void references_sort(struct references *references)
{
	if (references->count)
		qsort(references->all, references->count,
		      sizeof(*references->all), compare);
	// The map holds indexes, which have changed.
	map_release(&references->map);
}

void references_release(struct references *references)
{
	map_release(&references->map);
	arena_release(&references->arena);
}
