// SPDX-License-Identifier: MIT
/** Files: contents in memory or mapped. */
#ifndef APMTOOL_LIB_BASE_FILE_H
#define APMTOOL_LIB_BASE_FILE_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * Changes whenever the file does: equal stamps mean equal contents, unless
 * they are forged. All zeros: unknown.
 */
struct file_stamp {
	uint64_t size;
	uint64_t inode;
	int64_t modified_ns;
	int64_t changed_ns; ///< contents, name, owner or permissions changed
};

/** The stamp of the file at @p path; false if there is none. */
bool file_stamp_read(const char *path, struct file_stamp *ret);
/** The stamp of an open regular file. */
bool file_stamp_open(int fd, struct file_stamp *ret);
bool file_stamp_equal(const struct file_stamp *a, const struct file_stamp *b);

/**
 * Was the file with this stamp written to or truncated? Its mappings then show
 * the new contents, in the last page even beyond a new end. Mappings of a file
 * that was removed or replaced are unaffected.
 */
bool file_is_overwritten(const char *path, const struct file_stamp *stamp);

struct str;

/** Identity of a file, independent of its path. All zeros: unknown. */
struct file_identity {
	uint64_t device;
	uint64_t inode;
};

/** The identity of the file at @p path; false if there is none. */
bool file_identity_read(const char *path, struct file_identity *ret);
/** As file_identity_read(), relative to @p directory, like openat(). */
bool file_identity_read_in(int directory, const char *path,
                           struct file_identity *ret);

/** Append the path of the running executable. */
MUST_CHECK struct error *file_own_program(struct str *ret);

/** The bytes of a file, on the heap or mapped. All zeros: no file. */
struct file_data {
	struct bytes bytes;
	bool mapped;
	struct file_stamp stamp; ///< if mapped
};

/** A new ERROR_LIMIT: `'a.ips' is larger than 64 MB`. */
struct error *file_too_large(const char *path, size_t limit_bytes);

/** read(), restarted after signals. */
ssize_t file_read_some(int fd, void *buffer, size_t size);

/** The error for reading @p path, `-` for standard input. */
struct error *file_read_error(int errnum, const char *path);

/** The error for a file that changed while it was read. */
struct error *file_changed_error(void);

/** Open a file for reading. Waits up to five seconds for a writer of a FIFO. */
MUST_CHECK struct error *file_open(const char *path, int *ret);

/**
 * Read a file into memory; `-` is standard input. Fails if it is larger than @p
 * limit_bytes.
 */
MUST_CHECK struct error *file_read(const char *path, size_t limit_bytes,
                                   struct file_data *ret);

/** Map a regular file read-only. No descriptor stays open. */
MUST_CHECK struct error *file_map(const char *path, struct file_data *ret);

/** As file_map(), for an open file. */
MUST_CHECK struct error *file_map_open(int fd, struct file_data *ret);

/**
 * Open a mapped file again, to pass it on: ERROR_OS if it was replaced or
 * written to.
 */
MUST_CHECK struct error *file_open_again(const char *path,
                                         const struct file_stamp *stamp,
                                         int *ret);

/**
 * An unnamed file with a copy of @p bytes; in memory if the system supports it.
 */
MUST_CHECK struct error *file_of_bytes(struct bytes bytes, int *ret);

/**
 * Check a mapping after reading @p bytes: returns @p err (which may be NULL),
 * or an error that part of the mapped file vanished meanwhile; @p err is then
 * freed. In the latter case zeros were read, and results must be dropped.
 *
 * @param bytes  Part of the mapping; other memory is never an error.
 */
MUST_CHECK struct error *file_reading_error(struct error *err,
                                            struct bytes bytes);

/**
 * Release the memory of @p bytes if they are mapped from a file; they are read
 * again on the next access. Ignores other memory.
 */
void file_forget(struct bytes bytes);

/**
 * Announce that most of @p bytes will be read: brings in pages of a mapped file
 * at once, which costs a fraction of many page faults, and waits for the disk.
 * Does nothing for other memory, or on systems other than Linux 5.14 and later.
 */
void file_expect(struct bytes bytes);

/** Free the result of file_read() or file_map(); accepts empty contents. */
void file_release(struct file_data *data);

/** Read up to @p size bytes at @p offset of a regular file. */
MUST_CHECK struct error *file_peek(const char *path, uint64_t offset,
                                   void *buffer, size_t size, size_t *ret_size);
/**
 * As file_peek(), for an untrusted path found in a search. A symbolic link is
 * an error.
 */
MUST_CHECK struct error *file_peek_found(const char *path, uint64_t offset,
                                         void *buffer, size_t size,
                                         size_t *ret_size);

/**
 * Does errno mean that there is no such file? A directory without permission is
 * not absent.
 */
bool file_means_absent(int errnum);

bool file_is_directory(const char *path);
/** Are both the same regular file? */
bool file_is_same(const char *a, const char *b);

#endif
