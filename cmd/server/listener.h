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
	bool is_loopback; ///< a TCP address of this machine alone
	const char *path; ///< of a socket in the file system; NULL: TCP
};

/**
 * Open a socket that listens. Replaces a socket in the file system that no
 * server uses any more. Port 0 takes any free port.
 *
 * @param address   Outlives the listener.
 * @param ret_name  Appended: the address, for people.
 * @return ERROR_USAGE where @p address is malformed.
 */
MUST_CHECK struct error *listener_open(const char *address,
                                       struct listener *ret,
                                       struct str *ret_name);

/** Remove the socket from the file system; the descriptor stays open. */
void listener_remove(const struct listener *listener);

#endif
