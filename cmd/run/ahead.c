#include "cmd/run/ahead.h"

#include "lib/base/mem.h"
#include "lib/base/parallel.h"

#include <assert.h>
#include <stdlib.h>

/** A longer text is rare: the memory of it is not kept. */
#define KEPT_BYTES ((size_t)4 << 20)

void ahead_begin(struct ahead *ahead, struct report *const *reports,
                 size_t count, const struct documents *documents, unsigned jobs)
{
	assert(!ahead->texts || ahead->jobs == jobs);
	*ahead = (struct ahead){
		.reports = reports,
		.count = count,
		.documents = documents,
		.jobs = jobs,
		.each = ahead->each,
		.texts = ahead->texts,
	};
}

static void format_report(size_t index, void *context)
{
	const struct ahead *ahead = context;
	const struct documents *documents = ahead->documents;
	struct out *text = ahead->texts[index];
	struct str *last = out_str(text);

	// The last one may not have been taken: its file could not be written.
	if (last->cap > KEPT_BYTES)
		str_release(last);
	else
		str_clear(last);
	documents->formatter->report(ahead->reports[ahead->first + index],
	                             &documents->options, text);
}

static void make_texts(struct ahead *ahead)
{
	size_t count = (size_t)ahead->jobs * AHEAD_REPORTS;

	ahead->texts = mem_zalloc(count, sizeof(struct out *));
	for (size_t i = 0; i < count; i++)
		ahead->texts[i] = out_memory();
}

/** How many each job formats next, going by how long these are. */
static size_t find_each(const struct ahead *ahead)
{
	size_t bytes = 1;
	size_t each;

	for (size_t i = 0; i < ahead->ready; i++)
		bytes += out_str(ahead->texts[i])->size;
	each = AHEAD_BYTES * ahead->ready / bytes;
	if (each > AHEAD_REPORTS)
		return AHEAD_REPORTS;
	return each ? each : 1;
}

static void format_more(struct ahead *ahead)
{
	size_t left = ahead->count - ahead->next;
	size_t most = ahead->jobs * (ahead->each ? ahead->each : 1);

	if (!ahead->texts)
		make_texts(ahead);
	ahead->first = ahead->next;
	ahead->ready = left < most ? left : most;
	parallel_each(ahead->ready, ahead->jobs, format_report, ahead);
	ahead->each = find_each(ahead);
}

struct out *ahead_next(struct ahead *ahead)
{
	if (ahead->jobs < 2 || ahead->count < 2)
		return NULL;
	if (ahead->next == ahead->first + ahead->ready)
		format_more(ahead);
	return ahead->texts[ahead->next++ - ahead->first];
}

void ahead_release(struct ahead *ahead)
{
	for (size_t i = 0; ahead->texts && i < ahead->jobs * AHEAD_REPORTS; i++)
		out_abandon(ahead->texts[i]);
	free(ahead->texts);
	*ahead = (struct ahead){ 0 };
}
