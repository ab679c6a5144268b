#include "lib/symbols/call_names.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** To look a name up among the known ones costs as much as its copy / 8. */
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

/** The entry of a string; without an answer where it is new. */
static struct seen_string *see_string(struct seen_strings *seen, const char *at)
{
	size_t index = map_add(&seen->map, &place_keys, seen, at, seen->count);

	if (index < seen->count)
		return &seen->items[index];
	MEM_GROW(seen->items, seen->count, seen->cap);
	seen->items[seen->count] =
	        (struct seen_string){ .at = at, .size = strlen(at) };
	return &seen->items[seen->count++];
}

static void seen_strings_release(struct seen_strings *seen)
{
	map_release(&seen->map);
	free(seen->items);
	*seen = (struct seen_strings){ 0 };
}

static const char *text_or_null(const char *text, struct arena *arena)
{
	return text[0] ? arena_strdup(arena,
	                              arena_abridge(arena, text,
	                                            limit_get(LIMIT_PATH)))
	               : NULL;
}

/**
 * The same of a string that stays where it is: copied once.
 *
 * @param bytes  Grows by what a copy would have taken: what is charged does not
 *               depend on where an answer comes from.
 */
static const char *seen_or_null(struct call_names *names, const char *text,
                                struct arena *arena, size_t *bytes)
{
	struct seen_string *seen;
	size_t before = arena->total_bytes;

	if (!text[0])
		return NULL;
	seen = see_string(&names->seen_paths, text);
	if (seen->answer) {
		*bytes += seen->bytes;
		return seen->answer;
	}
	seen->answer = text_or_null(text, arena);
	seen->bytes = arena->total_bytes - before;
	return seen->answer;
}

/** What is hidden may be a whole path, on either side of the last slash. */
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

/** Not longer than it is shown; what is longer leaves nothing behind. */
static const char *printed_name(struct text name, bool from_symtab,
                                struct arena *arena)
{
	SCOPED(arena_release) struct arena scratch = { 0 };
	size_t most = limit_get(LIMIT_NAME);

	if (name.size <= most)
		return arena_abridge(arena, demangle(name, from_symtab, arena),
		                     most);
	return arena_strdup(arena,
	                    arena_abridge(&scratch,
	                                  demangle(name, from_symtab, &scratch),
	                                  most));
}

void call_names_set_name(struct call_names *names, struct text name,
                         bool from_symtab, struct arena *arena,
                         struct symbol_call *call)
{
	struct known_names *known_names = from_symtab ? &names->of_symtab
	                                              : &names->of_debug_info;
	struct known_name *known;

	if (names->map)
		name = text_from(symbol_map_name(
		        names->map, arena_text(arena, name), arena));
	known = known_names_add(known_names, name, arena);
	if (!known->name)
		known->name = printed_name(name, from_symtab, arena);
	call->name = known->name;
	call->mangled = known->shown_mangled;
}

/** As set_name() and set_place(), of a call whose strings stay. */
static size_t set_seen_call(struct call_names *names,
                            const struct gsym_call *from, struct arena *arena,
                            struct symbol_call *to)
{
	struct seen_string *seen = see_string(&names->seen_names, from->name);
	size_t bytes = NAME_WORK(seen->size);

	if (!seen->answer) {
		call_names_set_name(
		        names, text_first(text_from(from->name), seen->size),
		        false, arena, to);
		seen->answer = to->name;
		seen->mangled = to->mangled;
	}
	to->name = seen->answer;
	to->mangled = seen->mangled;
	to->directory = seen_or_null(names, from->directory, arena, &bytes);
	to->file = seen_or_null(names, from->file, arena, &bytes);
	return bytes;
}

/** Name and place of a call; returns the bytes it is charged for its copies. */
static size_t set_call(struct call_names *names, const struct gsym_call *from,
                       struct arena *arena, struct symbol_call *to)
{
	struct text name = text_from(from->name);

	call_names_set_name(names, name, false, arena, to);
	set_place(names->map, from, arena, to);
	return NAME_WORK(name.size);
}

size_t call_names_set(struct call_names *names, const struct gsym_call *from,
                      bool stays, struct arena *arena, struct symbol_call *to)
{
	return stays && !names->map ? set_seen_call(names, from, arena, to)
	                            : set_call(names, from, arena, to);
}

void call_names_forget_places(struct call_names *names)
{
	seen_strings_release(&names->seen_names);
	seen_strings_release(&names->seen_paths);
}

void call_names_release(struct call_names *names)
{
	call_names_forget_places(names);
	known_names_release(&names->of_debug_info);
	known_names_release(&names->of_symtab);
}
