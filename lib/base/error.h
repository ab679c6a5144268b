// SPDX-License-Identifier: MIT
/**
 * Errors as values.
 *
 * A function that can fail returns `struct error *`; NULL is success. Each
 * level may put its context before it, so that the user reads a path down to
 * the fault: `report.ips: threads[3].frames[0].imageOffset: expected a number,
 * found "n/a"`. Wording: lower case, no full stop, subject in quotes.
 *
 *     if ((err = macho_parse(bytes, &image)))
 *             return error_prefix(err, "%s", path);
 */
#ifndef APMTOOL_LIB_BASE_ERROR_H
#define APMTOOL_LIB_BASE_ERROR_H

#include "lib/base/text.h"

/** What a program may want to know of an error; people read the message. */
enum error_code {
	ERROR_OS,          ///< the system refused: no such file, no permission
	ERROR_FORMAT,      ///< the input is damaged or not what it claims
	ERROR_UNSUPPORTED, ///< well-formed, and not ours to read
	ERROR_NOT_FOUND,   ///< what was asked for is not there
	ERROR_LIMIT,       ///< larger or deeper than a documented limit
	ERROR_CONFIG,      ///< a configuration or rules file is wrong
	ERROR_USAGE,       ///< the command line is wrong
	ERROR_SHORTAGE,    ///< the system had no memory, descriptor or process
};

struct error;
struct str;

/** A new error; the caller owns it. */
struct error *error_new(enum error_code code, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * A new ERROR_OS, or ERROR_SHORTAGE where @p os_error says that trying again
 * may help: the message, then what @p os_error means.
 */
struct error *error_os(int os_error, const char *format, ...) PRINTF_LIKE(2, 3);

/** Put `format: ` in front of the message; returns @p err, NULL included. */
struct error *error_prefix(struct error *err, const char *format, ...)
        PRINTF_LIKE(2, 3);

/** The message, borrowed from @p err. It may hold bytes from the input. */
const char *error_message(const struct error *err);

/** The message without `name: ` in front of it, for who names it otherwise. */
struct text error_reason(const struct error *err, const char *name);

/**
 * Append the message of the system without the ` 'path'` in it, for who says
 * the place otherwise: `cannot open 'a': no such file` as `cannot open: no …`.
 */
void error_add_unnamed(const struct error *err, const char *path,
                       struct str *out);

enum error_code error_code(const struct error *err);

/** Of several errors the first is kept: takes @p err, which may be NULL. */
void error_keep_first(struct error **first, struct error *err);

/** Release @p err; NULL is fine. */
void error_free(struct error *err);

/** For SCOPED(). */
void error_drop(struct error **err);

#endif
