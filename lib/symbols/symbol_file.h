/**
 * One file that holds symbols, open: a slice of a dSYM or of a binary.
 *
 * Addresses here are file addresses. Debug information is read by children,
 * several at once for many addresses; the symbol table is read in place.
 */
#ifndef APMTOOL_LIB_SYMBOLS_SYMBOL_FILE_H
#define APMTOOL_LIB_SYMBOLS_SYMBOL_FILE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/symbols/symbol_store.h"
#include "lib/symbols/uuid_index.h"

#include <stddef.h>
#include <stdint.h>

struct symbol_file;
struct symbol_map;

/** Map the slice of an entry. Close with symbol_file_close(). */
MUST_CHECK struct error *symbol_file_open(const struct uuid_entry *entry,
                                          struct symbol_file **ret);
/** NULL is fine. */
void symbol_file_close(struct symbol_file *file);

/** Names hidden in the file are filled in from @p map; NULL: they stay. */
void symbol_file_use_map(struct symbol_file *file,
                         const struct symbol_map *map);

bool symbol_file_has_debug_info(const struct symbol_file *file);

/** Where an offset into the image lies in the file; UINT64_MAX at most. */
uint64_t symbol_file_address(const struct symbol_file *file, uint64_t offset);

/** Children that read a part of the wanted addresses each. */
struct symbol_task;

/**
 * Begin to read the debug information for @p addresses.
 *
 * @param addresses  Ascending; must stay until the finish.
 * @param jobs       At most so many children.
 */
struct symbol_task *symbol_task_start(struct symbol_file *file,
                                      const uint64_t *addresses, size_t count,
                                      unsigned jobs);
/**
 * Wait for the children and fill the answers that they give; the others are
 * left alone. What went wrong is reported in @p ret.
 */
void symbol_task_finish(struct symbol_task *task, struct arena *arena,
                        struct symbol_answer *answers,
                        struct symbol_image *ret);

/** Fill the answers that have no source yet from the symbol table. */
void symbol_file_read_symtab(const struct symbol_file *file,
                             const uint64_t *addresses, size_t count,
                             struct arena *arena,
                             struct symbol_answer *answers);

#endif
