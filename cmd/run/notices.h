// SPDX-License-Identifier: MIT
/**
 * A sink for notices, which are all messages of a run besides its result
 * (lib/model/notice.h). The command line provides the sink, which prints or
 * collects them. Code in this directory does not use a terminal.
 *
 *     notice_warn(run->notices, path, "%zu lines are not read", count);
 *     if (err)
 *             return notice_refuse(line->notices, err);
 *
 * Without a sink (NULL), notices are dropped.
 */
#ifndef APMTOOL_CMD_RUN_NOTICES_H
#define APMTOOL_CMD_RUN_NOTICES_H

#include "lib/base/error.h"
#include "lib/cli/command.h"
#include "lib/model/notice.h"

#include <stdbool.h>
#include <stddef.h>

struct notices {
	/** Takes a notice, which is valid during the call. */
	void (*take)(const struct notice *notice, void *context);
	/**
	 * Shows progress: @p done of @p total (0: unknown) of @p what, a
	 * plural.
	 * @p what NULL: hide it, before output or at the end.
	 */
	void (*progress)(size_t done, size_t total, const char *what,
	                 void *context);
	void *context;
};

void notice_give(const struct notices *to, const struct notice *notice);

/**
 * Warn.
 *
 * @param place  An input or a place in one; or NULL.
 */
void notice_warn(const struct notices *to, const char *place,
                 const char *format, ...) PRINTF_LIKE(3, 4);

/** Warn without a place, with advice: one line without a full stop. */
void notice_advise(const struct notices *to, const char *next,
                   const char *format, ...) PRINTF_LIKE(3, 4);

/** As notice_warn(), for a failure; returns EXIT_ALL_FAILED. */
enum exit_status notice_fail(const struct notices *to, const char *place,
                             const char *format, ...) PRINTF_LIKE(3, 4);

/** Report a usage error; returns EXIT_USAGE. */
enum exit_status notice_usage(const struct notices *to, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * A failure, or a warning, from an error.
 *
 * @param name  The input: the notice's place if the message begins with it.
 * NULL: no place.
 */
void notice_error(const struct notices *to, const char *name,
                  const struct error *err);
void notice_warn_error(const struct notices *to, const char *name,
                       const struct error *err);

/**
 * As notice_error(), for a file of the command line; frees the error. Returns
 * EXIT_USAGE for a usage error or a file that cannot be opened, EXIT_ALL_FAILED
 * for a fault in a file, EXIT_ENVIRONMENT for lack of resources.
 */
enum exit_status notice_refuse(const struct notices *to, struct error *err);

/**
 * Give a note of an input's reader.
 *
 * @param name  The input, put before the place; NULL: the place has it, if any.
 */
void notice_of_input(const struct notices *to, const char *name,
                     const struct notice *note);

void notice_progress(const struct notices *to, size_t done, size_t total,
                     const char *what);
/** Hide the progress, before output or at the end. */
void notice_progress_end(const struct notices *to);

#endif
