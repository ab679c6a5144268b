// SPDX-License-Identifier: MIT
/**
 * A pool of children `apmtool filter`, for programs that get reports over a
 * network and do not parse them.
 *
 *     SCOPED(str_release) struct str program = { 0 };
 *
 *     err = filter_program_find(apmtool_commit, &program);
 *     pool = filter_pool_new(&settings);
 *     err = filter_pool_start(pool);
 *     …
 *     filter_pool_ask(pool, &question);
 *     for (;;) {
 *             struct pollfd *events = …; // filter_pool_events() of them
 *
 *             filter_pool_watch(pool, events);
 *             poll(events, …, filter_pool_wait_ms(pool));
 *             err = filter_pool_serve(pool, events); // calls `answered`
 *     }
 *
 * Only filter_pool_start() blocks. One thread at a time may use a pool. Every
 * question gets an answer, in any order. A child that dies or hangs is
 * replaced, and each of its questions goes to a child of its own; a question
 * that has cost several children is answered as `failed` (E-crash). The caller
 * limits the number of questions.
 *
 * The caller must ignore SIGPIPE, for writes to children that have died.
 * Children end with their standard input, so none outlives this process for
 * long.
 */
#ifndef APMTOOL_LIB_ANSWERS_POOL_H
#define APMTOOL_LIB_ANSWERS_POOL_H

#include "lib/answers/question.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

struct filter_pool_settings {
	const char *program; ///< the path of `apmtool`
	/** Options after `filter --frame u32`; ends with NULL. */
	const char *const *options;
	size_t children; ///< at least 1
	/** Kill a child that has questions and answers none for this long. */
	unsigned silence_s;
	/**
	 * May ask again.
	 *
	 * @param answer  An `apmtool.answer/1` (answer.h); valid during the
	 *                call.
	 */
	void (*answered)(void *context, struct filter_question *question,
	                 struct text answer);
	void *context;
};

struct filter_pool;

/** Copies the settings, but not what they point to. */
struct filter_pool *filter_pool_new(
        const struct filter_pool_settings *settings);

/**
 * End the children, within two seconds, and forget all questions. Accepts NULL.
 */
void filter_pool_free(struct filter_pool *pool);
void filter_pool_drop(struct filter_pool **pool); ///< for SCOPED()

/**
 * Start all children and wait until each has read its options and found its
 * symbols. Children print their errors on standard error.
 */
MUST_CHECK struct error *filter_pool_start(struct filter_pool *pool);

/** Queue a question for the next filter_pool_serve(). */
void filter_pool_ask(struct filter_pool *pool,
                     struct filter_question *question);

/** Questions without an answer. */
size_t filter_pool_count(const struct filter_pool *pool);

/** Children that died or were killed, since the start. */
size_t filter_pool_losses(const struct filter_pool *pool);

/** Replace each child after its answers, so that it finds new symbols. */
void filter_pool_renew(struct filter_pool *pool);

/** Elements that filter_pool_watch() fills in. */
size_t filter_pool_events(const struct filter_pool *pool);
void filter_pool_watch(const struct filter_pool *pool, struct pollfd *events);
/** How long to poll() at most; -1: forever. */
int filter_pool_wait_ms(const struct filter_pool *pool);

/**
 * Send, receive and replace children without blocking.
 *
 * @param events  After poll(); NULL: send only.
 * @return An error where children cannot start.
 */
MUST_CHECK struct error *filter_pool_serve(struct filter_pool *pool,
                                           const struct pollfd *events);

#endif
