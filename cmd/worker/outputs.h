// SPDX-License-Identifier: MIT
/**
 * What becomes of an answered message: events, reports, a reference in the
 * waiting topic, or a dead letter. Nothing in them depends on the clock, the
 * host or the run: a repeat is the same, byte for byte.
 *
 *     event, report  key: report id       headers: apm-source, apm-status
 *     waiting        key: apm-source      value: apmtool.waiting/1
 *     dead           key, value, headers: as they came; and apm-source,
 *                    apm-error, apm-detail, apm-version
 *
 * `apm-source` is TOPIC/PARTITION/OFFSET of the raw message; all have its time.
 */
#ifndef APMTOOL_CMD_WORKER_OUTPUTS_H
#define APMTOOL_CMD_WORKER_OUTPUTS_H

#include "cmd/worker/state.h"

/** The producer, and its topics. */
MUST_CHECK struct error *outputs_open(struct worker *worker);
void outputs_close(struct worker *worker);

/** Send all that comes of a message. */
void outputs_send(struct worker *worker, struct message *message);

/** Send its report alone, which was asked for again. */
void outputs_send_report(struct worker *worker, struct message *message);

/**
 * The raw message that a reference was of is gone: a dead letter without a
 * value, and the reference is done.
 *
 * @param key  Of the reference.
 */
void outputs_send_gone(struct worker *worker, struct text key);

#endif
