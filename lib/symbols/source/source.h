// SPDX-License-Identifier: MIT
/**
 * Kinds of files that have symbols: each is a source, a file of this directory
 * and a line in sources.def.
 *
 * A source finds what a file has, describes it, and resolves addresses in it.
 * What it finds is a kind and a locator, which the index keeps and which only
 * the source understands:
 *
 *     source->find(&finder);            // finder->found(…, &uuid, &at)
 *     …
 *     err = open_source_open(&open, kind, file, &at);
 *     open.source->resolve(open.self, addresses, count, &sink);
 *     open_source_close(&open);
 *
 * Addresses are those of the file: offset 0 of the image is at
 * `state.base_address`. A source whose state has debug information leaves that
 * to a confined child (lib/symbols/debug_worker.h), which opens the same
 * locator; resolve() is for what is read in place, without one.
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
	/** A BCSymbolMap: it completes the names of others, and is no source.
	 */
	SYMBOL_KIND_MAP = 255,
};

/** Where in a file symbols are. */
struct symbol_locator {
	/** Of the part of the file, such as a slice; differs between parts. */
	uint64_t offset;
	uint64_t own[3]; ///< the source's
};

/** What files are for; of one UUID, the first one is asked first. */
enum symbol_role {
	SYMBOL_ROLE_DEBUG,  ///< debug information: a dSYM
	SYMBOL_ROLE_MADE,   ///< made of debug information, or of a symbol table
	SYMBOL_ROLE_IMAGE,  ///< runs
	SYMBOL_ROLE_OBJECT, ///< is to be linked; has no UUID
};

/** What a locator says without the file. */
struct symbol_facts {
	enum symbol_role role;
	const char *type; ///< `dsym`, `gsym`, `dylib`, …
	uint32_t cpu_type;
	uint32_t cpu_subtype;
	bool any_cpu; ///< the file does not say for which CPU it is
	bool is_64;   ///< addresses have 16 digits
	uint64_t size_bytes;
};

/** As many first bytes of a file as a source gets to find what is in it. */
#define SYMBOL_HEAD_BYTES 4096

/** A file in which symbols are looked for, and who wants them. */
struct symbol_finder {
	struct bytes head; ///< SYMBOL_HEAD_BYTES, or all
	uint64_t size_bytes;
	/** Read more of the file; @p ret_size is less where it ends before. */
	struct error *(*peek)(const struct symbol_finder *finder,
	                      uint64_t offset, void *buffer, size_t size,
	                      size_t *ret_size);
	void (*found)(const struct symbol_finder *finder,
	              const struct uuid *uuid, const struct symbol_locator *at);
	/** A part is damaged, or all of it; takes @p err. */
	void (*problem)(const struct symbol_finder *finder, struct error *err);
	void *context;
};

/** What an open file turned out to be. */
struct symbol_state {
	struct uuid uuid;
	uint32_t platform;   ///< enum darwin_platform; 0: it says none
	const char *no_base; ///< why offsets have no addresses; NULL: they have
	uint64_t base_address; ///< of offset 0
	uint64_t span_bytes;   ///< of code from there on
	bool has_lines;        ///< knows lines and inlined calls
	/** To be read by a child; without `info`, there is nothing for one. */
	struct debug_object debug;
	uint64_t debug_bytes;
	uint64_t symbol_count; ///< of the symbol table
};

/** What a source knows of an address; borrowed until take() returns. */
struct symbol_found {
	/** With lines; NULL: only a name, if that. */
	const struct gsym_answer *calls;
	/** That of a symbol; empty: there is none. Stays until the close. */
	struct text name;
	bool is_of_linker; ///< C names have one more `_`
	uint64_t start;    ///< of the symbol
	bool is_doubted;   ///< the file is damaged there, and may know more
};

/** Who takes the answers. */
struct symbol_sink {
	/** @p index: of the address. */
	void (*take)(struct symbol_sink *sink, size_t index,
	             const struct symbol_found *found);
};

/** All functions but those that say so are needed. */
struct symbol_source {
	// To find symbols.
	bool (*sniff)(struct bytes head);
	void (*find)(const struct symbol_finder *finder);
	void (*describe)(const struct symbol_locator *at,
	                 struct symbol_facts *ret);

	// To read them. `self` is what open() returned.
	/** @p file must stay until the close. */
	struct error *(*open)(struct bytes file,
	                      const struct symbol_locator *at, void **ret);
	void (*state)(const void *self, struct symbol_state *ret);
	/** An error where parts lie outside of the file. NULL: none can. */
	struct error *(*check_whole)(const void *self);
	/** Give the sink what is known of @p addresses, which ascend. */
	void (*resolve)(void *self, const uint64_t *addresses, size_t count,
	                struct symbol_sink *sink);
	/**
	 * Mangled names of the symbols that begin at @p addresses, without what
	 * the linker puts before them; empty: none. NULL: it has no symbols.
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

/** NULL for a number that is no kind of a source. */
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
 * Open what lies at @p at of a file.
 *
 * @param file  Borrowed.
 * @param ret   All zeros after an error.
 */
MUST_CHECK struct error *open_source_open(struct open_source *ret,
                                          enum symbol_kind kind,
                                          struct bytes file,
                                          const struct symbol_locator *at);
/** All zeros is fine. */
void open_source_close(struct open_source *open);

/** Has it debug information that a child reads? */
bool open_source_has_debug(const struct open_source *open);

#endif
