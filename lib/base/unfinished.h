// SPDX-License-Identifier: MIT
/**
 * Files that are being written, and do not outlive their writer: a signal that
 * ends the program removes them first. What cannot be caught (SIGKILL, a loss
 * of power) leaves them behind.
 */
#ifndef APMTOOL_LIB_BASE_UNFINISHED_H
#define APMTOOL_LIB_BASE_UNFINISHED_H

/**
 * Let @p make give a file a new name beside @p target: it is called with one
 * name after the other while it fails with EEXIST. Its result, which is
 * negative where it failed, with errno. Where it did not, @p name, freed by the
 * caller, is what was taken, and is removed when a signal ends the program,
 * until unfinished_drop().
 *
 * @param directory  In which @p target is a path, as openat() has it; open as
 *                   long as the file is unfinished.
 */
int unfinished_make(int directory, const char *target,
                    int (*make)(const char *name, void *context), void *context,
                    char **name);

/** The file has its last name, or is gone. */
void unfinished_drop(int directory, const char *name);

#endif
