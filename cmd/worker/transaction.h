// SPDX-License-Identifier: MIT
/**
 * `--exactly-once`: what comes of messages and the offset after them are
 * committed together, or not at all.
 *
 * Messages of a partition are sent in their order, so that what a transaction
 * has of it is all below one offset. A transaction ends after 500 messages or
 * 200 ms. One that is aborted is repeated with the same messages. A worker that
 * begins with the same slot ends (fences) all earlier ones with it; the
 * group's metadata ends one whose partitions have gone to others.
 */
#ifndef APMTOOL_CMD_WORKER_TRANSACTION_H
#define APMTOOL_CMD_WORKER_TRANSACTION_H

#include "cmd/worker/state.h"

/** End earlier workers with this slot, and their transactions. */
MUST_CHECK struct error *transaction_open(struct worker *worker);

/** Send what is answered; commit where it is time, or @p now. */
void transaction_serve(struct worker *worker, bool now);

/** Until transaction_serve() has to commit; -1: nothing is to be. */
int transaction_wait_ms(const struct worker *worker);

/** Forget what is not committed: its partitions are lost. */
void transaction_abort(struct worker *worker);

#endif
