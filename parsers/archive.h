/**
 * The reports in a zip archive of several files: each file is an input of its
 * own, and its reports say which (`member`).
 */
#ifndef APMTOOL_PARSERS_ARCHIVE_H
#define APMTOOL_PARSERS_ARCHIVE_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/limit.h"
#include "lib/text/gzip.h"
#include "lib/text/zip.h"
#include "parsers/reader.h"

#include <stdbool.h>
#include <stddef.h>

/** So much is kept of the path of a file in an archive. */
#define ARCHIVE_NAME_MAX 256

/**
 * The files of an archive, which share what may be unpacked. All zeros but the
 * limit before archive_files_open().
 */
struct archive_files {
	struct zip zip;
	enum limit_id limit; ///< the one that @p limit_bytes comes from
	size_t limit_bytes;
	size_t left_bytes; ///< that may still be unpacked
	size_t too_large;  ///< files that were, for what was left
};

/** @param in  A zip archive; it has to outlive @p files. */
MUST_CHECK struct error *archive_files_open(struct bytes in,
                                            struct archive_files *files);

/**
 * What a file is called: its path in the archive. A zip archive of 1 MB can
 * hold 400,000 reports, each of which repeats it, and a path of 64 kB: a long
 * one is truncated to ARCHIVE_NAME_MAX bytes, with its number at the end.
 */
const char *archive_file_name(const struct archive_files *files, size_t index,
                              struct arena *arena);

/** Unpack a file; one that is an archive itself is refused. */
MUST_CHECK struct error *archive_files_unpack(struct archive_files *files,
                                              size_t index, struct gzip *ret);

/**
 * Count a file for which too little was left, as archive_files_unpack() does,
 * for whoever unpacks what is in it.
 *
 * @return A new ERROR_LIMIT.
 */
struct error *archive_files_refuse_large(struct archive_files *files);

void archive_files_release(struct archive_files *files);

/**
 * As read_input(), for one file.
 *
 * @param left_bytes  May be unpacked of it; what was, also where that failed,
 *                    is to be taken off.
 */
typedef struct error *(*archive_read_file)(struct bytes in, size_t *left_bytes,
                                           struct sink *sink);

/**
 * Read all files of @p in, a zip archive. What is not taken is passed over, as
 * in a directory; a report that cannot be read is a note of one that can be,
 * and a file that cannot be unpacked, or is an archive itself, is a failure
 * noted there. An archive of which nothing is read is the error of its first
 * file.
 *
 * @param limit_bytes  Of what is unpacked, all files together, and once more
 *                     what is packed in them. Where it is reached, a note
 *                     says how many files were not read.
 */
MUST_CHECK struct error *archive_read(struct bytes in, size_t limit_bytes,
                                      archive_read_file read,
                                      struct sink *sink);

#endif
