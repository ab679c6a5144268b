// SPDX-License-Identifier: MIT
/**
 * Messages of the worker, a line each on standard error.
 */
#ifndef APMTOOL_CMD_WORKER_LOG_H
#define APMTOOL_CMD_WORKER_LOG_H

#include "lib/base/error.h"
#include "lib/cli/command.h"

/** `apmtool-worker: …`, control characters made visible. */
void worker_log(const char *format, ...) PRINTF_LIKE(1, 2);

/** Print @p err and free it. @return Its exit status. */
enum exit_status worker_refuse(struct error *err);

#endif
