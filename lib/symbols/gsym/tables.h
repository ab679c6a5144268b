// SPDX-License-Identifier: MIT
/**
 * The two tables that all records of a GSYM image share while it is written:
 * strings and files, each kept once.
 *
 * Order is that of the first use, so the same input gives the same image.
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

/** A string, and where it is going to be. */
struct gsym_string {
	const char *cstr; ///< borrowed
	uint32_t size;    ///< with its NUL
	uint32_t offset;
};

struct gsym_tables {
	struct gsym_string *strings; ///< [0] is ""
	size_t string_count;
	size_t string_cap;
	uint64_t strings_size;   ///< of all of them
	struct map string_map;   ///< indexes of strings
	struct gsym_file *files; ///< [0] is "no file"
	size_t file_count;
	size_t file_cap;
	struct map file_map; ///< indexes of files
	bool too_large;      ///< what goes beyond 4 GB was left out
};

void gsym_tables_init(struct gsym_tables *tables);
void gsym_tables_release(struct gsym_tables *tables);

/** The offset of a string, which is borrowed; 0 for "" and NULL. */
uint32_t gsym_tables_string(struct gsym_tables *tables, const char *cstr);

/** The index of a file; 0 where both strings are empty. */
uint32_t gsym_tables_file(struct gsym_tables *tables, const char *directory,
                          const char *name);

/** Append all strings, each with its NUL. */
void gsym_tables_write_strings(const struct gsym_tables *tables,
                               struct str *out);

#endif
