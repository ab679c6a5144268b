// SPDX-License-Identifier: MIT
/**
 * librdkafka, and how the worker sets it up: the one place that includes its
 * header.
 */
#ifndef APMTOOL_CMD_WORKER_KAFKA_H
#define APMTOOL_CMD_WORKER_KAFKA_H

#include "cmd/worker/settings.h"
#include "lib/base/error.h"

#include <librdkafka/rdkafka.h>
#include <signal.h>

/** Its cooperative assignment has faults before this version. */
#define KAFKA_COOPERATIVE_VERSION 0x020a00ff

/** Before this version, brokers refuse what its SCRAM sends (#4895). */
#define KAFKA_SCRAM_VERSION 0x020601ff

/** A property that the worker sets; users may not. */
struct kafka_own {
	const char *name;
	const char *value;
};

/**
 * A configuration: defaults, then what users set, then what the worker needs.
 *
 * @param type      Whose properties: what is another's is left out.
 * @param defaults  And
 * @param own       end with a NULL name.
 * @param ret       The caller's; rd_kafka_new() takes it.
 */
MUST_CHECK struct error *kafka_configure(const struct worker_settings *settings,
                                         const struct kafka_own *defaults,
                                         const struct kafka_own *own,
                                         void *opaque, rd_kafka_conf_t **ret);

/** Does the user set the property? */
bool kafka_is_set(const struct worker_settings *settings, const char *name);

/** Warn of what this version of librdkafka cannot do. */
void kafka_warn(const struct worker_settings *settings);

/** Takes @p conf. */
MUST_CHECK struct error *kafka_new(rd_kafka_type_t type, rd_kafka_conf_t *conf,
                                   rd_kafka_t **ret);

/**
 * Wait until a broker knows @p topic: for a broker as long as it takes, for the
 * topic ten seconds.
 *
 * @param stop  Wait no longer, without an error, once it is not 0.
 */
MUST_CHECK struct error *kafka_await_topic(rd_kafka_t *rk, const char *topic,
                                           const volatile sig_atomic_t *stop);

/**
 * A pipe that becomes readable when a queue has something.
 *
 * @param queue  Taken.
 * @return Its end to poll; -1 after an error.
 */
int kafka_watch(rd_kafka_queue_t *queue, int ret_pipe[2]);
/** Empty such a pipe, before the queue is. */
void kafka_unwatch(int end);

/** Take @p error, which may be NULL. */
MUST_CHECK struct error *kafka_error(rd_kafka_error_t *error, const char *what);

#endif
