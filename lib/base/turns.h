// SPDX-License-Identifier: MIT
/**
 * Orders steps of parallel threads by number.
 *
 *     turns_take(&reading);
 *     number = read_piece();            // from 0 on
 *     turns_pass(&reading);
 *
 *     work_on_it();                     // in parallel
 *
 *     turns_wait(&printing, number);
 *     print_it();
 *     turns_pass(&printing);
 *
 * There is no deadlock as long as every number passes each step, and all
 * threads take the steps in one order.
 */
#ifndef APMTOOL_LIB_BASE_TURNS_H
#define APMTOOL_LIB_BASE_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct turns {
	pthread_mutex_t mutex;
	pthread_cond_t passed;
	size_t now;   ///< the current number
	size_t taken; ///< by turns_take()
};

#define TURNS_INIT                                  \
	{                                           \
		.mutex = PTHREAD_MUTEX_INITIALIZER, \
		.passed = PTHREAD_COND_INITIALIZER  \
	}

/** Wait for the turn of @p number; returns at once if it has begun. */
void turns_wait(struct turns *turns, size_t number);
/** Would turns_wait() return at once? */
bool turns_has_come(struct turns *turns, size_t number);
/** Take the next number and wait for its turn. */
void turns_take(struct turns *turns);
/** End the current turn. Call it once, by the thread whose turn it is. */
void turns_pass(struct turns *turns);

/** Destroy it; no thread may be waiting. */
void turns_release(struct turns *turns);

#endif
