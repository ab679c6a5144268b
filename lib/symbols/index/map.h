// SPDX-License-Identifier: MIT
/**
 * BCSymbolMaps: the names that a build with bitcode hid from the store.
 *
 * Such a build writes `__hidden#7_` for its own names, in the symbol table and
 * in the debug information, and the names themselves, one a line, into a file
 * `<UUID>.bcsymbolmap`. The UUID is that of the build; where the store has
 * compiled it again, the dSYM gives the old one (bundle_original_uuid()).
 *
 * Source: formats.md 10.7; the versions, the extra underscore and the byte 1
 * as LLVM's dsymutil reads them (SymbolMap.cpp).
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_MAP_H
#define APMTOOL_LIB_SYMBOLS_INDEX_MAP_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Larger maps are refused; those of large apps have some tens of MB. */
#define SYMBOL_MAP_BYTES_MAX ((size_t)256 << 20)
#define SYMBOL_MAP_LINES_MAX 16000000
/** So many bytes hold the first line. */
#define SYMBOL_MAP_HEAD_BYTES 64

/** One map, open. */
struct symbol_map;

MUST_CHECK struct error *symbol_map_open(const char *path,
                                         struct symbol_map **ret);
/** Whether it can be opened, as far as its head and size say. */
MUST_CHECK struct error *symbol_map_check(struct bytes head,
                                          uint64_t size_bytes);
/** NULL is fine. */
void symbol_map_close(struct symbol_map *map);

/**
 * A name with what is hidden in it filled in; one that the map does not know
 * stays hidden.
 *
 * @param map  NULL: nothing is filled in.
 * @return @p name itself where nothing changes, else in @p arena.
 */
const char *symbol_map_name(const struct symbol_map *map, const char *name,
                            struct arena *arena);

/**
 * The same for a path, of which each part may be hidden, and what was hidden
 * may be absolute: then what precedes it is dropped.
 */
const char *symbol_map_path(const struct symbol_map *map, const char *path,
                            struct arena *arena);

/** Maps by UUID; a map is opened when it is first asked for. */
struct symbol_maps;

struct symbol_maps *symbol_maps_new(void);
void symbol_maps_free(struct symbol_maps *maps);

/** Is this path named `<UUID>.bcsymbolmap`? */
bool symbol_maps_is_map(const char *path, struct uuid *ret);

/** Remember a map by the UUID in its name; the first of a UUID counts. */
void symbol_maps_add(struct symbol_maps *maps, const struct uuid *uuid,
                     const char *path);

/** Was a map of this UUID found? */
bool symbol_maps_has(struct symbol_maps *maps, const struct uuid *uuid);

/** A map that was found; false past the last one. Its path is borrowed. */
bool symbol_maps_at(const struct symbol_maps *maps, size_t index,
                    struct uuid *ret_uuid, const char **ret_path);

/** Has any been found so far? */
bool symbol_maps_any(const struct symbol_maps *maps);

/**
 * The map for an image; NULL if there is none, or it cannot be read.
 *
 * @param symbols_path  Its dSYM, which may give the UUID it had at first, and
 *                      beside which the map may lie.
 */
const struct symbol_map *symbol_maps_find(struct symbol_maps *maps,
                                          const struct uuid *uuid,
                                          const char *symbols_path);

#endif
