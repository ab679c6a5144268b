// SPDX-License-Identifier: MIT
/**
 * Reading files by paths that are not trusted, only from below one directory:
 * no link is followed, neither to a file nor to a directory, and no `..`.
 */
#ifndef APMTOOL_LIB_BASE_FILE_BELOW_H
#define APMTOOL_LIB_BASE_FILE_BELOW_H

#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Append the contents of a regular file.
 *
 * @param root  Descriptor of the directory.
 * @param path  Relative to it; a slash at its beginning does not matter.
 * @param most  Bytes; a larger file is not read.
 * @return False, with nothing appended, where there is no such file, it is not
 *         below the directory, or cannot be read.
 */
MUST_CHECK bool file_read_below(int root, const char *path, size_t most,
                                struct str *out);

#endif
