// SPDX-License-Identifier: MIT
/**
 * A file with symbols, or a part of one such as a slice: its kind
 * (lib/symbols/source/source.h) and place.
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
	struct uuid uuid; ///< zero: none
	const char *path; ///< borrowed from the index; for archive_map()
	const char *name; ///< file name, in the path
	enum symbol_kind kind;
	struct symbol_locator at; ///< in the file
	bool is_system;           ///< from uuid_index_add_system()
	size_t turn;              ///< of the added path that it was found below
	struct file_identity identity; ///< of the file, or of its archive
	const char *in_archive; ///< name in the archive, in the path; or NULL
};

/** Facts from its source. */
struct symbol_facts uuid_entry_facts(const struct uuid_entry *entry);
/** Has it this architecture (`arm64`; NULL: any)? A GSYM may have any. */
bool uuid_entry_has_arch(const struct uuid_entry *entry, const char *arch);
/**
 * Append an identity that is equal for all paths to this slice: bytes, not
 * text.
 */
void uuid_entry_add_key(const struct uuid_entry *entry, struct str *out);
// By role (enum symbol_role): a dSYM is debug information, a GSYM is derived
// from some.
bool uuid_entry_is_dsym(const struct uuid_entry *entry);
bool uuid_entry_is_object(const struct uuid_entry *entry);
bool uuid_entry_is_gsym(const struct uuid_entry *entry);
/** Do addresses have 16 digits? True for a GSYM. */
bool uuid_entry_is_64(const struct uuid_entry *entry);
/** `arm64`, and the type of the file: `dsym`, `gsym`, …, `other`. */
const char *uuid_entry_arch(const struct uuid_entry *entry);
const char *uuid_entry_type(const struct uuid_entry *entry);

/** The linked address of an entry's code, from its file. */
MUST_CHECK struct error *uuid_entry_read_text(const struct uuid_entry *entry,
                                              uint64_t *ret_address,
                                              uint64_t *ret_size);

#endif
