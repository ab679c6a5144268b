// SPDX-License-Identifier: MIT
/**
 * Children `apmtool filter`, a pool for each shape, and their answers.
 */
#ifndef APMTOOL_CMD_WORKER_QUESTIONS_H
#define APMTOOL_CMD_WORKER_QUESTIONS_H

#include "cmd/worker/state.h"

/** Start the children of a kind, and wait until they are ready. */
MUST_CHECK struct error *questions_start(struct worker *worker,
                                         enum pool_kind kind);

/** Ask for the event of a message, and for the report where it has a topic. */
MUST_CHECK struct error *questions_ask_all(struct worker *worker,
                                           struct message *message);

/**
 * Ask for one result of @p message. Starts the children where necessary: those
 * of POOL_SLIM with the first report that is too large in full.
 */
MUST_CHECK struct error *questions_ask(struct worker *worker,
                                       struct message *message,
                                       enum pool_kind kind);

#endif
