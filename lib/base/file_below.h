// SPDX-License-Identifier: MIT
/**
 * Reads files by untrusted paths inside of one directory: refuses symbolic
 * links, also in the path, and `..`.
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
 * @param path  Relative to it; a leading slash is ignored.
 * @param max  Max bytes; larger files are not read.
 * @return False, with nothing appended, if there is no such file, it is outside
 * of the directory, or cannot be read.
 */
MUST_CHECK bool file_read_below(int root, const char *path, size_t max,
                                struct str *out);

#endif
