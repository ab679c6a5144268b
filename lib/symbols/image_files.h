// SPDX-License-Identifier: MIT
/**
 * The files of one image: decides which file is searched for which addresses,
 * in which order, and which answers are kept.
 *
 * Files with one UUID are usually copies, or derived from each other. The dSYM
 * comes first; the others, and a binary, may have what a damaged or stripped
 * one lacks. Each file is searched for the addresses with no answer yet, or a
 * poor one. Does no I/O; callers report the result of each read.
 */
#ifndef APMTOOL_LIB_SYMBOLS_IMAGE_FILES_H
#define APMTOOL_LIB_SYMBOLS_IMAGE_FILES_H

#include "lib/symbols/answer.h"
#include "lib/symbols/file.h"
#include "lib/symbols/index/uuid_entry.h"

#include <stdbool.h>
#include <stddef.h>

/** Max files of one UUID whose debug information is read. */
#define IMAGE_FILES_READ_MAX 8

/** A file of an image, opened when it is first needed. */
struct image_file {
	struct symbol_file *file;  ///< NULL: not open
	struct debug_cache *cache; ///< NULL: not open, or no cache
	struct symbol_image image; ///< result of reading; kept when closed
	char *reason;              ///< of the image
	char *damage;              ///< of the image; NULL for a GSYM
	bool tried;
	bool is_read;     ///< its debug information was searched
	bool cannot_read; ///< it failed; do not try again
	bool is_replaced; ///< another file gave the missing answers
	bool is_unread; ///< skipped over the max, although answers were missing
};

struct image_files {
	struct uuid_entry *entries;
	struct image_file *all; ///< by entry
	size_t count;
	size_t first_count; ///< without those added later
};

/** @p entries is copied, without the paths. */
void image_files_init(struct image_files *files,
                      const struct uuid_entry *entries, size_t count);
/** Add the entries that are new, under any path; they are searched last. */
void image_files_add(struct image_files *files,
                     const struct uuid_entry *entries, size_t count);
void image_files_release(struct image_files *files);

/**
 * Choose the addresses to look up in file @p index.
 *
 * @param answers  So far, by address.
 * @param asked  Room for @p count; filled with indexes of addresses.
 * @return Their number.
 */
size_t image_files_choose(const struct image_files *files, size_t index,
                          const struct symbol_answer *answers, size_t count,
                          size_t *asked);

/**
 * After all files: is there an address that no sound file has answered, or
 * denied? Without addresses: is no file sound?
 */
bool image_files_want_more(const struct image_files *files,
                           const struct symbol_answer *answers, size_t count);

/**
 * After all answers of a request: if some are still missing, mark the files
 * that were skipped over the max.
 */
void image_files_end(struct image_files *files,
                     const struct symbol_answer *answers, size_t count);

/**
 * Number of files that were skipped over the max, although answers were
 * missing.
 *
 * @param ret_first  The first of them, if any.
 */
size_t image_files_unread(const struct image_files *files,
                          const struct uuid_entry **ret_first);

/** Must file @p index be opened only to report its state? */
bool image_files_want_state(const struct image_files *files, size_t index);

/** May file @p index have debug information to read? */
bool image_files_may_be_read(const struct image_files *files, size_t index);

/**
 * Is file @p index the first one with debug information? Only that one uses the
 * cache, which has one entry per UUID.
 */
bool image_files_is_first_read(const struct image_files *files, size_t index);

/**
 * Keep the answers of file @p index that are better than those so far.
 *
 * @param found  By address in @p asked.
 * @param answers  By address.
 */
void image_files_take(struct image_files *files, size_t index,
                      const size_t *asked, const struct symbol_answer *found,
                      size_t asked_count, struct symbol_answer *answers);

/**
 * The state of the image: that of a sound file if there is one, even if others
 * failed. Of several, the one with the most answers.
 *
 * @param answered  Number of answers by file.
 */
const struct symbol_image *image_files_state(struct image_files *files,
                                             const size_t *answered);

#endif
