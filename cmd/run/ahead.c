// SPDX-License-Identifier: MIT
#include "cmd/run/ahead.h"

#include "lib/base/mem.h"

#include <assert.h>
#include <stdlib.h>

/** A longer text is rare: the memory of it is not kept. */
#define KEPT_BYTES ((size_t)4 << 20)

void ahead_init(struct ahead *ahead)
{
	*ahead = (struct ahead){ .mutex = PTHREAD_MUTEX_INITIALIZER,
		                 .changed = PTHREAD_COND_INITIALIZER,
		                 .is_closed = true };
}

static size_t ring_size(const struct ahead *ahead)
{
	return (size_t)ahead->jobs * AHEAD_REPORTS;
}

static struct ahead_text *text_at(const struct ahead *ahead, size_t index)
{
	return &ahead->texts[index % ring_size(ahead)];
}

void ahead_open(struct ahead *ahead, unsigned jobs)
{
	assert(ahead->is_closed && (!ahead->texts || ahead->jobs == jobs));
	ahead->jobs = jobs;
	ahead->reports = NULL;
	ahead->count = 0;
	ahead->is_closed = false;
	ahead->has_begun = false;
	ahead->taken = 0;
	ahead->claimed = 0;
	ahead->bytes = 0;
}

static void make_texts(struct ahead *ahead)
{
	ahead->texts = mem_zalloc(ring_size(ahead), sizeof(*ahead->texts));
	for (size_t i = 0; i < ring_size(ahead); i++)
		ahead->texts[i].out = out_memory();
}

void ahead_begin(struct ahead *ahead, struct report *const *reports,
                 size_t count, const struct documents *documents)
{
	if (ahead->jobs < 2 || count < 2)
		return;
	if (!ahead->texts)
		make_texts(ahead);
	// Others read these once the first is asked for.
	ahead->reports = reports;
	ahead->count = count;
	ahead->documents = documents;
}

static void format(const struct ahead *ahead, size_t index)
{
	const struct documents *documents = ahead->documents;
	struct out *text = text_at(ahead, index)->out;
	struct str *last = out_str(text);

	// The last one may not have been taken: its file could not be written.
	if (text_at(ahead, index)->size > KEPT_BYTES)
		str_release(last);
	else
		str_clear(last);
	documents->formatter->report(ahead->reports[index], &documents->options,
	                             text);
}

/**
 * May the next be formatted? The first in line always may; the others as
 * long as little waits, and there is room beside the one that is being printed.
 */
static bool can_format(const struct ahead *ahead)
{
	size_t waiting = ahead->claimed - ahead->taken;

	if (!ahead->has_begun || ahead->claimed == ahead->count)
		return false;
	return !waiting || (waiting + 1 < ring_size(ahead) &&
	                    ahead->bytes < ahead->jobs * AHEAD_BYTES);
}

/** Called with the mutex, which is free meanwhile. */
static void format_next(struct ahead *ahead)
{
	size_t index = ahead->claimed++;
	struct ahead_text *text = text_at(ahead, index);

	text->is_ready = false;
	pthread_mutex_unlock(&ahead->mutex);
	format(ahead, index);
	pthread_mutex_lock(&ahead->mutex);
	text->is_ready = true;
	text->size = out_str(text->out)->size;
	ahead->bytes += text->size;
	pthread_cond_broadcast(&ahead->changed);
}

static bool next_is_ready(const struct ahead *ahead)
{
	return ahead->claimed > ahead->taken &&
	       text_at(ahead, ahead->taken)->is_ready;
}

struct out *ahead_next(struct ahead *ahead)
{
	struct out *out;

	if (!ahead->count)
		return NULL;
	pthread_mutex_lock(&ahead->mutex);
	ahead->has_begun = true;
	while (!next_is_ready(ahead)) {
		if (can_format(ahead))
			format_next(ahead);
		else
			pthread_cond_wait(&ahead->changed, &ahead->mutex);
	}
	out = text_at(ahead, ahead->taken++)->out;
	ahead->bytes -= out_str(out)->size;
	// There is room again, or this was the first.
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->mutex);
	return out;
}

void ahead_close(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->mutex);
	ahead->is_closed = true;
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->mutex);
}

void ahead_help(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->mutex);
	while (!ahead->is_closed &&
	       !(ahead->has_begun && ahead->claimed == ahead->count)) {
		if (can_format(ahead))
			format_next(ahead);
		else
			pthread_cond_wait(&ahead->changed, &ahead->mutex);
	}
	pthread_mutex_unlock(&ahead->mutex);
}

void ahead_release(struct ahead *ahead)
{
	for (size_t i = 0; ahead->texts && i < ring_size(ahead); i++)
		out_abandon(ahead->texts[i].out);
	free(ahead->texts);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->mutex);
}
