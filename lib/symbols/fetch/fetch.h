// SPDX-License-Identifier: MIT
/**
 * Fetches symbols with a program of the user: `fetch:` in the config.
 *
 *     fetch = fetch_new(&settings);
 *     fetch_get(fetch, &uuid, "arm64", take, context);
 *
 * A result is used only if it has the requested UUID: that slice is copied into
 * a store (store_layout.h) in the cache, and the rest is removed. Processes
 * never fetch a UUID at the same time. Empty files in the directory of the UUID
 * record failures: `miss`, not found, for an hour; `malformed`, an unusable
 * result, for a day. The files are limited in size; those not used for the
 * longest time are removed first.
 */
#ifndef APMTOOL_LIB_SYMBOLS_FETCH_FETCH_H
#define APMTOOL_LIB_SYMBOLS_FETCH_FETCH_H

#include "lib/base/error.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FETCH_SECONDS 30

/** Borrowed by fetch_new(). */
struct fetch_settings {
	/**
	 * Absolute path of the program, then its arguments. Replaced in
	 * arguments: `{uuid}` (dashes, upper case), `{debug-id}` (no dashes,
	 * lower case), `{path}` (`ab/cdef…` of the unified layout), `{arch}`
	 * (empty if unknown or not a word), and `{file}`, the file to write.
	 */
	const char *const *command;
	size_t count;
	const char *cache; ///< directory of the cache; absolute
	uint64_t limit_bytes;
	unsigned time_limit_ms; ///< 0: FETCH_SECONDS
};

struct fetch;

struct fetch *fetch_new(const struct fetch_settings *settings);
/** Accepts NULL. */
void fetch_free(struct fetch *fetch);

/** Takes the path of a file. */
typedef void (*fetch_take)(const char *path, void *context);

/**
 * Pass the files of a UUID to @p take. Fetches them first, unless that was
 * tried recently.
 */
void fetch_get(struct fetch *fetch, const struct uuid *uuid, const char *arch,
               fetch_take take, void *context);

/**
 * Why the first UUID could not be fetched, and the number of such UUIDs; NULL:
 * none failed.
 */
const char *fetch_problem(const struct fetch *fetch, size_t *ret_count);

#endif
