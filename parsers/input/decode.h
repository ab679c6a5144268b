// SPDX-License-Identifier: MIT
/**
 * From the bytes of an input to those that parsers read: gzip data and a zip
 * archive of one file are unpacked (other archives are lib/text/archive.h's), a
 * byte order mark is taken away, and UTF-16, with a mark or without, becomes
 * UTF-8.
 *
 *     SCOPED(decoded_release) struct decoded decoded = { 0 };
 *
 *     if ((err = decode(in, limit_get(LIMIT_UNPACKED), &decoded)))
 *             return err;
 */
#ifndef APMTOOL_PARSERS_INPUT_DECODE_H
#define APMTOOL_PARSERS_INPUT_DECODE_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/text/gzip.h"

#include <stdbool.h>
#include <stddef.h>

/** All zeros before decode(). */
struct decoded {
	struct bytes bytes;  ///< part of the input, or held below
	bool had_mark;       ///< a byte order mark: this is text
	const char *packing; ///< it was unpacked: "gzip" or "zip"; else NULL
	bool is_archive;     ///< still is one, zip of several files or tar
	/** How text was changed, a constant; NULL: not, or only its mark. */
	const char *note;
	/** All that was unpacked and transcoded, also where that failed. */
	size_t made_bytes;
	const char *fault; ///< why packed data ended early; NULL: it did not
	bool is_whole;     ///< it did not: the fault is what follows it
	struct gzip gzip;
	struct arena arena;
};

/** So many bytes of an input say how it is decoded: a block of a tar archive.
 */
#define DECODE_HEAD_BYTES 512

/** Must all of an input be there before it can be decoded? */
bool decode_needs_all(struct bytes head);

/**
 * Decode all of an input.
 *
 * @param limit_bytes  Packed data that unpacks to more is ERROR_LIMIT.
 * @param ret          May point into @p in, which then has to outlive it.
 */
MUST_CHECK struct error *decode(struct bytes in, size_t limit_bytes,
                                struct decoded *ret);

/**
 * An ERROR_UNSUPPORTED where gzip data, which begins with @p head when it is
 * unpacked, is packed once more; else NULL.
 */
MUST_CHECK struct error *decode_refuse_packed(struct bytes head);

/**
 * Make a failed unpacking an ERROR_FORMAT. What is packed is unknown, so it may
 * not be passed over as a file of another kind, as ERROR_UNSUPPORTED is.
 *
 * @param err  Taken.
 * @return @p err, or an ERROR_FORMAT in place of ERROR_UNSUPPORTED.
 */
struct error *decode_failure(struct error *err);

void decoded_release(struct decoded *decoded);

#endif
