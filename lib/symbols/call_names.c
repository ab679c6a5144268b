// SPDX-License-Identifier: MIT
#include "lib/symbols/call_names.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Looking up a known name costs as much as copying 1/8 of it. */
#define NAME_WORK(size) ((size) / 8)
static uint64_t hash_place(uint64_t seed, const void *key)
{
	return map_hash_number(seed, (uintptr_t)key);
}

static bool is_place(const void *table, uint32_t index, const void *key)
{
	const struct seen_strings *seen = table;

	return seen->items[index].at == key;
}

static const struct map_keys place_keys = { hash_place, is_place };

/** The entry of a string; without `answer` if new. */
static struct seen_string *see_string(struct seen_strings *seen, const char *at)
{
	size_t index = map_add(&seen->map, &place_keys, seen, at, seen->count);

	if (index < seen->count)
		return &seen->items[index];
	MEM_GROW(seen->items, seen->count, seen->cap);
	seen->items[seen->count] = (struct seen_string){ .at = at };
	return &seen->items[seen->count++];
}

static void seen_strings_release(struct seen_strings *seen)
{
	map_release(&seen->map);
	free(seen->items);
	*seen = (struct seen_strings){ 0 };
}

// Names are limited to LIMIT_NAME.
static uint32_t size_of(const char *cstr)
{
	return cstr ? (uint32_t)strlen(cstr) : 0;
}

static const char *text_or_null(const char *text, struct arena *arena)
{
	return text[0] ? arena_strdup(arena,
	                              arena_abridge(arena, text,
	                                            limit_get(LIMIT_PATH)))
	               : NULL;
}

/**
 * As text_or_null(), for a string that stays in place: copied once.
 *
 * @param bytes  Raised by the size of a copy in any case, so charges do not
 *               depend on the source of an answer.
 */
static const char *seen_or_null(struct call_names *names, const char *text,
                                struct arena *arena, size_t *bytes,
                                uint32_t *ret_size)
{
	struct seen_string *seen;
	size_t before = arena->total_bytes;

	if (!text[0])
		return NULL;
	seen = see_string(&names->seen_paths, text);
	*ret_size = seen->answer_size;
	if (seen->answer) {
		*bytes += seen->bytes;
		return seen->answer;
	}
	seen->answer = text_or_null(text, arena);
	seen->bytes = (uint32_t)(arena->total_bytes - before);
	*ret_size = seen->answer_size = size_of(seen->answer);
	return seen->answer;
}

/** A hidden name may be a whole path, on either side of the last slash. */
static void set_place(const struct symbol_map *map,
                      const struct gsym_call *from, struct arena *arena,
                      struct symbol_call *to)
{
	const char *joined, *path;
	char *slash;

	to->directory = text_or_null(from->directory, arena);
	to->file = text_or_null(from->file, arena);
	if (!map || !to->file)
		return;
	joined = arena_printf(arena, "%s%s%s", from->directory,
	                      to->directory ? "/" : "", to->file);
	path = symbol_map_path(map, joined, arena);
	if (path == joined)
		return;
	slash = strrchr(path, '/');
	to->file = slash ? slash + 1 : path;
	to->directory = NULL;
	if (slash)
		to->directory =
		        arena_strndup(arena, path, (size_t)(slash - path));
}

/** Copy a string to the arena, shortened to the max. */
static const char *shown_name(const char *whole, size_t size,
                              struct arena *arena, uint32_t *ret_size)
{
	const char *shown = whole;

	if (size > limit_get(LIMIT_NAME)) {
		shown = arena_abridge(arena, whole, limit_get(LIMIT_NAME));
		size = strlen(shown);
	}
	*ret_size = (uint32_t)size;
	return shown;
}

/** Demangle a name, shortened to the max; the full name is freed. */
static const char *printed_name(const struct call_names *names,
                                struct text name, bool from_symtab,
                                struct arena *arena, uint32_t *ret_size)
{
	SCOPED(arena_release) struct arena scratch = { 0 };
	size_t max = limit_get(LIMIT_NAME);
	struct arena *whole = name.size <= max ? arena : &scratch;
	const char *printed =
	        demangle_as(name, names->form, from_symtab, whole);
	const char *shown =
	        shown_name(printed, strlen(printed), whole, ret_size);

	return whole == arena ? shown : arena_strdup(arena, shown);
}

void call_names_set_name(struct call_names *names, struct text name,
                         bool from_symtab, struct arena *arena,
                         struct symbol_call *call)
{
	struct known_names *known_names =
	        from_symtab ? &names->printed->of_symtab
	                    : &names->printed->of_debug_info;
	struct known_name *known;

	if (names->map)
		name = text_from(symbol_map_name(
		        names->map, arena_text(arena, name), arena));
	known = known_names_add(known_names, name, arena);
	if (!known->name)
		known->name = printed_name(names, name, from_symtab, arena,
		                           &call->name_size);
	else
		call->name_size = size_of(known->name);
	call->name = known->name;
	call->mangled = known->shown_mangled;
	call->mangled_size = size_of(call->mangled);
}

/** As call_names_set_name() and set_place(), for strings that stay. */
static size_t set_seen_call(struct call_names *names,
                            const struct gsym_call *from, struct arena *arena,
                            struct symbol_call *to)
{
	struct seen_string *seen = see_string(&names->seen_names, from->name);
	size_t bytes;

	if (!seen->answer) {
		struct text name = text_from(from->name);

		// An image's strings have less than 4 GB.
		seen->size = (uint32_t)name.size;
		call_names_set_name(names, name, false, arena, to);
		seen->answer = to->name;
		seen->answer_size = to->name_size;
		seen->mangled = to->mangled;
		seen->mangled_size = to->mangled_size;
	}
	bytes = NAME_WORK(seen->size) + seen->bytes;
	seen->bytes = 0;
	to->name = seen->answer;
	to->name_size = seen->answer_size;
	to->mangled = seen->mangled;
	to->mangled_size = seen->mangled_size;
	to->directory = seen_or_null(names, from->directory, arena, &bytes,
	                             &to->directory_size);
	to->file =
	        seen_or_null(names, from->file, arena, &bytes, &to->file_size);
	return bytes;
}

/** Set name and place of a call; returns the bytes charged for copies. */
static size_t set_call(struct call_names *names, const struct gsym_call *from,
                       struct arena *arena, struct symbol_call *to)
{
	struct text name = text_from(from->name);

	call_names_set_name(names, name, false, arena, to);
	set_place(names->map, from, arena, to);
	to->directory_size = size_of(to->directory);
	to->file_size = size_of(to->file);
	return NAME_WORK(name.size);
}

size_t call_names_set(struct call_names *names, const struct gsym_call *from,
                      bool stays, struct arena *arena, struct symbol_call *to)
{
	return stays && !names->map ? set_seen_call(names, from, arena, to)
	                            : set_call(names, from, arena, to);
}

void call_names_forget(struct call_names *names)
{
	seen_strings_release(&names->seen_names);
	seen_strings_release(&names->seen_paths);
}

void printed_names_release(struct printed_names *printed)
{
	known_names_release(&printed->of_debug_info);
	known_names_release(&printed->of_symtab);
}
