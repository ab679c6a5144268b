// SPDX-License-Identifier: MIT
/**
 * One file that holds symbols, open, of whatever kind
 * (lib/symbols/source/source.h): a slice of a dSYM or of a binary, or a GSYM
 * file.
 *
 * Addresses here are file addresses. Debug information is read by children,
 * several at once for many addresses;
 * a symbol table and a GSYM are read in place. Each name is demangled once
 * while it is known. Answers are in one arena, before whose release the files
 * that filled it are closed, or forget.
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
/** NULL is fine. */
void symbol_file_close(struct symbol_file *file);

/** It is an error where parts of a dSYM or a GSYM lie outside the file. */
MUST_CHECK struct error *symbol_file_check_whole(
        const struct symbol_file *file);

/** Names hidden in the file are filled in from @p map; NULL: they stay. */
void symbol_file_use_map(struct symbol_file *file,
                         const struct symbol_map *map);

/**
 * Before it is asked: in which form names are printed, and those that were, of
 * all files whose answers are in the same arena. Borrowed.
 */
void symbol_file_use_names(struct symbol_file *file,
                           struct printed_names *printed,
                           enum demangle_form form);

/**
 * Forget where strings lie: an image that was said to stay is going to go, or
 * the arena of the answers.
 */
void symbol_file_forget(struct symbol_file *file);

/** Who reads its debug information. */
void symbol_file_use_reader(struct symbol_file *file, enum debug_reader reader);

/**
 * While it is read, compare both readers. What they say otherwise is known when
 * the task is finished.
 */
void symbol_file_compare_readers(struct symbol_file *file,
                                 enum debug_check check);
const struct debug_differences *symbol_file_differences(
        const struct symbol_file *file);

struct spawner;
/** Who forks the children that read it; unless it is set, this process. */
void symbol_file_use_spawner(struct symbol_file *file, struct spawner *spawner);

/** Functions with lines: a GSYM has them, too. */
bool symbol_file_has_debug_info(const struct symbol_file *file);
/** What is wrong with the first unit that could not be read; "": all well. */
const char *symbol_file_bad_unit(const struct symbol_file *file);
/** Its debug information is read, by children; that of a GSYM is in place. */
bool symbol_file_is_read(const struct symbol_file *file);

/** What it takes in memory, unpacked from an archive; 0: it is mapped. */
size_t symbol_file_unpacked_bytes(const struct symbol_file *file);

/**
 * What is known of its debug information from earlier; NULL where there is
 * none, or it cannot be known again. Close it before the file.
 *
 * @param directory  NULL: nothing is known, and what this run finds out is kept
 *                   in memory.
 */
struct debug_cache *symbol_file_open_cache(const struct symbol_file *file,
                                           struct cache_directory *directory);

/** A request for so many addresses begins: it may take so much memory. */
void symbol_file_expect(struct symbol_file *file, size_t address_count);

/**
 * Turn what an image says of an address into an answer.
 *
 * @param stays  The image stays where it is until symbol_file_forget(): each of
 *               its strings is read once.
 */
void symbol_file_fill(struct symbol_file *file, const struct gsym_answer *found,
                      bool stays, struct arena *arena,
                      struct symbol_answer *answer);
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
/** Begin to read all of it: for who keeps the image, nothing is answered. */
struct symbol_task *symbol_task_start_whole(struct symbol_file *file);

/**
 * Hand on the image of the whole file, if it was made without a fault.
 *
 * @param keep  May empty @p image.
 */
void symbol_task_keep(struct symbol_task *task,
                      void (*keep)(struct str *image, void *context),
                      void *context);

/**
 * Wait for the children and fill the answers that they give; the others are
 * left alone.
 *
 * @param bad_units  Raised to the number of units that could not be read.
 * @return What went wrong with all of the file, or a part of it.
 */
MUST_CHECK struct error *symbol_task_finish(struct symbol_task *task,
                                            struct arena *arena,
                                            struct symbol_answer *answers,
                                            size_t *bad_units);

/**
 * Fill the answers that have no source yet from what is read in place: a symbol
 * table, or a GSYM, whose answers are debug information, which it was made of.
 *
 * Where the file is damaged, the answer is doubted.
 *
 * @return That the file changed: then none is filled.
 */
MUST_CHECK struct error *symbol_file_read_in_place(
        struct symbol_file *file, const uint64_t *addresses, size_t count,
        struct arena *arena, struct symbol_answer *answers);

#endif
