// SPDX-License-Identifier: MIT
#include "cmd/worker/questions.h"

#include "lib/base/text.h"

#include <stddef.h>
#include <string.h>

/** A filter gives up by itself at the time limit; after this, it hangs. */
#define SILENCE_MORE_S 5

/** How often to ask again after E-shortage, which may pass. */
#define SHORTAGES_MAX 3

// Answers

static bool is_shortage(struct text answer)
{
	return text_find(text_first(answer, 300),
	                 "\"reason\":\"E-shortage\"") != TEXT_NOWHERE;
}

static void on_answer(struct worker *worker, struct message *message,
                      struct filter_question *question, struct text answer,
                      struct str *ret, enum pool_kind kind)
{
	message->asked--;
	if (message_is_dropped(&worker->partitions, message))
		return;
	if (is_shortage(answer) && message->shortages++ < SHORTAGES_MAX) {
		message->asked++;
		filter_pool_ask(worker->pools[kind], question);
		return;
	}
	str_clear(ret);
	str_add_text(ret, answer);
	message_hold(&worker->partitions, message, answer.size);
	if (!message->asked)
		worker->answered(worker, message);
}

static void on_event_answer(void *context, struct filter_question *question,
                            struct text answer)
{
	struct message *message =
	        (struct message *)((char *)question -
	                           offsetof(struct message, event_question));

	on_answer(context, message, question, answer, &message->event_answer,
	          POOL_EVENT);
}

static void on_slim_answer(void *context, struct filter_question *question,
                           struct text answer)
{
	struct message *message =
	        (struct message *)((char *)question -
	                           offsetof(struct message, slim_question));

	on_answer(context, message, question, answer, &message->slim_answer,
	          POOL_SLIM);
}

// Children

struct error *questions_start(struct worker *worker, enum pool_kind kind)
{
	static void (*const answered[])(void *, struct filter_question *,
	                                struct text) = {
		[POOL_EVENT] = on_event_answer,
		[POOL_SLIM] = on_slim_answer,
	};
	struct worker_settings *settings = &worker->settings;
	bool wants_report = settings->topics[TOPIC_REPORT] != NULL;
	const char *shape = kind == POOL_SLIM ? "slim"
	                    : wants_report && !settings->report_is_slim
	                            ? "event+full"
	                            : "event";
	const char **words = arena_array(
	        &settings->arena, settings->filter_count + 3, sizeof(*words));

	words[0] = "--shape";
	words[1] = shape;
	memcpy(words + 2, settings->filter,
	       settings->filter_count * sizeof(*words));
	worker->pools[kind] = filter_pool_new(&(struct filter_pool_settings){
	        .program = worker->program,
	        .options = words,
	        // Reports that are too large in full are rare.
	        .children = kind == POOL_SLIM && !settings->report_is_slim
	                            ? 1
	                            : settings->options.jobs,
	        .silence_s = settings->options.time_limit_s + SILENCE_MORE_S,
	        .answered = answered[kind],
	        .context = worker,
	});
	return filter_pool_start(worker->pools[kind]);
}

struct error *questions_ask(struct worker *worker, struct message *message,
                            enum pool_kind kind)
{
	struct filter_question *question = kind == POOL_EVENT
	                                           ? &message->event_question
	                                           : &message->slim_question;
	struct error *err = NULL;

	if (!worker->pools[kind] && (err = questions_start(worker, kind)))
		return err;
	question->frame = message_value(message);
	message->asked++;
	filter_pool_ask(worker->pools[kind], question);
	return NULL;
}

struct error *questions_ask_all(struct worker *worker, struct message *message)
{
	struct error *err = questions_ask(worker, message, POOL_EVENT);

	if (err || !worker->settings.topics[TOPIC_REPORT])
		return err;
	message->report = worker->settings.report_is_slim ? REPORT_SLIM
	                                                  : REPORT_FULL;
	return message->report == REPORT_SLIM
	               ? questions_ask(worker, message, POOL_SLIM)
	               : NULL;
}
