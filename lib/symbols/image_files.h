// SPDX-License-Identifier: MIT
/**
 * The files of one image: which of them is asked, for which places and in which
 * turn, and whose answers are kept.
 *
 * Files of one UUID are copies, mostly, and what is made of them. The dSYM is
 * first; the others, and a binary, may still know what a damaged or stripped
 * one does not. So each is asked what those before it did not know, or knew
 * less of. Nothing is read here: who does says how it went.
 */
#ifndef APMTOOL_LIB_SYMBOLS_IMAGE_FILES_H
#define APMTOOL_LIB_SYMBOLS_IMAGE_FILES_H

#include "lib/symbols/answer.h"
#include "lib/symbols/file.h"
#include "lib/symbols/index/uuid_entry.h"

#include <stdbool.h>
#include <stddef.h>

/** So many files of one UUID have their debug information read at most. */
#define IMAGE_FILES_READ_MAX 8

/** A file of an image: opened when it is first asked. */
struct image_file {
	struct symbol_file *file;  ///< NULL: not open
	struct debug_cache *cache; ///< NULL: not open, or nothing is kept
	struct symbol_image image; ///< how its reading went; kept when closed
	char *reason;              ///< that of the image
	char *damage;              ///< as well; NULL for that of a GSYM
	bool tried;
	bool is_read;     ///< its debug information was asked
	bool cannot_read; ///< and is not to be asked again
	bool is_replaced; ///< another one gave what it should have
	bool is_unread;   ///< so many others were, and something stayed open
};

struct image_files {
	struct uuid_entry *entries;
	struct image_file *all; ///< one for each entry
	size_t count;
	size_t first_count; ///< without those that were added
};

/** @p entries is copied, but for the paths in it. */
void image_files_init(struct image_files *files,
                      const struct uuid_entry *entries, size_t count);
/**
 * Add those of @p entries that are not there, by whatever path; they are asked
 * last.
 */
void image_files_add(struct image_files *files,
                     const struct uuid_entry *entries, size_t count);
/** All files are closed. */
void image_files_release(struct image_files *files);

/**
 * Choose the places of which file @p index may know more.
 *
 * @param answers  What is known of each place so far.
 * @param asked    Room for @p count; filled with indexes of places.
 * @return How many there are.
 */
size_t image_files_choose(const struct image_files *files, size_t index,
                          const struct symbol_answer *answers, size_t count,
                          size_t *asked);

/**
 * When all files were asked: are there places that no sound one has answered,
 * or denied to know? Without any places: is no file sound?
 */
bool image_files_want_more(const struct image_files *files,
                           const struct symbol_answer *answers, size_t count);

/**
 * All answers of a request are there: if some places are still open, the files
 * that were not read might have known of them.
 */
void image_files_end(struct image_files *files,
                     const struct symbol_answer *answers, size_t count);

/**
 * How many files could know of places that stayed open, and were not read, as
 * there are too many.
 *
 * @param ret_first  The first of them, if there are any.
 */
size_t image_files_unread(const struct image_files *files,
                          const struct uuid_entry **ret_first);

/** Is file @p index to be opened for its state alone, which is reported? */
bool image_files_want_state(const struct image_files *files, size_t index);

/** Is there debug information to be asked in file @p index? */
bool image_files_may_be_read(const struct image_files *files, size_t index);

/**
 * Is file @p index the first with debug information? The cache has one entry
 * for a UUID: what two files kept there, they would take from each other.
 */
bool image_files_is_first_read(const struct image_files *files, size_t index);

/**
 * Keep the answers of file @p index that say more than those before.
 *
 * @param found    One for each place that was asked.
 * @param answers  Of all places.
 */
void image_files_take(struct image_files *files, size_t index,
                      const size_t *asked, const struct symbol_answer *found,
                      size_t asked_count, struct symbol_answer *answers);

/**
 * The state of the image: that of a sound file, if there is one, as it was
 * asked whatever the others could not answer. Of several, which answered most.
 *
 * @param answered  For each file, how many places it answered.
 */
const struct symbol_image *image_files_state(struct image_files *files,
                                             const size_t *answered);

#endif
