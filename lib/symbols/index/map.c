// SPDX-License-Identifier: MIT
#include "lib/symbols/index/map.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/sorted.h"
#include "lib/base/str.h"
#include "lib/symbols/index/bundle_info.h"
#include "lib/text/archive.h"

#include <stdlib.h>
#include <string.h>

#define VERSION_PREFIX "BCSymbolMap Version:"
#define HIDDEN         "__hidden#"
/** Max length of a name, which may have many hidden parts. */
#define NAME_BYTES_MAX ((size_t)64 << 10)

struct symbol_map {
	struct file_data file;
	struct text text;
	uint32_t *lines; ///< start of each name in the text
	size_t line_count;
	/**
	 * Version 1 has names as in the compiler; in a symbol table, they have
	 * an additional `_`, unless they begin with a byte 1.
	 */
	bool without_underscore;
};

static struct error *read_version(struct symbol_map *map, struct text *rest)
{
	struct text line = TEXT_NONE;
	struct text version;

	*rest = map->text;
	text_next_line(rest, &line);
	version = line;
	if (!text_take(&version, VERSION_PREFIX)) {
		// The first maps had no version, and a name in this line.
		*rest = map->text;
		map->without_underscore = true;
		return NULL;
	}
	version = text_trim(version);
	map->without_underscore = text_is(version, "1.0");
	if (!map->without_underscore && !text_is(version, "2.0"))
		return error_new(ERROR_UNSUPPORTED,
		                 "BCSymbolMap version '%.*s'",
		                 TEXT_ARGS(version));
	return NULL;
}

static struct error *read_lines(struct symbol_map *map)
{
	struct text rest, line;
	size_t cap = 0;
	struct error *err = read_version(map, &rest);

	while (!err && rest.size) {
		size_t start = (size_t)(rest.data - map->text.data);

		text_next_line(&rest, &line);
		if (map->line_count == SYMBOL_MAP_LINES_MAX)
			return error_new(ERROR_LIMIT,
			                 "BCSymbolMap of more than %d lines",
			                 SYMBOL_MAP_LINES_MAX);
		MEM_GROW(map->lines, map->line_count, cap);
		map->lines[map->line_count++] = (uint32_t)start;
	}
	return err;
}

static struct error *check_size(uint64_t size_bytes)
{
	if (size_bytes <= SYMBOL_MAP_BYTES_MAX)
		return NULL;
	return error_new(ERROR_LIMIT, "BCSymbolMap larger than %zu MB",
	                 SYMBOL_MAP_BYTES_MAX >> 20);
}

struct error *symbol_map_open(const char *path, struct symbol_map **ret)
{
	struct symbol_map *map = mem_zalloc(1, sizeof(*map));
	struct error *err = archive_map(path, &map->file);

	if (!err)
		err = check_size(map->file.bytes.size);
	if (!err) {
		map->text = bytes_text(map->file.bytes);
		err = read_lines(map);
	}
	if (err) {
		symbol_map_close(map);
		return err;
	}
	*ret = map;
	return NULL;
}

struct error *symbol_map_check(struct bytes head, uint64_t size_bytes)
{
	struct symbol_map map = { .text = bytes_text(head) };
	struct text rest;
	struct error *err = check_size(size_bytes);

	return err ? err : read_version(&map, &rest);
}

void symbol_map_close(struct symbol_map *map)
{
	if (!map)
		return;
	free(map->lines);
	file_release(&map->file);
	free(map);
}

/** The name for `__hidden#N_`, line N of the map; false: none. */
static bool find_line(const struct symbol_map *map, uint64_t number,
                      struct text *ret)
{
	struct text rest;

	if (number >= map->line_count)
		return false;
	rest = text_after(map->text, map->lines[number]);
	return text_next_line(&rest, ret) && ret->size &&
	       ret->size <= NAME_BYTES_MAX;
}

/** Take `__hidden#N_`. */
static bool take_hidden(struct text *in, uint64_t *ret)
{
	struct text rest = *in;
	size_t end;

	if (!text_take(&rest, HIDDEN))
		return false;
	end = text_find_char(text_first(rest, 20), '_');
	if (end == TEXT_NOWHERE || !number_decimal(text_first(rest, end), ret))
		return false;
	*in = text_after(rest, end + 1);
	return true;
}

/** Add the name for a hidden one. */
static void add_name(const struct symbol_map *map, struct text name,
                     bool behind_underscore, struct str *out)
{
	if (text_take(&name, "\1"))
		behind_underscore = false;
	if (behind_underscore && map->without_underscore)
		str_add_char(out, '_');
	str_add_text(out, name);
}

static const char *finish(const struct str *out, const char *in,
                          struct arena *arena)
{
	if (out->size > NAME_BYTES_MAX)
		return in;
	return strcmp(str_cstr(out), in) ? arena_text(arena, str_text(out))
	                                 : in;
}

const char *symbol_map_name(const struct symbol_map *map, const char *name,
                            struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };
	struct text rest = text_from(name);
	struct text found;
	uint64_t number;
	size_t at;

	if (!map)
		return name;
	while (out.size <= NAME_BYTES_MAX &&
	       (at = text_find(rest, HIDDEN)) != TEXT_NOWHERE) {
		struct text before = text_first(rest, at);
		struct text after = text_after(rest, at);
		// The symbol table's underscore before a hidden name is
		// replaced, too.
		bool underscore = !out.size && text_is(before, "_");

		if (!take_hidden(&after, &number) ||
		    !find_line(map, number, &found)) {
			// Not replaced; continue after its start.
			before = text_first(rest, at + strlen(HIDDEN));
			after = text_after(rest, before.size);
			found = TEXT_NONE;
			underscore = false;
		}
		if (!underscore)
			str_add_text(&out, before);
		add_name(map, found, underscore, &out);
		rest = after;
	}
	str_add_text(&out, rest);
	return finish(&out, name, arena);
}

const char *symbol_map_path(const struct symbol_map *map, const char *path,
                            struct arena *arena)
{
	SCOPED(str_release) struct str out = { 0 };
	struct text rest = text_from(path);

	if (!map || text_find(rest, HIDDEN) == TEXT_NOWHERE)
		return path;
	for (bool first = true; rest.size && out.size <= NAME_BYTES_MAX;
	     first = false) {
		size_t end = text_find_char(rest, '/');
		struct text part = text_first(rest, end);
		struct text name = part;
		uint64_t number;

		rest = text_after(rest, end == TEXT_NOWHERE ? end : end + 1);
		if (!take_hidden(&name, &number) || name.size ||
		    !find_line(map, number, &name))
			name = part;
		if (text_starts(name, "/"))
			str_clear(&out);
		else if (!first)
			str_add_char(&out, '/');
		str_add_text(&out, name);
	}
	return finish(&out, path, arena);
}

/** A map, opened on first use. */
struct known_map {
	struct uuid uuid;
	char *path;
	size_t order; ///< order of discovery
	struct symbol_map *map;
	bool tried;
};

struct symbol_maps {
	struct known_map *items;
	size_t count;
	size_t cap;
	bool sorted;
};

struct symbol_maps *symbol_maps_new(void)
{
	return mem_zalloc(1, sizeof(struct symbol_maps));
}

void symbol_maps_free(struct symbol_maps *maps)
{
	if (!maps)
		return;
	for (size_t i = 0; i < maps->count; i++) {
		symbol_map_close(maps->items[i].map);
		free(maps->items[i].path);
	}
	free(maps->items);
	free(maps);
}

bool symbol_maps_is_map(const char *path, struct uuid *ret)
{
	struct text name = text_base_name(text_from(path));

	if (!text_ends(name, ".bcsymbolmap"))
		return false;
	name = text_first(name, name.size - strlen(".bcsymbolmap"));
	return uuid_parse(name, ret);
}

void symbol_maps_add(struct symbol_maps *maps, const struct uuid *uuid,
                     const char *path)
{
	MEM_GROW(maps->items, maps->count, maps->cap);
	maps->items[maps->count] = (struct known_map){
		.uuid = *uuid,
		.path = mem_strndup(path, strlen(path)),
		.order = maps->count,
	};
	maps->count++;
	maps->sorted = false;
}

static int compare_maps(const void *a, const void *b)
{
	const struct known_map *x = a;
	const struct known_map *y = b;
	int order = uuid_compare(&x->uuid, &y->uuid);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static struct known_map *find_known(struct symbol_maps *maps,
                                    const struct uuid *uuid)
{
	size_t at;

	if (!maps->sorted && maps->count)
		qsort(maps->items, maps->count, sizeof(*maps->items),
		      compare_maps);
	maps->sorted = true;
	at = SORTED_SKIP(i, maps->count,
	                 uuid_compare(&maps->items[i].uuid, uuid) < 0);
	return at < maps->count && uuid_equal(&maps->items[at].uuid, uuid)
	               ? &maps->items[at]
	               : NULL;
}

bool symbol_maps_has(struct symbol_maps *maps, const struct uuid *uuid)
{
	return find_known(maps, uuid);
}

static struct symbol_map *find_map(struct symbol_maps *maps,
                                   const struct uuid *uuid)
{
	struct known_map *known = find_known(maps, uuid);

	if (!known)
		return NULL;
	// Errors were reported when it was found.
	if (!known->tried)
		error_free(symbol_map_open(known->path, &known->map));
	known->tried = true;
	return known->map;
}

/** Find a map next to a dSYM, which may have been named alone. */
static struct symbol_map *find_beside(struct symbol_maps *maps,
                                      const struct uuid *uuid,
                                      const char *symbols_path)
{
	struct text directory = bundle_directory(symbols_path);
	char names[2][UUID_TEXT_SIZE];

	uuid_format(uuid, names[0]);
	uuid_format_lower(uuid, names[1]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		SCOPED(str_release) struct str path = { 0 };
		struct symbol_map *map = NULL;
		struct error *err;

		str_add_text(&path, directory);
		str_addf(&path, "/%s.bcsymbolmap", names[i]);
		err = symbol_map_open(str_cstr(&path), &map);
		symbol_map_close(map);
		if (!err) {
			symbol_maps_add(maps, uuid, str_cstr(&path));
			return find_map(maps, uuid);
		}
		error_free(err);
	}
	return NULL;
}

const struct symbol_map *symbol_maps_find(struct symbol_maps *maps,
                                          const struct uuid *uuid,
                                          const char *symbols_path)
{
	struct symbol_map *map = find_map(maps, uuid);
	struct uuid original;

	if (!map)
		map = find_beside(maps, uuid, symbols_path);
	if (map || !bundle_original_uuid(symbols_path, uuid, &original, NULL))
		return map;
	map = find_map(maps, &original);
	return map ? map : find_beside(maps, &original, symbols_path);
}

bool symbol_maps_at(const struct symbol_maps *maps, size_t index,
                    struct uuid *ret_uuid, const char **ret_path)
{
	if (index >= maps->count)
		return false;
	*ret_uuid = maps->items[index].uuid;
	*ret_path = maps->items[index].path;
	return true;
}

bool symbol_maps_any(const struct symbol_maps *maps)
{
	return maps->count;
}
