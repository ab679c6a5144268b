/**
 * An input that may have no end: standard input, or a file too large to be
 * read whole. If its lines are reports of their own (JSON Lines), they are
 * handed out as they come, in batches; anything else is read to its end.
 */
#ifndef APMTOOL_CMD_RUN_STREAM_H
#define APMTOOL_CMD_RUN_STREAM_H

#include "cmd/run/batch.h"
#include "lib/base/error.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream {
	const char *path;
	int fd;
	struct str pending; ///< read and not yet handed out
	size_t used;        ///< of pending, by the batch that is out
	size_t line;        ///< number of the last line handed out
	bool is_lines;
	bool ended; ///< nothing more will be read
	struct arena names;
};

/** Open @p path; `-` is standard input. Release in any case. */
MUST_CHECK struct error *stream_open(const char *path, struct stream *ret);

/**
 * Put what has come into an empty batch: whole lines, or all of it. Waits for
 * at least one input, unless the end is reached.
 *
 * @return An error where reading fails, or where what is no line of JSON is
 *         longer than a report may be. An empty batch: the end.
 */
MUST_CHECK struct error *stream_next(struct stream *stream,
                                     struct batch *batch);

void stream_release(struct stream *stream);

#endif
