// SPDX-License-Identifier: MIT
/**
 * What parents of child processes share: descriptors, pipes, the end of a
 * child, the names of its limits.
 */
#ifndef APMTOOL_LIB_BASE_PROCESS_H
#define APMTOOL_LIB_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

/** RLIMIT_…: glibc has a type of its own for them, other systems int. */
#ifdef __GLIBC__
typedef __rlimit_resource_t process_resource;
#else
typedef int process_resource;
#endif

/**
 * Make a pipe whose ends are closed on exec.
 *
 * @return false, with errno set and both ends -1, if the system refuses.
 */
bool process_pipe(int ret_ends[2]);

/**
 * Occupy standard descriptors that are closed, so that no file of ours gets
 * their numbers. They are opened the wrong way round: reading stdin and writing
 * stdout then fail.
 */
void process_open_standard_files(void);

/**
 * Let this process open @p wanted files, if its hard limit permits them.
 *
 * @return How many it may open.
 */
size_t process_allow_files(size_t wanted);

/** Wait for a child to end; returns the status of waitpid(). */
int process_wait(pid_t child);

#endif
