// SPDX-License-Identifier: MIT
/**
 * The files in an archive of several: each is an input of its own, and its
 * reports say which file they are of (`member`).
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
 * @param left_bytes  May be unpacked of it; what was, also where that failed,
 *                    is to be taken off.
 */
typedef struct error *(*member_read)(struct bytes in, size_t *left_bytes,
                                     struct sink *sink);

/**
 * Read all files of @p in, a zip or tar archive, each into a sink that names
 * it.
 *
 * Other files are passed over, as in a directory. A report that cannot be read
 * becomes a note of one that can; so does a file that cannot be unpacked, or is
 * an archive itself, as a failure. Where no file has a report, both are notices
 * of @p sink, and failures. If nothing at all is read, that is the error of the
 * first file.
 *
 * @param limit_bytes  Of what is unpacked, all files together, and once more
 *                     what is packed in them. Where it is reached, a note
 *                     says how many files were not read.
 */
MUST_CHECK struct error *members_read(struct bytes in, size_t limit_bytes,
                                      member_read read, struct sink *sink);

#endif
