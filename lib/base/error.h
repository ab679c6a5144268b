// SPDX-License-Identifier: MIT
/**
 * Errors as values.
 *
 * A function that can fail returns `struct error *`; NULL is success. Each
 * level can add its context in front: `report.ips:
 * threads[3].frames[0].imageOffset: expected a number, found "n/a"`. Messages
 * are lower case, without a full stop, subject in quotes.
 *
 *     if ((err = macho_parse(bytes, &image)))
 *             return error_prefix(err, "%s", path);
 */
#ifndef APMTOOL_LIB_BASE_ERROR_H
#define APMTOOL_LIB_BASE_ERROR_H

#include "lib/base/text.h"

/** For programs; the message is for people. */
enum error_code {
	ERROR_OS,          ///< the system refused: no such file, no permission
	ERROR_FORMAT,      ///< the input is damaged
	ERROR_UNSUPPORTED, ///< well-formed, but not supported
	ERROR_NOT_FOUND,   ///< the requested object does not exist
	ERROR_LIMIT,       ///< larger or deeper than a documented limit
	ERROR_CONFIG,      ///< a config or rules file is invalid
	ERROR_USAGE,       ///< the command line is invalid
	ERROR_SHORTAGE,    ///< out of memory, descriptors or processes
};

struct error;
struct str;

/** A new error, owned by the caller. */
struct error *error_new(enum error_code code, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * A new ERROR_OS, or ERROR_SHORTAGE if @p os_error is a temporary shortage: the
 * message, then the text of @p os_error.
 */
struct error *error_os(int os_error, const char *format, ...) PRINTF_LIKE(2, 3);

/** Prepend `format: ` to the message; returns @p err, which may be NULL. */
struct error *error_prefix(struct error *err, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * Make an ERROR_OS one of the config: a file that was named cannot be read.
 * Returns another @p err, which may be NULL, as it is.
 */
struct error *error_as_config(struct error *err);

/** The message, borrowed from @p err. May contain bytes from the input. */
const char *error_message(const struct error *err);

/** The message without the prefix `name: `. */
struct text error_reason(const struct error *err, const char *name);

/**
 * Append the system's message without ` 'path'`: `cannot open 'a': no such
 * file` as `cannot open: no …`.
 */
void error_add_unnamed(const struct error *err, const char *path,
                       struct str *out);

enum error_code error_code(const struct error *err);

/**
 * Set @p first to @p err, or free @p err if @p first is set already. @p err may
 * be NULL.
 */
void error_keep_first(struct error **first, struct error *err);

/** Free @p err; accepts NULL. */
void error_free(struct error *err);

/** For SCOPED(). */
void error_drop(struct error **err);

#endif
