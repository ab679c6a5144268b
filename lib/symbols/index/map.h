// SPDX-License-Identifier: MIT
/**
 * BCSymbolMaps: names that a build with bitcode hid from the App Store.
 *
 * Such a build replaces its names by `__hidden#7_`, in the symbol table and in
 * debug information, and writes the names, one per line, to a file
 * `<UUID>.bcsymbolmap`. The UUID is that of the build. If the App Store
 * compiled it again, the dSYM has the old UUID (bundle_original_uuid()).
 *
 * Source: apmtool-formats(5); versions, the extra underscore and the byte 1 as
 * in LLVM's dsymutil (SymbolMap.cpp).
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

/** Larger maps are refused; those of large apps have tens of MB. */
#define SYMBOL_MAP_BYTES_MAX ((size_t)256 << 20)
#define SYMBOL_MAP_LINES_MAX 16000000
/** Enough bytes for the first line. */
#define SYMBOL_MAP_HEAD_BYTES 64

/** An open map. */
struct symbol_map;

MUST_CHECK struct error *symbol_map_open(const char *path,
                                         struct symbol_map **ret);
/** Can it be opened, according to its head and size? */
MUST_CHECK struct error *symbol_map_check(struct bytes head,
                                          uint64_t size_bytes);
/** NULL is allowed. */
void symbol_map_close(struct symbol_map *map);

/**
 * Replace a hidden name; a name that the map does not have stays hidden.
 *
 * @param map  NULL: replace nothing.
 * @return @p name itself if unchanged, else in @p arena.
 */
const char *symbol_map_name(const struct symbol_map *map, const char *name,
                            struct arena *arena);

/**
 * As symbol_map_name() for a path, of which each part may be hidden. If a
 * hidden part is absolute, the text before it is dropped.
 */
const char *symbol_map_path(const struct symbol_map *map, const char *path,
                            struct arena *arena);

/** Maps by UUID; a map is opened when it is first needed. */
struct symbol_maps;

struct symbol_maps *symbol_maps_new(void);
void symbol_maps_free(struct symbol_maps *maps);

/** Is this path named `<UUID>.bcsymbolmap`? */
bool symbol_maps_is_map(const char *path, struct uuid *ret);

/** Add a map by the UUID in its name; the first of a UUID is used. */
void symbol_maps_add(struct symbol_maps *maps, const struct uuid *uuid,
                     const char *path);

/** Is there a map with this UUID? */
bool symbol_maps_has(struct symbol_maps *maps, const struct uuid *uuid);

/** Get a map; false past the last one. Its path is borrowed. */
bool symbol_maps_at(const struct symbol_maps *maps, size_t index,
                    struct uuid *ret_uuid, const char **ret_path);

/** Is there any map? */
bool symbol_maps_any(const struct symbol_maps *maps);

/**
 * The map of an image; NULL: none, or unreadable.
 *
 * @param symbols_path  Its dSYM, which may have the original UUID, or the map
 *                      in the same directory.
 */
const struct symbol_map *symbol_maps_find(struct symbol_maps *maps,
                                          const struct uuid *uuid,
                                          const char *symbols_path);

#endif
