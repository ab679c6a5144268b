// SPDX-License-Identifier: MIT
/**
 * The symbols topic: whoever adds dSYMs to a directory of `--dsym` sends a
 * message there, whatever is in it. Each worker then replaces its children,
 * since those have searched their directories when they began. A store
 * (`--store`) needs no such word.
 */
#ifndef APMTOOL_CMD_WORKER_SYMBOLS_H
#define APMTOOL_CMD_WORKER_SYMBOLS_H

#include "cmd/worker/state.h"

/** Listen from now on, if there is such a topic. */
MUST_CHECK struct error *symbols_open(struct worker *worker);

/** Replace children where there was a message. */
void symbols_serve(struct worker *worker);

void symbols_close(struct worker *worker);

#endif
