#include "lib/text/json/window.h"

#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

void json_window_init(struct json_window *window, json_pull_read read,
                      void *context, struct json_tokens *t)
{
	*window = (struct json_window){
		.read = read,
		.context = context,
		.buffer = mem_alloc(JSON_WINDOW_BYTES),
		.cap = JSON_WINDOW_BYTES,
	};
	t->in = (struct text){ .data = window->buffer, .size = 0 };
}

void json_window_release(struct json_window *window)
{
	free(window->buffer);
	*window = (struct json_window){ 0 };
}

bool json_window_is_full(const struct json_window *window,
                         const struct json_tokens *t)
{
	return t->in.size == window->cap;
}

bool json_window_make_room(struct json_window *window, struct json_tokens *t)
{
	if (!json_window_is_full(window, t))
		return true;
	json_token_count_lines(t, t->at, t->lines);
	t->in.size -= t->at;
	memmove(window->buffer, window->buffer + t->at, t->in.size);
	t->base += t->at;
	t->at = 0;
	if (!json_window_is_full(window, t))
		return true;
	if (window->cap >= JSON_PULL_TOKEN_BYTES)
		return false;
	window->cap *= 2;
	window->buffer = mem_realloc(window->buffer, window->cap, 1);
	t->in.data = window->buffer;
	return true;
}

void json_window_read(struct json_window *window, struct json_tokens *t)
{
	size_t size = window->read(window->context, window->buffer + t->in.size,
	                           window->cap - t->in.size);

	t->in.size += size;
	if (size)
		return;
	window->read = NULL;
	while (t->in.size > t->at && !t->in.data[t->in.size - 1])
		t->in.size--;
}
