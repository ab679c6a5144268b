// SPDX-License-Identifier: MIT
/**
 * What is an archive, by its first bytes, and which paths lead into one.
 */
#ifndef APMTOOL_LIB_TEXT_ARCHIVE_KIND_H
#define APMTOOL_LIB_TEXT_ARCHIVE_KIND_H

#include "lib/base/cursor.h"

#include <stdbool.h>
#include <stddef.h>

/** So many bytes of a file say whether it is an archive. */
#define ARCHIVE_HEAD_BYTES 4096

/** Is this the head of an archive? Of a file without an end:
 * ARCHIVE_HEAD_BYTES.
 */
bool archive_is(struct bytes head);

/**
 * Is this the head of data that is packed in a way that apmtool does not read?
 *
 * @return What it is, a constant: `xz data`; NULL: it is something else.
 */
const char *archive_unread_name(struct bytes head);

/**
 * How much of @p path is that of the archive, where it names a file in one;
 * 0: it does not.
 */
size_t archive_path_length(const char *path);

#endif
