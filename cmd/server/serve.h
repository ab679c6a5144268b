// SPDX-License-Identifier: MIT
/**
 * The server: children `apmtool filter` answer its HTTP requests.
 */
#ifndef APMTOOL_CMD_SERVER_SERVE_H
#define APMTOOL_CMD_SERVER_SERVE_H

#include "cmd/server/settings.h"
#include "lib/base/error.h"

/**
 * Serve until SIGTERM or SIGINT, then answer complete requests for up to 5
 * seconds. SIGHUP replaces the children, so that they see new symbols.
 *
 * @return Why the server cannot start or go on.
 */
MUST_CHECK struct error *server_run(const struct server_settings *settings);

#endif
