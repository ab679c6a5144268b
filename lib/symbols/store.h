// SPDX-License-Identifier: MIT
/**
 * From images and places in them to names: the one part that knows which
 * source answers (formats.md 10.5): debug information, then the symbol table.
 *
 *     store = symbol_store_new(&(struct symbol_store_options){ .jobs = 4 });
 *     err = symbol_store_add_path(store, "build/");
 *     symbol_store_resolve(store, requests, count);
 *
 * A file is opened once and stays mapped; a place that has been asked for is
 * remembered. So a thousand reports of the same builds cost little more than
 * one. The more places are asked for at once, the more children work at once.
 */
#ifndef APMTOOL_LIB_SYMBOLS_STORE_H
#define APMTOOL_LIB_SYMBOLS_STORE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/uuid.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/symbols/answer.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/symbols/image.h"
#include "lib/symbols/index/uuid_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_directory;
struct fetch;
struct symbol_store;

/** All zeros is a store that keeps nothing. */
struct symbol_store_options {
	unsigned jobs; ///< max children at once; 0: one for each processor
	enum debug_reader reader;
	/**
	 * Children that read are those of a process that holds nothing of this
	 * one (lib/symbols/worker/spawner.h); otherwise, they are copies of it.
	 */
	bool reads_apart;
	enum demangle_form form; ///< of names in answers
	/**
	 * Where the store keeps what it finds out of debug information, and
	 * finds what was kept: answers are the same without. The store's from
	 * here on; NULL: it keeps nothing.
	 */
	struct cache_directory *cache;
	/**
	 * Look in the index of the cache for images without a dSYM, and use
	 * what symbol stores keep of debug information.
	 */
	bool uses_catalog;
};

struct symbol_store *symbol_store_new(
        const struct symbol_store_options *options);
void symbol_store_free(struct symbol_store *store);
/** Is there a file of this UUID, in what was added or in that index? */
bool symbol_store_finds(struct symbol_store *store, const struct uuid *uuid);
/**
 * Why that index was of no use, as far as it was asked; NULL: it was. The
 * store's.
 */
const struct error *symbol_store_catalog_fault(
        const struct symbol_store *store);
MUST_CHECK struct error *symbol_store_add_path(struct symbol_store *store,
                                               const char *path);
/** Ask the store of symbols at @p path (store_layout.h), which is borrowed. */
void symbol_store_add_layout(struct symbol_store *store, const char *path);
/**
 * Get files that are nowhere else by @p fetch, which is the store's from here
 * on: for images without debug information that are resolved or asked for by
 * symbol_store_has().
 */
void symbol_store_use_fetch(struct symbol_store *store, struct fetch *fetch);
/** As fetch_problem(). */
const char *symbol_store_fetch_problem(const struct symbol_store *store,
                                       size_t *ret_count);
/** As uuid_index_add_found(). */
MUST_CHECK struct error *symbol_store_add_found(struct symbol_store *store,
                                                const char *path,
                                                struct file_budget *budget);
/** As uuid_index_add_system() and uuid_index_add_maps(). */
MUST_CHECK struct error *symbol_store_add_system(struct symbol_store *store,
                                                 const char *path);
MUST_CHECK struct error *symbol_store_add_maps(struct symbol_store *store,
                                               const char *path);
/**
 * Use @p entries for the image @p uuid, if the index has no file of that UUID:
 * they may be of another build, or the only files that are asked at all. A UUID
 * of zeros is found here only.
 *
 * @param entries  Copied, but for their paths; asked in this order.
 * @param count    At least one.
 */
void symbol_store_allow(struct symbol_store *store, const struct uuid *uuid,
                        const struct uuid_entry *entries, size_t count);
struct uuid_index *symbol_store_index(struct symbol_store *store);

/** A place in an image to be named. */
struct symbol_query {
	uint64_t offset; ///< from the load address, as the report has it
	/**
	 * The place was read off a stack: it lies after the call. What is
	 * looked up is the byte before it, on 32-bit ARM with the Thumb bit
	 * cleared first (formats.md 10.3).
	 */
	bool is_return_address;
};

/**
 * Is there a file for this image, whatever it may be good for?
 *
 * @param arch  As the report has it, for a fetch; NULL: not known.
 */
bool symbol_store_has(struct symbol_store *store, const struct uuid *uuid,
                      const char *arch);

/** What is asked of one image. */
struct symbol_request {
	struct uuid uuid;
	const struct symbol_query *queries; ///< in any order
	size_t count;
	struct symbol_answer *answers; ///< as many; filled
	/** Filled: of several files, the one without a fault. */
	struct symbol_image image;
	/** The same, as far as it concerns answers that are not doubted. */
	struct symbol_image image_elsewhere;
};

/**
 * Resolve places in images, each image named once at most (but for images
 * without a UUID, which are never found). Without any places, only the image's
 * state is reported.
 *
 * Of several files of a UUID, each is asked what those before it did not know,
 * or knew less of: debug information up to a number of files. One that answers
 * all is the only one that is opened. Those of the cache's index come last
 * where a dSYM is known without it, and only if none of the others is sound.
 *
 * Answers are borrowed from the store and good until symbol_store_trim(); the
 * `start` in them is an offset as well.
 */
void symbol_store_resolve(struct symbol_store *store,
                          struct symbol_request *requests, size_t count);

/**
 * The files that are damaged, or said less than they should have, while others
 * of their UUIDs were of use.
 *
 * @param arena  Gets the list; what is in it is borrowed from the store.
 */
const struct symbol_image **symbol_store_replaced(
        const struct symbol_store *store, struct arena *arena,
        size_t *ret_count);

/** Of an image, the files that could say something and are not read. */
struct symbol_unread {
	const struct uuid_entry *first;
	size_t count;
	size_t read_count; ///< as many others were read
};

/** As symbol_store_replaced(). */
struct symbol_unread *symbol_store_unread(const struct symbol_store *store,
                                          struct arena *arena,
                                          size_t *ret_count);

/** Forget answers where the store holds many, and close files likewise. */
void symbol_store_trim(struct symbol_store *store);

/**
 * Whether names are missing because the system had no memory, descriptor or
 * process left: another run may find them.
 */
bool symbol_store_has_shortage(const struct symbol_store *store);

/** How many files have been opened so far; a test counts. */
size_t symbol_store_opened(const struct symbol_store *store);

/** Memory of all answers that are remembered. */
size_t symbol_store_answer_bytes(const struct symbol_store *store);

#endif
