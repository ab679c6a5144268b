// SPDX-License-Identifier: MIT
/**
 * String and file tables of a GSYM image that is being written; entries are
 * unique.
 *
 * The order is that of first use, so equal input gives an equal image.
 */
#ifndef APMTOOL_LIB_SYMBOLS_GSYM_TABLES_H
#define APMTOOL_LIB_SYMBOLS_GSYM_TABLES_H

#include "lib/base/map.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A file: offsets in the string table. */
struct gsym_file {
	uint32_t directory;
	uint32_t name;
};

/** A string and its offset in the table. */
struct gsym_string {
	const char *cstr; ///< borrowed
	uint32_t size;    ///< with its NUL
	uint32_t offset;
};

struct gsym_tables {
	struct gsym_string *strings; ///< [0] is ""
	size_t string_count;
	size_t string_cap;
	uint64_t strings_size;   ///< of all strings
	struct map string_map;   ///< indexes into strings
	struct gsym_file *files; ///< [0] is "no file"
	size_t file_count;
	size_t file_cap;
	struct map file_map; ///< indexes into files
	bool too_large;      ///< entries over 4 GB were dropped
};

void gsym_tables_init(struct gsym_tables *tables);
void gsym_tables_release(struct gsym_tables *tables);

/** The offset of a string, which is borrowed; 0 for "" and NULL. */
uint32_t gsym_tables_string(struct gsym_tables *tables, const char *cstr);

/** The index of a file; 0 if both strings are empty. */
uint32_t gsym_tables_file(struct gsym_tables *tables, const char *directory,
                          const char *name);

/** Append all strings, each with its NUL. */
void gsym_tables_write_strings(const struct gsym_tables *tables,
                               struct str *out);

#endif
