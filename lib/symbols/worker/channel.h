// SPDX-License-Identifier: MIT
/**
 * Two processes that talk: a pair of connected sockets, bytes in both
 * directions, and descriptors beside them.
 *
 * Whoever has the other end may be gone, slow, or taken over. Nothing here
 * waits beyond a deadline (timestamp_now_ms()), and writing to a process that
 * is gone is an answer, not a signal.
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_CHANNEL_H
#define APMTOOL_LIB_SYMBOLS_WORKER_CHANNEL_H

#include "lib/base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/** As many descriptors may go with a message. */
#define CHANNEL_FDS_MAX 2

#define CHANNEL_NO_DEADLINE INT64_MAX

/**
 * Both ends, closed in programs that are executed; false: see errno.
 *
 * @param ret_ends  The first is for whoever has deadlines: no call on it waits,
 *                  not even read(). The second is for a child that has but
 *                  read() and write(), and waits in them.
 */
MUST_CHECK bool channel_open(int ret_ends[2]);

enum channel_end {
	CHANNEL_ALL,  ///< all bytes went, or came
	CHANNEL_LESS, ///< the other end is closed, or cannot be waited for
	CHANNEL_LATE, ///< the deadline has passed
};

enum channel_end channel_send(int end, const void *data, size_t size,
                              int64_t deadline_ms);
/**
 * Send as much of @p parts as there is room for, without waiting.
 *
 * @return How many bytes went; -1: none did, there is no room or the other end
 *         is gone.
 */
ssize_t channel_send_some(int end, struct iovec *parts, size_t count);
enum channel_end channel_receive(int end, void *data, size_t size,
                                 int64_t deadline_ms);

/** Send bytes, and copies of descriptors: CHANNEL_FDS_MAX at most. */
MUST_CHECK bool channel_send_fds(int end, const void *data, size_t size,
                                 const int *fds, size_t fd_count);

/**
 * Receive what channel_send_fds() sent, waiting for it.
 *
 * @param ret_fds       The caller's to close; CHANNEL_FDS_MAX of them.
 * @param ret_fd_count  May be less than were sent: there was no room for them.
 */
MUST_CHECK bool channel_receive_fds(int end, void *data, size_t size,
                                    int *ret_fds, size_t *ret_fd_count);

#endif
