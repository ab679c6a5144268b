// SPDX-License-Identifier: MIT
/**
 * Output that remembers its first failure.
 *
 * Formatters write without checking; the command checks once, in out_close(). A
 * file is written under another name in the same directory and renamed at the
 * end, so a failure leaves the old file unchanged. A symbolic link is kept, and
 * its target is written, even if it does not exist yet. A closed pipe is not an
 * error: SIGPIPE ends the program quietly.
 *
 * In a directory that the user named (out_open_in()), an existing file of any
 * kind is replaced: links are not followed, FIFOs not opened.
 *
 * Text output is escaped so that a CI runner finds no commands in it
 * (workflow.h), also across writes.
 */
#ifndef APMTOOL_LIB_BASE_OUT_H
#define APMTOOL_LIB_BASE_OUT_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct out;

/** Standard output for NULL or `-`, else a file. */
MUST_CHECK struct error *out_open(const char *path, struct out **ret);

/**
 * A file in a directory. Keeps the mode of an existing regular file of the
 * user.
 *
 * @param directory  Must stay open until the output is closed.
 * @param path       For messages; its last part is the file's name.
 */
MUST_CHECK struct error *out_open_in(int directory, const char *path,
                                     struct out **ret);

/** Is it a terminal? */
bool out_is_terminal(const struct out *out);

enum out_content {
	OUT_TEXT,
	OUT_COMMANDS, ///< lines that begin with `::` are workflow commands
	OUT_BINARY,   ///< unescaped
};

/** Set the kind of content, before adding any. */
void out_set_content(struct out *out, enum out_content content);

void out_add(struct out *out, const char *cstr);
void out_add_bytes(struct out *out, const void *data, size_t size);
void out_addf(struct out *out, const char *format, ...) PRINTF_LIKE(2, 3);
/** Untrusted text: escapes what could act on a terminal. */
void out_add_visible(struct out *out, const char *cstr);
void out_flush(struct out *out);
/** The file can be created again: do not wait for the disk. */
void out_need_not_last(struct out *out);

/**
 * The buffer, for appending directly: a few lines at most, then call this
 * again. Borrowed until the next call.
 */
struct str *out_str(struct out *out);

/**
 * An output in memory; out_move() takes its contents. Free it with
 * out_abandon().
 */
struct out *out_memory(void);
/** Append the contents of @p from, an output in memory, and empty it. */
void out_move(struct out *out, struct out *from);

/**
 * Flush, rename into place, free. Returns the first failure since it was
 * opened, or NULL.
 */
MUST_CHECK struct error *out_close(struct out *out);

/** Free and discard the file; accepts NULL. */
void out_abandon(struct out *out);

#endif
