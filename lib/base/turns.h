// SPDX-License-Identifier: MIT
/**
 * Threads that work at once, and do some steps one after another: whose turn it
 * is goes by number.
 *
 *     turns_take(&reading);
 *     number = read_piece();            // from 0 on
 *     turns_pass(&reading);
 *     work_on_it();                     // while others read, and work
 *     turns_wait(&printing, number);
 *     print_it();
 *     turns_pass(&printing);
 *
 * There is no deadlock as long as who has a number passes its turn in each of
 * these steps, and comes to them in one order.
 */
#ifndef APMTOOL_LIB_BASE_TURNS_H
#define APMTOOL_LIB_BASE_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct turns {
	pthread_mutex_t mutex;
	pthread_cond_t passed;
	size_t now;   ///< the number whose turn it is
	size_t taken; ///< by turns_take()
};

#define TURNS_INIT                                  \
	{                                           \
		.mutex = PTHREAD_MUTEX_INITIALIZER, \
		.passed = PTHREAD_COND_INITIALIZER  \
	}

/** Wait for the turn of @p number, which may have come already. */
void turns_wait(struct turns *turns, size_t number);
/** Would turns_wait() return at once? */
bool turns_has_come(struct turns *turns, size_t number);
/** Take the next number, whatever it is, and wait for its turn. */
void turns_take(struct turns *turns);
/**
 * It is the turn of the next number. Only for the one whose turn it is, and
 * once: else two would have a turn, or nobody.
 */
void turns_pass(struct turns *turns);

/** Nobody waits any more. */
void turns_release(struct turns *turns);

#endif
