// SPDX-License-Identifier: MIT
/**
 * Reads the files in an archive with several: each is an input of its own, and
 * `member` of its reports is its path in the archive.
 */
#ifndef APMTOOL_PARSERS_MEMBERS_H
#define APMTOOL_PARSERS_MEMBERS_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "parsers/reader.h"

#include <stddef.h>

/**
 * As read_input(), for one file.
 *
 * @param left_bytes  Max bytes to decompress; reduced by what was decompressed,
 *                    also on failure.
 */
typedef struct error *(*member_read)(struct bytes in, size_t *left_bytes,
                                     struct sink *sink);

/**
 * Read all files of @p in, a zip or tar archive, each into a sink that names
 * it.
 *
 * Files of other kinds are skipped, as in a directory. Two kinds of files
 * cannot be read: damaged reports, and files that cannot be decompressed or are
 * archives themselves. Each becomes a note of a report that was read; the
 * second kind also counts as a failure. If no report was read, all are notices
 * of @p sink, and failures. If nothing at all was read, the first file's error
 * is returned.
 *
 * @param limit_bytes  Max bytes to decompress, all files together, and as many
 *                     again for compressed files in them. At the limit, a note
 *                     counts the files not read.
 */
MUST_CHECK struct error *members_read(struct bytes in, size_t limit_bytes,
                                      member_read read, struct sink *sink);

#endif
