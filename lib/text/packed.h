/**
 * Files inside archives, read in memory: zip (an .ipa, an .xcarchive.zip), tar,
 * and tar in gzip data (.tar.gz, .tgz). Which it is, its bytes say.
 *
 * A file in an archive has a path: that of the archive, a slash, and its name
 * there, `App.zip/dSYMs/App.dSYM/Contents/Resources/DWARF/App`. Archives inside
 * archives are not looked into.
 *
 * Small archives can unpack to a great deal. So all that is unpacked in one
 * walk, or for one file, may be LIMIT_ARCHIVE_SYMBOLS and PACKED_RATIO times
 * what is packed; more is ERROR_LIMIT.
 */
#ifndef APMTOOL_LIB_TEXT_PACKED_H
#define APMTOOL_LIB_TEXT_PACKED_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Debug information is packed to a fifth of its size, text to a tenth. */
#define PACKED_RATIO 16
/** So many bytes of a file say whether it is an archive. */
#define PACKED_HEAD_BYTES 4096

/** Is this the head of an archive? Of a file without an end: PACKED_HEAD_BYTES.
 */
bool packed_is(struct bytes head);

/**
 * Is this the head of data that is packed in a way that nobody here unpacks?
 *
 * @return What it is, a constant: `xz data`; NULL: it is something else.
 */
const char *packed_unread_name(struct bytes head);

/**
 * How much of @p path is that of the archive, where it names a file in one;
 * 0: it does not.
 */
size_t packed_archive_length(const char *path);

/** A file in an archive, while it is visited. */
struct packed_file {
	struct text name;    ///< borrowed
	uint64_t size_bytes; ///< as the archive says
	struct packed_reading *reading;
};

typedef struct error *(*packed_visit)(struct packed_file *file, void *context);

/** Visit all files of an archive, in their order there. */
MUST_CHECK struct error *packed_walk(const char *path, packed_visit visit,
                                     void *context);
MUST_CHECK struct error *packed_walk_bytes(struct bytes in, packed_visit visit,
                                           void *context);

/**
 * Read at most @p size bytes at @p offset of the file that is visited. What is
 * before them is unpacked and dropped: offsets ascend, but for what overlaps
 * the bytes of the last call.
 */
MUST_CHECK struct error *packed_peek(struct packed_file *file, uint64_t offset,
                                     void *buffer, size_t size,
                                     size_t *ret_size);

/**
 * As file_map(), also of a file in an archive: it is unpacked, and its stamp is
 * that of the archive. Damage anywhere in gzip data is an error, as it has one
 * checksum; where it is truncated, the files before that can be read.
 */
MUST_CHECK struct error *packed_map(const char *path, struct file_data *ret);

#endif
