// SPDX-License-Identifier: MIT
/**
 * Reads the bytes of an input, a file or a pipe, in pieces or at once; used for
 * all inputs of commands. Peeked bytes are returned by the next read.
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
 * or, to read a report as a whole,
 *
 *     err = source_open_all(&source, path, &bytes);
 *
 * A failure ends the input early and is kept until it is taken. A file that
 * becomes shorter during reading is a failure.
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
 * Packed samples may be decompressed to LIMIT_PACKED_SAMPLES and this many
 * times their packed size, whatever the caller allows: their packed bytes are
 * in memory, and do not predict the unpacked size.
 */
#define SOURCE_UNPACKED_TIMES 16

/** Zero-initialise before source_open(). */
struct source {
	const char *name;  ///< for messages: the path; borrowed
	int fd;            ///< 0: standard input
	struct str head;   ///< read ahead
	struct text whole; ///< all bytes, if decoded as a whole; else no data
	size_t used;       ///< bytes of whole or head that were returned
	bool ended;        ///< fd has no more bytes
	struct decoded decoded;
	struct error *failure;
	// Regular files, which must not become shorter:
	bool has_begun;
	struct file_stamp stamp; ///< before the first read
	uint64_t unread_bytes;   ///< expected until the end
	// Packed samples, which are decompressed while they are read:
	struct str packed; ///< all of it
	struct inflater *inflater;
	size_t unpacked_bytes; ///< so far
};

/** Open @p path; `-` is standard input. Release in any case. */
MUST_CHECK struct error *source_open(struct source *source, const char *path);
/** As source_open(), then decode and read all of it: for reports. */
MUST_CHECK struct error *source_open_all(struct source *source,
                                         const char *path, struct bytes *ret);
/** As source_open(), for bytes in memory, which must outlive it. */
void source_open_bytes(struct source *source, const char *name,
                       struct bytes in);
void source_release(struct source *source);

/**
 * Decode the input (parsers/input/decode.h) from its first byte. gzip data and
 * UTF-16 are read to the end first; other text stays a stream. So does
 * decompressed gzip data that may exceed the size of a report.
 *
 * @param limit_bytes  Max size of input that is decoded as a whole.
 */
MUST_CHECK struct error *source_decode(struct source *source,
                                       size_t limit_bytes);

/**
 * As source_decode(), if lines are answered as they arrive: waits for the first
 * line only.
 */
MUST_CHECK struct error *source_decode_lines(struct source *source,
                                             size_t limit_bytes);

/**
 * Size of the next of @p wanted bytes' reads, after @p size bytes: the first
 * read is 64 KB, so a short input needs little memory.
 */
size_t source_step(size_t size, size_t wanted);

/** Peek at up to @p size bytes; fewer only at the end. */
struct text source_peek(struct source *source, size_t size);

/**
 * Peek at available bytes, up to the first line end at least. Without a line
 * end: all of the input, or more than @p limit bytes.
 */
struct text source_peek_line(struct source *source, size_t limit);

/**
 * The reader that yields any of @p yields and recognises the first bytes,
 * decoded or not (parsers/reader.h). Consumes nothing.
 */
const struct reader *source_reader(struct source *source, unsigned yields);

/** Max decompressed size of packed samples. */
size_t source_unpacked_max(size_t packed_size);

/** Consume @p size peeked bytes. */
void source_skip(struct source *source, size_t size);

/** A json_pull_read: up to @p size bytes; 0 at the end or on failure. */
size_t source_read(void *source, char *buffer, size_t size);

/** Is there something to read within @p wait_ms? Also true at the end. */
bool source_has_more(struct source *source, int wait_ms);

/**
 * The rest in one piece, valid until the source is released; ERROR_LIMIT if it
 * is larger than a report may be.
 */
MUST_CHECK struct error *source_read_all(struct source *source,
                                         struct bytes *ret);

/** Free the bytes that source_read_all() returned. */
void source_forget(struct source *source);

/** Why reading ended early; or NULL. The caller owns it. */
struct error *source_take_error(struct source *source);

/**
 * Choose the error to print for an input that was not understood: a failure to
 * read, else @p err with the input's name, preceded by a fault of the gzip
 * data, which is decompressed to the end to find one.
 *
 * @param err  Taken; NULL gives NULL.
 * @return Owned by the caller.
 */
struct error *source_blame(struct source *source, struct error *err);

#endif
