// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"

#include <inttypes.h>
#include <string.h>

/** Frames to examine for a wait. */
#define WAIT_FRAMES 8

struct wait_call {
	const char *function;
	const char *what;
};

/** System calls that wait: the innermost frame is one of these. */
static const struct wait_call calls[] = {
	{ "__psynch_mutexwait", "for a mutex" },
	{ "__psynch_cvwait", "for a condition variable" },
	{ "__psynch_rw_rdlock", "for a read-write lock" },
	{ "__psynch_rw_wrlock", "for a read-write lock" },
	{ "__ulock_wait", "for a lock" },
	{ "semaphore_wait_trap", "for a semaphore" },
	{ "semaphore_wait_signal_trap", "for a semaphore" },
	{ "semaphore_timedwait_trap", "for a semaphore" },
	{ "__semwait_signal", "in a sleep" },
	{ "__wait4", "for a child process" },
	{ "flock", "for a file lock" },
	{ "__fcntl", "for a file operation (fcntl)" },
	{ "fsync", "for a file to be written" },
	{ "__recvfrom", "for the network" },
	{ "__select", "for the network or a file (select)" },
	{ "poll", "for the network or a file (poll)" },
	{ "mach_msg2_trap", "for a message" },
	{ "mach_msg_trap", "for a message" },
	{ NULL, NULL },
};

/** Callers are more specific; the innermost one counts. */
static const struct wait_call callers[] = {
	{ "__DISPATCH_WAIT_FOR_QUEUE__", "for a dispatch queue" },
	{ "_dispatch_sync_f_slow", "for a dispatch queue" },
	{ "_dispatch_barrier_sync_f_slow", "for a dispatch queue" },
	{ "_dispatch_group_wait_slow", "for a dispatch group" },
	{ "_dispatch_semaphore_wait_slow", "for a dispatch semaphore" },
	{ "_dispatch_once_wait", "for a dispatch_once of another thread" },
	{ "_pthread_mutex_firstfit_lock_slow", "for a mutex" },
	{ "_pthread_mutex_lock_slow", "for a mutex" },
	{ "pthread_mutex_lock", "for a mutex" },
	{ "_os_unfair_lock_lock_slow", "for an unfair lock" },
	{ "_pthread_cond_wait", "for a condition variable" },
	{ "_pthread_join", "for another thread to end" },
	{ "_pthread_rwlock_lock_slow", "for a read-write lock" },
	{ "__CFRunLoopServiceMachPort", "in its run loop, with nothing to do" },
	{ "_xpc_connection_send_message_with_reply_sync",
	  "for another process (synchronous XPC)" },
	{ "xpc_connection_send_message_with_reply_sync",
	  "for another process (synchronous XPC)" },
	{ NULL, NULL },
};

/** A name, perhaps with a suffix of some systems: `2`, `_nocancel`, `$…`. */
static bool is_function(const char *symbol, const char *function)
{
	size_t size = strlen(function);

	return !strncmp(symbol, function, size) &&
	       (!symbol[size] || symbol[size] == '$' || symbol[size] == '.' ||
	        !strcmp(symbol + size, "_nocancel") ||
	        !strcmp(symbol + size, "2"));
}

static const char *find_wait(const struct wait_call *waits,
                             const struct report_frame *frame)
{
	const char *symbol = explain_symbol(frame);

	for (; symbol && waits->function; waits++)
		if (is_function(symbol, waits->function))
			return waits->what;
	return NULL;
}

const char *explain_wait(const struct report_stack *stack, size_t *ret_frame)
{
	const char *what = stack->count ? find_wait(calls, &stack->frames[0])
	                                : NULL;

	*ret_frame = 0;
	for (size_t i = 1; what && i < stack->count && i < WAIT_FRAMES; i++) {
		const char *caller = find_wait(callers, &stack->frames[i]);

		if (!caller)
			continue;
		*ret_frame = i;
		return caller;
	}
	return what;
}

/** Messages of libraries that detect a deadlock. */
static const char *const deadlock_words[] = {
	"dispatch_sync called on queue already owned by current thread",
	"dispatch_barrier_sync called on queue already owned by current thread",
	"Trying to recursively lock an os_unfair_lock",
	"Application main thread deadlocked",
};

static void conclude_deadlock(struct explain *x, const char *words,
                              const struct report_section *section)
{
	const struct report_thread *thread = x->facts.thread;
	const char *wait = NULL;
	size_t frame = 0;

	explain_claim(x, CONFIDENCE_CERTAIN, "the report says: %s", words);
	explain_cite(x, evidence_of_section(x, section->label, words));
	if (thread)
		wait = explain_wait(&thread->stack, &frame);
	if (wait) {
		explain_claim(x, CONFIDENCE_CERTAIN,
		              "thread %" PRIu64 " waited %s", thread->number,
		              wait);
		explain_cite(x, evidence_of_frame(x, &thread->stack, frame));
	}
	explain_advise(x, "never wait for a queue or lock that the same "
	                  "thread holds, nor for one whose owner waits for "
	                  "this thread");
}

/** KSCrash's own diagnosis, and libraries that know the owner of a lock. */
void explain_deadlock(struct explain *x)
{
	for (size_t i = 0; i < ARRAY_SIZE(deadlock_words); i++) {
		const struct report_section *section =
		        explain_find_text(x, deadlock_words[i]);

		if (!section)
			continue;
		conclude_deadlock(x, deadlock_words[i], section);
		explain_conclude(x, CAUSE_DEADLOCK, CONFIDENCE_CERTAIN,
		                 i + 1 < ARRAY_SIZE(deadlock_words)
		                         ? "%s deadlocked: a thread waited for "
		                           "a lock that it held itself"
		                         : "the main thread of %s was blocked: "
		                           "the reporter calls it a deadlock",
		                 x->facts.process);
		return;
	}
}
