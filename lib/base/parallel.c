#include "lib/base/parallel.h"

#include "lib/base/mem.h"

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

unsigned parallel_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (unsigned)count : 1;
}

#define THREADS_MAX 64
/** As much as a program's first thread has: some systems give others less. */
#define STACK_BYTES ((size_t)8 << 20)

/** Pieces that threads share. */
struct shared {
	atomic_size_t next;
	size_t count;
	void (*work)(size_t index, void *context);
	void *context;
	// Guarded by the crew's mutex:
	size_t busy;          ///< workers that do some of them
	struct worker *ended; ///< but not joined
};

/** A thread that does pieces, and then may wait for others. */
struct worker {
	pthread_t thread;
	struct shared *shared; ///< NULL: it waits, or has ended
	pthread_cond_t called; ///< to others, or to end
	struct worker *next;   ///< of those that wait, or of those that ended
};

static struct crew {
	pthread_mutex_t mutex;
	pthread_cond_t came_back; ///< all that did pieces of one call
	bool keeps;               ///< who comes back waits for the next call
	struct worker *waiting;
} crew = {
	.mutex = PTHREAD_MUTEX_INITIALIZER,
	.came_back = PTHREAD_COND_INITIALIZER,
};

static void push(struct worker **list, struct worker *worker)
{
	worker->next = *list;
	*list = worker;
}

static void take_pieces(struct shared *shared)
{
	size_t index;

	while ((index = atomic_fetch_add(&shared->next, 1)) < shared->count)
		shared->work(index, shared->context);
}

/** Come back from the pieces, which are the caller's, and wait for others. */
static bool wait_for_others(struct worker *worker)
{
	bool goes_on;

	pthread_mutex_lock(&crew.mutex);
	push(crew.keeps ? &crew.waiting : &worker->shared->ended, worker);
	if (!--worker->shared->busy)
		pthread_cond_broadcast(&crew.came_back);
	worker->shared = NULL;
	while (crew.keeps && !worker->shared)
		pthread_cond_wait(&worker->called, &crew.mutex);
	goes_on = worker->shared;
	pthread_mutex_unlock(&crew.mutex);
	return goes_on;
}

static void *begin(void *argument)
{
	struct worker *worker = argument;

	do {
		take_pieces(worker->shared);
	} while (wait_for_others(worker));
	return NULL;
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

/** Call up to @p most of those that wait; @return how many came. */
static size_t call_waiting(struct shared *shared, size_t most)
{
	pthread_mutex_lock(&crew.mutex);
	while (shared->busy < most && crew.waiting) {
		struct worker *worker = crew.waiting;

		crew.waiting = worker->next;
		worker->shared = shared;
		shared->busy++;
		pthread_cond_signal(&worker->called);
	}
	most = shared->busy;
	pthread_mutex_unlock(&crew.mutex);
	return most;
}

static void count_busy(struct shared *shared, int more)
{
	pthread_mutex_lock(&crew.mutex);
	shared->busy += (size_t)more;
	pthread_mutex_unlock(&crew.mutex);
}

static void worker_free(struct worker *worker)
{
	pthread_cond_destroy(&worker->called);
	free(worker);
}

static bool hire(struct shared *shared, const pthread_attr_t *attributes,
                 struct processors *processors)
{
	struct worker *worker = mem_alloc(sizeof(*worker));

	*worker = (struct worker){ .shared = shared };
	pthread_cond_init(&worker->called, NULL);
	count_busy(shared, 1);
	if (pthread_create(&worker->thread, attributes, begin, worker)) {
		count_busy(shared, -1);
		worker_free(worker);
		return false;
	}
	begin_apart(worker->thread, processors);
	return true;
}

static void begin_workers(struct shared *shared, size_t wanted)
{
	struct processors processors = find_processors(wanted + 1);
	size_t count = call_waiting(shared, wanted);
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	// A thread that cannot be had is no failure: the others do its work.
	while (count < wanted && hire(shared, &attributes, &processors))
		count++;
	pthread_attr_destroy(&attributes);
}

static void join(struct worker *workers)
{
	while (workers) {
		struct worker *next = workers->next;

		pthread_join(workers->thread, NULL);
		worker_free(workers);
		workers = next;
	}
}

static void wait_for_workers(struct shared *shared)
{
	pthread_mutex_lock(&crew.mutex);
	while (shared->busy)
		pthread_cond_wait(&crew.came_back, &crew.mutex);
	pthread_mutex_unlock(&crew.mutex);
	join(shared->ended);
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
	bool has_workers = wanted > 1;

	if (has_workers)
		begin_workers(&shared,
		              wanted <= THREADS_MAX ? wanted - 1 : THREADS_MAX);
	if (own)
		own(own_context);
	take_pieces(&shared);
	if (has_workers)
		wait_for_workers(&shared);
}

void parallel_each(size_t count, unsigned jobs,
                   void (*work)(size_t index, void *context), void *context)
{
	parallel_each_beside(count, jobs, work, context, NULL, NULL);
}

static void lock_crew(void)
{
	pthread_mutex_lock(&crew.mutex);
}

static void unlock_crew(void)
{
	pthread_mutex_unlock(&crew.mutex);
}

/** A forked child has none of the threads that wait here. */
static void forget_workers(void)
{
	crew.waiting = NULL;
	crew.keeps = false;
	unlock_crew();
}

static void prepare_for_forks(void)
{
	pthread_atfork(lock_crew, unlock_crew, forget_workers);
}

void parallel_keep_threads(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare_for_forks);
	pthread_mutex_lock(&crew.mutex);
	crew.keeps = true;
	pthread_mutex_unlock(&crew.mutex);
}

void parallel_end_threads(void)
{
	struct worker *waiting;

	pthread_mutex_lock(&crew.mutex);
	crew.keeps = false;
	waiting = crew.waiting;
	crew.waiting = NULL;
	for (struct worker *w = waiting; w; w = w->next)
		pthread_cond_signal(&w->called);
	pthread_mutex_unlock(&crew.mutex);
	join(waiting);
}
