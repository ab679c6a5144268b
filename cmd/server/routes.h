// SPDX-License-Identifier: MIT
/**
 * What a server is asked for, by path and method, and what it answers. Nothing
 * here knows sockets.
 *
 *     route_begin(settings, is_loopback, request);  // the head is there
 *     if (!request->response.status)
 *             route_ask(state, request);            // so is the body
 *     if (!request->response.status)
 *             …                                     // request->question is
 * asked route_answer(request, answer);
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
	size_t waiting; ///< requests that are worked on or wait
	size_t losses;  ///< of children
	bool is_ending;
};

/**
 * Look at the head of a request; the response is set where it does not depend
 * on the body.
 *
 * @param is_loopback  Only programs of this machine can connect, browsers among
 *                     them, which any site can make ask.
 */
void route_begin(const struct server_settings *settings, bool is_loopback,
                 struct request *request);

/** Whether it may have to be asked of a child. */
bool route_is_work(const struct request *request);

/** The request is whole: set its question, or the response. */
void route_ask(const struct server_state *state, struct request *request);

/** Set the response. */
void route_answer(struct request *request, struct text answer);

#endif
