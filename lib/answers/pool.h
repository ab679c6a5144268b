// SPDX-License-Identifier: MIT
/**
 * Children `apmtool filter` that answer frames, for programs that get reports
 * over a network: such a program reads none itself.
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
 * It waits for nothing but in filter_pool_start(), and is used by one thread at
 * a time. Every question has its answer, in no certain order: a child that dies
 * or is silent for too long is killed and replaced, and its questions go to
 * others, one at a time; the question that several children were lost with is
 * answered as `failed` (E-crash). Their number is bounded by the caller.
 *
 * SIGPIPE must be ignored: a child may be gone when it is written to. Children
 * end when their standard input does, so none outlives this process for long.
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
	/** After `filter --frame u32`; ends with NULL. */
	const char *const *options;
	size_t children; ///< at least 1
	/** A child that answers nothing for so long, with work, is killed. */
	unsigned silence_s;
	/**
	 * @param answer  An `apmtool.answer/1` (answer.h), good until it
	 *                returns. It may ask again.
	 */
	void (*answered)(void *context, struct filter_question *question,
	                 struct text answer);
	void *context;
};

struct filter_pool;

/** Its settings are copied; what they refer to must live as long as it. */
struct filter_pool *filter_pool_new(
        const struct filter_pool_settings *settings);

/**
 * End its children, in two seconds at most; questions are forgotten. NULL is
 * fine.
 */
void filter_pool_free(struct filter_pool *pool);
void filter_pool_drop(struct filter_pool **pool); ///< for SCOPED()

/**
 * Start all children and wait until each has read its options and found its
 * symbols. What is wrong with them, they print on standard error.
 */
MUST_CHECK struct error *filter_pool_start(struct filter_pool *pool);

/** Ask; it is sent by the next filter_pool_serve(). */
void filter_pool_ask(struct filter_pool *pool,
                     struct filter_question *question);

/** Questions without an answer. */
size_t filter_pool_count(const struct filter_pool *pool);

/** Children that died or were killed, since the start. */
size_t filter_pool_losses(const struct filter_pool *pool);

/** Replace each child once it has answered what it has: symbols changed. */
void filter_pool_renew(struct filter_pool *pool);

/** Elements that filter_pool_watch() fills in. */
size_t filter_pool_events(const struct filter_pool *pool);
void filter_pool_watch(const struct filter_pool *pool, struct pollfd *events);
/** How long to wait for them at most; -1: for ever. */
int filter_pool_wait_ms(const struct filter_pool *pool);

/**
 * Send, receive, replace children, without waiting.
 *
 * @param events  After poll(); NULL: send only.
 * @return An error where no child can be started any more.
 */
MUST_CHECK struct error *filter_pool_serve(struct filter_pool *pool,
                                           const struct pollfd *events);

#endif
