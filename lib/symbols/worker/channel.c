// SPDX-License-Identifier: MIT
#include "lib/symbols/worker/channel.h"

#include "lib/base/timestamp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 // macOS has a socket option instead
#endif
#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0
#endif

/** Room for a message's descriptors, aligned for its header. */
union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(CHANNEL_FDS_MAX * sizeof(int))];
};

bool channel_open(int ret_ends[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ret_ends))
		return false;
	for (int i = 0; i < 2; i++) {
		(void)fcntl(ret_ends[i], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
		setsockopt(ret_ends[i], SOL_SOCKET, SO_NOSIGPIPE, &(int){ 1 },
		           sizeof(int));
#endif
	}
	// macOS ignores MSG_DONTWAIT.
	(void)fcntl(ret_ends[0], F_SETFL, O_NONBLOCK);
	return true;
}

static enum channel_end wait_for(int end, short events, int64_t deadline_ms)
{
	struct pollfd ready = { .fd = end, .events = events };

	for (;;) {
		int64_t left_ms = INT_MAX;
		int found;

		if (deadline_ms != CHANNEL_NO_DEADLINE)
			left_ms = deadline_ms - timestamp_now_ms();
		if (left_ms <= 0)
			return CHANNEL_LATE;
		if (left_ms > INT_MAX)
			left_ms = INT_MAX;
		found = poll(&ready, 1, (int)left_ms);
		if (found > 0)
			return CHANNEL_ALL;
		if (found < 0 && errno != EINTR)
			return CHANNEL_LESS;
	}
}

static bool is_not_ready(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK;
}

/** Should a failed call be repeated? Waits until it is possible. */
static bool may_go_on(int end, short events)
{
	if (is_not_ready())
		return wait_for(end, events, CHANNEL_NO_DEADLINE) ==
		       CHANNEL_ALL;
	return errno == EINTR;
}

enum channel_end channel_send(int end, const void *data, size_t size,
                              int64_t deadline_ms)
{
	const char *at = data;

	while (size) {
		ssize_t sent = send(end, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
		enum channel_end how;

		if (sent >= 0) {
			at += sent;
			size -= (size_t)sent;
		} else if (is_not_ready() || errno == ENOBUFS) {
			how = wait_for(end, POLLOUT, deadline_ms);
			if (how != CHANNEL_ALL)
				return how;
		} else if (errno != EINTR) {
			return CHANNEL_LESS;
		}
	}
	return CHANNEL_ALL;
}

ssize_t channel_send_some(int end, struct iovec *parts, size_t count)
{
	struct msghdr message = { .msg_iov = parts };
	ssize_t sent;

	message.msg_iovlen = (__typeof__(message.msg_iovlen))count;
	do
		sent = sendmsg(end, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (sent < 0 && errno == EINTR);
	return sent;
}

enum channel_end channel_receive(int end, void *data, size_t size,
                                 int64_t deadline_ms)
{
	char *at = data;

	while (size) {
		enum channel_end how = wait_for(end, POLLIN, deadline_ms);
		ssize_t got;

		if (how != CHANNEL_ALL)
			return how;
		got = read(end, at, size);
		if (got < 0 && (errno == EINTR || is_not_ready()))
			continue;
		if (got <= 0)
			return CHANNEL_LESS;
		at += got;
		size -= (size_t)got;
	}
	return CHANNEL_ALL;
}

bool channel_send_fds(int end, const void *data, size_t size, const int *fds,
                      size_t fd_count)
{
	struct iovec bytes = { (void *)data, size };
	union control control = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };
	ssize_t sent;

	if (fd_count) {
		message.msg_control = control.bytes;
		message.msg_controllen =
		        (socklen_t)CMSG_SPACE(fd_count * sizeof(*fds));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len =
		        (socklen_t)CMSG_LEN(fd_count * sizeof(*fds));
		memcpy(CMSG_DATA(&control.head), fds, fd_count * sizeof(*fds));
	}
	do
		sent = sendmsg(end, &message, MSG_NOSIGNAL);
	while (sent < 0 && may_go_on(end, POLLOUT));
	// Descriptors are sent with the first byte.
	return sent >= 0 &&
	       channel_send(end, (const char *)data + sent, size - (size_t)sent,
	                    CHANNEL_NO_DEADLINE) == CHANNEL_ALL;
}

bool channel_receive_fds(int end, void *data, size_t size, int *ret_fds,
                         size_t *ret_fd_count)
{
	struct iovec bytes = { data, size };
	union control control;
	struct msghdr message = { .msg_iov = &bytes,
		                  .msg_iovlen = 1,
		                  .msg_control = control.bytes,
		                  .msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *head;
	ssize_t got;

	*ret_fd_count = 0;
	do
		got = recvmsg(end, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && may_go_on(end, POLLIN));
	if (got <= 0)
		return false;
	head = CMSG_FIRSTHDR(&message);
	if (head && head->cmsg_level == SOL_SOCKET &&
	    head->cmsg_type == SCM_RIGHTS) {
		size_t taken = head->cmsg_len - CMSG_LEN(0);

		*ret_fd_count = taken / sizeof(*ret_fds);
		memcpy(ret_fds, CMSG_DATA(head), taken);
	}
	return channel_receive(end, (char *)data + got, size - (size_t)got,
	                       CHANNEL_NO_DEADLINE) == CHANNEL_ALL;
}
