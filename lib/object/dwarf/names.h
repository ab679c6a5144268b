// SPDX-License-Identifier: MIT
/**
 * Names of functions, and the references to them.
 *
 * The name of a function or inlined call is often in another entry: the
 * abstract function, the declaration inside a class, or, after link-time
 * optimisation, an entry of another unit. Each referenced entry is resolved
 * once. Names point into the sections, unless they were truncated or copying is
 * requested: names of a whole file are scattered over its strings, which would
 * all stay in memory.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_NAMES_H
#define APMTOOL_LIB_OBJECT_DWARF_NAMES_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/object/dwarf/entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max references to follow; more are a cycle. */
#define NAME_HOPS_MAX 16

/** Longer names are truncated. */
#define NAME_BYTES_MAX ((size_t)64 << 10)

/** Max other units that are open at a time. */
#define NAME_UNITS_MAX 32

struct known_name {
	uint64_t offset; ///< of the entry in .debug_info
	const char *name;
};

struct name_table {
	struct unit_source source;
	struct arena *arena;
	bool copies; ///< copy names into the arena
	/** .debug_aranges, for finding other units; may be empty. */
	struct unit_hits *hits;
	/** All units; read when `hits` does not find one. */
	struct unit_list units;
	size_t bad_unit_count; ///< units in the list with an unreadable header
	bool units_read;
	/** Names that are empty or out of bounds: compilers write none. */
	size_t bad_count;
	/** Why the unit of the first of them cannot be read. */
	const char *bad_reason;
	/** Most recently used first. */
	struct unit_reader *readers[NAME_UNITS_MAX];
	size_t reader_count;
	struct known_name *known;
	size_t known_count;
	size_t known_cap;
	struct map map; ///< indexes of known, by offset
};

/**
 * The linkage name of an entry of @p reader, else its DW_AT_name, else "". Each
 * name costs its length in work.
 */
const char *name_find(struct name_table *names,
                      const struct unit_reader *reader,
                      const struct entry *entry);

/** All units of the section. */
const struct unit_list *name_units(struct name_table *names);

void name_table_release(struct name_table *names);

#endif
