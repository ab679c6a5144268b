// SPDX-License-Identifier: MIT
/**
 * Requests over HTTP: sockets, heads, bodies, deadlines and limits, on top of
 * libmicrohttpd, whose header only http.c includes.
 *
 * The caller drives it, in one thread:
 *
 *     count = http_watch(http, events);
 *     poll(events, count, http_wait_ms(http));
 *     http_run(http);
 *
 * A client that is slow to send a request, or to take a response, is
 * disconnected: sooner while there are many clients. All bodies together have
 * a limit. When a client leaves before its response, the server notices only
 * when it sends the response.
 */
#ifndef APMTOOL_CMD_SERVER_HTTP_H
#define APMTOOL_CMD_SERVER_HTTP_H

#include "cmd/server/request.h"
#include "lib/base/error.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/** Sockets for clients; each is a descriptor. */
#define HTTP_SOCKETS_MAX 900

/** Elements that http_watch() may fill in. */
#define HTTP_EVENTS_MAX 1024

struct http_hooks {
	/** The head has come. Without a response, the body is read. */
	void (*begin)(void *context, struct request *request);
	/**
	 * The body has come. Without a response, the request stays valid
	 * until the caller sets one and calls http_respond().
	 */
	void (*ask)(void *context, struct request *request);
	void *context;
};

struct http_server;

/**
 * @param socket          Listens; the server closes it.
 * @param sockets_max     Of clients, at most HTTP_SOCKETS_MAX.
 * @param body_bytes_max  Of one request.
 */
MUST_CHECK struct error *http_new(int socket, size_t sockets_max,
                                  size_t body_bytes_max,
                                  const struct http_hooks *hooks,
                                  struct http_server **ret);

/** All requests must have a response. Accepts NULL. */
void http_free(struct http_server *http);

size_t http_watch(struct http_server *http, struct pollfd *events);
int http_wait_ms(struct http_server *http);
/** Receive, call hooks, send, disconnect slow clients. */
void http_run(struct http_server *http);

/** Let http_run() send the response of a request. */
void http_respond(struct http_server *http, struct request *request);

/** Close the socket that listens. */
void http_stop_listening(struct http_server *http);

/** Whether any request is unfinished. */
bool http_is_busy(const struct http_server *http);

/** `libmicrohttpd 0.9.75`, for people. */
const char *http_version(void);

#endif
