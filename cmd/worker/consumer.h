// SPDX-License-Identifier: MIT
/**
 * The consumer of the raw topic. When a partition is revoked, its messages are
 * finished first, as far as time allows.
 */
#ifndef APMTOOL_CMD_WORKER_CONSUMER_H
#define APMTOOL_CMD_WORKER_CONSUMER_H

#include "cmd/worker/state.h"

/** Join the group. */
MUST_CHECK struct error *consumer_open(struct worker *worker);

/**
 * Take messages while there is room, and send them to the children. Also gives
 * up revoked partitions: call it often.
 */
void consumer_serve(struct worker *worker);

/** Commit what is finished. @param waits  Until the broker answers. */
void consumer_commit(struct worker *worker, bool waits);

/** Whether all messages of the assigned partitions were read. */
bool consumer_is_at_end(const struct worker *worker);

/** Leave the group. */
void consumer_close(struct worker *worker);
/** Free all messages before: it would wait for them forever. */
void consumer_free(struct worker *worker);

#endif
