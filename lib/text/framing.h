// SPDX-License-Identifier: MIT
/**
 * Framing: where a frame begins and ends in a stream of bytes, and how an
 * answer is written.
 *
 *     lines      a frame a line; the last may lack its newline
 *     netstring  `5:hello,` (D. J. Bernstein, "Netstrings")
 *     u32        4 bytes of length, big-endian, then the frame
 *
 * A frame beyond the limit is skipped as it comes, in constant memory.
 */
#ifndef APMTOOL_LIB_TEXT_FRAMING_H
#define APMTOOL_LIB_TEXT_FRAMING_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Choices of `--frame`, in the order of the enum. */
#define FRAMINGS "lines|netstring|u32"

enum framing { FRAMING_LINES, FRAMING_NETSTRING, FRAMING_U32 };

/** All zeros but for the first two. */
struct framing_reader {
	enum framing framing;
	size_t limit_bytes; ///< of a frame

	struct str buffer;   ///< bytes that were given
	size_t at;           ///< of the next frame in it
	size_t searched;     ///< of a line: no newline is before
	uint64_t skip_bytes; ///< of a frame that is too large
	bool skips_line;     ///< the same: up to the newline
	bool has_ended;
};

enum framing_found {
	FRAMING_MORE, ///< more bytes are needed; after the end: that was all
	FRAMING_WHOLE,
	FRAMING_TOO_LARGE, ///< it is skipped
	/** Not the framing, or it ends inside a frame: nothing can follow. */
	FRAMING_BROKEN,
};

/** Give it the next bytes of the stream; none: it has ended. */
void framing_give(struct framing_reader *reader, const char *data, size_t size);

/**
 * The next frame.
 *
 * @param ret  Of FRAMING_WHOLE: good until the next framing_give().
 */
enum framing_found framing_next(struct framing_reader *reader,
                                struct text *ret);

/** The length in front of a frame of FRAMING_U32: big-endian. */
#define FRAMING_LENGTH_BYTES 4
void framing_length(size_t size, unsigned char ret[FRAMING_LENGTH_BYTES]);

/** Write an answer, which has no newline in it. */
void framing_write(enum framing framing, struct text answer, struct out *out);

void framing_release(struct framing_reader *reader);

#endif
