/*
 * Elements of an array that others read: the bytes of them are lent, and what
 * is left comes back.
 */
#include "lib/base/mem.h"
#include "lib/text/json/pull_state.h"

#include <string.h>

bool json_pull_lend(struct json_pull *pull, struct str *ret)
{
	struct json_tokens *t = &pull->t;

	if (!json_pull_in_array(pull) || pull->expect != EXPECT_NEXT ||
	    pull->closing || !pull->window.read)
		return false;
	json_path_keep(&pull->path, t);
	json_token_count_lines(t, t->at, t->lines);
	str_add_text(ret, text_after(t->in, t->at));
	t->base += t->at;
	t->at = 0;
	t->in.size = 0;
	return true;
}

/** In place of a reader that has come to its end: it is not asked again. */
static size_t read_nothing(void *context UNUSED, char *buffer UNUSED,
                           size_t size UNUSED)
{
	return 0;
}

size_t json_pull_lend_more(struct json_pull *pull, char *buffer, size_t size)
{
	struct json_window *window = &pull->window;
	size_t got = window->read(window->context, buffer, size);

	if (!got)
		window->read = read_nothing;
	return got;
}

void json_pull_return(struct json_pull *pull, struct text rest,
                      const struct json_passed *passed)
{
	struct json_window *window = &pull->window;
	struct json_tokens *t = &pull->t;

	if (passed->lines)
		t->lines->start = t->base + passed->line_start;
	t->lines->count += passed->lines;
	t->base += passed->bytes;
	t->lines->offset = t->base;
	pull->path.marks[pull->path.depth - 1] += passed->elements;
	pull->event.offset = t->base;
	// No more than that: as much as there is room for is read at once.
	if (rest.size > window->cap) {
		window->cap = rest.size;
		window->buffer = mem_realloc(window->buffer, window->cap, 1);
	}
	if (rest.size)
		memcpy(window->buffer, rest.data, rest.size);
	t->in = (struct text){ .data = window->buffer, .size = rest.size };
}
