// SPDX-License-Identifier: MIT
/**
 * Sends the results of a message: events, reports, a reference to the waiting
 * topic, or a dead letter. They depend on no clock, host or run, so that a
 * repeat is identical.
 *
 *     event, report  key: report id       headers: apm-source, apm-status
 *     waiting        key: apm-source      value: apmtool.waiting/1
 *     dead           key, value, headers of the raw message; and apm-source,
 *                    apm-error, apm-detail, apm-version
 *
 * `apm-source` is TOPIC/PARTITION/OFFSET of the raw message. All records have
 * the timestamp of the raw message.
 */
#ifndef APMTOOL_CMD_WORKER_OUTPUTS_H
#define APMTOOL_CMD_WORKER_OUTPUTS_H

#include "cmd/worker/state.h"

/** Open the producer and its topics. */
MUST_CHECK struct error *outputs_open(struct worker *worker);
void outputs_close(struct worker *worker);

/** Send all results of a message. */
void outputs_send(struct worker *worker, struct message *message);

/** Send only the report of a message, after the answer to a second question. */
void outputs_send_report(struct worker *worker, struct message *message);

/**
 * Send a dead letter without a value for a raw message that is past its
 * retention, and remove its reference.
 *
 * @param key  Of the reference.
 */
void outputs_send_gone(struct worker *worker, struct text key);

#endif
