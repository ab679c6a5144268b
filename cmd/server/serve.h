// SPDX-License-Identifier: MIT
/**
 * A server: requests over HTTP, answered by children `apmtool filter`.
 */
#ifndef APMTOOL_CMD_SERVER_SERVE_H
#define APMTOOL_CMD_SERVER_SERVE_H

#include "cmd/server/settings.h"
#include "lib/base/error.h"

/**
 * Serve until SIGTERM or SIGINT comes. Requests that have come whole are
 * answered before, as far as that takes no more than 5 seconds. SIGHUP replaces
 * the children: symbols changed.
 *
 * @return Why it cannot start, or go on.
 */
MUST_CHECK struct error *server_run(const struct server_settings *settings);

#endif
