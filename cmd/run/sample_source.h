/**
 * An input that is read piece by piece: a file, a pipe, or bytes that were
 * unpacked. What has been looked at to tell its form is given again.
 *
 * What is given has no byte order mark: UTF-16, which is told by one, becomes
 * UTF-8.
 */
#ifndef APMTOOL_CMD_RUN_SAMPLE_SOURCE_H
#define APMTOOL_CMD_RUN_SAMPLE_SOURCE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/text/gzip.h"

#include <stdbool.h>
#include <stddef.h>

/** All zeros before sample_source_open(). */
struct sample_source {
	const char *path;
	int fd;          ///< 0: standard input, unless `unpacked` is used
	struct str head; ///< read, but not yet given
	size_t used;     ///< of the head, or of the whole
	bool ended;
	bool opened; ///< it is known how the bytes are packed and encoded
	struct gzip unpacked;
	struct arena decoded;  ///< from UTF-16
	struct text whole;     ///< all bytes, in one of these; NULL: in neither
	const char *note;      ///< what was done to it; NULL: nothing to tell
	struct error *failure; ///< of reading; then it ended
};

/** Open @p path; `-` is standard input. Release in any case. */
MUST_CHECK struct error *sample_source_open(struct sample_source *source,
                                            const char *path);
void sample_source_release(struct sample_source *source);

/**
 * See up to @p size bytes without using them up. gzip data is unpacked here,
 * and UTF-16 decoded: both are read to their end.
 */
MUST_CHECK struct error *sample_source_peek(struct sample_source *source,
                                            size_t size, struct text *ret);

/** Use up @p size bytes of what was peeked at. */
void sample_source_skip(struct sample_source *source, size_t size);

/** As json_pull_read: up to @p size bytes; 0 at the end or at a failure. */
size_t sample_source_read(void *source, char *buffer, size_t size);

/** Why reading ended before the input did; NULL; the caller owns it. */
struct error *sample_source_take_error(struct sample_source *source);

#endif
