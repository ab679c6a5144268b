// SPDX-License-Identifier: MIT
/**
 * The symbols topic: a message in it, with any content, says that a directory
 * of `--dsym` has new dSYMs. Children search these directories only when they
 * start, so each worker replaces its children. A store (`--store`) needs no
 * message.
 */
#ifndef APMTOOL_CMD_WORKER_SYMBOLS_H
#define APMTOOL_CMD_WORKER_SYMBOLS_H

#include "cmd/worker/state.h"

/** Read the topic from its end, if it exists. */
MUST_CHECK struct error *symbols_open(struct worker *worker);

/** Replace the children after messages. */
void symbols_serve(struct worker *worker);

void symbols_close(struct worker *worker);

#endif
