// SPDX-License-Identifier: MIT
#include "cmd/filter/reader.h"

#include "cmd/run/reports.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/base/base64.h"
#include "lib/base/limit.h"
#include "lib/symbols/worker/channel.h"
#include "lib/text/json/pull.h"

#include <poll.h>
#include <stdatomic.h>
#include <string.h>

/** Name of all entries; no message shows it. */
#define NAME "report"

/** How long a batch of several frames waits for the next. */
#define MORE_WAIT_MS 2

struct frame_reader {
	const struct reader_settings *settings;
	int channel;
	atomic_bool is_broken; ///< the front has ended
	struct symbol_search search;
	struct report_run run;
};

static void reader_release(struct frame_reader *reader)
{
	report_run_release(&reader->run);
	symbol_search_release(&reader->search);
}

static bool take(const struct frame_reader *reader, void *data, size_t size)
{
	return channel_receive(reader->channel, data, size,
	                       CHANNEL_NO_DEADLINE) == CHANNEL_ALL;
}

static bool give(const struct frame_reader *reader, const void *data,
                 size_t size)
{
	return channel_send(reader->channel, data, size, CHANNEL_NO_DEADLINE) ==
	       CHANNEL_ALL;
}

/** A report_run hook. */
static void name_frames(struct report *const *reports, size_t count,
                        struct arena *arena, void *context)
{
	static const struct jetsam_view view = { .top = 0 };
	struct frame_reader *reader = context;

	symbol_search_name(&reader->search, reports, count, arena);
	for (size_t i = 0; i < count; i++) {
		if (reports[i]->jetsam)
			jetsam_analyse(reports[i], arena, &view);
		// Answers do not name the input.
		reports[i]->input = NULL;
	}
}

static struct error *refuse_nothing(const struct report *report UNUSED,
                                    struct arena *arena UNUSED)
{
	return NULL;
}

/** Put the head before the body, so that one write sends both. */
static void answer(const struct report_run *run,
                   const struct batch_entry *entry, struct str *out,
                   void *context UNUSED)
{
	struct reader_reply reply = { .magic = READER_MAGIC };

	str_add_bytes(out, &reply, sizeof(reply));
	reply.reason =
	        answer_add(run, (enum answer_shape)entry->tag, entry, out);
	reply.size = out->size - sizeof(reply);
	memcpy(out->data, &reply, sizeof(reply));
}

static void deliver(struct text answer, void *context)
{
	struct frame_reader *reader = context;

	if (!give(reader, answer.data, answer.size))
		reader->is_broken = true;
}

/** Replace a JSON string by its content. */
static void unquote(struct text *content, struct arena *arena)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(*content, 0);
	const struct json_event *event = json_pull_next(pull);

	*content = event->type == JSON_EVENT_TEXT
	                   ? text_from(arena_text(arena, event->text))
	                   : TEXT_NONE;
}

static void unpack(struct batch_entry *entry, enum envelope_content content)
{
	SCOPED(str_release) struct str bytes = { 0 };

	if (content == ENVELOPE_BYTES)
		return;
	unquote(&entry->content, &entry->arena);
	if (content != ENVELOPE_BASE64)
		return;
	if (!base64_decode(entry->content, &bytes)) {
		entry->err = error_new(ERROR_FORMAT, "base64: not valid");
		return;
	}
	entry->content.size = bytes.size;
	entry->content.data =
	        memcpy(arena_take_bytes(&entry->arena, bytes.size), bytes.data,
	               bytes.size);
}

/** Read a request into the batch; false: the front has ended. */
static bool take_request(const struct frame_reader *reader, struct batch *batch)
{
	struct reader_request request;
	struct batch_entry *entry;
	struct text room = { .data = "" };
	char *data;

	if (!take(reader, &request, sizeof(request)) ||
	    request.magic != READER_MAGIC || request.shape >= ANSWER_ANY ||
	    request.size > limit_get(LIMIT_REPORT))
		return false;
	room.size = (size_t)request.size;
	entry = batch_add_content(batch, NAME, room);
	entry->tag = request.shape;
	data = arena_take_bytes(&entry->arena, room.size + 1);
	entry->content.data = data;
	if (!take(reader, data, room.size))
		return false;
	unpack(entry, (enum envelope_content)request.content);
	return true;
}

/**
 * Whether another request follows. A client that has sent several frames does
 * not wait for each answer: then wait a moment, since a channel holds only a
 * few frames.
 */
static bool has_more(const struct frame_reader *reader,
                     const struct batch *batch)
{
	struct pollfd ready = { .fd = reader->channel, .events = POLLIN };
	int wait_ms = batch->count > 1 ? MORE_WAIT_MS : 0;

	return poll(&ready, 1, wait_ms) > 0;
}

/**
 * Make a batch of all requests that have come: a client that waits for each
 * answer gets it at once, and others get larger batches.
 */
static void take_requests(struct batch *batch, bool *ret_more, void *context)
{
	const struct frame_reader *reader = context;

	do {
		if (reader->is_broken || !take_request(reader, batch)) {
			// The front has ended, and needs no answers.
			batch_clear(batch);
			return;
		}
		*ret_more = has_more(reader, batch);
	} while (*ret_more && !batch_is_full(batch));
}

enum exit_status reader_run(const struct reader_settings *settings, int channel)
{
	struct command_line line = *settings->line;
	SCOPED(reader_release)
	struct frame_reader reader = {
		.settings = settings,
		.channel = channel,
		.search.form = (enum demangle_form)settings->form,
		.run = { .hook = name_frames,
		         .feed = take_requests,
		         .answer = answer,
		         .deliver = deliver,
		         .refuse = refuse_nothing,
		         .context = &reader,
		         .run.no_output = true },
	};
	const struct reader_reply ready = { .magic = READER_MAGIC };
	enum exit_status status;

	line.is_typed = false;
	status = report_run_init(&reader.run, &line, settings->reports);
	if (status == EXIT_DONE)
		status = symbol_search_open(
		        &reader.search, &line, settings->symbols,
		        run_jobs(&line, &settings->reports->run), true);
	if (status != EXIT_DONE)
		return status;
	reader.run.threads.crashed = settings->shape == ANSWER_SLIM;
	settings->begin();
	if (give(&reader, &ready, sizeof(ready)))
		pipeline_run(&reader.run.pipeline);
	return EXIT_DONE;
}
