// SPDX-License-Identifier: MIT
#include "lib/text/json/pull.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/text/json/pull_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Begins each text of a JSON text sequence (RFC 7464).
#define RECORD_SEPARATOR '\x1e'

static struct json_pull *new_pull(struct text in, unsigned flags)
{
	struct json_pull *pull = mem_alloc(sizeof(*pull));

	// But for the marks: they are 32 KB, and set when a level opens. That
	// of each line of JSON Lines would cost more than the line.
	memset(pull, 0, offsetof(struct json_pull, path.marks));
	pull->t = (struct json_tokens){
		.in = in,
		.lines = &pull->lines,
	};
	pull->flags = flags;
	pull->depth_max = JSON_PULL_DEPTH;
	pull->depth_hint = "";
	return pull;
}

struct json_pull *json_pull_new(struct text in, unsigned flags)
{
	// Devices leave NUL bytes in place of text when they lose power.
	while (in.size && !in.data[in.size - 1])
		in.size--;
	return new_pull(in, flags);
}

struct json_pull *json_pull_new_feed(json_pull_read read, void *context,
                                     unsigned flags)
{
	struct json_pull *pull = new_pull(TEXT_NONE, flags);

	json_window_init(&pull->window, read, context, &pull->path, &pull->t);
	return pull;
}

void json_pull_limit(struct json_pull *pull)
{
	pull->depth_max = limit_get(LIMIT_JSON_DEPTH);
	pull->depth_hint = limit_hint(LIMIT_JSON_DEPTH);
}

void json_pull_free(struct json_pull *pull)
{
	if (!pull)
		return;
	json_tokens_release(&pull->t);
	json_window_release(&pull->window);
	json_path_release(&pull->path);
	error_free(pull->fault);
	free(pull);
}

void json_pull_drop(struct json_pull **pull)
{
	json_pull_free(*pull);
}

// Events

/** Nothing more can be read: end all open containers. */
static void begin_closing(struct json_pull *pull, struct error *err)
{
	pull->closing = true;
	if (!err && !pull->path.depth)
		err = json_token_unexpected(&pull->t, "a value");
	pull->truncated = !err;
	pull->fault = err;
	pull->event.offset = json_pull_offset(pull, pull->t.at);
}

/** The next event after all that could be read. */
static void close_next(struct json_pull *pull)
{
	bool misses_value =
	        pull->path.depth && !json_pull_in_array(pull) &&
	        (pull->expect == EXPECT_COLON || pull->expect == EXPECT_VALUE);

	pull->event.text = TEXT_NONE;
	if (misses_value) {
		pull->event.type = JSON_EVENT_NULL;
		pull->expect = EXPECT_NEXT;
	} else if (pull->path.depth) {
		json_pull_end(pull);
	} else {
		pull->event.type = JSON_EVENT_DONE;
	}
}

/** Can the last attempt have failed only because of the window's end? */
static bool may_be_cut(const struct json_pull *pull)
{
	return pull->window.read &&
	       (pull->t.ended || json_window_at_nul(&pull->window, &pull->t));
}

/** Finish an attempt to read an event, which may be an error or the end. */
static void finish_attempt(struct json_pull *pull, struct error *err)
{
	while ((err || pull->t.ended) && may_be_cut(pull)) {
		error_free(err);
		pull->t.repair_count = pull->repair_count;
		err = json_window_read_on(&pull->window, &pull->t, pull->start);
		if (!err)
			err = json_pull_take(pull);
	}
	if (!err && !pull->t.ended)
		return;
	begin_closing(pull, err);
	close_next(pull);
}

const struct json_event *json_pull_next(struct json_pull *pull)
{
	struct error *err;

	// A complete value needs no closing, only the word that it is done.
	if (pull->closing ||
	    (!pull->path.depth && pull->expect == EXPECT_NEXT)) {
		close_next(pull);
		return &pull->event;
	}
	if (json_pull_take_usual(pull))
		return &pull->event;
	err = json_pull_take(pull);
	if (err || pull->t.ended)
		finish_attempt(pull, err);
	return &pull->event;
}

void json_pull_skip(struct json_pull *pull)
{
	size_t depth;

	if (pull->event.type == JSON_EVENT_NAME)
		json_pull_next(pull);
	if (pull->event.type != JSON_EVENT_OBJECT &&
	    pull->event.type != JSON_EVENT_ARRAY)
		return;
	depth = pull->path.depth;
	while (pull->path.depth >= depth)
		json_pull_next(pull);
}

// Several values

/** Note NUL bytes that no end of the input explains. */
static void note_nuls(struct json_pull *pull, size_t nul)
{
	if (nul != SIZE_MAX)
		json_token_repair(&pull->t, nul - pull->t.base,
		                  "NUL bytes before a value");
}

/** Step to the next value; false at the end of the input. */
static bool find_value(struct json_pull *pull)
{
	struct json_tokens *t = &pull->t;
	size_t end = json_pull_offset(pull, t->at); // but for NUL bytes
	size_t nul = SIZE_MAX;

	while (json_token_left(t) || pull->window.read) {
		char c;

		if (!json_token_left(t)) {
			// There is room, since nothing is kept.
			error_free(json_window_read(&pull->window, t));
			continue;
		}
		c = t->in.data[t->at];
		if (c && c != RECORD_SEPARATOR && !text_is_space(c)) {
			note_nuls(pull, nul);
			return true;
		}
		if (!c && nul == SIZE_MAX)
			nul = json_pull_offset(pull, t->at);
		t->at++;
		if (c)
			end = json_pull_offset(pull, t->at);
	}
	if (end == json_pull_offset(pull, t->at))
		return false;
	// Behave as if the NUL bytes at the end did not exist.
	t->base = end;
	t->at = 0;
	t->in.size = 0;
	return false;
}

bool json_pull_again(struct json_pull *pull)
{
	bool found;

	while (pull->path.depth)
		json_pull_next(pull);
	if (pull->closing)
		return false;
	found = find_value(pull);
	if (found)
		pull->expect = EXPECT_VALUE;
	pull->event = (struct json_event){
		.type = JSON_EVENT_DONE,
		.text = TEXT_NONE,
		.offset = json_pull_offset(pull, pull->t.at),
	};
	return found;
}

struct text json_pull_peek(struct json_pull *pull, size_t size)
{
	struct json_tokens *t = &pull->t;
	struct error *err = NULL;

	if (pull->path.depth || pull->closing)
		return TEXT_NONE;
	while (!err && pull->window.read && t->in.size - t->at < size)
		err = json_window_read(&pull->window, t);
	error_free(err);
	return text_first(text_after(t->in, t->at), size);
}

void json_pull_step(struct json_pull *pull, size_t size)
{
	assert(!pull->path.depth && size <= pull->t.in.size - pull->t.at);
	pull->t.at += size;
}

// State

size_t json_pull_depth(const struct json_pull *pull)
{
	return pull->path.depth;
}

size_t json_pull_used(const struct json_pull *pull)
{
	return json_pull_offset(pull, pull->t.at);
}

size_t json_pull_line(const struct json_pull *pull)
{
	const struct json_tokens *t = &pull->t;

	// Continues from the last call.
	json_token_count_lines(t, pull->event.offset - t->base, t->lines);
	return t->lines->count + 1;
}

bool json_pull_truncated(const struct json_pull *pull)
{
	return pull->truncated;
}

bool json_pull_is_closing(const struct json_pull *pull)
{
	return pull->closing;
}

struct error *json_pull_unexpected(const struct json_pull *pull,
                                   const char *expected)
{
	return json_token_unexpected(&pull->t, expected);
}

void json_pull_repair_add(struct json_pull *pull, size_t offset,
                          const char *text)
{
	json_token_repair(&pull->t, offset - pull->t.base, text);
}

struct error *json_pull_take_error(struct json_pull *pull)
{
	struct error *err = pull->fault;

	pull->fault = NULL;
	return err;
}

size_t json_pull_repair_count(const struct json_pull *pull)
{
	return pull->t.repair_count;
}

struct json_repair json_pull_repair(const struct json_pull *pull, size_t index)
{
	return pull->t.repairs[index];
}

void json_pull_path(const struct json_pull *pull, struct str *out)
{
	bool opens = pull->event.type == JSON_EVENT_OBJECT ||
	             pull->event.type == JSON_EVENT_ARRAY;

	json_path_add(&pull->path, pull->path.depth - opens, &pull->t, out);
}
