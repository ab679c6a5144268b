// SPDX-License-Identifier: MIT
#include "cmd/server/routes.h"

#include "cmd/server/form.h"
#include "lib/answers/answer.h"
#include "lib/base/base64.h"
#include "lib/base/number.h"
#include "lib/base/out.h"
#include "lib/base/xml.h"
#include "lib/text/json/pull.h"
#include "lib/text/json/writer.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define TYPE_JSON "application/json"
#define TYPE_HTML "text/html; charset=utf-8"

#define SYMBOLICATE_PATH "/symbolicate/v5"

/** The Firefox Profiler: its page uses a server on the user's machine. */
#define PROFILER_ORIGIN "https://profiler.firefox.com"

extern const char server_page[];
extern const char server_style[];
extern const char server_script[];

struct route {
	const char *path;
	bool posts;        ///< takes POST; else GET and HEAD
	bool is_shared;    ///< pages of allowed origins may use it
	const char *shape; ///< of the answer
	bool takes_shape;  ///< the query may give another
	/** Set the question, or the response. */
	void (*ask)(const struct server_state *state, struct request *request);
	void (*answer)(struct request *request, struct text answer);
	// For ask_constant().
	const char *type;
	const char *content;
};

void request_release(struct request *request)
{
	str_release(&request->body);
	str_release(&request->frame);
	str_release(&request->response.content);
	arena_release(&request->arena);
}

// Responses

static bool wants_page(const struct request *request)
{
	return request->route && request->route->takes_shape &&
	       request->shape && !strcmp(request->shape, "html");
}

/** @param is_frames  The policy of the page allows no style of the server. */
static void begin_page(struct str *out, const char *title, bool is_frames)
{
	str_add(out,
	        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	        "<meta charset=\"utf-8\">\n"
	        "<meta name=\"viewport\" content=\"width=device-width, "
	        "initial-scale=1\">\n"
	        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	str_add(out, title);
	str_add(out, "</title>\n");
	if (is_frames)
		str_addf(out, "<style>\n%s</style>", server_style);
	else
		str_add(out, "<link rel=\"stylesheet\" href=\"style.css\">");
	str_addf(out, "\n</head>\n<body>\n<main%s>\n<h1>",
	         is_frames ? " class=\"wide\"" : "");
	str_add(out, title);
	str_add(out, "</h1>\n");
}

static void end_page(struct str *out)
{
	str_add(out, "<p><a href=\"./\">Read another report</a></p>\n"
	             "</main>\n</body>\n</html>\n");
}

/** Add a JSON object with one member. */
static void add_json(struct str *out, const char *name, const char *text)
{
	struct out *json = out_memory();
	struct json_writer writer = json_writer_compact(json);

	json_open_object(&writer, NULL);
	json_text(&writer, name, text);
	json_close(&writer);
	json_finish(&writer);
	str_add_text(out, str_text(out_str(json)));
	out_abandon(json);
}

void request_fail(struct request *request, enum http_status status,
                  const char *format, ...)
{
	struct http_response *response = &request->response;
	SCOPED(str_release) struct str message = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&message, format, args);
	va_end(args);
	response->status = status;
	response->constant = (struct text){ 0 };
	str_clear(&response->content);
	if (!wants_page(request)) {
		response->type = TYPE_JSON;
		add_json(&response->content, "error", str_cstr(&message));
		return;
	}
	response->type = TYPE_HTML;
	response->policy = HTTP_OWN;
	begin_page(&response->content, "No explanation", false);
	str_add(&response->content, "<p class=\"fault\">");
	xml_add_text(&response->content, str_text(&message));
	str_add(&response->content, "</p>\n");
	end_page(&response->content);
}

// Questions

/** Base64, so that no report can change the envelope around it. */
static void set_question(struct request *request, const char *shape,
                         struct text report)
{
	struct str *frame = &request->frame;

	str_addf(frame, "{\"apm\":1,\"shape\":\"%s\",\"report\":{\"base64\":\"",
	         shape);
	base64_encode(report, frame);
	str_add(frame, "\"}}");
	request->question.frame = str_text(frame);
	str_release(&request->body);
}

static const char *shape_of(const struct request *request)
{
	static const char *const shapes[] = { "event", "full", "ips",
		                              "text",  "hash", "html" };
	const char *shape = request->shape ? request->shape
	                                   : request->route->shape;

	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (!strcmp(shape, shapes[i]))
			return shapes[i];
	return NULL;
}

static void ask_report(const struct server_state *state UNUSED,
                       struct request *request)
{
	struct text type =
	        text_from(request->content_type ? request->content_type : "");
	struct text report = str_text(&request->body);
	const char *shape = shape_of(request);

	if (!shape)
		request_fail(request, HTTP_BAD_REQUEST,
		             "shape: expected event, full, ips, text, hash or "
		             "html");
	else if (form_is_type(type) &&
	         !form_find(type, str_text(&request->body), &report))
		request_fail(request, HTTP_BAD_REQUEST,
		             "there is no report: all fields are empty");
	else if (!text_trim(report).size)
		request_fail(request, HTTP_BAD_REQUEST,
		             "there is no report in the request");
	else
		set_question(request, shape, report);
}

static void ask_symbolicate(const struct server_state *state UNUSED,
                            struct request *request)
{
	SCOPED(str_release) struct str report = { 0 };
	struct error *err = symbolicate_read(str_text(&request->body),
	                                     &request->arena,
	                                     &request->symbolicate);

	if (err) {
		request_fail(request,
		             error_code(err) == ERROR_LIMIT ? HTTP_TOO_LARGE
		                                            : HTTP_BAD_REQUEST,
		             "%s", error_message(err));
		error_free(err);
		return;
	}
	if (!request->symbolicate.module_count) {
		request->route->answer(request, (struct text){ 0 });
		return;
	}
	symbolicate_add_report(&request->symbolicate, &report);
	set_question(request, "full", str_text(&report));
}

static void ask_constant(const struct server_state *state UNUSED,
                         struct request *request)
{
	struct http_response *response = &request->response;

	response->status = HTTP_OK;
	response->type = request->route->type;
	response->policy = HTTP_OWN;
	response->constant = text_from(request->route->content);
}

/** The first path of a list that does not exist; or NULL. */
static const char *find_gone(const struct option_list *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		if (access(paths->items[i], F_OK))
			return paths->items[i];
	return NULL;
}

/** Where symbols were when the server started: without them names are lost. */
static const char *find_gone_symbols(const struct server_settings *settings)
{
	const char *gone = find_gone(&settings->store);

	if (!gone)
		gone = find_gone(&settings->dsym);
	return gone ? gone : find_gone(&settings->symbols);
}

static void ask_health(const struct server_state *state,
                       struct request *request)
{
	struct http_response *response = &request->response;
	const char *gone = find_gone_symbols(state->settings);
	struct out *json = out_memory();
	struct json_writer writer = json_writer_compact(json);

	response->status = state->is_ending || gone ? HTTP_BUSY : HTTP_OK;
	response->type = TYPE_JSON;
	json_open_object(&writer, NULL);
	json_text(&writer, "status",
	          state->is_ending ? "ending"
	          : gone           ? "no symbols"
	                           : "ok");
	json_text(&writer, "gone", gone);
	json_text(&writer, "version", APMTOOL_VERSION);
	json_text(&writer, "commit", state->settings->commit);
	json_number(&writer, "filters", state->settings->jobs);
	json_number(&writer, "waiting", state->waiting);
	json_number(&writer, "lost", state->losses);
	json_close(&writer);
	json_finish(&writer);
	str_add_text(&response->content, str_text(out_str(json)));
	out_abandon(json);
}

// Answers

/** 200 where the answer has documents. */
static enum http_status status_of(const struct filter_answer *answer)
{
	const char *reason = answer->reason ? answer->reason : "";

	if (answer->status < FILTER_REJECTED)
		return HTTP_OK;
	if (!strcmp(reason, "E-size"))
		return HTTP_TOO_LARGE;
	if (answer->status == FILTER_REJECTED)
		return HTTP_UNREADABLE;
	if (!strcmp(reason, "E-time"))
		return HTTP_TOO_SLOW;
	return !strcmp(reason, "E-shortage") ? HTTP_BUSY : HTTP_ERROR;
}

/** Why the answer has no documents. */
static const char *message_of(const struct filter_answer *answer)
{
	if (answer->message)
		return answer->message;
	return answer->reason ? answer->reason : "there is nothing to read";
}

static void add_unquoted(struct str *out, struct text document)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(document, 0);
	const struct json_event *event = json_pull_next(pull);

	if (event->type == JSON_EVENT_TEXT)
		str_add_text(out, event->text);
}

/** A page with a frame for the page of each report. */
static void add_frames(struct str *out, const struct filter_answer *answer)
{
	begin_page(out, "Several reports", true);
	for (size_t i = 0; i < answer->document_count; i++) {
		SCOPED(str_release) struct str page = { 0 };

		add_unquoted(&page, answer->documents[i].text);
		str_addf(out,
		         "<p>Report %zu of %zu</p>\n<iframe title=\"Report "
		         "%zu\" sandbox=\"allow-scripts\" srcdoc=\"",
		         i + 1, answer->document_count, i + 1);
		xml_add_document(out, str_text(&page));
		str_add(out, "\"></iframe>\n");
	}
	end_page(out);
}

static void respond_page(struct request *request,
                         const struct filter_answer *answer)
{
	struct http_response *response = &request->response;

	if (!answer->document_count) {
		request_fail(request, status_of(answer), "%s",
		             message_of(answer));
		return;
	}
	response->status = HTTP_OK;
	response->type = TYPE_HTML;
	response->policy = HTTP_REPORT;
	if (answer->document_count > 1)
		add_frames(&response->content, answer);
	else
		add_unquoted(&response->content, answer->documents[0].text);
}

static void answer_report(struct request *request, struct text text)
{
	struct http_response *response = &request->response;
	struct filter_answer answer;
	struct error *err = filter_answer_read(text, &request->arena, &answer);

	if (err) {
		request_fail(request, HTTP_ERROR, "%s", error_message(err));
		error_free(err);
	} else if (wants_page(request)) {
		respond_page(request, &answer);
	} else {
		response->status = status_of(&answer);
		response->type = TYPE_JSON;
		str_add_text(&response->content, text);
		str_add_char(&response->content, '\n');
	}
}

static void answer_symbolicate(struct request *request, struct text text)
{
	struct http_response *response = &request->response;
	struct filter_answer answer = { .status = FILTER_OK };
	struct text document = { 0 };
	struct error *err = NULL;

	if (text.size)
		err = filter_answer_read(text, &request->arena, &answer);
	if (!err && answer.document_count)
		document = answer.documents[0].text;
	else if (!err && answer.status >= FILTER_REJECTED) {
		request_fail(request, status_of(&answer), "%s",
		             message_of(&answer));
		return;
	}
	if (!err)
		err = symbolicate_add_response(&request->symbolicate, document,
		                               &response->content);
	if (err) {
		request_fail(request, HTTP_ERROR, "%s", error_message(err));
		error_free(err);
		return;
	}
	response->status = HTTP_OK;
	response->type = TYPE_JSON;
}

// Routes

static const struct route routes[] = {
	{ .path = "/",
	  .ask = ask_constant,
	  .type = TYPE_HTML,
	  .content = server_page },
	{ .path = "/style.css",
	  .ask = ask_constant,
	  .type = "text/css; charset=utf-8",
	  .content = server_style },
	{ .path = "/script.js",
	  .ask = ask_constant,
	  .type = "text/javascript; charset=utf-8",
	  .content = server_script },
	{ .path = "/healthcheck", .ask = ask_health },
	{ .path = "/report",
	  .posts = true,
	  .shape = "event",
	  .takes_shape = true,
	  .ask = ask_report,
	  .answer = answer_report },
	{ .path = "/hash",
	  .posts = true,
	  .shape = "hash",
	  .ask = ask_report,
	  .answer = answer_report },
	{ .path = SYMBOLICATE_PATH,
	  .posts = true,
	  .is_shared = true,
	  .ask = ask_symbolicate,
	  .answer = answer_symbolicate },
};

static const struct route *find_route(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(routes); i++)
		if (!strcmp(routes[i].path, path))
			return &routes[i];
	return NULL;
}

/** `example.com`, `127.0.0.1` or `[::1]`. */
static bool is_host(struct text name)
{
	bool is_ipv6 = text_take(&name, "[") && text_ends(name, "]");

	if (is_ipv6)
		name = text_first(name, name.size - 1);
	for (size_t i = 0; i < name.size; i++)
		if (!text_is_alnum(name.data[i]) &&
		    !strchr(is_ipv6 ? ":." : "-._", name.data[i]))
			return false;
	return name.size;
}

/** Split `host:port`; a host of IPv6 has colons, in brackets. */
static bool take_port(struct text *name, struct text *port)
{
	size_t colon = text_find_last_char(*name, ':');

	if (colon == TEXT_NOWHERE || text_ends(*name, "]"))
		return false;
	*port = text_after(*name, colon + 1);
	*name = text_first(*name, colon);
	return true;
}

/** `scheme://host` or `scheme://host:port`, as browsers send it. */
static bool is_origin(struct text origin)
{
	size_t scheme = text_find(origin, "://");
	struct text host, port;
	uint64_t number = 0;

	if (scheme == TEXT_NOWHERE || !scheme)
		return false;
	for (size_t i = 0; i < scheme; i++)
		if (!text_is_alnum(origin.data[i]) &&
		    !strchr("+-.", origin.data[i]))
			return false;
	host = text_after(origin, scheme + strlen("://"));
	if (take_port(&host, &port) &&
	    (!number_decimal(port, &number) || number > UINT16_MAX))
		return false;
	return is_host(host);
}

static struct error *check_names(const char *option,
                                 const struct option_list *list,
                                 bool (*is_good)(struct text name),
                                 const char *expected)
{
	for (size_t i = 0; i < list->count; i++)
		if (!is_good(text_from(list->items[i])))
			return error_new(ERROR_USAGE, "%s '%s': expected %s",
			                 option, list->items[i], expected);
	return NULL;
}

struct error *routes_check(const struct server_settings *settings)
{
	struct error *err = check_names("--host", &settings->hosts, is_host,
	                                "a name without a port");

	return err ? err
	           : check_names("--origin", &settings->origins, is_origin,
	                         "scheme://host or scheme://host:port");
}

static bool is_listed(const struct option_list *list, struct text name)
{
	for (size_t i = 0; i < list->count; i++)
		if (text_is_nocase(name, list->items[i]))
			return true;
	return false;
}

/**
 * Whether the request names this server. A site may let its own name resolve to
 * this machine, so that its pages can read responses (DNS rebinding).
 */
static bool is_own_host(const struct server_settings *settings,
                        const char *host)
{
	struct text name = text_from(host);
	struct text port;

	(void)take_port(&name, &port);
	return text_is(name, "127.0.0.1") || text_is(name, "[::1]") ||
	       text_is_nocase(name, "localhost") ||
	       is_listed(&settings->hosts, name);
}

/** Whether a page of this server sent the request; a proxy may add TLS. */
static bool is_own_origin(const struct request *request)
{
	struct text origin = text_from(request->origin);

	return request->host &&
	       (text_take(&origin, "https://") ||
	        text_take(&origin, "http://")) &&
	       text_is_nocase(origin, request->host);
}

/** Only browsers send an origin: other programs are always allowed. */
static bool is_allowed_origin(const struct server_settings *settings,
                              struct request *request)
{
	if (!request->origin || is_own_origin(request))
		return true;
	if (!request->route->is_shared ||
	    !(!strcmp(request->origin, PROFILER_ORIGIN) ||
	      is_listed(&settings->origins, text_from(request->origin))))
		return false;
	request->response.origin = request->origin;
	return true;
}

static void refuse_origin(struct request *request)
{
	if (request->route->is_shared)
		request_fail(request, HTTP_FORBIDDEN,
		             "pages of '%s' may not use '%s': see --origin",
		             request->origin, request->route->path);
	else
		request_fail(request, HTTP_FORBIDDEN,
		             "pages of other sites may not use '%s': --origin "
		             "allows '" SYMBOLICATE_PATH "' alone",
		             request->route->path);
}

/** A parameter that has no effect may be a misspelt one. */
static bool check_query(struct request *request)
{
	const struct route *route = request->route;
	const char *surplus = request->surplus;
	bool is_second = false;

	if (request->shape && !route->takes_shape)
		surplus = "shape";
	else if (surplus)
		is_second = !strcmp(surplus, "shape");
	if (surplus)
		request_fail(request, HTTP_BAD_REQUEST,
		             "'%s' takes no %sparameter '%s'", route->path,
		             is_second ? "second " : "", surplus);
	return !surplus;
}

static void refuse_method(struct request *request)
{
	const struct route *route = request->route;

	request_fail(request, HTTP_METHOD_NOT_ALLOWED, "'%s' takes no %s",
	             route->path, request->method);
	request->response.allow = !route->posts      ? "GET, HEAD"
	                          : route->is_shared ? "POST, OPTIONS"
	                                             : "POST";
}

void route_begin(const struct server_settings *settings, bool is_loopback,
                 struct request *request)
{
	const struct route *route = find_route(request->path);
	const char *method = request->method;
	bool reads = !strcmp(method, "GET") || !strcmp(method, "HEAD");

	request->route = route;
	if (is_loopback && request->host &&
	    !is_own_host(settings, request->host))
		request_fail(request, HTTP_MISDIRECTED,
		             "this is not a name of this server: see --host");
	else if (!route)
		request_fail(request, HTTP_NOT_FOUND, "there is no such page");
	else if (!is_allowed_origin(settings, request))
		refuse_origin(request);
	else if (route->is_shared && !strcmp(method, "OPTIONS"))
		request->response.status = HTTP_NO_CONTENT;
	else if (route->posts ? strcmp(method, "POST") != 0 : !reads)
		refuse_method(request);
	else if (!check_query(request))
		return;
	else if (request->encoding && strcmp(request->encoding, "identity"))
		request_fail(request, HTTP_UNSUPPORTED_TYPE,
		             "Content-Encoding is not supported");
}

bool route_is_work(const struct request *request)
{
	return request->route->posts;
}

void route_ask(const struct server_state *state, struct request *request)
{
	request->route->ask(state, request);
}

void route_answer(struct request *request, struct text answer)
{
	request->route->answer(request, answer);
}
