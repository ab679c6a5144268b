// SPDX-License-Identifier: MIT
/**
 * What is read at most: the limits that SECURITY.md promises, each with a name
 * by which `--limit NAME=VALUE` and config files change it.
 *
 *     if (count == limit_get(LIMIT_THREADS))
 *             return limit_error(LIMIT_THREADS, "more than %zu threads",
 *                                limit_get(LIMIT_THREADS));
 *
 * They are set before anything is read, when there is one thread and no child:
 * children are copies of us. From then on they do not change.
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

/** LIMIT_DEFAULT_THREADS, …, for tests; LIMIT_MOST_SLICES, …, for arrays. */
enum limit_values {
#define LIMIT(id, name, kind, usual, least, most, what) \
	LIMIT_DEFAULT_##id = (usual), LIMIT_MOST_##id = (most),
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
	size_t usual;       ///< the default
	size_t least, most; ///< that it can be set to
	const char *what;   ///< what follows the value: `threads in a report`
};

/** By enum limit_id. */
extern const struct limit_row limit_rows[LIMITS];

/** The value in effect. */
size_t limit_get(enum limit_id id);
/** Does it differ from the default? */
bool limit_is_changed(enum limit_id id);
/** Did limit_set_text() set it, whatever to? */
bool limit_is_given(enum limit_id id);
/** @p value is one of limit_read(), or a test's. */
void limit_set(enum limit_id id, size_t value);

/** The limit of this name; an ERROR_USAGE that says what was meant. */
MUST_CHECK struct error *limit_find(struct text name, enum limit_id *ret);

/**
 * Read a value: a number with or without commas, or a size (`100 MB`).
 *
 * @return False where it is not a value, or outside the range.
 */
MUST_CHECK bool limit_read(enum limit_id id, struct text value, size_t *ret);
/** Append `limit 'threads': expected a number from 1 to 1000000`. */
void limit_add_expected(struct str *out, enum limit_id id);

/** Set the limit that `NAME=VALUE` says. */
MUST_CHECK struct error *limit_set_text(struct text assignment);

/** `64 MB`: a size in the largest unit that leaves no fraction. */
struct limit_size {
	char text[32];
};
struct limit_size limit_size(size_t bytes);

/** Append `64 MB` or `10000`. */
void limit_add_value(struct str *out, enum limit_id id, size_t value);

/**
 * A new ERROR_LIMIT: the message, and which option raises the limit.
 */
struct error *limit_error(enum limit_id id, const char *format, ...)
        PRINTF_LIKE(2, 3);

/** Add the hint to an existing ERROR_LIMIT, which is freed. */
struct error *limit_error_of(enum limit_id id, struct error *err);

/**
 * ` (--limit threads=COUNT raises it)`, for the end of a message; empty if
 * nothing does.
 */
const char *limit_hint(enum limit_id id);

#endif
