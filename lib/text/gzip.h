// SPDX-License-Identifier: MIT
/**
 * Packing gzip data, and unpacking it, and what zip archives hold, in memory;
 * the one door to zlib.
 *
 * What devices and servers leave behind may end early or be damaged: what was
 * unpacked before that is kept. Small data can unpack to a great deal, so
 * there are limits.
 *
 *     SCOPED(gzip_release) struct gzip gzip = { 0 };
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

/** Beyond this size, LIMIT_GZIP_RATIO counts. */
#define GZIP_RATIO_FREE_BYTES ((size_t)1 << 20)

/** What was unpacked. All zeros before gzip_inflate(). */
struct gzip {
	struct bytes bytes; ///< on the heap
	/** So much was unpacked, also where that failed in the end. */
	size_t made_bytes;
	/** What ended it before its time, a constant; NULL: nothing. */
	const char *fault;
	/** All of it was unpacked: the fault is what follows it. */
	bool is_whole;
};

/** Is this gzip data, by its first bytes? */
bool gzip_is(struct bytes in);

/**
 * Unpack all members of @p in, one after the other. Zeros may follow the last,
 * as padding; anything else is a fault.
 *
 * @param limit_bytes  More is ERROR_LIMIT, as is a ratio above
 *                     LIMIT_GZIP_RATIO.
 * @return ERROR_FORMAT where nothing at all can be unpacked.
 */
MUST_CHECK struct error *gzip_inflate(struct bytes in, size_t limit_bytes,
                                      struct gzip *ret);

/** The same of raw deflate data, as zip archives hold it (zip.h). */
MUST_CHECK struct error *deflate_inflate(struct bytes in, size_t limit_bytes,
                                         struct gzip *ret);

void gzip_release(struct gzip *gzip);

/** Data that is unpacked piece by piece, where not all of it is needed. */
struct inflater;

/** Of gzip data, or of raw deflate data; @p in is borrowed. */
struct inflater *inflater_new_gzip(struct bytes in);
struct inflater *inflater_new_deflate(struct bytes in);
/** NULL is fine. */
void inflater_free(struct inflater *inflater);

/**
 * Unpack the next @p size bytes, fewer at the end.
 *
 * @return ERROR_FORMAT where the data is damaged or truncated, or something
 *         else follows gzip data; @p ret_size is set then, too.
 */
MUST_CHECK struct error *inflater_read(struct inflater *inflater, void *buffer,
                                       size_t size, size_t *ret_size);

/**
 * After an error: is what was unpacked before it not to be relied on either?
 * Of truncated data it is. The checksum of gzip data lies at its end.
 */
bool inflater_is_damaged(const struct inflater *inflater);

/**
 * For whoever unpacks piece by piece: an ERROR_LIMIT where @p size bytes are
 * more than LIMIT_GZIP_RATIO allows of so many packed ones.
 */
MUST_CHECK struct error *gzip_check_growth(size_t size, size_t packed_size);

/** Pack @p in as one member, without a name or a time: all of @p out. */
void gzip_write(struct bytes in, struct out *out);
/** The same, appended to @p ret. */
void gzip_pack(struct bytes in, struct str *ret);

/** The checksum of gzip and zip, CRC-32. */
uint32_t gzip_crc(struct bytes in);

/** The version of zlib, `1.2.13`, for `apmtool doctor`. */
const char *gzip_library_version(void);

#endif
