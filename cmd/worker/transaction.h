// SPDX-License-Identifier: MIT
/**
 * `--exactly-once`: a transaction commits the results of messages together with
 * the offset after them.
 *
 * Messages of a partition are sent in order, so that a transaction ends at one
 * offset. A transaction ends after 500 messages or 200 ms. After an abort, the
 * same messages are sent again. A worker that starts with a slot fences earlier
 * workers with it; the metadata of the group fences workers that have lost
 * their partitions.
 */
#ifndef APMTOOL_CMD_WORKER_TRANSACTION_H
#define APMTOOL_CMD_WORKER_TRANSACTION_H

#include "cmd/worker/state.h"

/** Fence earlier workers with this slot, and abort their transactions. */
MUST_CHECK struct error *transaction_open(struct worker *worker);

/** Send answered messages; commit when it is time, or if @p now. */
void transaction_serve(struct worker *worker, bool now);

/** Time until transaction_serve() has to commit; -1: no transaction. */
int transaction_wait_ms(const struct worker *worker);

/** Abort the transaction, if there is one. */
void transaction_abort(struct worker *worker);

#endif
