// SPDX-License-Identifier: MIT
/**
 * A file with symbols, or a part of one such as a slice, that was found: what
 * it is (lib/symbols/source/source.h), and where.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_UUID_ENTRY_H
#define APMTOOL_LIB_SYMBOLS_INDEX_UUID_ENTRY_H

#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/uuid.h"
#include "lib/symbols/source/source.h"

#include <stdbool.h>
#include <stdint.h>

struct str;

struct uuid_entry {
	struct uuid uuid; ///< zero: the slice has none
	const char *path; ///< borrowed from the index; for archive_map()
	const char *name; ///< the file's, in the path
	enum symbol_kind kind;
	struct symbol_locator at; ///< in the file
	bool is_system;           ///< from uuid_index_add_system()
	size_t turn; ///< of the path it was found below, among those added
	struct file_identity identity; ///< of the file, or of its archive
	const char *in_archive; ///< its name there, in the path; NULL: in none
};

/** What its source says of it. */
struct symbol_facts uuid_entry_facts(const struct uuid_entry *entry);
/**
 * Whether the entry is of this architecture (`arm64`); NULL: any. A GSYM may
 * be of any.
 */
bool uuid_entry_has_arch(const struct uuid_entry *entry, const char *arch);
/**
 * Append what is the same for all paths that lead to this slice: a key, not a
 * text.
 */
void uuid_entry_add_key(const struct uuid_entry *entry, struct str *out);
// By their roles (enum symbol_role): a dSYM is debug information, a GSYM was
// made of some.
bool uuid_entry_is_dsym(const struct uuid_entry *entry);
bool uuid_entry_is_object(const struct uuid_entry *entry);
bool uuid_entry_is_gsym(const struct uuid_entry *entry);
/** Addresses have 16 digits: of a GSYM, too. */
bool uuid_entry_is_64(const struct uuid_entry *entry);
/** `arm64`, and what the file is: `dsym`, `gsym`, …, `other`. */
const char *uuid_entry_arch(const struct uuid_entry *entry);
const char *uuid_entry_type(const struct uuid_entry *entry);

/** Where the code of an entry is linked, from its file. */
MUST_CHECK struct error *uuid_entry_read_text(const struct uuid_entry *entry,
                                              uint64_t *ret_address,
                                              uint64_t *ret_size);

#endif
