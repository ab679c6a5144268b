// SPDX-License-Identifier: MIT
/**
 * Reads archives in memory, file by file: zip (an .ipa, an .xcarchive.zip),
 * tar, and tar in gzip data (.tar.gz, .tgz). The bytes decide which it is.
 *
 *     budget = archive_budget(LIMIT_UNPACKED, limit_get(LIMIT_UNPACKED));
 *     err = archive_walk_bytes(in, &budget, visit, context);
 *
 * A visitor reads parts of a file with archive_peek(), or decompresses it with
 * archive_unpack(). Archives inside of archives are not opened.
 *
 * The path of a file in an archive is the archive's path, a slash, and the name
 * inside: `App.zip/dSYMs/App.dSYM/Contents/Resources/DWARF/App`.
 *
 * A walk has a budget for decompressed bytes; beyond it is ERROR_LIMIT. For
 * symbols it is LIMIT_ARCHIVE_SYMBOLS and ARCHIVE_RATIO times the archive's
 * size. Skipping files of a compressed tar archive means decompressing them,
 * which counts against the limit of symbols in every case.
 */
#ifndef APMTOOL_LIB_TEXT_ARCHIVE_H
#define APMTOOL_LIB_TEXT_ARCHIVE_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/text.h"
#include "lib/text/archive_kind.h"
#include "lib/text/gzip.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Debug information compresses to a fifth, text to a tenth. */
#define ARCHIVE_RATIO 16
/** Max bytes of the path of a file in an archive. */
#define ARCHIVE_NAME_MAX 256

/** Budget for all files of an archive together. */
struct archive_budget {
	enum limit_id limit; ///< origin of @c limit_bytes
	size_t limit_bytes;
	uint64_t left_bytes; ///< may still be decompressed
	size_t too_large;    ///< files that exceeded the rest
	bool is_tar;         ///< it is a tar archive; set by the walk
};

static inline struct archive_budget archive_budget(enum limit_id limit,
                                                   size_t limit_bytes)
{
	return (struct archive_budget){ .limit = limit,
		                        .limit_bytes = limit_bytes,
		                        .left_bytes = limit_bytes };
}

/** The budget for debug information in an archive of this size. */
struct archive_budget archive_symbols_budget(size_t packed_size);

/** A file in an archive, while it is visited. */
struct archive_file {
	struct text name;    ///< borrowed
	uint64_t size_bytes; ///< according to the archive
	size_t index;        ///< in a zip archive, from 0
	size_t count;        ///< files in the archive; of tar, so far
	struct archive_reading *reading;
};

typedef struct error *(*archive_visit)(struct archive_file *file,
                                       void *context);

/** Visit all files of an archive in order; an error ends the walk. */
MUST_CHECK struct error *archive_walk_bytes(struct bytes in,
                                            struct archive_budget *budget,
                                            archive_visit visit, void *context);
/** As archive_walk_bytes() for a file, with the budget of symbols. */
MUST_CHECK struct error *archive_walk(const char *path, archive_visit visit,
                                      void *context);

/**
 * The path of a file in the archive. It is truncated to ARCHIVE_NAME_MAX bytes,
 * with the file's number at the end: a zip archive of 1 MB can have 400,000
 * reports with paths of 64 kB, which every message repeats.
 */
const char *archive_file_name(const struct archive_file *file,
                              struct arena *arena);

/** `zip` or `tar`, after the walk. */
static inline const char *archive_kind_name(const struct archive_budget *budget)
{
	return budget->is_tar ? "tar" : "zip";
}

/**
 * Decompress a file; data before damage is kept, as in gzip_inflate(). Refuses
 * a file that is itself an archive, after decompressing it.
 */
MUST_CHECK struct error *archive_unpack(struct archive_file *file,
                                        struct gzip *ret);

/**
 * Count a file of a zip archive that exceeds the budget, for callers that
 * decompress its contents themselves.
 *
 * @return A new ERROR_LIMIT.
 */
struct error *archive_refuse_large(struct archive_budget *budget);

/**
 * Read up to @p size bytes at @p offset of the visited file. Data before is
 * decompressed and dropped: offsets must ascend, except within the bytes of the
 * last call.
 */
MUST_CHECK struct error *archive_peek(struct archive_file *file,
                                      uint64_t offset, void *buffer,
                                      size_t size, size_t *ret_size);

/**
 * As file_map(), also for a file in an archive, which is decompressed and has
 * the stamp of the archive. Damage anywhere in gzip data is an error, since it
 * has one checksum; files before a truncated end can be read.
 */
MUST_CHECK struct error *archive_map(const char *path, struct file_data *ret);

#endif
