// SPDX-License-Identifier: MIT
/**
 * An HTTP request, the question to `apmtool filter`, and the response.
 */
#ifndef APMTOOL_CMD_SERVER_REQUEST_H
#define APMTOOL_CMD_SERVER_REQUEST_H

#include "cmd/server/symbolicate.h"
#include "lib/answers/question.h"
#include "lib/base/arena.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>

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
	HTTP_NOTHING, ///< no page
	HTTP_OWN,     ///< a page of the server: load its style and script
	HTTP_REPORT,  ///< a report: use the style and script in it, sandboxed
};

struct http_response {
	enum http_status status;
	const char *type; ///< of the content
	enum http_policy policy;
	const char *allow;    ///< methods, for HTTP_METHOD_NOT_ALLOWED
	const char *origin;   ///< of the site that may read it; NULL: ours
	struct text constant; ///< content that outlives it; or else:
	struct str content;
};

struct route;

struct request {
	// From the client; valid as long as the request.
	const char *method;
	const char *path;
	const char *host; ///< these may be NULL
	const char *origin;
	const char *content_type;
	const char *encoding;
	const char *shape;   ///< parameter of the query
	const char *surplus; ///< name of another parameter
	struct str body;

	// Set by routes.
	const struct route *route;
	struct arena arena;
	struct symbolicate_request symbolicate;
	struct str frame;
	struct filter_question question;

	struct http_response response;
};

void request_release(struct request *request);

/** Respond with an error: JSON, or a page where the shape is `html`. */
void request_fail(struct request *request, enum http_status status,
                  const char *format, ...) PRINTF_LIKE(3, 4);

#endif
