// SPDX-License-Identifier: MIT
/**
 * Archives in memory, file by file: zip (an .ipa, an .xcarchive.zip), tar, and
 * tar in gzip data (.tar.gz, .tgz). The bytes decide which it is.
 *
 *     budget = archive_budget(LIMIT_UNPACKED, limit_get(LIMIT_UNPACKED));
 *     err = archive_walk_bytes(in, &budget, visit, context);
 *
 * A visitor looks into a file with archive_peek(), or unpacks all of it with
 * archive_unpack(). Archives inside archives are not looked into.
 *
 * A file in an archive has a path: that of the archive, a slash, and its name
 * there, `App.zip/dSYMs/App.dSYM/Contents/Resources/DWARF/App`.
 *
 * Small archives can unpack to a great deal. So there is a budget for all that
 * is unpacked in one walk; more is ERROR_LIMIT. Of symbols, it is
 * LIMIT_ARCHIVE_SYMBOLS and ARCHIVE_RATIO times what is packed. To pass over
 * files of a packed tar archive they have to be unpacked as well: where the
 * budget is of something else, that has the limit of symbols.
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

/** Debug information is packed to a fifth of its size, text to a tenth. */
#define ARCHIVE_RATIO 16
/** So much is kept of the path of a file in an archive. */
#define ARCHIVE_NAME_MAX 256

/** What the files of an archive may be unpacked to, all together. */
struct archive_budget {
	enum limit_id limit; ///< that @c limit_bytes comes from
	size_t limit_bytes;
	uint64_t left_bytes; ///< that may still be unpacked
	size_t too_large;    ///< files that were, for what was left
	bool is_tar;         ///< of a tar archive; set by the walk
};

static inline struct archive_budget archive_budget(enum limit_id limit,
                                                   size_t limit_bytes)
{
	return (struct archive_budget){ .limit = limit,
		                        .limit_bytes = limit_bytes,
		                        .left_bytes = limit_bytes };
}

/** Of the debug information in an archive of so many bytes. */
struct archive_budget archive_symbols_budget(size_t packed_size);

/** A file in an archive, while it is visited. */
struct archive_file {
	struct text name;    ///< borrowed
	uint64_t size_bytes; ///< as the archive says
	size_t index;        ///< in a zip archive, from 0
	size_t count;        ///< of its files; in a tar archive, so far
	struct archive_reading *reading;
};

typedef struct error *(*archive_visit)(struct archive_file *file,
                                       void *context);

/** Visit all files of an archive, in their order there; an error ends it. */
MUST_CHECK struct error *archive_walk_bytes(struct bytes in,
                                            struct archive_budget *budget,
                                            archive_visit visit, void *context);
/** The same of a file, with the budget of symbols. */
MUST_CHECK struct error *archive_walk(const char *path, archive_visit visit,
                                      void *context);

/**
 * What a file is called: its path in the archive. A zip archive of 1 MB can
 * hold 400,000 reports, each of which repeats it, and a path of 64 kB: a long
 * one is truncated to ARCHIVE_NAME_MAX bytes, with its number at the end.
 */
const char *archive_file_name(const struct archive_file *file,
                              struct arena *arena);

/** `zip` or `tar`: what was walked with this budget. */
static inline const char *archive_kind_name(const struct archive_budget *budget)
{
	return budget->is_tar ? "tar" : "zip";
}

/**
 * Unpack all of a file; what came before damage is kept, as by gzip_inflate().
 * A file that is an archive itself is refused, but unpacked.
 */
MUST_CHECK struct error *archive_unpack(struct archive_file *file,
                                        struct gzip *ret);

/**
 * Count a file of a zip archive for which too little was left, as
 * archive_unpack() does, for callers that unpack what is in it.
 *
 * @return A new ERROR_LIMIT.
 */
struct error *archive_refuse_large(struct archive_budget *budget);

/**
 * Read at most @p size bytes at @p offset of the file that is visited. What is
 * before them is unpacked and dropped: offsets ascend, but for what overlaps
 * the bytes of the last call.
 */
MUST_CHECK struct error *archive_peek(struct archive_file *file,
                                      uint64_t offset, void *buffer,
                                      size_t size, size_t *ret_size);

/**
 * As file_map(), also of a file in an archive: it is unpacked, and its stamp is
 * that of the archive. Damage anywhere in gzip data is an error, as it has one
 * checksum; where it is truncated, the files before that can be read.
 */
MUST_CHECK struct error *archive_map(const char *path, struct file_data *ret);

#endif
