// SPDX-License-Identifier: MIT
#include "lib/answers/answer.h"

#include "lib/text/json/pull.h"

static const char *const status_names[] = {
	[FILTER_OK] = "ok",           [FILTER_MISSING] = "missing",
	[FILTER_PARTIAL] = "partial", [FILTER_REJECTED] = "rejected",
	[FILTER_FAILED] = "failed",
};

const char *filter_status_name(enum filter_status status)
{
	return status_names[status];
}

/** Read a string; skip any other value and return NULL. */
static const char *take_text(struct json_pull *pull, struct arena *arena)
{
	const struct json_event *event = json_pull_next(pull);

	if (event->type == JSON_EVENT_TEXT)
		return arena_text(arena, event->text);
	json_pull_skip(pull);
	return NULL;
}

static struct error *take_status(struct json_pull *pull,
                                 enum filter_status *ret)
{
	const struct json_event *event = json_pull_next(pull);

	for (size_t i = 0; i < ARRAY_SIZE(status_names); i++)
		if (event->type == JSON_EVENT_TEXT &&
		    text_is(event->text, status_names[i])) {
			*ret = (enum filter_status)i;
			return NULL;
		}
	json_pull_skip(pull);
	return error_new(ERROR_FORMAT, "status: unknown");
}

static void take_missing(struct json_pull *pull, struct arena *arena,
                         struct filter_answer *answer)
{
	const struct json_event *event = json_pull_next(pull);
	size_t cap = 0;

	// If a member occurs twice, the last one counts.
	answer->missing = NULL;
	answer->missing_count = 0;
	if (event->type != JSON_EVENT_ARRAY) {
		json_pull_skip(pull);
		return;
	}
	while ((event = json_pull_next(pull))->type != JSON_EVENT_END_ARRAY &&
	       event->type != JSON_EVENT_DONE) {
		if (event->type != JSON_EVENT_TEXT) {
			json_pull_skip(pull);
			continue;
		}
		ARENA_GROW(arena, answer->missing, answer->missing_count, cap);
		answer->missing[answer->missing_count++] =
		        arena_text(arena, event->text);
	}
}

/** Events have an `id`, reports an `incident`. */
static struct text find_id(struct text document, struct arena *arena)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(document, 0);
	const struct json_event *event = json_pull_next(pull);

	if (event->type != JSON_EVENT_OBJECT)
		return (struct text){ 0 };
	while ((event = json_pull_next(pull))->type == JSON_EVENT_NAME) {
		bool found = text_is(event->text, "id") ||
		             text_is(event->text, "incident");
		const char *id = NULL;

		// Skip the threads, most of a report: its id comes before them.
		if (text_is(event->text, "threads"))
			break;
		if (found)
			id = take_text(pull, arena);
		else
			json_pull_skip(pull);
		if (found)
			return id ? text_from(id) : (struct text){ 0 };
	}
	return (struct text){ 0 };
}

static void take_documents(struct json_pull *pull, struct text text,
                           struct arena *arena,
                           struct filter_document **ret_documents,
                           size_t *ret_count)
{
	struct filter_document *documents = NULL;
	size_t count = 0;
	const struct json_event *event = json_pull_next(pull);
	size_t cap = 0;

	if (event->type != JSON_EVENT_ARRAY) {
		json_pull_skip(pull);
		return;
	}
	while ((event = json_pull_next(pull))->type != JSON_EVENT_END_ARRAY &&
	       event->type != JSON_EVENT_DONE) {
		struct filter_document *document;
		size_t start = event->offset;

		json_pull_skip(pull);
		ARENA_GROW(arena, documents, count, cap);
		document = &documents[count++];
		document->text = text_after(
		        text_first(text, json_pull_used(pull)), start);
		document->id = find_id(document->text, arena);
	}
	*ret_documents = documents;
	*ret_count = count;
}

struct error *filter_answer_read(struct text text, struct arena *arena,
                                 struct filter_answer *ret)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(text, 0);
	struct filter_answer answer = { .status = FILTER_FAILED };
	struct error *err = error_new(ERROR_FORMAT, "status: missing");
	const struct json_event *event = json_pull_next(pull);

	if (event->type == JSON_EVENT_OBJECT)
		event = json_pull_next(pull);
	for (; event->type == JSON_EVENT_NAME; event = json_pull_next(pull)) {
		if (text_is(event->text, "status")) {
			error_free(err);
			err = take_status(pull, &answer.status);
		} else if (text_is(event->text, "reason")) {
			answer.reason = take_text(pull, arena);
		} else if (text_is(event->text, "message")) {
			answer.message = take_text(pull, arena);
		} else if (text_is(event->text, "missing")) {
			take_missing(pull, arena, &answer);
		} else if (text_is(event->text, "documents")) {
			take_documents(pull, text, arena, &answer.documents,
			               &answer.document_count);
		} else if (text_is(event->text, "reports")) {
			take_documents(pull, text, arena, &answer.reports,
			               &answer.report_count);
		} else {
			json_pull_skip(pull);
		}
	}
	error_keep_first(&err, json_pull_take_error(pull));
	if (!err && json_pull_truncated(pull))
		err = error_new(ERROR_FORMAT, "truncated");
	if (err)
		return error_prefix(err, "answer");
	*ret = answer;
	return NULL;
}
