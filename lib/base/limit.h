// SPDX-License-Identifier: MIT
/**
 * The limits of SECURITY.md on what is read. `--limit NAME=VALUE` and config
 * files change them by name.
 *
 *     if (count == limit_get(LIMIT_THREADS))
 *             return limit_error(LIMIT_THREADS, "more than %zu threads",
 *                                limit_get(LIMIT_THREADS));
 *
 * Set them before reading anything, while there is one thread and no child
 * process; children inherit them. They do not change afterwards.
 */
#ifndef APMTOOL_LIB_BASE_LIMIT_H
#define APMTOOL_LIB_BASE_LIMIT_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum limit_id {
#define LIMIT(id, ...) LIMIT_##id,
#include "lib/base/limits.def"
#undef LIMIT
	LIMITS,
};

/** LIMIT_DEFAULT_THREADS, … for tests; LIMIT_MOST_SLICES, … for arrays. */
enum limit_values {
#define LIMIT(id, name, kind, usual, min, max, what) \
	LIMIT_DEFAULT_##id = (usual), LIMIT_MOST_##id = (max),
#include "lib/base/limits.def"
#undef LIMIT
};

enum limit_kind {
	LIMIT_KIND_COUNT,
	LIMIT_KIND_SIZE, ///< in bytes; written as `64 MB`
};

struct limit_row {
	const char *name; ///< `threads`
	enum limit_kind kind;
	size_t usual;     ///< the default
	size_t min, max;  ///< range of values
	const char *what; ///< text after the value: `threads in a report`
};

/** By enum limit_id. */
extern const struct limit_row limit_rows[LIMITS];

/** The current value. */
size_t limit_get(enum limit_id id);
/** Does it differ from the default? */
bool limit_is_changed(enum limit_id id);
/** Was it set by limit_set_text(), to any value? */
bool limit_is_given(enum limit_id id);
/** Set a limit. @p value comes from limit_read(), or from a test. */
void limit_set(enum limit_id id, size_t value);

/** The limit with this name; else an ERROR_USAGE with a similar name. */
MUST_CHECK struct error *limit_find(struct text name, enum limit_id *ret);

/**
 * Read a value: a number with or without commas, or a size (`100 MB`).
 *
 * @return False if it is not a value, or out of range.
 */
MUST_CHECK bool limit_read(enum limit_id id, struct text value, size_t *ret);
/** Append `limit 'threads': expected a number from 1 to 1000000`. */
void limit_add_expected(struct str *out, enum limit_id id);

/** Set a limit from `NAME=VALUE`. */
MUST_CHECK struct error *limit_set_text(struct text assignment);

/** A size in the largest unit without a fraction: `64 MB`. */
struct limit_size {
	char text[32];
};
struct limit_size limit_size(size_t bytes);

/** Append `64 MB` or `10000`. */
void limit_add_value(struct str *out, enum limit_id id, size_t value);

/** A new ERROR_LIMIT: the message, and the option that raises the limit. */
struct error *limit_error(enum limit_id id, const char *format, ...)
        PRINTF_LIKE(2, 3);

/** Add that option to the ERROR_LIMIT @p err, which is freed. */
struct error *limit_error_of(enum limit_id id, struct error *err);

/**
 * ` (--limit threads=COUNT raises it)`, for the end of a message; empty if the
 * limit is at its maximum.
 */
const char *limit_hint(enum limit_id id);

#endif
