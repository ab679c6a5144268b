// SPDX-License-Identifier: MIT
/**
 * The builds of apps whose files a store holds:
 * `apps/NAME/VERSION+BUILD/OS.json`, one record for each system, which lists
 * the UUIDs of the build. So symbols are found by the name and version of an
 * app, and those of old builds can be removed.
 *
 * Names come from property lists and command lines, and may be anything: in a
 * path, letters, digits, `-`, `_` and `.` but at the beginning are as they are,
 * each other byte is `%` and two digits. apmtool-store(5) describes a record.
 * Records are input like any other.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_STORE_BUILDS_H
#define APMTOOL_LIB_SYMBOLS_INDEX_STORE_BUILDS_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A file of a build. */
struct store_image {
	struct uuid uuid;
	const char *name;
	const char *arch; ///< NULL: not known
	const char *type; ///< `dsym`, `executable`, …, `bcsymbolmap`
};

/** Where a source map is; other programs write these. */
struct store_source_map {
	const char *debug_id;
	const char *file;
};

struct store_build {
	const char *app;
	const char *version;
	const char *build;
	const char *os; ///< `ios`; `unknown`
	int64_t made_s; ///< since 1970: of the archive, or of the record
	struct store_image *images;
	size_t count;
	size_t cap;
	struct store_source_map *source_maps;
	size_t source_map_count;
};

/** Add an image, unless it is there. @p arena holds the list. */
void store_build_add_image(struct store_build *build,
                           const struct store_image *image,
                           struct arena *arena);

/** Append a name as it is in paths. */
void store_build_add_name(const char *name, struct str *out);
/** Append the path of a record; an error where a name is empty or too long. */
MUST_CHECK struct error *store_build_add_path(const char *store,
                                              const struct store_build *build,
                                              struct str *out);

/** Read a record; all that @p ret has is in @p arena. */
MUST_CHECK struct error *store_build_parse(struct text in, struct arena *arena,
                                           struct store_build *ret);
/** The same from a file. */
MUST_CHECK struct error *store_build_read(const char *path, struct arena *arena,
                                          struct store_build *ret);

/** Write a record, or add the images to the one that is there. */
MUST_CHECK struct error *store_build_put(const char *store,
                                         const struct store_build *build);

/** What is removed of a store, and what was. */
struct store_pruning {
	const char *store;
	size_t keep; ///< builds of each app and system, at least one
	bool dry_run;
	/** A file was removed, or would be; must be set. */
	void (*removed)(const char *path, uint64_t size_bytes, void *context);
	void *context;

	size_t builds; ///< records
	size_t removed_builds;
	size_t removed_files;
	uint64_t removed_bytes;
};

/**
 * Remove all but the newest builds of each app and system, and the files that
 * only those list. Files that no record lists stay. Where a record cannot be
 * read, nothing is removed: it may list anything.
 */
MUST_CHECK struct error *store_prune(struct store_pruning *pruning);

#endif
