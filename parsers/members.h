// SPDX-License-Identifier: MIT
/**
 * Reads the files in an archive of several: each is an input of its own, and
 * its reports name it (`member`).
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
 * Files of other kinds are skipped, as in a directory. An unreadable report
 * becomes a note of a readable one; so does, as a failure, a file that cannot
 * be decompressed or is itself an archive. If no file has a report, both are
 * notices of @p sink, and failures. If nothing can be read, the first file's
 * error is returned.
 *
 * @param limit_bytes  Max bytes to decompress, all files together, and as many
 *                     again for compressed files in them. At the limit, a note
 *                     counts the files not read.
 */
MUST_CHECK struct error *members_read(struct bytes in, size_t limit_bytes,
                                      member_read read, struct sink *sink);

#endif
