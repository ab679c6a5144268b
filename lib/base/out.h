// SPDX-License-Identifier: MIT
/**
 * Output that remembers its first failure.
 *
 * Formatters write and never check; the command checks once, in out_close().
 * A file is written beside its target and renamed over it at the end, so a
 * failure leaves the old file as it was. A symbolic link stays one: the file
 * that it leads to is written, whether there is one yet or not. A reader that
 * goes away (a closed pipe) is not an error: SIGPIPE ends the program quietly.
 *
 * So much for a file that the user named. Whatever else has the name of a file
 * within a directory that was named (out_open_in()) is replaced by it: a link
 * is not followed, a FIFO not opened.
 *
 * Output is text, and is written so that a CI runner finds no commands in it
 * (workflow.h), also where a command would be split across writes.
 */
#ifndef APMTOOL_LIB_BASE_OUT_H
#define APMTOOL_LIB_BASE_OUT_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct out;

/** Standard output where @p path is NULL or `-`, else a file. */
MUST_CHECK struct error *out_open(const char *path, struct out **ret);

/**
 * A file in a directory. A regular one of the user's passes its mode on.
 *
 * @param directory  Open until the output is closed.
 * @param path       For messages; its last part is the file's name.
 */
MUST_CHECK struct error *out_open_in(int directory, const char *path,
                                     struct out **ret);

/** Is it a terminal, standard output or another one? */
bool out_is_terminal(const struct out *out);

enum out_content {
	OUT_TEXT,
	OUT_COMMANDS, ///< lines that begin with `::` are workflow commands
	OUT_BINARY,   ///< written byte for byte
};

/** Say what it holds, before anything is added. */
void out_set_content(struct out *out, enum out_content content);

void out_add(struct out *out, const char *cstr);
void out_add_bytes(struct out *out, const void *data, size_t size);
void out_addf(struct out *out, const char *format, ...) PRINTF_LIKE(2, 3);
/** Untrusted text: whatever could act on a terminal is escaped. */
void out_add_visible(struct out *out, const char *cstr);
void out_flush(struct out *out);
/** What can be made again need not have reached the disk when it is closed. */
void out_need_not_last(struct out *out);

/**
 * What waits to be written, to append to without a call for each piece: a few
 * lines at most, then this again. Borrowed until the next call.
 */
struct str *out_str(struct out *out);

/**
 * An output that is never written: it keeps what is added until out_move()
 * takes it. Freed by out_abandon().
 */
struct out *out_memory(void);
/** Add all that @p from, an output in memory, has kept, and empty it. */
void out_move(struct out *out, struct out *from);

/** Flush, rename into place, free; the first failure of all, or NULL. */
MUST_CHECK struct error *out_close(struct out *out);

/** Free without putting a file in place; NULL is fine. */
void out_abandon(struct out *out);

#endif
