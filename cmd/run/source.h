// SPDX-License-Identifier: MIT
/**
 * The bytes of one input, a file or a pipe, read piece by piece or all at once:
 * the one way in of all that commands read. What was looked at is given again.
 *
 *     SCOPED(source_release) struct source source = { 0 };
 *
 *     if ((err = source_open(&source, path)))
 *             return err;
 *     head = source_peek(&source, HEAD_BYTES);
 *     …
 *     while ((got = source_read(&source, buffer, sizeof(buffer))))
 *             …
 *     return source_take_error(&source);
 *
 * or, where a report is read as a whole,
 *
 *     err = source_open_all(&source, path, &bytes);
 *
 * A failure ends the input early, and is remembered until it is taken. So does
 * a file that becomes shorter while it is read.
 */
#ifndef APMTOOL_CMD_RUN_SOURCE_H
#define APMTOOL_CMD_RUN_SOURCE_H

#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "parsers/input/decode.h"
#include "parsers/reader.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Samples may be unpacked to LIMIT_PACKED_SAMPLES and this many times their
 * packed size, whatever the caller allows: all of it is in memory, and the
 * packed size says little of how much that is.
 */
#define SOURCE_UNPACKED_TIMES 16

/** All zeros before source_open(). */
struct source {
	const char *name;  ///< for messages: the path; borrowed
	int fd;            ///< 0: standard input
	struct str head;   ///< read, but not yet given
	struct text whole; ///< all bytes, decoded as one; else no data
	size_t used;       ///< of the whole, or of the head
	bool ended;        ///< nothing is left to be read from fd
	struct decoded decoded;
	struct error *failure;
	// Of a regular file, whose end is not to come nearer:
	bool has_begun;
	struct file_stamp stamp; ///< before anything was read
	uint64_t unread_bytes;   ///< that are to come by then
	// Of packed samples, which are unpacked as they are read:
	struct str packed; ///< all of it
	struct inflater *inflater;
	size_t unpacked_bytes; ///< so far
};

/** Open @p path; `-` is standard input. Release in any case. */
MUST_CHECK struct error *source_open(struct source *source, const char *path);
/** As source_open(), decode and read all of it: the bytes of a report. */
MUST_CHECK struct error *source_open_all(struct source *source,
                                         const char *path, struct bytes *ret);
/** As source_open(), of bytes that are there, and outlive it. */
void source_open_bytes(struct source *source, const char *name,
                       struct bytes in);
void source_release(struct source *source);

/**
 * Decode what comes (parsers/input/decode.h), from its first byte on. gzip data
 * and UTF-16 are read to their end for that; other text stays a stream. So does
 * what gzip data unpacks to, where it may be larger than a report.
 *
 * @param limit_bytes  What has to be decoded as a whole may not be larger.
 */
MUST_CHECK struct error *source_decode(struct source *source,
                                       size_t limit_bytes);

/**
 * As source_decode(), where lines are answered as they come: no more is waited
 * for than the first one.
 */
MUST_CHECK struct error *source_decode_lines(struct source *source,
                                             size_t limit_bytes);

/**
 * How many of @p wanted bytes to read next, where @p size have come so far: the
 * first 64 KB alone, for a short input needs no room for a long one.
 */
size_t source_step(size_t size, size_t wanted);

/** See up to @p size bytes without using them up; fewer at the end only. */
struct text source_peek(struct source *source, size_t size);

/**
 * See what is there up to the first line end, and perhaps more, but wait for
 * no more. Without a line end: all of the input, or more than @p limit bytes.
 */
struct text source_peek_line(struct source *source, size_t limit);

/**
 * Which reader yields any of @p yields and knows what comes by its very first
 * bytes, decoded or not (parsers/reader.h). Nothing is used up.
 */
const struct reader *source_reader(struct source *source, unsigned yields);

/** What packed samples of so many bytes may be unpacked to. */
size_t source_unpacked_most(size_t packed_size);

/** Use up @p size bytes of what was peeked at. */
void source_skip(struct source *source, size_t size);

/** As json_pull_read: up to @p size bytes; 0 at the end or at a failure. */
size_t source_read(void *source, char *buffer, size_t size);

/**
 * Is there something to read, at once or within @p wait_ms? True at the end,
 * too: nothing is worth waiting for.
 */
bool source_has_more(struct source *source, int wait_ms);

/**
 * All that is left, in one piece, until the source is released; ERROR_LIMIT
 * where a report cannot be as large.
 */
MUST_CHECK struct error *source_read_all(struct source *source,
                                         struct bytes *ret);

/** Free what source_read_all() has returned. */
void source_forget(struct source *source);

/** Why reading ended before the input did; NULL; the caller owns it. */
struct error *source_take_error(struct source *source);

/**
 * The error to print where the input could not be understood: that reading it
 * failed, else @p err with the input's name, and before it what is wrong with
 * gzip data, which is unpacked to its end to find that out.
 *
 * @param err  Taken; NULL gives NULL.
 * @return The caller's.
 */
struct error *source_blame(struct source *source, struct error *err);

#endif
