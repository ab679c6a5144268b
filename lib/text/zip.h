// SPDX-License-Identifier: MIT
/**
 * Zip archives in memory: the list of files, and their contents.
 *
 * Supports what archivers write: stored or deflated files, one volume, zip64
 * lists. An encrypted file, or another method, is an error.
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
 * Small archives can decompress to a lot: callers must limit the sum over all
 * files. Files that share bytes, as in non-recursive zip bombs, are errors
 * (CVE-2019-13232).
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
	uint64_t size_bytes; ///< decompressed, according to the archive
	uint64_t offset;     ///< of its local header
	bool overlaps;       ///< shares bytes with another file: refused
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
 * Read the list at the end of @p in, which must outlive @p ret. Omits
 * directories and files added by macOS (`__MACOSX/`, `.DS_Store`).
 */
MUST_CHECK struct error *zip_open(struct bytes in, struct zip *ret);

void zip_release(struct zip *zip);

/**
 * Begin to decompress a file piece by piece. Its checksum is not checked.
 *
 * @param ret         NULL for a stored file, which is in @p ret_stored.
 * @param ret_stored  Borrowed from the archive.
 */
MUST_CHECK struct error *zip_start(const struct zip *zip, size_t index,
                                   struct inflater **ret,
                                   struct bytes *ret_stored);

/**
 * Decompress a file; data before damage is kept, as in gzip_inflate().
 *
 * @param limit_bytes  More is ERROR_LIMIT, and so is a ratio above
 *                     LIMIT_GZIP_RATIO.
 */
MUST_CHECK struct error *zip_unpack(const struct zip *zip, size_t index,
                                    size_t limit_bytes, struct gzip *ret);

#endif
