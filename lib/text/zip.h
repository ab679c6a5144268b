// SPDX-License-Identifier: MIT
/**
 * Zip archives in memory: the list of their files, and each file unpacked.
 *
 * Read is what archivers write: files that are stored or deflated, in one
 * volume; lists of the larger format (zip64) where their sizes need it. An
 * encrypted file or one of another method is an error that says so.
 *
 *     SCOPED(zip_release) struct zip zip = { 0 };
 *
 *     if ((err = zip_open(in, &zip)))
 *             return err;
 *     for (size_t i = 0; i < zip.count; i++) {
 *             SCOPED(gzip_release) struct gzip unpacked = { 0 };
 *
 *             if ((err = zip_unpack(&zip, i, limit_bytes, &unpacked)))
 *                     …
 *     }
 *
 * Small archives can unpack to a great deal: callers that unpack several files
 * have to limit the sum. Files that share bytes, of which bombs are made that
 * need no second level, are errors (CVE-2019-13232).
 */
#ifndef APMTOOL_LIB_TEXT_ZIP_H
#define APMTOOL_LIB_TEXT_ZIP_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/text/gzip.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zip_file {
	struct text name; ///< path in the archive, any bytes; borrowed
	unsigned method;
	bool encrypted;
	uint32_t crc;
	uint64_t packed_bytes;
	uint64_t size_bytes; ///< unpacked, as the archive says
	uint64_t offset;     ///< of its local header
	bool overlaps;       ///< shares bytes with another: not unpacked
};

/** All zeros before zip_open(). */
struct zip {
	struct bytes in; ///< borrowed
	struct zip_file *files;
	size_t count;
	size_t cap;
};

/** Is this a zip archive, by its first bytes? */
bool zip_is(struct bytes in);

/**
 * Read the list at the end of @p in, which has to outlive @p ret. Directories
 * are left out, and what macOS adds to each file (`__MACOSX/`, `.DS_Store`).
 */
MUST_CHECK struct error *zip_open(struct bytes in, struct zip *ret);

void zip_release(struct zip *zip);

/**
 * Begin to unpack a file piece by piece. Its checksum is not looked at.
 *
 * @param ret         NULL where it is stored as it is: @p ret_stored then.
 * @param ret_stored  Borrowed from what the archive was opened on.
 */
MUST_CHECK struct error *zip_start(const struct zip *zip, size_t index,
                                   struct inflater **ret,
                                   struct bytes *ret_stored);

/**
 * Unpack a file; what came before damage is kept, as by gzip_inflate().
 *
 * @param limit_bytes  More is ERROR_LIMIT, as is a ratio above
 *                     LIMIT_GZIP_RATIO.
 */
MUST_CHECK struct error *zip_unpack(const struct zip *zip, size_t index,
                                    size_t limit_bytes, struct gzip *ret);

#endif
