// SPDX-License-Identifier: MIT
/**
 * Resolves (image UUID, offset) to names, and decides which source wins: debug
 * information, then the symbol table.
 *
 *     store = symbol_store_new(&(struct symbol_store_options){ .jobs = 4 });
 *     err = symbol_store_add_path(store, "build/");
 *     symbol_store_resolve(store, requests, count);
 *
 * A file is opened once and stays mapped, and answers are kept. A thousand
 * reports of the same builds cost little more than one. Requests with more
 * addresses use more children in parallel.
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

/** All zeros: no cache. */
struct symbol_store_options {
	unsigned jobs; ///< max children at once; 0: one for each processor
	enum debug_reader reader;
	/**
	 * Children are forked by a spawner without data of this process
	 * (lib/symbols/worker/spawner.h); by default, by this process.
	 */
	bool reads_apart;
	enum demangle_form form; ///< of names in answers
	/**
	 * Cache of debug information, owned by the store; answers do not depend
	 * on it. Or NULL.
	 */
	struct cache_directory *cache;
	/**
	 * Search the cache's index for images without a dSYM, and use the cache
	 * entries of symbol stores.
	 */
	bool uses_catalog;
};

struct symbol_store *symbol_store_new(
        const struct symbol_store_options *options);
void symbol_store_free(struct symbol_store *store);
/**
 * Is there a file with this UUID, among those added or in the cache's index?
 */
bool symbol_store_finds(struct symbol_store *store, const struct uuid *uuid);
/**
 * Why the cache's index was unusable; NULL: it was usable, or not needed. Owned
 * by the store.
 */
const struct error *symbol_store_catalog_fault(
        const struct symbol_store *store);
MUST_CHECK struct error *symbol_store_add_path(struct symbol_store *store,
                                               const char *path);
/**
 * Search the store of symbols at @p path (store_layout.h), which is borrowed.
 */
void symbol_store_add_layout(struct symbol_store *store, const char *path);
/**
 * Fetch files that are not found elsewhere with @p fetch, now owned by the
 * store: for images without debug information, in symbol_store_resolve() and
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
 * Use @p entries for the image @p uuid if the index has no file with that UUID.
 * They may be of another build, or the only files to search. Files for the zero
 * UUID are only found here.
 *
 * @param entries  Copied, without their paths; searched in this order.
 * @param count  At least one.
 */
void symbol_store_allow(struct symbol_store *store, const struct uuid *uuid,
                        const struct uuid_entry *entries, size_t count);
struct uuid_index *symbol_store_index(struct symbol_store *store);

/** An address in an image. */
struct symbol_query {
	uint64_t offset; ///< from the load address, as the report has it
	/**
	 * A return address, from a stack: the byte before it is looked up. On
	 * 32-bit ARM, the Thumb bit is cleared first (apmtool-formats(5)).
	 */
	bool is_return_address;
};

/**
 * Is there any file for this image?
 *
 * @param arch  From the report, for a fetch; or NULL.
 */
bool symbol_store_has(struct symbol_store *store, const struct uuid *uuid,
                      const char *arch);

/** Addresses of one image. */
struct symbol_request {
	struct uuid uuid;
	const struct symbol_query *queries; ///< in any order
	size_t count;
	struct symbol_answer *answers; ///< by query; set by the store
	/** Result; of several files, the one without a fault. */
	struct symbol_image image;
	/** As `image`, for answers that are not doubted. */
	struct symbol_image image_elsewhere;
};

/**
 * Resolve addresses in images. An image may occur once, except for images
 * without a UUID, which are never found. Without addresses, only the image's
 * state is set.
 *
 * Several files of a UUID are searched in order, each for the addresses with no
 * answer yet, or a poor one, and debug information up to a max number of files.
 * If the first file answers all, no other is opened. Files of the cache's index
 * come last if there is another dSYM, and are used only if no other file is
 * sound.
 *
 * Answers are borrowed from the store and valid until symbol_store_trim().
 * Their `start` is an offset, too.
 */
void symbol_store_resolve(struct symbol_store *store,
                          struct symbol_request *requests, size_t count);

/**
 * Files that are damaged or had missing answers, while others of their UUIDs
 * were used.
 *
 * @param arena  For the list; its entries are borrowed from the store.
 */
const struct symbol_image **symbol_store_replaced(
        const struct symbol_store *store, struct arena *arena,
        size_t *ret_count);

/** Files of an image that were not read, although answers were missing. */
struct symbol_unread {
	const struct uuid_entry *first;
	size_t count;
	size_t read_count; ///< number of read files
};

/** As symbol_store_replaced(). */
struct symbol_unread *symbol_store_unread(const struct symbol_store *store,
                                          struct arena *arena,
                                          size_t *ret_count);

/** Free answers if there are many, and close files. */
void symbol_store_trim(struct symbol_store *store);

/**
 * Are names missing for lack of memory, descriptors or processes? Another run
 * may find them.
 */
bool symbol_store_has_shortage(const struct symbol_store *store);

/** Number of opened files so far, for tests. */
size_t symbol_store_opened(const struct symbol_store *store);

/** Memory of all answers. */
size_t symbol_store_answer_bytes(const struct symbol_store *store);

#endif
