// SPDX-License-Identifier: MIT
/**
 * Symbols that another program gets: `fetch:` of the user's config.
 *
 *     fetch = fetch_new(&settings);
 *     if (fetch_get(fetch, &uuid, "arm64", &files))
 *             … the files of that UUID that are here now
 *
 * What it makes is used only if it holds the UUID that was asked for: that
 * slice is copied into a store (store_layout.h) of the cache, and the rest
 * removed. Nothing is asked twice at a time, by however many processes; that
 * nothing was found is remembered for an hour, and that it was something else
 * for a day, by empty files `miss` and `malformed` in the directory of the
 * UUID. Together the files take no more than a limit: those not used for the
 * longest time go first.
 */
#ifndef APMTOOL_LIB_SYMBOLS_FETCH_FETCH_H
#define APMTOOL_LIB_SYMBOLS_FETCH_FETCH_H

#include "lib/base/error.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FETCH_SECONDS 30

/** All is borrowed. */
struct fetch_settings {
	/**
	 * The program's path, absolute, and its arguments, in which these are
	 * replaced: `{uuid}` with dashes and upper-case digits, `{debug-id}`
	 * without and in lower case, `{path}` as `ab/cdef…` of the unified
	 * layout, `{arch}`, empty where it is not known or no word, and
	 * `{file}`, which it is to make.
	 */
	const char *const *command;
	size_t count;
	const char *cache; ///< directory of the cache; absolute
	uint64_t limit_bytes;
	unsigned time_limit_ms; ///< 0: FETCH_SECONDS
};

struct fetch;

struct fetch *fetch_new(const struct fetch_settings *settings);
/** NULL is fine. */
void fetch_free(struct fetch *fetch);

/** Gets the path of a file that is there. */
typedef void (*fetch_take)(const char *path, void *context);

/** Give what is there of a UUID, which is fetched unless it was tried lately.
 */
void fetch_get(struct fetch *fetch, const struct uuid *uuid, const char *arch,
               fetch_take take, void *context);

/**
 * Why the first UUID could not be fetched, and of how many that is so; NULL:
 * all were, or not tried.
 */
const char *fetch_problem(const struct fetch *fetch, size_t *ret_count);

#endif
