// SPDX-License-Identifier: MIT
/**
 * The consumer of the raw topic: its partitions come and go, and are finished
 * before they go, as far as time allows.
 */
#ifndef APMTOOL_CMD_WORKER_CONSUMER_H
#define APMTOOL_CMD_WORKER_CONSUMER_H

#include "cmd/worker/state.h"

/** Join the group. */
MUST_CHECK struct error *consumer_open(struct worker *worker);

/**
 * Take messages while there is room for them, and ask for their answers. Also
 * hands partitions over, so it is to be called often.
 */
void consumer_serve(struct worker *worker);

/** Commit what is finished. @param waits  For the answer. */
void consumer_commit(struct worker *worker, bool waits);

/** Did it read all that each of its partitions had? */
bool consumer_is_at_end(const struct worker *worker);

/** Leave the group. */
void consumer_close(struct worker *worker);
/** When no message is left: it waits for them. */
void consumer_free(struct worker *worker);

#endif
