// SPDX-License-Identifier: MIT
/**
 * Decodes the bytes of an input for the parsers: decompresses gzip data and a
 * zip archive of one file (lib/text/archive.h reads other archives), removes a
 * byte order mark, and converts UTF-16, with or without a mark, to UTF-8.
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
	struct bytes bytes;  ///< part of the input, or owned
	bool had_mark;       ///< a byte order mark: this is text
	const char *packing; ///< "gzip" or "zip"; NULL: was not compressed
	bool is_archive;     ///< tar, or zip of several files: not decoded here
	/** How the text was converted, a constant; NULL: not at all. */
	const char *note;
	/** Bytes decompressed and converted, even if that failed. */
	size_t made_bytes;
	const char *fault; ///< why decompression ended early; or NULL
	/** the data is complete, and @c fault concerns bytes after it */
	bool is_whole;
	struct gzip gzip;
	struct arena arena;
};

/** Enough bytes to see the encoding: a block of a tar archive. */
#define DECODE_HEAD_BYTES 512

/** Does decoding need the whole input? */
bool decode_needs_all(struct bytes head);

/**
 * Decode an input.
 *
 * @param limit_bytes  ERROR_LIMIT if the data decompresses to more.
 * @param ret          May point into @p in, which must outlive it.
 */
MUST_CHECK struct error *decode(struct bytes in, size_t limit_bytes,
                                struct decoded *ret);

/**
 * ERROR_UNSUPPORTED if decompressed gzip data, which begins with @p head, is
 * compressed again; else NULL.
 */
MUST_CHECK struct error *decode_refuse_packed(struct bytes head);

/**
 * Turn ERROR_UNSUPPORTED into ERROR_FORMAT: compressed data may contain a
 * report, so commands must not skip it as a file of another kind.
 *
 * @param err  Taken.
 */
struct error *decode_failure(struct error *err);

void decoded_release(struct decoded *decoded);

#endif
