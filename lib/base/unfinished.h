// SPDX-License-Identifier: MIT
/**
 * Files that are being written: a signal that ends the program removes them
 * first. SIGKILL or a loss of power leave them.
 */
#ifndef APMTOOL_LIB_BASE_UNFINISHED_H
#define APMTOOL_LIB_BASE_UNFINISHED_H

/**
 * Create a file with a new name next to @p target, by calling @p make with
 * different names until it does not fail with EEXIST. Returns the last result
 * of @p make, negative on failure, with errno. On success @p name, owned by the
 * caller, is the name; a signal that ends the program removes the file, until
 * unfinished_drop().
 *
 * @param directory  Base of @p target, as for openat(); must stay open as long
 *                   as the file is unfinished.
 */
int unfinished_make(int directory, const char *target,
                    int (*make)(const char *name, void *context), void *context,
                    char **name);

/** The file has its final name, or was removed. */
void unfinished_drop(int directory, const char *name);

#endif
