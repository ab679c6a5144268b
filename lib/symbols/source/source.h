// SPDX-License-Identifier: MIT
/**
 * Kinds of files with symbols. Each is a source: a file of this directory, and
 * a line in sources.def.
 *
 * A source finds the symbols of a file, describes them, and resolves addresses.
 * It returns a kind and a locator for the index; only the source can interpret
 * its locators:
 *
 *     source->find(&finder);            // finder->found(…, &uuid, &at)
 *     …
 *     err = open_source_open(&open, kind, file, &at);
 *     open.source->resolve(open.self, addresses, count, &sink);
 *     open_source_close(&open);
 *
 * Addresses are file addresses: offset 0 of the image is at
 * `state.base_address`. If a source's state has debug information, a confined
 * child reads it (lib/symbols/debug_worker.h), which opens the same locator.
 * resolve() uses data that is read in place.
 */
#ifndef APMTOOL_LIB_SYMBOLS_SOURCE_SOURCE_H
#define APMTOOL_LIB_SYMBOLS_SOURCE_SOURCE_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/symbols/gsym/gsym.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum symbol_kind {
#define SOURCE(kind, name) SYMBOL_KIND_##kind,
#include "lib/symbols/source/sources.def"
#undef SOURCE
	SYMBOL_KIND_COUNT,
	/** A BCSymbolMap: it has names for other files, and is no source. */
	SYMBOL_KIND_MAP = 255,
};

/** The position of symbols in a file. */
struct symbol_locator {
	/** Of the part of the file, such as a slice; unique. */
	uint64_t offset;
	uint64_t own[3]; ///< private to the source
};

/** Purpose of a file. Files of one UUID are searched in this order. */
enum symbol_role {
	SYMBOL_ROLE_DEBUG, ///< debug information: a dSYM
	SYMBOL_ROLE_MADE,  ///< derived from debug information or a symbol table
	SYMBOL_ROLE_IMAGE, ///< executable code
	SYMBOL_ROLE_OBJECT, ///< input of a linker; has no UUID
};

/** Facts from a locator alone. */
struct symbol_facts {
	enum symbol_role role;
	const char *type; ///< `dsym`, `gsym`, `dylib`, …
	uint32_t cpu_type;
	uint32_t cpu_subtype;
	bool any_cpu; ///< the file has no CPU type
	bool is_64;   ///< addresses have 16 digits
	uint64_t size_bytes;
};

/** Max bytes at the start of a file in which a source looks for its symbols. */
#define SYMBOL_HEAD_BYTES 4096

/** A file to search, and callbacks. */
struct symbol_finder {
	struct bytes head; ///< SYMBOL_HEAD_BYTES, or the whole file
	uint64_t size_bytes;
	/** Reads more of the file; @p ret_size is less at the end. */
	struct error *(*peek)(const struct symbol_finder *finder,
	                      uint64_t offset, void *buffer, size_t size,
	                      size_t *ret_size);
	void (*found)(const struct symbol_finder *finder,
	              const struct uuid *uuid, const struct symbol_locator *at);
	/** A part is damaged, or the whole file; takes @p err. */
	void (*problem)(const struct symbol_finder *finder, struct error *err);
	void *context;
};

/** Facts of an open file. */
struct symbol_state {
	struct uuid uuid;
	uint32_t platform;     ///< enum darwin_platform; 0: unknown
	const char *no_base;   ///< why offsets have no addresses; or NULL
	uint64_t base_address; ///< of offset 0
	uint64_t span_bytes;   ///< of code from there
	bool has_lines;        ///< has lines and inlined calls
	/** To be read by a child; without `info`, there is none. */
	struct debug_object debug;
	uint64_t debug_bytes;
	uint64_t symbol_count; ///< of the symbol table
};

/** An answer for an address; borrowed until take() returns. */
struct symbol_found {
	/** With lines; or NULL. */
	const struct gsym_answer *calls;
	/** Of a symbol; or empty. Valid until the close. */
	struct text name;
	bool is_of_linker; ///< C names have an additional `_`
	uint64_t start;    ///< of the symbol
	bool is_doubted;   ///< the file is damaged there, and may have more
};

/** Takes the answers. */
struct symbol_sink {
	/**
	 * @p index: of the address.
	 */
	void (*take)(struct symbol_sink *sink, size_t index,
	             const struct symbol_found *found);
};

/** A source. All functions are required, except where NULL is allowed. */
struct symbol_source {
	// Find symbols:
	bool (*sniff)(struct bytes head);
	void (*find)(const struct symbol_finder *finder);
	void (*describe)(const struct symbol_locator *at,
	                 struct symbol_facts *ret);

	// Read symbols; `self` is the result of open().
	/**
	 * @p file must outlive the close.
	 */
	struct error *(*open)(struct bytes file,
	                      const struct symbol_locator *at, void **ret);
	void (*state)(const void *self, struct symbol_state *ret);
	/** An error if parts lie outside of the file. NULL: none can. */
	struct error *(*check_whole)(const void *self);
	/** Pass the answers for @p addresses, which ascend, to the sink. */
	void (*resolve)(void *self, const uint64_t *addresses, size_t count,
	                struct symbol_sink *sink);
	/**
	 * Mangled names of symbols that begin at @p addresses, without the
	 * linker's prefix; or empty. NULL: it has no symbols.
	 */
	void (*find_starts)(const void *self, const uint64_t *addresses,
	                    size_t count, struct text *names);
	/** As symtab_find_named(); NULL: it has no symbols. */
	bool (*find_named)(const void *self,
	                   bool (*is)(struct text name, void *context),
	                   void *context, uint64_t *ret);
	void (*close)(void *self);
};

#define SOURCE(kind, name) extern const struct symbol_source name##_source;
#include "lib/symbols/source/sources.def"
#undef SOURCE

/** NULL: the kind has no source. */
const struct symbol_source *symbol_source_of(enum symbol_kind kind);

/** The kind of a file; SYMBOL_KIND_COUNT: it has no symbols. */
enum symbol_kind symbol_kind_sniff(struct bytes head);

/** A file open by its source. */
struct open_source {
	enum symbol_kind kind;
	struct symbol_locator at;
	const struct symbol_source *source;
	void *self; ///< NULL: not open
	struct symbol_state state;
};

/**
 * Open the part of a file at @p at.
 *
 * @param file  Borrowed.
 * @param ret  All zeros after an error.
 */
MUST_CHECK struct error *open_source_open(struct open_source *ret,
                                          enum symbol_kind kind,
                                          struct bytes file,
                                          const struct symbol_locator *at);
/** All zeros is allowed. */
void open_source_close(struct open_source *open);

/** Has it debug information for a child to read? */
bool open_source_has_debug(const struct open_source *open);

#endif
