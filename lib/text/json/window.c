// SPDX-License-Identifier: MIT
#include "lib/text/json/window.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

// More NUL bytes inside a string end the input.
#define NUL_BYTES_MAX ((size_t)1 << 20)

void json_window_init(struct json_window *window,
                      size_t (*read)(void *context, char *buffer, size_t size),
                      void *context, struct json_path *path,
                      struct json_tokens *t)
{
	*window = (struct json_window){
		.read = read,
		.context = context,
		.path = path,
		.buffer = mem_alloc(JSON_WINDOW_BYTES),
		.cap = JSON_WINDOW_BYTES,
		.inner_nul = SIZE_MAX,
	};
	t->in = (struct text){ .data = window->buffer, .size = 0 };
}

void json_window_release(struct json_window *window)
{
	free(window->buffer);
	*window = (struct json_window){ 0 };
}

bool json_window_at_nul(const struct json_window *window,
                        const struct json_tokens *t)
{
	return window->read && json_token_left(t) && !t->in.data[t->at] &&
	       t->base + t->at != window->inner_nul;
}

/** Make room for at least a byte; false if the token fills the max. */
static bool make_room(struct json_window *window, struct json_tokens *t)
{
	if (t->in.size < window->cap)
		return true;
	json_path_keep(window->path, t);
	json_token_count_lines(t, t->at, t->lines);
	t->in.size -= t->at;
	memmove(window->buffer, window->buffer + t->at, t->in.size);
	t->base += t->at;
	t->at = 0;
	if (t->in.size < window->cap)
		return true;
	if (window->cap >= JSON_PULL_TOKEN_BYTES)
		return false;
	window->cap *= 2;
	window->buffer = mem_realloc(window->buffer, window->cap, 1);
	t->in.data = window->buffer;
	return true;
}

struct error *json_window_read(struct json_window *window,
                               struct json_tokens *t)
{
	size_t size;

	if (!make_room(window, t))
		return json_token_place(
		        t, t->at,
		        error_new(ERROR_LIMIT,
		                  "a text or number of more than %zu MB",
		                  JSON_PULL_TOKEN_BYTES >> 20));
	size = window->read(window->context, window->buffer + t->in.size,
	                    window->cap - t->in.size);
	t->in.size += size;
	if (size)
		return NULL;
	window->read = NULL;
	while (t->in.size > t->at && !t->in.data[t->in.size - 1])
		t->in.size--;
	return NULL;
}

// A token that the window cut

/** Skip contents of a string; stops at its closing quote or the end. */
static size_t step_in_string(const struct json_tokens *t, size_t at)
{
	while (at < t->in.size) {
		at += json_token_plain_size(t, at);
		if (at >= t->in.size || t->in.data[at] == '"')
			break;
		at += t->in.data[at] == '\\' ? 2 : 1;
	}
	return at;
}

static size_t step_in_number(const struct json_tokens *t, size_t at)
{
	static const char others[] = { '-', '+', '.', 'e', 'E' };

	while (at < t->in.size &&
	       (text_is_digit(t->in.data[at]) ||
	        memchr(others, t->in.data[at], sizeof(others))))
		at++;
	return at;
}

/**
 * Can the token at t.at end in the window? Reading it again for each piece
 * would take quadratic time.
 *
 * @param looked  In and out: bytes of it already examined.
 */
static bool token_may_end(const struct json_tokens *t, size_t *looked)
{
	char c = t->in.data[t->at];
	size_t at = t->at + *looked;

	if (c == '"')
		at = step_in_string(t, at);
	else if (c == '-' || text_is_digit(c))
		at = step_in_number(t, at);
	else
		return true;
	*looked = at - t->at;
	return at < t->in.size;
}

/**
 * Number of NUL bytes at the end of the window; @p nuls of them were before @p
 * from.
 */
static size_t count_last_nuls(const struct json_tokens *t, size_t from,
                              size_t nuls)
{
	size_t at = t->in.size;

	while (at > from && !t->in.data[at - 1])
		at--;
	return t->in.size - at + (at == from ? nuls : 0);
}

/** Read until the token at t.at may be complete. */
static struct error *read_token(struct json_window *window,
                                struct json_tokens *t)
{
	size_t looked = 1;
	size_t nuls = 0;
	struct error *err;

	do {
		size_t left = t->in.size - t->at;

		err = json_window_read(window, t);
		nuls = count_last_nuls(t, t->at + left, nuls);
		// Not text: left after it by a device that lost power.
		if (nuls >= NUL_BYTES_MAX) {
			t->in.size -= nuls;
			window->read = NULL;
		}
	} while (!err && window->read && !token_may_end(t, &looked));
	return err;
}

/**
 * Read until it is known whether only NUL bytes follow the one at @p at. They
 * are dropped at once: there may be many, and anything after them is after a
 * fault.
 */
static struct error *read_nuls(struct json_window *window,
                               struct json_tokens *t, size_t at)
{
	size_t after = at + 1 - t->at;
	struct error *err;

	do {
		size_t i = t->at + after;

		while (i < t->in.size && !t->in.data[i])
			i++;
		if (i < t->in.size) {
			window->inner_nul = t->base + t->at + after - 1;
			return NULL;
		}
		t->in.size = t->at + after;
		err = json_window_read(window, t);
	} while (!err && window->read);
	return err;
}

struct error *json_window_read_on(struct json_window *window,
                                  struct json_tokens *t, size_t start)
{
	bool is_nul = json_window_at_nul(window, t);
	size_t at = t->at;

	t->ended = false;
	t->at = start;
	return is_nul ? read_nuls(window, t, at) : read_token(window, t);
}
