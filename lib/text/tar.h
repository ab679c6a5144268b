// SPDX-License-Identifier: MIT
/**
 * Reads tar archives sequentially: the old format, POSIX ustar, and the
 * extensions of GNU tar and pax for long names and large files.
 *
 *     struct tar tar = { .read = read_piece, .context = source };
 *
 *     while (!(err = tar_next(&tar, &found)) && found)
 *             if (text_is(tar.name, "wanted"))
 *                     err = tar_read(&tar, buffer, size, &got);
 *     tar_release(&tar);
 */
#ifndef APMTOOL_LIB_TEXT_TAR_H
#define APMTOOL_LIB_TEXT_TAR_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes needed to recognize a tar archive. */
#define TAR_BLOCK_BYTES ((size_t)512)
/** Longer names are ERROR_LIMIT. */
#define TAR_NAME_MAX ((size_t)64 << 10)

/**
 * Read the next @p size bytes of the archive; fewer at its end.
 *
 * @param buffer  NULL: skip them.
 */
typedef struct error *(*tar_source)(void *context, void *buffer, uint64_t size,
                                    uint64_t *ret_size);

/** All zeros except the first two, before the first tar_next(). */
struct tar {
	tar_source read;
	void *context;

	struct text name;    ///< of the current file, without leading `./`
	uint64_t size_bytes; ///< of the current file
	uint64_t left;       ///< unread bytes of the file
	uint64_t padding;    ///< after the file
	struct str full_name;
};

/** Is this the first block of an archive? */
bool tar_is(struct bytes head);

/**
 * Go to the next regular file; skips the rest of the current one. An archive
 * without end mark is complete.
 *
 * @param ret_found  False at the end.
 */
MUST_CHECK struct error *tar_next(struct tar *tar, bool *ret_found);

/** Read more of the current file. */
MUST_CHECK struct error *tar_read(struct tar *tar, void *buffer, size_t size,
                                  size_t *ret_size);

void tar_release(struct tar *tar);

#endif
