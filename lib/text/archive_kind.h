// SPDX-License-Identifier: MIT
/** Recognizes archives by their first bytes, and paths into archives. */
#ifndef APMTOOL_LIB_TEXT_ARCHIVE_KIND_H
#define APMTOOL_LIB_TEXT_ARCHIVE_KIND_H

#include "lib/base/cursor.h"

#include <stdbool.h>
#include <stddef.h>

/** Bytes needed to recognize an archive. */
#define ARCHIVE_HEAD_BYTES 4096

/** Is this the head (ARCHIVE_HEAD_BYTES) of an archive? */
bool archive_is(struct bytes head);

/**
 * The name of a compressed format that apmtool does not read, by its head.
 *
 * @return A constant, `xz data`; NULL for other data.
 */
const char *archive_unread_name(struct bytes head);

/** Length of the archive's part of @p path; 0 if it does not lead into one. */
size_t archive_path_length(const char *path);

#endif
