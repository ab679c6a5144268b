// SPDX-License-Identifier: MIT
#include "cmd/server/http.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/text.h"
#include "lib/base/timestamp.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/** With more clients, the slowest one is disconnected. */
#define CLIENTS_MAX 512

/** Memory for the head and the trailers of a request. */
#define HEAD_BYTES_MAX ((size_t)32 << 10)

/**
 * Memory for bodies of all clients, in bodies of the largest size, and as much
 * for responses.
 */
#define BODIES_MAX 4

#define TICK_MS 500

/** What the server waits for. */
enum client_phase {
	CLIENT_HEAD,  ///< the next request, if any
	CLIENT_BODY,  ///< the body of a request
	CLIENT_WORK,  ///< an answer: the client waits for the server
	CLIENT_REPLY, ///< the client, to take the response
};

static const struct {
	int usual_ms;
	int many_ms; ///< with more than half of clients_max
} patience[] = {
	[CLIENT_HEAD] = { 15000, 2000 },
	[CLIENT_BODY] = { 60000, 10000 },
	[CLIENT_REPLY] = { 60000, 10000 },
};

struct client {
	struct client *next;
	struct client **link; ///< the pointer to this client
	int fd;
	enum client_phase phase;
	int64_t since_ms;
	size_t reply_bytes; ///< of a response that waits in memory
	bool is_closed;     ///< disconnected because it was slow
};

struct exchange {
	struct request request; ///< first: http_respond() casts it
	struct MHD_Connection *connection;
	struct client *client;
	enum http_status refused; ///< why the body is dropped, if it is
	size_t body_bytes;        ///< its part of those of all requests
	bool is_asked;
	bool is_suspended;
};

struct http_server {
	struct http_hooks hooks;
	struct MHD_Daemon *daemon;
	struct client *clients;
	size_t client_count;
	size_t clients_max;
	size_t body_bytes_max;
	size_t body_bytes;  ///< of all requests
	size_t reply_bytes; ///< of all responses
};

// Responses

static const char *policy_of(enum http_policy policy)
{
	static const char *const policies[] = {
		[HTTP_NOTHING] = "default-src 'none'; frame-ancestors 'none'",
		[HTTP_OWN] = "default-src 'none'; style-src 'self'; "
		             "script-src 'self'; form-action 'self'; "
		             "base-uri 'none'; frame-ancestors 'none'",
		// The report adds a policy that names its style and script.
		[HTTP_REPORT] = "sandbox allow-scripts allow-popups "
		                "allow-top-navigation-by-user-activation; "
		                "default-src 'none'; "
		                "style-src 'unsafe-inline'; "
		                "script-src 'unsafe-inline'; "
		                "form-action 'none'; base-uri 'none'; "
		                "frame-ancestors 'none'",
	};

	return policies[policy];
}

static void add_headers(struct MHD_Response *reply,
                        const struct request *request)
{
	const struct http_response *response = &request->response;
	bool is_shared = response->origin != NULL;

#define ADD(name, value) (void)MHD_add_response_header(reply, name, value)
	if (response->type)
		ADD("Content-Type", response->type);
	ADD("Content-Security-Policy", policy_of(response->policy));
	ADD("X-Content-Type-Options", "nosniff");
	// With `no-referrer`, browsers send a form with `Origin: null`.
	ADD("Referrer-Policy", "same-origin");
	ADD("Cache-Control", "no-store");
	ADD("Cross-Origin-Resource-Policy",
	    is_shared ? "cross-origin" : "same-origin");
	ADD("Vary", "Origin");
	if (response->allow)
		ADD("Allow", response->allow);
	if (response->status == HTTP_BUSY)
		ADD("Retry-After", "1");
	if (is_shared)
		ADD("Access-Control-Allow-Origin", response->origin);
	if (is_shared && response->status == HTTP_NO_CONTENT) {
		ADD("Access-Control-Allow-Methods", "POST");
		ADD("Access-Control-Allow-Headers", "content-type");
		ADD("Access-Control-Allow-Private-Network", "true");
		ADD("Access-Control-Max-Age", "600");
	}
#undef ADD
}

static void enter(struct client *client, enum client_phase phase)
{
	client->phase = phase;
	client->since_ms = timestamp_now_ms();
}

static void keep_reply(struct http_server *http, struct client *client,
                       size_t bytes)
{
	client->reply_bytes = bytes;
	http->reply_bytes += bytes;
}

static void forget_reply(struct http_server *http, struct client *client)
{
	http->reply_bytes -= client->reply_bytes;
	client->reply_bytes = 0;
}

static enum MHD_Result respond(struct http_server *http,
                               struct exchange *exchange)
{
	struct http_response *response = &exchange->request.response;
	struct text content = response->constant;
	struct MHD_Response *reply;
	enum MHD_Result done;

	if (content.data) {
		reply = MHD_create_response_from_buffer(content.size,
		                                        (char *)content.data,
		                                        MHD_RESPMEM_PERSISTENT);
	} else if (response->content.size) {
		reply = MHD_create_response_from_buffer(response->content.size,
		                                        response->content.data,
		                                        MHD_RESPMEM_MUST_FREE);
		keep_reply(http, exchange->client, response->content.size);
		response->content = (struct str){ 0 };
	} else {
		reply = MHD_create_response_from_buffer(0, (char *)"",
		                                        MHD_RESPMEM_PERSISTENT);
	}
	if (!reply)
		return MHD_NO;
	add_headers(reply, &exchange->request);
	enter(exchange->client, CLIENT_REPLY);
	done = MHD_queue_response(exchange->connection,
	                          (unsigned)response->status, reply);
	MHD_destroy_response(reply);
	return done;
}

// Requests

static const char *header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static void refuse_body(const struct http_server *http,
                        struct exchange *exchange, enum http_status status)
{
	if (status == HTTP_TOO_LARGE)
		request_fail(&exchange->request, status,
		             "the body is larger than %s: see --limit "
		             "report=SIZE",
		             limit_size(http->body_bytes_max).text);
	else
		request_fail(&exchange->request, status,
		             "the server is receiving too much: try again");
}

/**
 * Headers that say what a request is and where it ends. Given two of them, a
 * proxy may have seen another request (request smuggling).
 */
static const char *const single_headers[] = { "Content-Length",
	                                      "Transfer-Encoding", "Host",
	                                      "Origin" };

static enum MHD_Result count_header(void *context,
                                    enum MHD_ValueKind kind UNUSED,
                                    const char *name, const char *value UNUSED)
{
	size_t *counts = context;

	for (size_t i = 0; i < ARRAY_SIZE(single_headers); i++)
		counts[i] += text_is_nocase(text_from(name), single_headers[i]);
	return MHD_YES;
}

static void check_single(struct exchange *exchange)
{
	size_t counts[ARRAY_SIZE(single_headers)] = { 0 };

	(void)MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND,
	                                count_header, counts);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (counts[i] > 1)
			request_fail(&exchange->request, HTTP_BAD_REQUEST,
			             "%s is given twice", single_headers[i]);
}

/** Refuse a body that the head shows to be malformed or too large. */
static void check_length(const struct http_server *http,
                         struct exchange *exchange)
{
	const char *length = header(exchange->connection, "Content-Length");
	const char *coding = header(exchange->connection, "Transfer-Encoding");
	uint64_t bytes = 0;

	if (coding && !text_is_nocase(text_from(coding), "chunked"))
		request_fail(&exchange->request, HTTP_BAD_REQUEST,
		             "Transfer-Encoding is not chunked");
	if (!length)
		return;
	// A proxy may see the end of the body elsewhere (request smuggling).
	if (coding)
		request_fail(&exchange->request, HTTP_BAD_REQUEST,
		             "both Content-Length and Transfer-Encoding");
	else if (!number_decimal(text_from(length), &bytes))
		request_fail(&exchange->request, HTTP_BAD_REQUEST,
		             "Content-Length is not a number");
	else if (bytes > http->body_bytes_max)
		refuse_body(http, exchange, HTTP_TOO_LARGE);
}

static enum MHD_Result take_parameter(void *context,
                                      enum MHD_ValueKind kind UNUSED,
                                      const char *name, const char *value)
{
	struct request *request = context;

	if (!strcmp(name, "shape") && !request->shape)
		request->shape = value ? value : "";
	else
		request->surplus = name;
	return MHD_YES;
}

static struct exchange *begin(struct http_server *http,
                              struct MHD_Connection *connection,
                              const char *path, const char *method)
{
	struct exchange *exchange = mem_zalloc(1, sizeof(*exchange));
	struct request *request = &exchange->request;

	exchange->connection = connection;
	exchange->client =
	        MHD_get_connection_info(connection,
	                                MHD_CONNECTION_INFO_SOCKET_CONTEXT)
	                ->socket_context;
	enter(exchange->client, CLIENT_BODY);
	request->path = path;
	request->method = method;
	request->host = header(connection, "Host");
	request->origin = header(connection, "Origin");
	request->content_type = header(connection, "Content-Type");
	request->encoding = header(connection, "Content-Encoding");
	(void)MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND,
	                                take_parameter, request);
	http->hooks.begin(http->hooks.context, request);
	if (!request->response.status)
		check_single(exchange);
	if (!request->response.status)
		check_length(http, exchange);
	return exchange;
}

/** Count what is held of a body: as it came, or in the frame of a filter. */
static void count_body(struct http_server *http, struct exchange *exchange)
{
	const struct request *request = &exchange->request;
	size_t held = request->body.size + request->frame.size;

	http->body_bytes += held - exchange->body_bytes;
	exchange->body_bytes = held;
}

static void drop_body(struct http_server *http, struct exchange *exchange)
{
	str_release(&exchange->request.body);
	str_release(&exchange->request.frame);
	count_body(http, exchange);
}

/** Keep a part of a body, or drop it where the body is refused. */
static void take_body(struct http_server *http, struct exchange *exchange,
                      struct text part)
{
	struct str *body = &exchange->request.body;

	if (!exchange->refused && body->size + part.size > http->body_bytes_max)
		exchange->refused = HTTP_TOO_LARGE;
	else if (!exchange->refused &&
	         http->body_bytes + part.size >
	                 BODIES_MAX * http->body_bytes_max)
		exchange->refused = HTTP_BUSY;
	if (exchange->refused) {
		drop_body(http, exchange);
		return;
	}
	str_add_text(body, part);
	count_body(http, exchange);
}

static void ask(struct http_server *http, struct exchange *exchange)
{
	struct request *request = &exchange->request;

	exchange->is_asked = true;
	if (exchange->refused)
		refuse_body(http, exchange, exchange->refused);
	else
		http->hooks.ask(http->hooks.context, request);
	count_body(http, exchange);
	if (request->response.status)
		return;
	enter(exchange->client, CLIENT_WORK);
	exchange->is_suspended = true;
	MHD_suspend_connection(exchange->connection);
}

/** Called with the head, with each part of the body, and at the end. */
static enum MHD_Result on_request(void *context,
                                  struct MHD_Connection *connection,
                                  const char *path, const char *method,
                                  const char *version UNUSED, const char *part,
                                  size_t *part_size, void **ret)
{
	struct http_server *http = context;
	struct exchange *exchange = *ret;

	if (!exchange) {
		*ret = exchange = begin(http, connection, path, method);
		return exchange->request.response.status
		               ? respond(http, exchange)
		               : MHD_YES;
	}
	if (*part_size) {
		take_body(http, exchange, (struct text){ part, *part_size });
		*part_size = 0;
		return MHD_YES;
	}
	if (!exchange->is_asked)
		ask(http, exchange);
	return exchange->request.response.status ? respond(http, exchange)
	                                         : MHD_YES;
}

static void on_end(void *context, struct MHD_Connection *connection UNUSED,
                   void **ret, enum MHD_RequestTerminationCode code UNUSED)
{
	struct http_server *http = context;
	struct exchange *exchange = *ret;

	if (!exchange)
		return;
	enter(exchange->client, CLIENT_HEAD);
	forget_reply(http, exchange->client);
	drop_body(http, exchange);
	request_release(&exchange->request);
	free(exchange);
	*ret = NULL;
}

void http_respond(struct http_server *http UNUSED, struct request *request)
{
	struct exchange *exchange = (struct exchange *)request;

	if (!exchange->is_suspended)
		return;
	exchange->is_suspended = false;
	MHD_resume_connection(exchange->connection);
}

// Clients

static void on_client(void *context, struct MHD_Connection *connection,
                      void **ret, enum MHD_ConnectionNotificationCode code)
{
	struct http_server *http = context;
	struct client *client = *ret;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*ret = client = mem_zalloc(1, sizeof(*client));
		client->fd =
		        MHD_get_connection_info(
		                connection, MHD_CONNECTION_INFO_CONNECTION_FD)
		                ->connect_fd;
		enter(client, CLIENT_HEAD);
		client->next = http->clients;
		client->link = &http->clients;
		if (client->next)
			client->next->link = &client->next;
		http->clients = client;
		http->client_count++;
		return;
	}
	*client->link = client->next;
	if (client->next)
		client->next->link = client->link;
	http->client_count--;
	free(client);
	*ret = NULL;
}

/** libmicrohttpd closes the socket once both directions are shut down. */
static void disconnect(struct client *client)
{
	client->is_closed = true;
	(void)shutdown(client->fd, SHUT_RDWR);
}

static bool is_patient(const struct client *client, bool are_many,
                       int64_t now_ms)
{
	int most_ms = are_many ? patience[client->phase].many_ms
	                       : patience[client->phase].usual_ms;

	return now_ms - client->since_ms < most_ms;
}

static void disconnect_slow(struct http_server *http)
{
	bool are_many = http->client_count > http->clients_max / 2;
	int64_t now_ms = timestamp_now_ms();
	struct client *slowest = NULL;
	size_t count = 0;

	for (struct client *c = http->clients; c; c = c->next) {
		if (c->phase == CLIENT_WORK || c->is_closed)
			continue;
		if (!is_patient(c, are_many, now_ms)) {
			disconnect(c);
			continue;
		}
		count++;
		// Of those that came at the same time, the first.
		if (!slowest || c->since_ms <= slowest->since_ms)
			slowest = c;
	}
	// One is enough: each http_run() accepts at most one client.
	if (count > http->clients_max)
		disconnect(slowest);
}

/** While responses exceed their limit, disconnect the slowest client. */
static void bound_replies(struct http_server *http)
{
	while (http->reply_bytes > BODIES_MAX * http->body_bytes_max) {
		struct client *slowest = NULL;
		size_t count = 0;

		for (struct client *c = http->clients; c; c = c->next) {
			count += c->reply_bytes > 0;
			if (c->reply_bytes &&
			    (!slowest || c->since_ms <= slowest->since_ms))
				slowest = c;
		}
		// A single response may exceed it.
		if (count < 2)
			return;
		disconnect(slowest);
		forget_reply(http, slowest);
	}
}

// The server

static void log_nothing(void *context UNUSED, const char *format UNUSED,
                        va_list args UNUSED)
{
	// Clients could put any text into the log.
}

struct error *http_new(int socket, size_t sockets_max, size_t body_bytes_max,
                       const struct http_hooks *hooks, struct http_server **ret)
{
	struct http_server *http = mem_zalloc(1, sizeof(*http));

	http->hooks = *hooks;
	http->body_bytes_max = body_bytes_max;
	// Leave sockets for new clients while a slow one is disconnected.
	http->clients_max = sockets_max - sockets_max / 4;
	if (http->clients_max > CLIENTS_MAX)
		http->clients_max = CLIENTS_MAX;
	http->daemon = MHD_start_daemon(
	        MHD_USE_ERROR_LOG | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
	        on_request, http, MHD_OPTION_EXTERNAL_LOGGER, log_nothing, NULL,
	        MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT,
	        (unsigned)sockets_max, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
	        HEAD_BYTES_MAX, MHD_OPTION_STRICT_FOR_CLIENT, 1,
	        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
	        MHD_OPTION_NOTIFY_COMPLETED, on_end, http,
	        MHD_OPTION_NOTIFY_CONNECTION, on_client, http, MHD_OPTION_END);
	if (!http->daemon) {
		free(http);
		return error_new(ERROR_OS, "libmicrohttpd does not start");
	}
	*ret = http;
	return NULL;
}

void http_free(struct http_server *http)
{
	if (!http)
		return;
	MHD_stop_daemon(http->daemon);
	free(http);
}

size_t http_watch(struct http_server *http, struct pollfd *events)
{
	fd_set reads, writes, faults;
	MHD_socket last = -1;
	size_t count = 0;

	FD_ZERO(&reads);
	FD_ZERO(&writes);
	FD_ZERO(&faults);
	(void)MHD_get_fdset(http->daemon, &reads, &writes, &faults, &last);
	for (int fd = 0; fd <= last && count < HTTP_EVENTS_MAX; fd++) {
		int wanted = (FD_ISSET(fd, &reads) ? POLLIN : 0) |
		             (FD_ISSET(fd, &writes) ? POLLOUT : 0);

		if (wanted)
			events[count++] =
			        (struct pollfd){ .fd = fd,
				                 .events = (short)wanted };
	}
	return count;
}

int http_wait_ms(struct http_server *http)
{
	MHD_UNSIGNED_LONG_LONG wait_ms;
	int most_ms = http->clients ? TICK_MS : -1;

	if (MHD_get_timeout(http->daemon, &wait_ms) != MHD_YES)
		return most_ms;
	if (most_ms >= 0 && wait_ms > (unsigned)most_ms)
		return most_ms;
	return wait_ms > INT32_MAX ? INT32_MAX : (int)wait_ms;
}

void http_run(struct http_server *http)
{
	(void)MHD_run(http->daemon);
	disconnect_slow(http);
	bound_replies(http);
}

void http_stop_listening(struct http_server *http)
{
	MHD_socket socket = MHD_quiesce_daemon(http->daemon);

	if (socket != MHD_INVALID_SOCKET)
		close(socket);
}

bool http_is_busy(const struct http_server *http)
{
	for (const struct client *c = http->clients; c; c = c->next)
		if (c->phase != CLIENT_HEAD)
			return true;
	return false;
}

const char *http_version(void)
{
	return MHD_get_version();
}
