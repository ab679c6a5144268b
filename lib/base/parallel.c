#include "lib/base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>

#define THREADS_MAX 64
/** As much as a program's first thread has: some systems give others less. */
#define STACK_BYTES ((size_t)8 << 20)

struct shared {
	atomic_size_t next;
	size_t count;
	void (*work)(size_t index, void *context);
	void *context;
};

static void *take_pieces(void *argument)
{
	struct shared *shared = argument;
	size_t index;

	while ((index = atomic_fetch_add(&shared->next, 1)) < shared->count)
		shared->work(index, shared->context);
	return NULL;
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
	pthread_t threads[THREADS_MAX];
	// While the caller is busy, one piece alone is worth a thread, too.
	size_t pieces = count + (own && count);
	size_t wanted = jobs < pieces ? jobs : pieces;
	size_t started = 0;
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	// A thread that cannot be had is no failure: the others do its work.
	while (started + 1 < wanted && started < THREADS_MAX &&
	       !pthread_create(&threads[started], &attributes, take_pieces,
	                       &shared))
		started++;
	pthread_attr_destroy(&attributes);
	if (own)
		own(own_context);
	take_pieces(&shared);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}

void parallel_each(size_t count, unsigned jobs,
                   void (*work)(size_t index, void *context), void *context)
{
	parallel_each_beside(count, jobs, work, context, NULL, NULL);
}
