// SPDX-License-Identifier: MIT
/**
 * Where a server listens: `127.0.0.1:3021`, `[::1]:3021`, `unix:PATH`.
 */
#ifndef APMTOOL_CMD_SERVER_LISTENER_H
#define APMTOOL_CMD_SERVER_LISTENER_H

#include "lib/base/error.h"
#include "lib/base/str.h"

#include <stdbool.h>

struct listener {
	int fd;
	bool is_loopback; ///< of TCP
	const char *path; ///< of a socket in the file system; NULL: TCP
};

/**
 * Open a socket. One that a server left behind in the file system is replaced;
 * port 0 is any that is free.
 *
 * @param address   Outlives the listener.
 * @param ret_name  Appended: the address, for people.
 * @return ERROR_USAGE where it is no address.
 */
MUST_CHECK struct error *listener_open(const char *address,
                                       struct listener *ret,
                                       struct str *ret_name);

/** Remove it from the file system; whoever listens closes the descriptor. */
void listener_remove(const struct listener *listener);

#endif
