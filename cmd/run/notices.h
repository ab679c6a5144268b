// SPDX-License-Identifier: MIT
/**
 * What a run has to say besides its result goes to a sink, as values
 * (lib/model/notice.h). The command line brings the sink, which prints or
 * collects them. Nothing in this directory knows a terminal.
 *
 *     notice_warn(run->notices, path, "%zu lines are not read", count);
 *     if (err)
 *             return notice_refuse(line->notices, err);
 *
 * Without a sink, NULL, notices are dropped.
 */
#ifndef APMTOOL_CMD_RUN_NOTICES_H
#define APMTOOL_CMD_RUN_NOTICES_H

#include "lib/base/error.h"
#include "lib/cli/command.h"
#include "lib/model/notice.h"

#include <stdbool.h>
#include <stddef.h>

struct notices {
	/** The notice lives until this returns. */
	void (*take)(const struct notice *notice, void *context);
	/**
	 * How far a long run is: @p done of @p total, 0: not known, of what is
	 * counted, in the plural. NULL for that: output follows, or the end.
	 */
	void (*progress)(size_t done, size_t total, const char *what,
	                 void *context);
	void *context;
};

void notice_give(const struct notices *to, const struct notice *notice);

/** @param place  An input, or a place in one; NULL: of none. */
void notice_warn(const struct notices *to, const char *place,
                 const char *format, ...) PRINTF_LIKE(3, 4);

/** A warning of no place, and what to do: one line, without a full stop. */
void notice_advise(const struct notices *to, const char *next,
                   const char *format, ...) PRINTF_LIKE(3, 4);

/** As notice_warn(), for a failure; gives EXIT_ALL_FAILED back. */
enum exit_status notice_fail(const struct notices *to, const char *place,
                             const char *format, ...) PRINTF_LIKE(3, 4);

/** The command line is wrong; gives EXIT_USAGE back. */
enum exit_status notice_usage(const struct notices *to, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * A failure, or a warning, by an error.
 *
 * @param name  What the message may begin with, and then the place; NULL: all
 *              of the message is the text.
 */
void notice_error(const struct notices *to, const char *name,
                  const struct error *err);
void notice_warn_error(const struct notices *to, const char *name,
                       const struct error *err);

/**
 * As notice_error(), of what the command line names, and free it. EXIT_USAGE
 * where the command line is wrong, or names what cannot be opened; for what is
 * in a file, EXIT_ALL_FAILED; EXIT_ENVIRONMENT where the system was short of
 * something.
 */
enum exit_status notice_refuse(const struct notices *to, struct error *err);

/**
 * What the reader of an input noted.
 *
 * @param name  The input, before the place; NULL: the place names it, if any.
 */
void notice_of_input(const struct notices *to, const char *name,
                     const struct notice *note);

void notice_progress(const struct notices *to, size_t done, size_t total,
                     const char *what);
/** Output follows, or the end. */
void notice_progress_end(const struct notices *to);

#endif
