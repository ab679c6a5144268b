// SPDX-License-Identifier: MIT
/**
 * Records of the builds whose files a store has, with their UUIDs:
 * `apps/NAME/VERSION+BUILD/OS.json` for each system. They allow to list the
 * symbols of a build, and to remove those of old builds.
 *
 * apmtool-store(5) describes a record, and how names are encoded in paths.
 * Records are untrusted input.
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
	const char *arch; ///< NULL: unknown
	const char *type; ///< `dsym`, `executable`, …, `bcsymbolmap`
};

/** A source map; other programs write these. */
struct store_source_map {
	const char *debug_id;
	const char *file;
};

struct store_build {
	const char *app;
	const char *version;
	const char *build;
	const char *os; ///< such as `ios`; `unknown`
	int64_t made_s; ///< since 1970: of the archive, or else of the record
	struct store_image *images;
	size_t count;
	size_t cap;
	struct store_source_map *source_maps;
	size_t source_map_count;
};

/** Add an image, unless the build has it. @p arena holds the list. */
void store_build_add_image(struct store_build *build,
                           const struct store_image *image,
                           struct arena *arena);

/** Append a name, encoded for paths. */
void store_build_add_name(const char *name, struct str *out);
/** Append the path of a record; an error where a name is empty or too long. */
MUST_CHECK struct error *store_build_add_path(const char *store,
                                              const struct store_build *build,
                                              struct str *out);

/** Parse a record into @p arena. */
MUST_CHECK struct error *store_build_parse(struct text in, struct arena *arena,
                                           struct store_build *ret);
/** Read and parse a record. */
MUST_CHECK struct error *store_build_read(const char *path, struct arena *arena,
                                          struct store_build *ret);

/** Write a record, or add the images to an existing one. */
MUST_CHECK struct error *store_build_put(const char *store,
                                         const struct store_build *build);

struct store_pruning {
	const char *store;
	size_t keep; ///< builds of each app and system, at least one
	bool dry_run;
	/** Called for each file that was removed, or would be. */
	void (*removed)(const char *path, uint64_t size_bytes, void *context);
	void *context;

	size_t builds; ///< records
	size_t removed_builds;
	size_t removed_files;
	uint64_t removed_bytes;
};

/**
 * Remove all but the newest builds of each app and system, and the files that
 * only removed builds list. Files that no record lists stay. If a record cannot
 * be read, nothing is removed, since it may list any file.
 */
MUST_CHECK struct error *store_prune(struct store_pruning *pruning);

#endif
