// SPDX-License-Identifier: MIT
/**
 * Sets up librdkafka. Only this file includes its header.
 */
#ifndef APMTOOL_CMD_WORKER_KAFKA_H
#define APMTOOL_CMD_WORKER_KAFKA_H

#include "cmd/worker/settings.h"
#include "lib/base/error.h"

#include <librdkafka/rdkafka.h>

/** Before this version, cooperative assignment has faults. */
#define KAFKA_COOPERATIVE_VERSION 0x020a00ff

/** Before this version, brokers of Kafka 4 refuse its SCRAM (#4895). */
#define KAFKA_SCRAM_VERSION 0x020601ff

/** A property that the worker sets. */
struct kafka_own {
	const char *name;
	const char *value;
};

/**
 * Make a configuration: @p defaults, then the properties of the user, then
 * @p own, which users cannot change. Both arrays end with a NULL name.
 *
 * @param ret  The caller's; rd_kafka_new() takes ownership.
 */
MUST_CHECK struct error *kafka_configure(const struct worker_settings *settings,
                                         const struct kafka_own *defaults,
                                         const struct kafka_own *own,
                                         void *opaque, rd_kafka_conf_t **ret);

/** Whether the user sets the property @p name. */
bool kafka_is_set(const struct worker_settings *settings, const char *name);

/** Warn of properties that this version of librdkafka cannot honor. */
void kafka_warn(const struct worker_settings *settings);

/** Takes ownership of @p conf. */
MUST_CHECK struct error *kafka_new(rd_kafka_type_t type, rd_kafka_conf_t *conf,
                                   rd_kafka_t **ret);

/**
 * Wait until a broker knows @p topic: for a broker as long as it takes, for the
 * topic ten seconds.
 *
 * @param stops  Called before each try; return without an error if it is true.
 */
MUST_CHECK struct error *kafka_await_topic(rd_kafka_t *rk, const char *topic,
                                           bool (*stops)(void *context),
                                           void *context);

/**
 * Make a pipe that becomes readable when the queue is not empty.
 *
 * @param queue  Takes ownership.
 * @return The end to poll; -1 after an error.
 */
int kafka_watch(rd_kafka_queue_t *queue, int ret_pipe[2]);
/** Empty such a pipe; call it before emptying the queue. */
void kafka_unwatch(int end);

/** Convert @p error, which may be NULL; takes ownership. */
MUST_CHECK struct error *kafka_error(rd_kafka_error_t *error, const char *what);

#endif
