// SPDX-License-Identifier: MIT
/**
 * The main loop: take raw messages, let children `apmtool filter` answer them,
 * deliver the results, then commit the offsets. Everything runs in one thread;
 * librdkafka has its own.
 */
#ifndef APMTOOL_CMD_WORKER_WORK_H
#define APMTOOL_CMD_WORKER_WORK_H

#include "cmd/worker/state.h"
#include "lib/cli/command.h"

/** Work until a signal, an error, or the end that an option chooses. */
enum exit_status worker_run(struct worker *worker);

#endif
