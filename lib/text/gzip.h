// SPDX-License-Identifier: MIT
/**
 * Compresses gzip data, and decompresses it and the deflate data of zip
 * archives, in memory. The only user of zlib.
 *
 * Data from devices and servers may be truncated or damaged: bytes before the
 * fault are kept. Limits guard against small data that decompresses to a lot.
 *
 *     SCOPED(gzip_release) struct gzip gzip = { 0 };
 *
 *     if ((err = gzip_inflate(in, limit_get(LIMIT_UNPACKED), &gzip)))
 *             return err;
 */
#ifndef APMTOOL_LIB_TEXT_GZIP_H
#define APMTOOL_LIB_TEXT_GZIP_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** LIMIT_GZIP_RATIO applies above this size. */
#define GZIP_RATIO_FREE_BYTES ((size_t)1 << 20)

/** Decompressed data. All zeros before gzip_inflate(). */
struct gzip {
	struct bytes bytes; ///< on the heap
	/** Bytes decompressed, also on failure. */
	size_t made_bytes;
	/** Why it ended early, a constant; or NULL. */
	const char *fault;
	/** The data is complete, and @c fault concerns bytes after it. */
	bool is_whole;
};

/** Is this gzip data, by its first bytes? */
bool gzip_is(struct bytes in);

/**
 * Decompress all members of @p in. Zeros after the last are padding; other
 * bytes are a fault.
 *
 * @param limit_bytes  More is ERROR_LIMIT, and so is a ratio above
 *                     LIMIT_GZIP_RATIO.
 * @return ERROR_FORMAT if nothing can be decompressed.
 */
MUST_CHECK struct error *gzip_inflate(struct bytes in, size_t limit_bytes,
                                      struct gzip *ret);

/** As gzip_inflate() for raw deflate data, as in zip archives (zip.h). */
MUST_CHECK struct error *deflate_inflate(struct bytes in, size_t limit_bytes,
                                         struct gzip *ret);

void gzip_release(struct gzip *gzip);

/** Decompresses piece by piece, for callers that need only a part. */
struct inflater;

/** For gzip data, or raw deflate data; @p in is borrowed. */
struct inflater *inflater_new_gzip(struct bytes in);
struct inflater *inflater_new_deflate(struct bytes in);
/** Accepts NULL. */
void inflater_free(struct inflater *inflater);

/**
 * Decompress the next @p size bytes; fewer at the end.
 *
 * @return ERROR_FORMAT for damaged or truncated data, or other bytes after gzip
 * data; @p ret_size is set in any case.
 */
MUST_CHECK struct error *inflater_read(struct inflater *inflater, void *buffer,
                                       size_t size, size_t *ret_size);

/**
 * After an error: is data before it unreliable, too? It is not if the input was
 * truncated. The checksum of gzip data is at its end.
 */
bool inflater_is_damaged(const struct inflater *inflater);

/**
 * ERROR_LIMIT if @p size bytes from @p packed_size exceed LIMIT_GZIP_RATIO, for
 * callers that decompress piece by piece.
 */
MUST_CHECK struct error *gzip_check_growth(size_t size, size_t packed_size);

/** Write @p in as a single member, without name and time. */
void gzip_write(struct bytes in, struct out *out);
/** As gzip_write(), appending to @p ret. */
void gzip_pack(struct bytes in, struct str *ret);

/** CRC-32, the checksum of gzip and zip. */
uint32_t gzip_crc(struct bytes in);

/** The version of zlib, `1.2.13`, for `apmtool doctor`. */
const char *gzip_library_version(void);

#endif
