// SPDX-License-Identifier: MIT
/**
 * A request over HTTP on its way: what came, what `apmtool filter` is asked,
 * and the response.
 */
#ifndef APMTOOL_CMD_SERVER_REQUEST_H
#define APMTOOL_CMD_SERVER_REQUEST_H

#include "cmd/server/symbolicate.h"
#include "lib/answers/question.h"
#include "lib/base/arena.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>

/** The status numbers that are used. */
enum http_status {
	HTTP_NONE = 0, ///< there is no response yet
	HTTP_OK = 200,
	HTTP_NO_CONTENT = 204,
	HTTP_BAD_REQUEST = 400,
	HTTP_FORBIDDEN = 403,
	HTTP_NOT_FOUND = 404,
	HTTP_METHOD_NOT_ALLOWED = 405,
	HTTP_TOO_LARGE = 413,
	HTTP_UNSUPPORTED_TYPE = 415,
	HTTP_MISDIRECTED = 421,
	HTTP_UNREADABLE = 422,
	HTTP_ERROR = 500,
	HTTP_BUSY = 503,
	HTTP_TOO_SLOW = 504,
};

/** What the content of a response may do in a browser. */
enum http_policy {
	HTTP_NOTHING, ///< it is no page
	HTTP_OWN,     ///< the page of the server: its own style and script
	HTTP_REPORT,  ///< a report: what it brings along, cut off from the rest
};

struct http_response {
	enum http_status status;
	const char *type; ///< of the content
	enum http_policy policy;
	const char *allow;    ///< methods, of HTTP_METHOD_NOT_ALLOWED
	const char *origin;   ///< that may read it; NULL: of this server only
	struct text constant; ///< content that is ours, or else
	struct str content;
};

struct route;

struct request {
	// What came; it lives as long as the request.
	const char *method;
	const char *path;
	const char *host; ///< these may be NULL
	const char *origin;
	const char *content_type;
	const char *encoding;
	const char *shape;
	struct str body;

	// What is done about it.
	const struct route *route;
	struct arena arena;
	struct symbolicate_request symbolicate;
	struct str frame;
	struct filter_question question;

	struct http_response response;
};

void request_release(struct request *request);

/** The response: an error, as JSON, or as a page where one was asked for. */
void request_fail(struct request *request, enum http_status status,
                  const char *format, ...) PRINTF_LIKE(3, 4);

#endif
