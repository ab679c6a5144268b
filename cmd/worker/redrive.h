// SPDX-License-Identifier: MIT
/**
 * `--redrive`: what waits for symbols is read, its raw messages are fetched by
 * their places, and each is worked on once more.
 *
 * What has all its symbols now is delivered again, with the same report id, and
 * its reference removed (a null value). What misses as much as before waits on;
 * what is past the retention of its topic is a dead letter, E-raw-gone. How far
 * the waiting topic was read is committed by a group of its own, so that the
 * next run begins with what this one left.
 */
#ifndef APMTOOL_CMD_WORKER_REDRIVE_H
#define APMTOOL_CMD_WORKER_REDRIVE_H

#include "cmd/worker/state.h"

/** Work on all that waits; errors are the worker's. */
void redrive_run(struct worker *worker);

#endif
