// SPDX-License-Identifier: MIT
/**
 * Children `apmtool filter`, by what they are asked for, and their answers to
 * messages.
 */
#ifndef APMTOOL_CMD_WORKER_QUESTIONS_H
#define APMTOOL_CMD_WORKER_QUESTIONS_H

#include "cmd/worker/state.h"

/** Start those of a kind, and wait until they are ready. */
MUST_CHECK struct error *questions_start(struct worker *worker,
                                         enum pool_kind kind);

/** Ask for all that is to come of a message that came. */
MUST_CHECK struct error *questions_ask_all(struct worker *worker,
                                           struct message *message);

/**
 * Ask about @p message. Children that are not there are started: of POOL_SLIM,
 * with the first report that is too large in full.
 */
MUST_CHECK struct error *questions_ask(struct worker *worker,
                                       struct message *message,
                                       enum pool_kind kind);

#endif
