/**
 * Names of functions, and the references that lead to them.
 *
 * A function or an inlined call often has its name elsewhere: in the abstract
 * function it is an instance of, in the declaration inside a class, and after
 * link-time optimisation in another unit. Names are looked up once for each
 * place they come from and kept in the arena.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_NAMES_H
#define APMTOOL_LIB_OBJECT_DWARF_NAMES_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/object/dwarf/window.h"

#include <stddef.h>
#include <stdint.h>

/** Links from an entry to where its name is; a longer chain is a cycle. */
#define NAME_HOPS_MAX 16

/** Other units that are open at a time. */
#define NAME_WINDOWS_MAX 32

struct known_name {
	uint64_t offset; ///< of the entry in .debug_info
	const char *name;
};

struct name_table {
	const struct dwarf_sections *sections;
	struct abbrev_section *abbrev;
	struct dwarf_work *work;
	struct arena *arena;
	/** All units: read when the first reference to another one is met. */
	struct unit_list units;
	bool units_read;
	/** The last used first. */
	struct window *windows[NAME_WINDOWS_MAX];
	size_t window_count;
	struct known_name *known;
	size_t known_count;
	size_t known_cap;
	struct map map; ///< indexes of known, by offset
};

/** The linkage name of an entry, else the plain one, else "". */
const char *name_find(struct name_table *names, struct window *window,
                      struct Dwarf_Die_s *die);

/** All units of the section. */
const struct unit_list *name_units(struct name_table *names);

void name_table_release(struct name_table *names);

#endif
