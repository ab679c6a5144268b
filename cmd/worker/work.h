// SPDX-License-Identifier: MIT
/**
 * A worker at work: raw messages are taken, answered by children `apmtool
 * filter`, and what comes of them is delivered; then their offsets are
 * committed. One thread does all of it, beside those of librdkafka.
 */
#ifndef APMTOOL_CMD_WORKER_WORK_H
#define APMTOOL_CMD_WORKER_WORK_H

#include "cmd/worker/state.h"
#include "lib/cli/command.h"

/** Work until there is nothing more to do, or a signal comes. */
enum exit_status worker_run(struct worker *worker);

#endif
