#include "lib/symbols/call_names.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/parallel.h"

#include <stdlib.h>
#include <string.h>

/** To look a name up among the known ones costs as much as its copy / 8. */
#define NAME_WORK(size) ((size) / 8)
/** Fewer names are not worth a thread of their own; more are not prepared. */
#define PIECE_NAMES  256
#define PIECES_MAX   16
#define PREPARED_MAX ((size_t)1 << 18)
/** So many names or answers before it is read, one is fetched from memory. */
#define FETCHED_AHEAD 8

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
	seen->items[seen->count] = (struct seen_string){ .at = at };
	return &seen->items[seen->count++];
}

static void seen_strings_room(struct seen_strings *seen, size_t more)
{
	map_room(&seen->map, more);
	MEM_ROOM(seen->items, seen->count + more, seen->cap);
}

/** The same, where @p mark may be the index of its entry. */
static struct seen_string *see_marked(struct seen_strings *seen, const char *at,
                                      uint32_t mark)
{
	return mark < seen->count && seen->items[mark].at == at
	               ? &seen->items[mark]
	               : see_string(seen, at);
}

static void seen_strings_release(struct seen_strings *seen)
{
	map_release(&seen->map);
	free(seen->items);
	*seen = (struct seen_strings){ 0 };
}

// None is longer than is shown.
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
 * The same of a string that stays where it is: copied once.
 *
 * @param last   The index that was found last: in and out.
 * @param bytes  Grows by what a copy would have taken: what is charged does not
 *               depend on where an answer comes from.
 */
static const char *seen_or_null(struct call_names *names, const char *text,
                                uint32_t *last, struct arena *arena,
                                size_t *bytes, uint32_t *ret_size)
{
	struct seen_string *seen;
	size_t before = arena->total_bytes;

	if (!text[0])
		return NULL;
	seen = see_marked(&names->seen_paths, text, *last);
	*last = (uint32_t)(seen - names->seen_paths.items);
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

/** A string in the arena, not longer than it is shown. */
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

/** Not longer than it is shown; what is longer leaves nothing behind. */
static const char *printed_name(const struct call_names *names,
                                struct text name, bool from_symtab,
                                struct arena *arena, uint32_t *ret_size)
{
	SCOPED(arena_release) struct arena scratch = { 0 };
	enum demangle_form form = names->keeps_mangled ? DEMANGLE_NONE
	                                               : DEMANGLE_SHORT;
	size_t most = limit_get(LIMIT_NAME);
	struct arena *whole = name.size <= most ? arena : &scratch;
	const char *printed = demangle_as(name, form, from_symtab, whole);
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

/** As call_names_set_name() and set_place(), of a call whose strings stay. */
static size_t set_seen_call(struct call_names *names,
                            const struct gsym_call *from, struct arena *arena,
                            struct symbol_call *to)
{
	struct seen_string *seen =
	        see_marked(&names->seen_names, from->name, from->mark);
	size_t bytes;

	if (!seen->answer) {
		struct text name = text_from(from->name);

		// The names of an image have less than 4 GB.
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
	to->directory = seen_or_null(names, from->directory,
	                             &names->last_directory, arena, &bytes,
	                             &to->directory_size);
	to->file = seen_or_null(names, from->file, &names->last_file, arena,
	                        &bytes, &to->file_size);
	return bytes;
}

/** Name and place of a call; returns the bytes it is charged for its copies. */
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

/** Names that are new, and the threads' pieces of them. */
struct preparing {
	const struct call_names *names;
	struct seen_string *items;
	size_t count;
	size_t pieces;
	size_t bytes_each;
	struct arena arenas[PIECES_MAX];
};

/**
 * What call_names_set_name() makes of a name: nothing of one met elsewhere. Of
 * one that is longer than is shown, its table keeps more: it is left to that.
 */
static void prepare_name(const struct call_names *names,
                         struct seen_string *seen, struct arena *arena)
{
	struct text name = text_from(seen->at);
	const struct known_name *known =
	        known_names_find(&names->printed->of_debug_info, name);
	size_t before = arena->total_bytes;

	if (name.size > limit_get(LIMIT_NAME))
		return;
	seen->size = (uint32_t)name.size;
	if (known) {
		seen->mangled = known->shown_mangled;
		seen->mangled_size = size_of(seen->mangled);
		seen->answer = known->name;
		seen->answer_size = size_of(seen->answer);
	} else {
		seen->mangled = arena_text(arena, name);
		seen->mangled_size = (uint32_t)name.size;
		seen->answer = printed_name(names, name, false, arena,
		                            &seen->answer_size);
	}
	seen->bytes = (uint32_t)(arena->total_bytes - before);
}

static void prepare_piece(size_t index, void *context)
{
	struct preparing *all = context;
	struct arena *arena = &all->arenas[index];
	size_t first = all->count / all->pieces * index;
	size_t end = index + 1 < all->pieces
	                     ? all->count / all->pieces * (index + 1)
	                     : all->count;

	for (size_t i = first; i < end && arena->total_bytes < all->bytes_each;
	     i++) {
		// They lie all over a large image.
		if (i + FETCHED_AHEAD < end)
			__builtin_prefetch(all->items[i + FETCHED_AHEAD].at);
		prepare_name(all->names, &all->items[i], arena);
	}
}

/** The next file may have them, too. */
static void keep_prepared(const struct preparing *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct seen_string *seen = &all->items[i];

		// What another file had, or is left for later, took nothing.
		if (seen->bytes)
			known_names_put(&all->names->printed->of_debug_info,
			                &(struct known_name){
			                        .mangled = seen->mangled,
			                        .name = seen->answer,
			                        .shown_mangled = seen->mangled,
			                });
	}
}

static void mark_call(struct seen_strings *seen, struct gsym_call *call)
{
	call->mark = (uint32_t)(see_string(seen, call->name) - seen->items);
}

static void fetch_places(const struct seen_strings *seen,
                         const struct gsym_answer *answer)
{
	for (size_t i = 0; i < answer->count; i++)
		map_fetch(&seen->map, &place_keys, answer->calls[i].name);
}

void call_names_prepare(struct call_names *names,
                        const struct gsym_answer *found, size_t count,
                        unsigned jobs, size_t bytes, struct arena *arena)
{
	struct seen_strings *seen = &names->seen_names;
	size_t first = seen->count;
	struct preparing all = { .names = names };

	if (names->map || names->keeps_mangled)
		return;
	seen_strings_room(seen, count);
	for (size_t i = 0; i < count; i++) {
		if (i + FETCHED_AHEAD < count)
			fetch_places(seen, &found[i + FETCHED_AHEAD]);
		for (size_t k = 0; k < found[i].count; k++)
			if (seen->count - first < PREPARED_MAX)
				mark_call(seen, &found[i].calls[k]);
	}
	all.items = seen->items + first;
	all.count = seen->count - first;
	all.pieces = all.count / PIECE_NAMES;
	if (all.pieces > PIECES_MAX)
		all.pieces = PIECES_MAX;
	if (!all.pieces)
		return;
	all.bytes_each = bytes / all.pieces;
	parallel_each(all.pieces, jobs, prepare_piece, &all);
	for (size_t i = 0; i < all.pieces; i++)
		arena_join(arena, &all.arenas[i]);
	keep_prepared(&all);
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
