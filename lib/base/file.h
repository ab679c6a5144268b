// SPDX-License-Identifier: MIT
/**
 * Files: whole contents, and mapped contents.
 */
#ifndef APMTOOL_LIB_BASE_FILE_H
#define APMTOOL_LIB_BASE_FILE_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * What changes when a file does: two that are equal mean the same contents,
 * unless somebody went out of his way. All zeros: not known.
 */
struct file_stamp {
	uint64_t size;
	uint64_t inode;
	int64_t modified_ns;
	int64_t changed_ns; ///< contents, name, owner or permissions
};

/** Those of the file at @p path; false where there is none. */
bool file_stamp_read(const char *path, struct file_stamp *ret);
/** Those of an open regular file. */
bool file_stamp_open(int fd, struct file_stamp *ret);
bool file_stamp_equal(const struct file_stamp *a, const struct file_stamp *b);

/**
 * Was the file that had the stamp written to, or cut? A mapping of it then
 * shows what is there now: within its last page even where it is shorter. One
 * that was removed, or whose place another took, is as it was mapped.
 */
bool file_is_overwritten(const char *path, const struct file_stamp *stamp);

struct str;

/** Which file it is, whatever path leads to it. All zeros: not known. */
struct file_identity {
	uint64_t device;
	uint64_t inode;
};

/** That of the file at @p path; false where there is none. */
bool file_identity_read(const char *path, struct file_identity *ret);
/** The same in @p directory, as openat() has it. */
bool file_identity_read_in(int directory, const char *path,
                           struct file_identity *ret);

/** Append the path of the executable that runs. */
MUST_CHECK struct error *file_own_program(struct str *ret);

/** A file's bytes, on the heap or mapped. All zeros is "nothing open". */
struct file_data {
	struct bytes bytes;
	bool mapped;
	struct file_stamp stamp; ///< of what is mapped
};

/** An ERROR_LIMIT: `'a.ips' is larger than 64 MB`. */
struct error *file_too_large(const char *path, size_t limit_bytes);

/** read(), begun again where a signal interrupts it. */
ssize_t file_read_some(int fd, void *buffer, size_t size);

/** That @p path, `-` for standard input, cannot be read. */
struct error *file_read_error(int errnum, const char *path);

/** A new error: what was read is neither what it was nor what it is. */
struct error *file_changed_error(void);

/**
 * Open a file to read it. A FIFO is waited for until somebody opens it to
 * write, for five seconds.
 */
MUST_CHECK struct error *file_open(const char *path, int *ret);

/**
 * Read all of a file into memory; `-` is standard input. FIFOs and devices
 * are read only up to @p limit_bytes, which every file must keep to.
 */
MUST_CHECK struct error *file_read(const char *path, size_t limit_bytes,
                                   struct file_data *ret);

/**
 * Map a regular file, read-only; only what is touched is read from disk. No
 * descriptor stays open.
 */
MUST_CHECK struct error *file_map(const char *path, struct file_data *ret);

/** As file_map(), of an open file. */
MUST_CHECK struct error *file_map_open(int fd, struct file_data *ret);

/**
 * Open a file that was mapped, to hand it on: ERROR_OS where another has taken
 * its place, or it was written to.
 */
MUST_CHECK struct error *file_open_again(const char *path,
                                         const struct file_stamp *stamp,
                                         int *ret);

/**
 * A file without a name that holds a copy of @p bytes: in memory, where the
 * system has such files.
 */
MUST_CHECK struct error *file_of_bytes(struct bytes bytes, int *ret);

/**
 * What went wrong with reading @p bytes: @p err, which may be NULL, or that
 * part of the mapped file vanished while it was read. Zeros were read in its
 * place, and what was made of them is to be dropped; @p err is then freed.
 *
 * @param bytes  Some of the mapped bytes; others than mapped ones are fine.
 */
MUST_CHECK struct error *file_reading_error(struct error *err,
                                            struct bytes bytes);

/**
 * Give back the memory that @p bytes take, if they are of a mapped file: they
 * are read from it again when they are touched. Others are left alone.
 */
void file_forget(struct bytes bytes);

/**
 * Most of @p bytes will be read, here and there: pages of a mapped file are
 * brought in all at once, which costs a fraction of what a page fault for every
 * few of them does. What is not in memory yet is waited for. Other bytes are
 * left alone, and so are all of them where the system knows no such thing:
 * Linux does, from 5.14 on.
 */
void file_expect(struct bytes bytes);

/** Release what file_read() or file_map() gave; NULL contents are fine. */
void file_release(struct file_data *data);

/** Read at most @p size bytes at @p offset of a regular file. */
MUST_CHECK struct error *file_peek(const char *path, uint64_t offset,
                                   void *buffer, size_t size, size_t *ret_size);
/**
 * As file_peek(), of a file that was only found: it may be anybody's, and lead
 * anywhere. A symbolic link is an error.
 */
MUST_CHECK struct error *file_peek_found(const char *path, uint64_t offset,
                                         void *buffer, size_t size,
                                         size_t *ret_size);

/**
 * Does an errno say that there is no such file? That a directory cannot be
 * entered does not.
 */
bool file_means_absent(int errnum);

bool file_is_directory(const char *path);
/** Do both lead to one regular file? */
bool file_is_same(const char *a, const char *b);

#endif
