#include "lib/object/dwarf/names.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	AT_NAME = 0x03,
	AT_ABSTRACT_ORIGIN = 0x31,
	AT_SPECIFICATION = 0x47,
	AT_LINKAGE_NAME = 0x6e,
	AT_MIPS_LINKAGE_NAME = 0x2007, ///< what it was called before DWARF 4
};

const struct unit_list *name_units(struct name_table *names)
{
	size_t bad = 0;

	if (!names->units_read)
		unit_list_read(names->sections->info, names->arena,
		               &names->units, &bad);
	names->units_read = true;
	return &names->units;
}

static uint64_t hash_offset(uint64_t seed, const void *key)
{
	return map_hash_number(seed, *(const uint64_t *)key);
}

static bool is_offset(const void *table, uint32_t index, const void *key)
{
	const struct name_table *names = table;

	return names->known[index].offset == *(const uint64_t *)key;
}

static const struct map_keys offset_keys = { hash_offset, is_offset };

static void remember(struct name_table *names, uint64_t offset,
                     const char *name)
{
	map_add(&names->map, &offset_keys, names, &offset, names->known_count);
	MEM_GROW(names->known, names->known_count, names->known_cap);
	names->known[names->known_count++] =
	        (struct known_name){ .offset = offset, .name = name };
}

static const char *recall(const struct name_table *names, uint64_t offset)
{
	uint32_t at = map_find(&names->map, &offset_keys, names, &offset);

	return at == MAP_NONE ? NULL : names->known[at].name;
}

/** Put @p window in front of the others; the last one may have to go. */
static void keep_window(struct name_table *names, struct window *window,
                        size_t from)
{
	memmove(&names->windows[1], &names->windows[0],
	        from * sizeof(names->windows[0]));
	names->windows[0] = window;
}

/** The window on the unit that contains @p offset; NULL if there is none. */
static struct window *other_window(struct name_table *names, uint64_t offset)
{
	struct window *window = NULL;

	for (size_t i = 0; i < names->window_count; i++) {
		const struct unit *unit = window_unit(names->windows[i]);
		if (offset - unit->offset >= unit->size)
			continue;
		window = names->windows[i];
		keep_window(names, window, i);
		return window;
	}
	const struct unit *unit = unit_list_find(name_units(names), offset);
	if (!unit)
		return NULL;
	struct error *err = window_open(names->sections, names->abbrev, unit,
	                                names->work, &window);
	if (err) {
		error_free(err);
		return NULL;
	}
	if (names->window_count == NAME_WINDOWS_MAX)
		window_close(names->windows[--names->window_count]);
	keep_window(names, window, names->window_count++);
	return window;
}

/** The entry at @p offset, in @p window or in another unit's. */
static struct Dwarf_Die_s *follow(struct name_table *names,
                                  struct window **window, uint64_t offset)
{
	const struct unit *unit = window_unit(*window);
	struct Dwarf_Die_s *die = NULL;

	if (offset - unit->offset >= unit->size)
		*window = other_window(names, offset);
	if (!*window ||
	    window_entry_at(*window, offset, &die) != WINDOW_STEP_TAKEN)
		return NULL;
	return die;
}

static const char *linkage_name(struct window *window, struct Dwarf_Die_s *die)
{
	const char *name = window_string(window, die, AT_LINKAGE_NAME);

	return name ? name : window_string(window, die, AT_MIPS_LINKAGE_NAME);
}

/** Where the name of @p die is to be looked for next. */
static bool next_place(struct window *window, struct Dwarf_Die_s *die,
                       uint64_t *ret)
{
	return window_reference(window, die, AT_ABSTRACT_ORIGIN, ret) ||
	       window_reference(window, die, AT_SPECIFICATION, ret);
}

/**
 * Follow the links from @p die. The first linkage name on the way counts,
 * else the first plain name.
 */
static const char *search(struct name_table *names, struct window *window,
                          struct Dwarf_Die_s *die, const char *plain,
                          uint64_t place)
{
	struct Dwarf_Die_s *owned = NULL;
	const char *found = NULL;

	for (unsigned hop = 0; hop < NAME_HOPS_MAX && !found; hop++) {
		die = follow(names, &window, place);
		window_entry_free(owned);
		owned = die;
		if (!die)
			break;
		found = linkage_name(window, die);
		if (!plain)
			plain = window_string(window, die, AT_NAME);
		if (!found && !next_place(window, die, &place))
			break;
	}
	window_entry_free(owned);
	return found ? found : plain;
}

const char *name_find(struct name_table *names, struct window *window,
                      struct Dwarf_Die_s *die)
{
	const char *found = linkage_name(window, die);
	uint64_t place = 0;

	if (found)
		return arena_strdup(names->arena, found);
	const char *plain = window_string(window, die, AT_NAME);
	if (!next_place(window, die, &place))
		return arena_strdup(names->arena, plain ? plain : "");

	// What a place gives does not depend on who asks, unless the asker
	// has a plain name of its own.
	const char *known = plain ? NULL : recall(names, place);
	if (known)
		return known;
	found = search(names, window, die, plain, place);
	found = arena_strdup(names->arena, found ? found : "");
	if (!plain)
		remember(names, place, found);
	return found;
}

void name_table_release(struct name_table *names)
{
	for (size_t i = 0; i < names->window_count; i++)
		window_close(names->windows[i]);
	names->window_count = 0;
	map_release(&names->map);
	free(names->known);
	names->known = NULL;
	names->known_count = names->known_cap = 0;
}
