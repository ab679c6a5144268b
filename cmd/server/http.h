// SPDX-License-Identifier: MIT
/**
 * Requests over HTTP: sockets, heads, bodies, deadlines and limits, on top of
 * libmicrohttpd, whose header only http.c includes.
 *
 * All of it is driven by the caller, in one thread:
 *
 *     count = http_watch(http, events);
 *     poll(events, count, http_wait_ms(http));
 *     http_run(http);
 *
 * A client that is slow with a head, a body, or taking a response is
 * disconnected, and the sooner the more clients there are; bodies of all
 * clients together are bounded. A client that went away while its request was
 * worked on shows when the response is sent.
 */
#ifndef APMTOOL_CMD_SERVER_HTTP_H
#define APMTOOL_CMD_SERVER_HTTP_H

#include "cmd/server/request.h"
#include "lib/base/error.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/** Sockets of clients, a descriptor each; with fewer, fewer are served. */
#define HTTP_SOCKETS_MAX 900

/** Elements that http_watch() needs room for. */
#define HTTP_EVENTS_MAX 1024

struct http_hooks {
	/** The head is there; sets the response, or the body comes. */
	void (*begin)(void *context, struct request *request);
	/**
	 * The body is there, too; sets the response, or http_respond() is
	 * called later: the request is the caller's until then.
	 */
	void (*ask)(void *context, struct request *request);
	void *context;
};

struct http_server;

/**
 * @param socket          Listens, and is closed with the server.
 * @param sockets_max     At most HTTP_SOCKETS_MAX.
 * @param body_bytes_max  Of one request.
 */
MUST_CHECK struct error *http_new(int socket, size_t sockets_max,
                                  size_t body_bytes_max,
                                  const struct http_hooks *hooks,
                                  struct http_server **ret);

/** The responses of all requests must have been set. NULL is fine. */
void http_free(struct http_server *http);

size_t http_watch(struct http_server *http, struct pollfd *events);
int http_wait_ms(struct http_server *http);
/** Receive, call hooks, send, disconnect who is slow. */
void http_run(struct http_server *http);

/** The response of a request is set: it is sent by http_run(). */
void http_respond(struct http_server *http, struct request *request);

/** Accept no one any more; close the socket. */
void http_stop_listening(struct http_server *http);

/** Whether a request is on its way. */
bool http_is_busy(const struct http_server *http);

/** `libmicrohttpd 0.9.75`, for people. */
const char *http_version(void);

#endif
