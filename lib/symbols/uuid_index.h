/**
 * Which file holds the symbols of which UUID.
 *
 * Paths (dSYM bundles, Mach-O files, folders of either) are walked once; of
 * each Mach-O file only the head is read, and no descriptor stays open, so
 * thousands of dSYMs are fine. Files that are not Mach-O are passed over.
 */
#ifndef APMTOOL_LIB_SYMBOLS_UUID_INDEX_H
#define APMTOOL_LIB_SYMBOLS_UUID_INDEX_H

#include "lib/base/error.h"
#include "lib/base/uuid.h"

#include <stddef.h>
#include <stdint.h>

struct uuid_entry {
	struct uuid uuid; ///< zero: the slice has none
	const char *path; ///< borrowed from the index
	uint64_t offset;  ///< of the slice in the file
	uint64_t size;
	uint32_t file_type; ///< enum macho_file_type
	uint32_t cpu_type;
	uint32_t cpu_subtype;
};

struct uuid_index;

struct uuid_index *uuid_index_new(void);
void uuid_index_free(struct uuid_index *index);

/**
 * Add everything at or below @p path; a file that is there already is kept
 * once. An absent path is an error, and so is a file that is not Mach-O; a
 * folder may hold anything.
 */
MUST_CHECK struct error *uuid_index_add(struct uuid_index *index,
                                        const char *path);

/**
 * All entries of a UUID, dSYMs first, then by path. Valid until the next
 * uuid_index_add(). None for the zero UUID.
 *
 * @param ret_count  0 and NULL where there are none.
 */
const struct uuid_entry *uuid_index_find(struct uuid_index *index,
                                         const struct uuid *uuid,
                                         size_t *ret_count);

/** All entries, in the order they were found (`apmtool uuid`). */
const struct uuid_entry *uuid_index_all(const struct uuid_index *index,
                                        size_t *ret_count);

/** Mach-O files that are damaged, wholly or in one slice, or unreadable. */
struct uuid_problem {
	const char *path;
	const char *reason;
};
const struct uuid_problem *uuid_index_problems(const struct uuid_index *index,
                                               size_t *ret_count);

#endif
