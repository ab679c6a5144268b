// SPDX-License-Identifier: MIT
/**
 * An open file with symbols, of any kind (lib/symbols/source/source.h): a slice
 * of a dSYM or binary, or a GSYM file.
 *
 * Addresses are file addresses. Debug information is read by children, several
 * at once for many addresses; symbol tables and GSYM are read in place. Each
 * name is demangled once. Answers are in one arena; close the files that filled
 * it, or make them forget, before it is released.
 */
#ifndef APMTOOL_LIB_SYMBOLS_FILE_H
#define APMTOOL_LIB_SYMBOLS_FILE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/symbols/answer.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/symbols/image.h"
#include "lib/symbols/index/uuid_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_directory;
struct debug_cache;
struct gsym_answer;
struct printed_names;
struct str;
struct symbol_file;
struct symbol_map;

/** Map the file of an entry. Close with symbol_file_close(). */
MUST_CHECK struct error *symbol_file_open(const struct uuid_entry *entry,
                                          struct symbol_file **ret);
/** NULL is allowed. */
void symbol_file_close(struct symbol_file *file);

/** An error if parts of a dSYM or GSYM lie outside of the file. */
MUST_CHECK struct error *symbol_file_check_whole(
        const struct symbol_file *file);

/** Replace hidden names by those of @p map; NULL: keep them. */
void symbol_file_use_map(struct symbol_file *file,
                         const struct symbol_map *map);

/**
 * Before any look-up: set the form of names, and the names printed so far,
 * shared by all files with answers in the same arena. Borrowed.
 */
void symbol_file_use_names(struct symbol_file *file,
                           struct printed_names *printed,
                           enum demangle_form form);

/**
 * Forget the positions of strings. Call before an image that stays is freed, or
 * the arena of the answers.
 */
void symbol_file_forget(struct symbol_file *file);

void symbol_file_use_reader(struct symbol_file *file, enum debug_reader reader);

/**
 * Compare both readers while reading. The differences are known when the task
 * is finished.
 */
void symbol_file_compare_readers(struct symbol_file *file,
                                 enum debug_check check);
const struct debug_differences *symbol_file_differences(
        const struct symbol_file *file);

struct spawner;
/** Set the spawner of reading children; by default, this process forks. */
void symbol_file_use_spawner(struct symbol_file *file, struct spawner *spawner);

/** Has it functions with lines? A GSYM has. */
bool symbol_file_has_debug_info(const struct symbol_file *file);
/** The fault of the first unreadable unit; "": none. */
const char *symbol_file_bad_unit(const struct symbol_file *file);
/** Is its debug information read by children? GSYM is read in place. */
bool symbol_file_is_read(const struct symbol_file *file);

/** Memory of a file that was decompressed from an archive; 0: mapped. */
size_t symbol_file_unpacked_bytes(const struct symbol_file *file);

/**
 * Open the cache of its debug information; NULL: none, or the file cannot be
 * identified. Close it before the file.
 *
 * @param directory  NULL: keep new answers in memory only.
 */
struct debug_cache *symbol_file_open_cache(const struct symbol_file *file,
                                           struct cache_directory *directory);

/** Set the number of addresses of a request, for its memory limit. */
void symbol_file_expect(struct symbol_file *file, size_t address_count);

/**
 * Convert an image's answer.
 *
 * @param stays  The image stays valid until symbol_file_forget(), so each of
 *               its strings is read once.
 */
void symbol_file_fill(struct symbol_file *file, const struct gsym_answer *found,
                      bool stays, struct arena *arena,
                      struct symbol_answer *answer);
/** The file address of an offset in the image; max UINT64_MAX. */
uint64_t symbol_file_address(const struct symbol_file *file, uint64_t offset);

/** Children that read the wanted addresses, a part each. */
struct symbol_task;

/**
 * Begin to read the debug information for @p addresses.
 *
 * @param addresses  Ascending; must stay valid until the finish.
 * @param jobs  Max children.
 */
struct symbol_task *symbol_task_start(struct symbol_file *file,
                                      const uint64_t *addresses, size_t count,
                                      unsigned jobs);
/** Begin to read all debug information into an image, without answers. */
struct symbol_task *symbol_task_start_whole(struct symbol_file *file);

/**
 * Pass on the image of the whole file if it has no fault.
 *
 * @param keep  May empty @p image.
 */
void symbol_task_keep(struct symbol_task *task,
                      void (*keep)(struct str *image, void *context),
                      void *context);

/**
 * Wait for the children and fill their answers; other answers are unchanged.
 *
 * @param bad_units  Raised to the number of unreadable units.
 * @return The fault of the file, or of a part.
 */
MUST_CHECK struct error *symbol_task_finish(struct symbol_task *task,
                                            struct arena *arena,
                                            struct symbol_answer *answers,
                                            size_t *bad_units);

/**
 * Fill answers without a source from sources that are read in place: a symbol
 * table, or a GSYM, whose answers count as debug information.
 *
 * At damaged places, the answer is marked as doubted.
 *
 * @return An error if the file changed; no answer is filled then.
 */
MUST_CHECK struct error *symbol_file_read_in_place(
        struct symbol_file *file, const uint64_t *addresses, size_t count,
        struct arena *arena, struct symbol_answer *answers);

#endif
