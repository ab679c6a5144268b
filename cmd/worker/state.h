// SPDX-License-Identifier: MIT
/**
 * All that a worker has while it works.
 */
#ifndef APMTOOL_CMD_WORKER_STATE_H
#define APMTOOL_CMD_WORKER_STATE_H

#include "cmd/worker/counts.h"
#include "cmd/worker/kafka.h"
#include "cmd/worker/message.h"
#include "cmd/worker/settings.h"
#include "lib/answers/pool.h"

#include <stdbool.h>
#include <stdint.h>

/** What a child is asked for. */
enum pool_kind { POOL_EVENT, POOL_SLIM, POOLS };

struct worker {
	struct worker_settings settings;
	const char *program; ///< the path of `apmtool`
	struct counts counts;

	rd_kafka_t *consumer;
	rd_kafka_t *producer;
	rd_kafka_topic_t *topics[TOPICS]; ///< of the producer; NULL: not used
	int consumer_end[2];              ///< readable where it has something
	int producer_end[2];

	rd_kafka_t *symbols; ///< NULL: there is no such topic
	rd_kafka_topic_t *symbols_topic;
	rd_kafka_queue_t *symbols_queue;
	int64_t renew_at_ms; ///< 0: children are not to be replaced

	struct filter_pool *pools[POOLS]; ///< NULL: not started
	struct partitions partitions;
	bool is_assigned; ///< has its share, which may be nothing
	bool is_paused;
	bool is_stopping;      ///< no more is taken
	int64_t full_since_ms; ///< 0: there is room

	/** Set with --exactly-once. */
	bool is_transactional;
	bool in_transaction;
	bool must_abort;          ///< something in it was too large
	size_t transaction_count; ///< messages in it
	int64_t transaction_began_ms;

	struct error *err; ///< why it ends

	/** A message has all its answers: of work.c. */
	void (*answered)(struct worker *worker, struct message *message);
	/** Work on what was taken, for so long at most: of work.c. */
	void (*drain)(struct worker *worker, int64_t ms,
	              bool (*is_done)(struct worker *worker));
};

/** Why it has to end: the first error is kept. Takes @p err. */
void worker_fail(struct worker *worker, struct error *err);

/** Where @p code says that another worker has this one's slot: it ends. */
void worker_fail_fenced(struct worker *worker, rd_kafka_resp_err_t code);

/** An error of a client: what will not pass by itself ends the worker. */
void worker_take_error(rd_kafka_t *rk, int code, const char *reason,
                       void *opaque);

#endif
