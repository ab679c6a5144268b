// SPDX-License-Identifier: MIT
/**
 * Names of functions, and the references that lead to them.
 *
 * A function or an inlined call often has its name elsewhere: in the abstract
 * function it is an instance of, in the declaration inside a class, and after
 * link-time optimisation in another unit. Names are looked up once for each
 * place they come from. They lie in the sections unless they had to be cut, or
 * are to be copied: those of a whole file are all over its strings, which would
 * have to be in memory, too.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_NAMES_H
#define APMTOOL_LIB_OBJECT_DWARF_NAMES_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/object/dwarf/entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Links from an entry to where its name is; a longer chain is a cycle. */
#define NAME_HOPS_MAX 16

/** Longer names are cut here. */
#define NAME_BYTES_MAX ((size_t)64 << 10)

/** Other units that are open at a time. */
#define NAME_UNITS_MAX 32

struct known_name {
	uint64_t offset; ///< of the entry in .debug_info
	const char *name;
};

struct name_table {
	struct unit_source source;
	struct arena *arena;
	bool copies; ///< names into the arena
	/** What .debug_aranges says, for ways to other units; may be empty. */
	struct unit_hits *hits;
	/** All units: read when one is met that `hits` does not lead to. */
	struct unit_list units;
	size_t bad_unit_count; ///< headers that cannot be read, in the list
	bool units_read;
	/** Names that are there, but empty or nowhere: compilers write none. */
	size_t bad_count;
	/** Where the first is in another unit, why that cannot be read. */
	const char *bad_reason;
	/** The last used first. */
	struct unit_reader *readers[NAME_UNITS_MAX];
	size_t reader_count;
	struct known_name *known;
	size_t known_count;
	size_t known_cap;
	struct map map; ///< indexes of known, by offset
};

/**
 * The linkage name of an entry of @p reader, else the plain one, else "". Each
 * name costs its length in work.
 */
const char *name_find(struct name_table *names,
                      const struct unit_reader *reader,
                      const struct entry *entry);

/** All units of the section. */
const struct unit_list *name_units(struct name_table *names);

void name_table_release(struct name_table *names);

#endif
