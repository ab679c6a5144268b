/**
 * The reports in a zip archive of several files: each file is an input of its
 * own, and its reports say which (`member`).
 */
#ifndef APMTOOL_PARSERS_ARCHIVE_H
#define APMTOOL_PARSERS_ARCHIVE_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/model/report.h"

/**
 * As parser_read(), for one file.
 *
 * @param left_bytes  May be unpacked of it; what was, also where that failed,
 *                    is to be taken off.
 */
typedef struct error *(*archive_read_file)(struct bytes in, size_t *left_bytes,
                                           struct arena *arena,
                                           struct report **ret);

/**
 * Read all files of @p in, a zip archive. What is no report is passed over, as
 * in a directory; a report that cannot be read is a note of one that can be. An
 * archive without any report is the error of its first file.
 *
 * @param limit_bytes  Of what is unpacked, all files together, and once more
 *                     what is packed in them. Where it is reached, a note
 *                     says how many files were not read.
 */
MUST_CHECK struct error *archive_read(struct bytes in, size_t limit_bytes,
                                      archive_read_file read,
                                      struct arena *arena, struct report **ret);

#endif
