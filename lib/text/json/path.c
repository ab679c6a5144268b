// SPDX-License-Identifier: MIT
#include "lib/text/json/path.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <stdlib.h>
#include <string.h>

// Number of levels printed at either end of a path.
#define LEVELS_NAMED 8
#define NAME_BYTES   40

/** The beginning of a name as in the input. */
struct json_path_name {
	unsigned char size;
	char data[NAME_BYTES + 1]; ///< an escape may end one byte later
};

void json_path_release(struct json_path *path)
{
	free(path->names);
	path->names = NULL;
}

void json_path_open(struct json_path *path, bool is_array)
{
	size_t level = path->depth++;
	uint64_t bit = (uint64_t)1 << level % 64;

	path->marks[level] = SIZE_MAX;
	if (is_array)
		path->arrays[level / 64] |= bit;
	else
		path->arrays[level / 64] &= ~bit;
}

/**
 * The name as in the input, from the opening quote at @p offset of the window.
 */
static struct text name_at(const struct json_tokens *t, size_t offset)
{
	struct text name = text_after(t->in, offset + 1);
	size_t size = 0;

	while (size < name.size && size < NAME_BYTES && name.data[size] != '"')
		size += name.data[size] == '\\' ? 2 : 1;
	return text_first(name, size);
}

void json_path_keep(struct json_path *path, const struct json_tokens *t)
{
	for (size_t i = 0; i < path->depth; i++) {
		struct json_path_name *name;
		struct text text;

		if (json_path_is_array(path, i) || path->marks[i] == SIZE_MAX ||
		    path->marks[i] < t->base)
			continue;
		if (i >= path->name_cap)
			path->names = mem_grow(path->names, &path->name_cap,
			                       path->depth, sizeof(*name));
		name = &path->names[i];
		text = name_at(t, path->marks[i] - t->base);
		name->size = (unsigned char)text.size;
		memcpy(name->data, text.data, text.size);
	}
}

/** The beginning of the name of a member of an open object. */
static struct text level_name(const struct json_path *path, size_t level,
                              const struct json_tokens *t)
{
	size_t mark = path->marks[level];
	const struct json_path_name *name;

	if (mark >= t->base)
		return name_at(t, mark - t->base);
	name = &path->names[level];
	return (struct text){ .data = name->data, .size = name->size };
}

void json_path_add(const struct json_path *path, size_t levels,
                   const struct json_tokens *t, struct str *out)
{
	for (size_t i = 0; i < levels; i++) {
		if (levels > 2 * LEVELS_NAMED && i == LEVELS_NAMED) {
			str_add(out, ".…");
			i = levels - LEVELS_NAMED;
		}
		if (path->marks[i] == SIZE_MAX)
			continue;
		if (json_path_is_array(path, i)) {
			str_addf(out, "[%zu]", path->marks[i]);
			continue;
		}
		if (i)
			str_add_char(out, '.');
		utf8_add_valid(out, level_name(path, i, t));
	}
}
