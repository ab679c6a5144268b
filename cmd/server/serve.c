// SPDX-License-Identifier: MIT
#include "cmd/server/serve.h"

#include "cmd/server/http.h"
#include "cmd/server/listener.h"
#include "cmd/server/routes.h"
#include "lib/answers/pool.h"
#include "lib/base/arena.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/process.h"
#include "lib/base/timestamp.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/** A filter gives up by itself after two tries; after this, it hangs. */
#define SILENCE_MORE_S 5

/** Of an envelope without the report. */
#define ENVELOPE_BYTES 1024

/** Descriptors of the server itself, and for each child. */
#define OTHER_FILES 24
#define CHILD_FILES 4

/** With room for fewer clients, the server does not start. */
#define SOCKETS_MIN 8

/** From SIGTERM until unanswered requests are refused. */
#define END_MS 5000

/** Time to send the refusals. */
#define LAST_MS      1000
#define LAST_STEP_MS 20

struct server {
	struct server_settings settings;
	struct arena arena;
	struct option_list filter; ///< options of the children
	struct listener listener;
	struct http_server *http;
	struct filter_pool *pool;
	struct server_state state;
	struct request **asked; ///< `queue` of them; NULL: a free place
	int64_t end_at_ms;      ///< 0: no signal yet
};

// Signals

static int signal_pipe[2] = { -1, -1 };

static void on_signal(int number)
{
	char byte = (char)number;

	(void)!write(signal_pipe[1], &byte, 1);
}

static struct error *watch_signals(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };

	if (!process_pipe(signal_pipe))
		return error_new(ERROR_OS, "cannot make a pipe");
	for (int i = 0; i < 2; i++)
		(void)fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		sigaction(numbers[i], &action, NULL);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
	return NULL;
}

static void say(const struct server *server, const char *format, ...)
        PRINTF_LIKE(2, 3);

static void say(const struct server *server, const char *format, ...)
{
	SCOPED(str_release) struct str line = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&line, format, args);
	va_end(args);
	server->settings.log(str_cstr(&line));
}

static void take_signals(struct server *server)
{
	char number;

	while (read(signal_pipe[0], &number, 1) == 1) {
		if (number == SIGHUP) {
			filter_pool_renew(server->pool);
			continue;
		}
		if (server->end_at_ms)
			continue;
		server->end_at_ms = timestamp_now_ms() + END_MS;
		server->state.is_ending = true;
		listener_remove(&server->listener);
		http_stop_listening(server->http);
	}
}

// Requests

static void on_begin(void *context, struct request *request)
{
	const struct server *server = context;

	route_begin(&server->settings, server->listener.is_loopback, request);
}

static struct request **place_of(struct server *server,
                                 const struct request *request)
{
	for (size_t i = 0; i < server->settings.queue; i++)
		if (server->asked[i] == request)
			return &server->asked[i];
	return NULL;
}

static void on_ask(void *context, struct request *request)
{
	struct server *server = context;
	struct request **place = place_of(server, NULL);

	server->state.losses = filter_pool_losses(server->pool);
	if (route_is_work(request) && (!place || server->state.is_ending)) {
		request_fail(request, HTTP_BUSY,
		             place ? "the server is shutting down"
		                   : "too many requests wait: try again");
		return;
	}
	route_ask(&server->state, request);
	if (request->response.status)
		return;
	*place = request;
	server->state.waiting++;
	filter_pool_ask(server->pool, &request->question);
}

static void end_request(struct server *server, struct request *request)
{
	*place_of(server, request) = NULL;
	server->state.waiting--;
	http_respond(server->http, request);
}

static void on_answer(void *context, struct filter_question *question,
                      struct text answer)
{
	struct request *request =
	        (struct request *)((char *)question -
	                           offsetof(struct request, question));

	route_answer(request, answer);
	end_request(context, request);
}

static void refuse_rest(struct server *server)
{
	for (size_t i = 0; i < server->settings.queue; i++) {
		struct request *request = server->asked[i];

		if (!request)
			continue;
		request_fail(request, HTTP_BUSY, "the server is shutting down");
		end_request(server, request);
	}
}

// The loop

/** The shorter of two times to wait; -1: forever. */
static int sooner(int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

static bool has_ended(const struct server *server)
{
	return server->end_at_ms && (!http_is_busy(server->http) ||
	                             timestamp_now_ms() >= server->end_at_ms);
}

/** Refuse unanswered requests, and send the refusals. */
static void finish(struct server *server, struct pollfd *events)
{
	int64_t end_ms = timestamp_now_ms() + LAST_MS;

	refuse_rest(server);
	while (http_is_busy(server->http) && timestamp_now_ms() < end_ms) {
		size_t count = http_watch(server->http, events);

		poll(events, (nfds_t)count, LAST_STEP_MS);
		http_run(server->http);
	}
}

static struct error *serve(struct server *server)
{
	size_t children = filter_pool_events(server->pool);
	SCOPED(mem_drop)
	struct pollfd *events =
	        mem_zalloc(children + 1 + HTTP_EVENTS_MAX, sizeof(*events));
	struct error *err = NULL;

	while (!err && !has_ended(server)) {
		size_t count = children;
		int wait_ms = sooner(filter_pool_wait_ms(server->pool),
		                     http_wait_ms(server->http));

		filter_pool_watch(server->pool, events);
		events[count++] = (struct pollfd){ .fd = signal_pipe[0],
			                           .events = POLLIN };
		count += http_watch(server->http, events + count);
		if (poll(events, (nfds_t)count, wait_ms) < 0)
			continue;
		err = filter_pool_serve(server->pool, events);
		take_signals(server);
		http_run(server->http);
		if (!err)
			err = filter_pool_serve(server->pool, NULL);
	}
	finish(server, events);
	return err;
}

// Start

static void add_word(struct server *server, const char *word)
{
	struct option_list *list = &server->filter;

	ARENA_GROW(&server->arena, list->items, list->count, list->cap);
	list->items[list->count++] = word;
}

static void add_option(struct server *server, const char *name,
                       const char *value)
{
	add_word(server, name);
	add_word(server, value);
}

static void add_list(struct server *server, const char *name,
                     const struct option_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		add_option(server, name, list->items[i]);
}

/** The report limit counts bytes of a frame, where reports are in Base64. */
static void add_limits(struct server *server)
{
	server->settings.body_bytes_max = limit_get(LIMIT_REPORT);
	limit_set(LIMIT_REPORT,
	          server->settings.body_bytes_max / 3 * 4 + ENVELOPE_BYTES);
	for (enum limit_id id = 0; id < LIMITS; id++)
		if (id == LIMIT_REPORT || limit_is_given(id))
			add_option(server, "--limit",
			           arena_printf(&server->arena, "%s=%zu",
			                        limit_rows[id].name,
			                        limit_get(id)));
}

static void add_filter_options(struct server *server)
{
	const struct server_settings *settings = &server->settings;

	add_option(server, "--shape", "any");
	add_option(server, "--jobs", "1");
	add_option(server, "--time-limit",
	           arena_printf(&server->arena, "%u", settings->time_limit_s));
	add_list(server, "--dsym", &settings->dsym);
	add_list(server, "--symbols", &settings->symbols);
	add_list(server, "--store", &settings->store);
	if (settings->redact)
		add_word(server, "--redact");
	if (settings->redact_key)
		add_option(server, "--redact-key", settings->redact_key);
	add_limits(server);
	add_word(server, NULL);
}

static void server_release(struct server *server)
{
	http_free(server->http);
	filter_pool_free(server->pool);
	free(server->asked);
	arena_release(&server->arena);
}

/** Find how many sockets leave enough descriptors for everything else. */
static struct error *find_sockets_max(const struct server *server, size_t *ret)
{
	size_t others = OTHER_FILES + server->settings.jobs * CHILD_FILES;
	size_t files = process_allow_files(others + HTTP_SOCKETS_MAX);

	if (files < others + SOCKETS_MIN)
		return error_new(ERROR_OS,
		                 "%zu open files are too few: at least %zu are "
		                 "needed (ulimit -n)",
		                 files, others + SOCKETS_MIN);
	*ret = files - others;
	return NULL;
}

static struct error *start(struct server *server)
{
	const struct http_hooks hooks = { .begin = on_begin,
		                          .ask = on_ask,
		                          .context = server };
	SCOPED(str_release) struct str name = { 0 };
	size_t sockets_max = 0;
	struct error *err = routes_check(&server->settings);

	if (!err)
		err = find_sockets_max(server, &sockets_max);
	if (err)
		return err;
	add_filter_options(server);
	server->pool = filter_pool_new(&(struct filter_pool_settings){
	        .program = server->settings.program,
	        .options = server->filter.items,
	        .children = server->settings.jobs,
	        .silence_s = 2 * server->settings.time_limit_s + SILENCE_MORE_S,
	        .answered = on_answer,
	        .context = server,
	});
	err = listener_open(server->settings.listen, &server->listener, &name);
	if (!err)
		err = http_new(server->listener.fd, sockets_max,
		               server->settings.body_bytes_max, &hooks,
		               &server->http);
	if (!err)
		err = watch_signals();
	if (!err)
		err = filter_pool_start(server->pool);
	if (err)
		return err;
	if (!server->listener.is_loopback && !server->listener.path)
		say(server, "warning: every client that can connect is "
		            "answered: there is no password and no encryption");
	say(server, "listening on %s", str_cstr(&name));
	return NULL;
}

struct error *server_run(const struct server_settings *settings)
{
	SCOPED(server_release) struct server server = { .settings = *settings };
	struct error *err;

	server.state.settings = &server.settings;
	server.asked = mem_zalloc(settings->queue, sizeof(*server.asked));
	err = start(&server);
	if (!err)
		err = serve(&server);
	if (err)
		listener_remove(&server.listener);
	return err;
}
