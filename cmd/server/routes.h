// SPDX-License-Identifier: MIT
/**
 * Paths and methods of the server: builds the question for a request, and the
 * response from the answer. Does no I/O, except that `/healthcheck` looks
 * whether paths of symbols exist.
 *
 *     route_begin(settings, is_loopback, request);  // the head has come
 *     if (!request->response.status)
 *             route_ask(state, request);            // the body has come
 *     if (!request->response.status)
 *             route_answer(request, answer);        // to request->question
 */
#ifndef APMTOOL_CMD_SERVER_ROUTES_H
#define APMTOOL_CMD_SERVER_ROUTES_H

#include "cmd/server/request.h"
#include "cmd/server/settings.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** For `/healthcheck`. */
struct server_state {
	const struct server_settings *settings;
	size_t waiting; ///< questions without an answer
	size_t losses;  ///< children that died or were killed
	bool is_ending;
};

/** Check --host and --origin: what no browser sends would allow nothing. */
struct error *routes_check(const struct server_settings *settings);

/**
 * Check the head of a request; set the response where it needs no body.
 *
 * @param is_loopback  The server trusts programs of this machine, but a site
 *                     can make a browser send requests: check the host name.
 */
void route_begin(const struct server_settings *settings, bool is_loopback,
                 struct request *request);

/** Whether the request may need a child. */
bool route_is_work(const struct request *request);

/** The body has come: set the question or the response. */
void route_ask(const struct server_state *state, struct request *request);

/** Set the response from the answer to the question. */
void route_answer(struct request *request, struct text answer);

#endif
