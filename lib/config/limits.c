// SPDX-License-Identifier: MIT
#include "lib/config/limits.h"

#include "lib/base/units.h"
#include "lib/text/yaml.h"

#include <string.h>

/** More memory than any device has: a number above is a slip. */
#define MIB_MAX ((uint64_t)1 << 20)

/** `1450` or `1450.09375`, in bytes. */
static struct error *read_mib(const struct yml *node, uint64_t *ret)
{
	const char *digits = NULL;
	uint64_t whole, bytes;
	struct error *err = yml_text(node, &digits);

	if (err)
		return err;
	if (!strchr(digits, '.')) {
		err = yml_number(node, 1, MIB_MAX, &whole);
		if (!err)
			*ret = whole * UNITS_MIB;
		return err;
	}
	if (strpbrk(digits, "eE") ||
	    !units_read(text_from(digits), UNITS_MIB, MIB_MAX * UNITS_MIB,
	                &bytes) ||
	    bytes < UNITS_MIB)
		return yml_error(node,
		                 "expected MiB, such as 1450 or 1450.5, found "
		                 "'%.64s'",
		                 digits);
	*ret = bytes;
	return NULL;
}

static struct error *read_limit(const struct yml *item, struct limit *ret)
{
	static const char *const fields[] = { "device", "limit", "ram", "os",
		                              NULL };
	const struct yml *os = yml_field(item, "os");
	struct error *err = yml_known_fields(item, fields);

	if (err)
		return err;
	for (size_t i = 0; i < 3; i++)
		if (!yml_field(item, fields[i]))
			return yml_error(item, "the field '%s' is missing",
			                 fields[i]);
	err = yml_text(yml_field(item, "device"), &ret->device);
	if (!err)
		err = read_mib(yml_field(item, "limit"), &ret->limit_bytes);
	if (!err)
		err = read_mib(yml_field(item, "ram"), &ret->ram_bytes);
	if (!err && os)
		err = yml_text(os, &ret->os);
	if (!err && ret->limit_bytes > ret->ram_bytes)
		err = yml_error(yml_field(item, "limit"),
		                "the limit is above the device's memory");
	return err;
}

static struct error *read_limits(const struct yml *list, struct arena *arena,
                                 struct limits *limits)
{
	struct error *err = yml_list(list);

	if (err)
		return err;
	for (const struct yml *item = list->first; item; item = item->next) {
		struct limit limit = { 0 };

		err = read_limit(item, &limit);
		if (err)
			return err;
		if (limits_find(limits, limit.device))
			return yml_error(item, "a second limit for '%s'",
			                 limit.device);
		ARENA_GROW(arena, limits->items, limits->count, limits->cap);
		limits->items[limits->count++] = limit;
	}
	return NULL;
}

struct error *limits_parse(struct text in, const char *name,
                           struct arena *arena, struct limits *ret)
{
	static const char *const fields[] = { "source", "limits", NULL };
	struct limits limits = { 0 };
	const struct yml *root;
	const struct yml *source;
	const struct yml *list;
	struct error *err = yml_parse(in, name, arena, &root);

	if (!err)
		err = yml_known_fields(root, fields);
	if (err)
		return err;
	source = yml_field(root, "source");
	list = yml_field(root, "limits");
	if (source)
		err = yml_text(source, &limits.source);
	if (!err && list)
		err = read_limits(list, arena, &limits);
	if (!err)
		*ret = limits;
	return err;
}

const struct limit *limits_find(const struct limits *limits, const char *device)
{
	for (size_t i = 0; device && i < limits->count; i++)
		if (!strcmp(device, limits->items[i].device))
			return &limits->items[i];
	return NULL;
}
