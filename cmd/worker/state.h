// SPDX-License-Identifier: MIT
/**
 * The state of a running worker.
 */
#ifndef APMTOOL_CMD_WORKER_STATE_H
#define APMTOOL_CMD_WORKER_STATE_H

#include "cmd/worker/counts.h"
#include "cmd/worker/kafka.h"
#include "cmd/worker/message.h"
#include "cmd/worker/settings.h"
#include "lib/answers/pool.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/** Pools for events (with full reports, if requested) and for slim reports. */
enum pool_kind { POOL_EVENT, POOL_SLIM, POOLS };

/** The signal that ends the worker; 0: none has come. */
extern volatile sig_atomic_t worker_signal;

struct worker {
	struct worker_settings settings;
	const char *program; ///< the path of `apmtool`
	struct counts counts;

	rd_kafka_t *consumer;
	rd_kafka_t *producer;
	rd_kafka_topic_t *topics[TOPICS]; ///< of the producer; NULL: not used
	int consumer_end[2];              ///< see kafka_watch()
	int producer_end[2];

	rd_kafka_t *symbols; ///< NULL: there is no symbols topic
	rd_kafka_topic_t *symbols_topic;
	rd_kafka_queue_t *symbols_queue;
	int64_t renew_at_ms; ///< when to replace children; 0: never

	struct filter_pool *pools[POOLS]; ///< NULL: not started
	struct partitions partitions;
	bool is_assigned; ///< has its partitions, maybe none
	bool is_paused;
	bool is_stopping;      ///< takes no more messages
	int64_t full_since_ms; ///< 0: there is room

	/** With --exactly-once. */
	bool is_transactional;
	bool in_transaction;
	bool must_abort;          ///< a record was too large
	unsigned aborts;          ///< since the last commit
	size_t transaction_count; ///< messages in it
	int64_t transaction_began_ms;

	struct error *err; ///< why the worker ends

	/** Called when a message has all its answers. */
	void (*answered)(struct worker *worker, struct message *message);
	/** Work on messages in flight until @p is_done, for up to @p ms. */
	void (*drain)(struct worker *worker, int64_t ms,
	              bool (*is_done)(struct worker *worker));
};

/** End the worker with @p err, if not NULL. Keeps the first error. */
void worker_fail(struct worker *worker, struct error *err);

/** End the worker if @p code says that another one has taken its slot. */
void worker_fail_fenced(struct worker *worker, rd_kafka_resp_err_t code);

/** Log an error of librdkafka; one that is permanent ends the worker. */
void worker_take_error(rd_kafka_t *rk, int code, const char *reason,
                       void *opaque);

#endif
