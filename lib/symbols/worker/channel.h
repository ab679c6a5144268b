// SPDX-License-Identifier: MIT
/**
 * A pair of connected sockets between two processes: bytes in both directions,
 * and descriptors.
 *
 * The other process may be gone, slow, or compromised. No call waits past a
 * deadline (timestamp_now_ms()), and writing to a process that is gone returns
 * a result, not a signal.
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_CHANNEL_H
#define APMTOOL_LIB_SYMBOLS_WORKER_CHANNEL_H

#include "lib/base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/** Max descriptors per message. */
#define CHANNEL_FDS_MAX 2

#define CHANNEL_NO_DEADLINE INT64_MAX

/**
 * Open a channel; both ends are closed on exec. False: see errno.
 *
 * @param ret_ends  The first is non-blocking, for callers with deadlines. The
 *                  second blocks, for a child that only has read() and write().
 */
MUST_CHECK bool channel_open(int ret_ends[2]);

enum channel_end {
	CHANNEL_ALL,  ///< all bytes were sent or received
	CHANNEL_LESS, ///< the other end is closed, or polling failed
	CHANNEL_LATE, ///< the deadline has passed
};

enum channel_end channel_send(int end, const void *data, size_t size,
                              int64_t deadline_ms);
/**
 * Send as much of @p parts as fits, without waiting.
 *
 * @return The number of bytes; -1: none, no room or the other end is gone.
 */
ssize_t channel_send_some(int end, struct iovec *parts, size_t count);
enum channel_end channel_receive(int end, void *data, size_t size,
                                 int64_t deadline_ms);

/** Send bytes, with copies of up to CHANNEL_FDS_MAX descriptors. */
MUST_CHECK bool channel_send_fds(int end, const void *data, size_t size,
                                 const int *fds, size_t fd_count);

/**
 * Receive a message of channel_send_fds(); waits for it.
 *
 * @param ret_fds  Room for CHANNEL_FDS_MAX; the caller closes them.
 * @param ret_fd_count  May be less than were sent, if descriptors are used up.
 */
MUST_CHECK bool channel_receive_fds(int end, void *data, size_t size,
                                    int *ret_fds, size_t *ret_fd_count);

#endif
