/**
 * From an image and file addresses to names: the one place that knows which
 * source answers (formats.md 10.5): debug information, then the symbol table.
 *
 *     store = symbol_store_new();
 *     symbol_store_add_path(store, "build/");
 *     symbol_store_resolve(store, &uuid, addresses, count, arena, answers);
 *
 * The addresses of one image are asked for all at once: a dSYM is opened,
 * read and closed once.
 */
#ifndef APMTOOL_LIB_SYMBOLS_SYMBOL_STORE_H
#define APMTOOL_LIB_SYMBOLS_SYMBOL_STORE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/uuid.h"
#include "lib/symbols/uuid_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_call {
	const char *name;      ///< demangled
	const char *mangled;   ///< as in the file; equal to name where not C++
	const char *directory; ///< NULL if unknown
	const char *file;      ///< base name; NULL if unknown
	uint32_t line;
	bool line_borrowed; ///< see struct report_call
	uint64_t start;     ///< file address where it begins
};

enum symbol_source { SYMBOL_NONE, SYMBOL_SYMTAB, SYMBOL_DWARF };

struct symbol_answer {
	enum symbol_source source;
	struct symbol_call *calls; ///< innermost first
	size_t count;
};

/** How the search for an image's file went. */
enum symbol_status {
	SYMBOL_FILE_MISSING, ///< no file of that UUID
	SYMBOL_FILE_FOUND,
	SYMBOL_FILE_MALFORMED, ///< found, and its debug info cannot be read
};

struct symbol_store;

struct symbol_store *symbol_store_new(void);
void symbol_store_free(struct symbol_store *store);
MUST_CHECK struct error *symbol_store_add_path(struct symbol_store *store,
                                               const char *path);
struct uuid_index *symbol_store_index(struct symbol_store *store);

/** What came of an image, for messages. */
struct symbol_image {
	enum symbol_status status;
	const char *path;    ///< the file that answered; NULL if none
	const char *reason;  ///< why it is malformed; NULL otherwise
	bool has_debug_info; ///< of a file that was found: more than a symtab
	/** Parts of its debug info that could not be read; 0: all well. */
	size_t bad_unit_count;
	uint32_t cpu_type;
	uint32_t cpu_subtype;
	const char *arch; ///< name of the slice; NULL if no file was found
};

/** A place in an image to be named. */
struct symbol_query {
	uint64_t offset; ///< from the load address, as the report has it
	/**
	 * The place was read off a stack: it lies behind the call. What is
	 * looked up is the byte before it, on 32-bit ARM with the Thumb bit
	 * cleared first (formats.md 10.3).
	 */
	bool is_return_address;
};

/**
 * Resolve places in the image with a UUID, in any order.
 *
 * @param answers  As many as queries; all in @p arena. `start` in them is an
 *                 offset as well.
 */
void symbol_store_resolve(struct symbol_store *store, const struct uuid *uuid,
                          const struct symbol_query *queries, size_t count,
                          struct arena *arena, struct symbol_answer *answers,
                          struct symbol_image *ret);

/** As above for one entry of an index: the caller has chosen the file. */
void symbol_resolve_entry(const struct uuid_entry *entry,
                          const struct symbol_query *queries, size_t count,
                          struct arena *arena, struct symbol_answer *answers,
                          struct symbol_image *ret);

/** How many files have been opened to resolve so far; a test counts. */
size_t symbol_store_opened(const struct symbol_store *store);

#endif
