// SPDX-License-Identifier: MIT
/**
 * Locks between processes, on a file that stays.
 *
 *     SCOPED(file_unlock) int lock = -1;
 *
 *     err = file_lock(path, FILE_LOCK_ALL, 10000, &lock);
 *
 * The system gives a lock back when the process ends, however it ends, and no
 * child inherits it. It keeps no thread of the same process out: one of a file
 * at a time.
 */
#ifndef APMTOOL_LIB_BASE_FILE_LOCK_H
#define APMTOOL_LIB_BASE_FILE_LOCK_H

#include "lib/base/error.h"

#include <stdint.h>
#include <sys/types.h>

#define FILE_LOCK_ALL UINT64_MAX

/**
 * Take a lock, waiting for others to give it back. Where there can be no lock,
 * as on some network file systems, or no file, one goes on without: -1.
 *
 * @param mode  Of the file, which is made.
 * @param at    What is locked: FILE_LOCK_ALL, or one of many, by its number.
 * @return An error where another has held it for @p wait_ms.
 */
MUST_CHECK struct error *file_lock(const char *path, mode_t mode, uint64_t at,
                                   unsigned wait_ms, int *ret);
/** -1 is fine. */
void file_unlock(const int *lock);

#endif
