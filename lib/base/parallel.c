#include "lib/base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>

#define THREADS_MAX 64

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

void parallel_each(size_t count, unsigned jobs,
                   void (*work)(size_t index, void *context), void *context)
{
	struct shared shared = {
		.count = count,
		.work = work,
		.context = context,
	};
	pthread_t threads[THREADS_MAX];
	size_t wanted = jobs < count ? jobs : count;
	size_t started = 0;

	// A thread that cannot be had is no failure: the others do its work.
	while (started + 1 < wanted && started < THREADS_MAX &&
	       !pthread_create(&threads[started], NULL, take_pieces, &shared))
		started++;
	take_pieces(&shared);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}
