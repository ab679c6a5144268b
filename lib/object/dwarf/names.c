// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/names.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/object/dwarf/native.h"

#include <stdlib.h>
#include <string.h>

const struct unit_list *name_units(struct name_table *names)
{
	if (!names->units_read)
		unit_list_read(names->source.sections->info, names->arena,
		               &names->units, &names->bad_unit_count);
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

/** Move @p reader to the front; closes the last one if there are too many. */
static void keep_reader(struct name_table *names, struct unit_reader *reader,
                        size_t from)
{
	memmove(&names->readers[1], &names->readers[0],
	        from * sizeof(names->readers[0]));
	names->readers[0] = reader;
}

/**
 * Find the unit that contains @p offset. Listing all units would touch
 * thousands of pages, the largest cost of a few lookups.
 */
static bool find_unit(struct name_table *names, uint64_t offset,
                      struct unit *ret)
{
	const struct unit *found;
	size_t count;
	const uint64_t *starts = unit_hits_starts(names->hits, &count);
	size_t after = SORTED_SKIP(i, count, starts[i] <= offset);

	if (!names->units_read && after &&
	    unit_find_after(names->source.sections->info, starts[after - 1],
	                    offset, ret))
		return true;
	found = unit_list_find(name_units(names), offset);
	if (found)
		*ret = *found;
	return found;
}

/** The reader of the unit that contains @p offset, usually @p own; or NULL. */
static struct unit_reader *reader_at(struct name_table *names,
                                     const struct unit *own, uint64_t offset)
{
	struct unit_reader *reader = NULL;

	for (size_t i = 0; i < names->reader_count; i++) {
		const struct unit *unit = &names->readers[i]->unit;
		if (offset - unit->offset >= unit->size)
			continue;
		reader = names->readers[i];
		keep_reader(names, reader, i);
		return reader;
	}
	struct unit unit = *own;
	if (offset - own->offset >= own->size &&
	    !find_unit(names, offset, &unit))
		return NULL;
	struct error *err = unit_open(&names->source, &unit, &reader);
	if (err) {
		if (!names->bad_count++)
			names->bad_reason =
			        arena_strdup(names->arena, error_message(err));
		error_free(err);
		return NULL;
	}
	if (names->reader_count == NAME_UNITS_MAX)
		unit_reader_close(names->readers[--names->reader_count]);
	keep_reader(names, reader, names->reader_count++);
	return reader;
}

/** NULL if absent, or outside of its section. */
static const char *string_of(struct name_table *names,
                             const struct unit_reader *reader,
                             const struct entry *entry, unsigned value)
{
	const char *name = entry_string(reader, entry, value);

	names->bad_count += !name && entry_has(entry, value);
	return name;
}

static const char *linkage_name(struct name_table *names,
                                const struct unit_reader *reader,
                                const struct entry *entry)
{
	const char *name = string_of(names, reader, entry, ENTRY_LINKAGE_NAME);

	return name ? name
	            : string_of(names, reader, entry, ENTRY_MIPS_LINKAGE_NAME);
}

/** The next entry to search for the name of @p entry. */
static bool next_place(const struct unit_reader *reader,
                       const struct entry *entry, uint64_t *ret)
{
	return entry_reference(reader, entry, ENTRY_ABSTRACT_ORIGIN, ret) ||
	       entry_reference(reader, entry, ENTRY_SPECIFICATION, ret);
}

/**
 * Follow references from @p place on. The first linkage name on the way wins,
 * else the first DW_AT_name.
 */
static const char *search(struct name_table *names, const struct unit *own,
                          const char *plain, uint64_t place)
{
	for (unsigned hop = 0; hop < NAME_HOPS_MAX; hop++) {
		struct unit_reader *reader = reader_at(names, own, place);
		struct entry entry;
		const char *found;

		if (!reader ||
		    unit_reader_seek(reader, place, &entry) != ENTRY_TAKEN)
			break;
		if ((found = linkage_name(names, reader, &entry)))
			return found;
		if (!plain)
			plain = string_of(names, reader, &entry, ENTRY_NAME);
		if (!next_place(reader, &entry, &place))
			break;
	}
	return plain;
}

/** Charge a name, which will be read, compared and copied. */
static const char *charge(struct name_table *names, const char *name)
{
	size_t size = name ? strnlen(name, NAME_BYTES_MAX + 1) : 0;

	names->bad_count += name && !size;
	if (!size || !dwarf_work_take(names->source.work, size))
		return "";
	if (size <= NAME_BYTES_MAX && !names->copies)
		return name;
	if (size > NAME_BYTES_MAX)
		size = NAME_BYTES_MAX;
	return arena_strndup(names->arena, name, size);
}

const char *name_find(struct name_table *names,
                      const struct unit_reader *reader,
                      const struct entry *entry)
{
	const char *found = linkage_name(names, reader, entry);
	uint64_t place = 0;

	if (found)
		return charge(names, found);
	const char *plain = string_of(names, reader, entry, ENTRY_NAME);
	if (!next_place(reader, entry, &place))
		return charge(names, plain);

	// The result does not depend on the referring entry, unless that has a
	// DW_AT_name.
	const char *known = plain ? NULL : recall(names, place);
	if (known)
		return known;
	found = charge(names, search(names, &reader->unit, plain, place));
	if (!plain)
		remember(names, place, found);
	return found;
}

void name_table_release(struct name_table *names)
{
	for (size_t i = 0; i < names->reader_count; i++)
		unit_reader_close(names->readers[i]);
	names->reader_count = 0;
	map_release(&names->map);
	free(names->known);
	names->known = NULL;
	names->known_count = names->known_cap = 0;
}
