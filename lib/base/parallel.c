#include "lib/base/parallel.h"

#include "lib/base/mem.h"

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdatomic.h>
#include <stdbool.h>

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

static void *begin(void *argument)
{
	mem_begin_thread();
	return take_pieces(argument);
}

#ifdef __linux__
/** The processors that threads may run on, and where the next one begins. */
struct processors {
	cpu_set_t allowed;
	int at;
	bool all_wanted; ///< there are threads for each of them
};

static struct processors find_processors(size_t threads)
{
	struct processors processors = { .at = sched_getcpu() };

	// Beyond what a set holds the system is left to itself.
	processors.all_wanted =
	        processors.at >= 0 && threads > 1 &&
	        !sched_getaffinity(0, sizeof(processors.allowed),
	                           &processors.allowed) &&
	        threads >= (size_t)CPU_COUNT(&processors.allowed);
	return processors;
}

/**
 * Linux may begin a thread on the processor of the one that starts it, and
 * notice after a tick of the clock, some 4 ms, that another one is idle: much
 * work takes less. Where each is to have a thread anyway, each gets one at
 * once; from then on they go where the system wants them.
 */
static void begin_apart(pthread_t thread, struct processors *processors)
{
	cpu_set_t one;

	if (!processors->all_wanted)
		return;
	do
		processors->at = (processors->at + 1) % CPU_SETSIZE;
	while (!CPU_ISSET((size_t)processors->at, &processors->allowed));
	CPU_ZERO(&one);
	CPU_SET((size_t)processors->at, &one);
	// Where this is refused, the work is done all the same.
	if (!pthread_setaffinity_np(thread, sizeof(one), &one))
		(void)pthread_setaffinity_np(thread,
		                             sizeof(processors->allowed),
		                             &processors->allowed);
}
#else
struct processors {
	bool none;
};

static struct processors find_processors(size_t threads UNUSED)
{
	return (struct processors){ .none = true };
}

static void begin_apart(pthread_t thread UNUSED,
                        struct processors *processors UNUSED)
{
}
#endif

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
	struct processors processors = find_processors(wanted);
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	// A thread that cannot be had is no failure: the others do its work.
	while (started + 1 < wanted && started < THREADS_MAX &&
	       !pthread_create(&threads[started], &attributes, begin, &shared))
		begin_apart(threads[started++], &processors);
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
