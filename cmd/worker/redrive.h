// SPDX-License-Identifier: MIT
/**
 * `--redrive`: reads references from the waiting topic, fetches their raw
 * messages by offset, and processes each again.
 *
 * A message with all its symbols is delivered again, with the same report id,
 * and a null value removes its reference. A message that misses the same UUIDs
 * as before only gets a new reference. A message past the retention of its
 * topic becomes a dead letter, E-raw-gone. A consumer group of its own commits
 * offsets of the waiting topic, so that the next run continues there.
 */
#ifndef APMTOOL_CMD_WORKER_REDRIVE_H
#define APMTOOL_CMD_WORKER_REDRIVE_H

#include "cmd/worker/state.h"

/** Process all references; errors go to worker_fail(). */
void redrive_run(struct worker *worker);

#endif
