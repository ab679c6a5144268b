// SPDX-License-Identifier: MIT
#include "lib/base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

unsigned parallel_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (unsigned)count : 1;
}

#define THREADS_MAX 64
/**
 * Stack size of a program's first thread: some systems give other threads less.
 */
#define STACK_BYTES ((size_t)8 << 20)

/** Pieces that threads share. */
struct shared {
	atomic_size_t next;
	size_t count;
	void (*work)(size_t index, void *context);
	void *context;
};

static void take_pieces(struct shared *shared)
{
	size_t index;

	while ((index = atomic_fetch_add(&shared->next, 1)) < shared->count)
		shared->work(index, shared->context);
}

static void *begin(void *argument)
{
	take_pieces(argument);
	return NULL;
}

/** Returns how many were begun. */
static size_t begin_threads(struct shared *shared, size_t wanted,
                            pthread_t *threads)
{
	pthread_attr_t attributes;
	size_t count = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	// If a thread cannot be created, the others do its work.
	while (count < wanted &&
	       !pthread_create(&threads[count], &attributes, begin, shared))
		count++;
	pthread_attr_destroy(&attributes);
	return count;
}

void parallel_each_beside(size_t count, unsigned jobs,
                          void (*work)(size_t index, void *context),
                          void *context, void (*own)(void *own_context),
                          void *own_context)
{
	struct shared shared = {
		.count = count,
		.work = work,
		.context = context,
	};
	// While the caller is busy, one piece alone is worth a thread, too.
	size_t pieces = count + (own && count);
	size_t wanted = jobs < pieces ? jobs : pieces;
	pthread_t threads[THREADS_MAX];
	size_t begun = 0;

	if (wanted > 1)
		begun = begin_threads(&shared,
		                      wanted <= THREADS_MAX ? wanted - 1
		                                            : THREADS_MAX,
		                      threads);
	if (own)
		own(own_context);
	take_pieces(&shared);
	for (size_t i = 0; i < begun; i++)
		pthread_join(threads[i], NULL);
}

void parallel_each(size_t count, unsigned jobs,
                   void (*work)(size_t index, void *context), void *context)
{
	parallel_each_beside(count, jobs, work, context, NULL, NULL);
}
