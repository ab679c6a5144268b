// SPDX-License-Identifier: MIT
#include "lib/answers/pool.h"

#include "lib/answers/child.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/process.h"
#include "lib/base/timestamp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/** Limits of the questions of a child, so that others get some, too. */
#define CHILD_FRAMES_MAX 128
#define CHILD_BYTES_MAX  ((size_t)2 << 20)

/** Largest answer; a child with a larger one is broken. */
#define ANSWER_BYTES_MAX ((size_t)1 << 30)

#define READ_BYTES ((size_t)256 << 10)

/** A question that has cost this many children is the cause. */
#define LOSSES_MAX 3

/** How often in a row children may fail to start, and the pause between. */
#define STARTS_MAX     5
#define START_PAUSE_MS 200

/** How long all children may take to end. */
#define END_MS 2000

/** How long a child may take to start: it may search directories. */
#define START_S 600

// Exit statuses of a filter: the system lacked a resource, or its options are
// wrong, which it has printed.
#define STATUS_ENVIRONMENT 5
#define STATUS_USAGE       2

#define NO_ANSWER                                                             \
	"{\"schema\":\"apmtool.answer/1\",\"id\":null,\"status\":\"failed\"," \
	"\"reason\":\"E-crash\",\"message\":\"it crashes apmtool filter\","   \
	"\"missing\":[],\"documents\":[]}"

struct filter_pool {
	struct filter_pool_settings settings;
	char **arguments;
	struct filter_child *children;
	struct filter_question *first; ///< not given to a child yet
	struct filter_question *last;
	size_t count;  ///< of questions without an answer
	size_t losses; ///< children that died or were killed
	size_t failed_starts;
	bool has_started; ///< one of them: before, only the first is tried
	char *room;       ///< READ_BYTES
};

struct filter_pool *filter_pool_new(const struct filter_pool_settings *settings)
{
	static const char *const words[] = { "apmtool", "filter", "--frame",
		                             "u32" };
	struct filter_pool *pool = mem_zalloc(1, sizeof(*pool));
	size_t count = 0;

	pool->settings = *settings;
	while (settings->options[count])
		count++;
	pool->arguments = mem_zalloc(ARRAY_SIZE(words) + count + 1,
	                             sizeof(*pool->arguments));
	memcpy(pool->arguments, words, sizeof(words));
	memcpy(pool->arguments + ARRAY_SIZE(words), settings->options,
	       count * sizeof(*pool->arguments));
	pool->children =
	        mem_zalloc(settings->children, sizeof(*pool->children));
	pool->room = mem_alloc(READ_BYTES);
	return pool;
}

/** Kill a child and release its pipes; @return The status of waitpid(). */
static int end_child(struct filter_child *child)
{
	int status;

	if (child->pipes.to >= 0)
		close(child->pipes.to);
	close(child->pipes.from);
	framing_release(&child->answers);
	kill(child->pid, SIGKILL);
	status = process_wait(child->pid);
	*child = (struct filter_child){ 0 };
	return status;
}

/** Let children end by themselves: they have to end their own children. */
static void await_ends(struct filter_pool *pool)
{
	int64_t end = timestamp_now_ms() + END_MS;

	for (size_t i = 0; i < pool->settings.children; i++)
		if (pool->children[i].pid)
			close(pool->children[i].pipes.to);
	for (size_t i = 0; i < pool->settings.children; i++) {
		struct filter_child *child = &pool->children[i];
		struct pollfd event = { child->pipes.from, POLLIN, 0 };
		int64_t left = end - timestamp_now_ms();

		if (!child->pid)
			continue;
		child->pipes.to = -1;
		while (left > 0 && poll(&event, 1, (int)left) > 0 &&
		       file_read_some(child->pipes.from, pool->room,
		                      READ_BYTES) > 0)
			left = end - timestamp_now_ms();
	}
}

void filter_pool_free(struct filter_pool *pool)
{
	if (!pool)
		return;
	await_ends(pool);
	for (size_t i = 0; i < pool->settings.children; i++)
		if (pool->children[i].pid)
			end_child(&pool->children[i]);
	free(pool->children);
	free(pool->arguments);
	free(pool->room);
	free(pool);
}

void filter_pool_drop(struct filter_pool **pool)
{
	filter_pool_free(*pool);
}

static void set_deadline(const struct filter_pool *pool,
                         struct filter_child *child)
{
	unsigned seconds = child->is_ready ? pool->settings.silence_s : START_S;

	child->busy_until_ms = timestamp_now_ms() + (int64_t)seconds * 1000;
}

static struct error *start_child(const struct filter_pool *pool,
                                 struct filter_child *child)
{
	struct error *err = child_execute(pool->settings.program,
	                                  pool->arguments, &child->pipes,
	                                  &child->pid);

	if (err)
		return err;
	(void)fcntl(child->pipes.to, F_SETFL, O_NONBLOCK);
	(void)fcntl(child->pipes.from, F_SETFL, O_NONBLOCK);
	child->answers = (struct framing_reader){
		.framing = FRAMING_U32,
		.limit_bytes = ANSWER_BYTES_MAX,
	};
	filter_child_add(child, &child->greeting);
	set_deadline(pool, child);
	return NULL;
}

void filter_pool_ask(struct filter_pool *pool, struct filter_question *question)
{
	question->next = NULL;
	question->losses = 0;
	if (pool->last)
		pool->last->next = question;
	else
		pool->first = question;
	pool->last = question;
	pool->count++;
}

static void answer(struct filter_pool *pool, struct filter_question *question,
                   struct text text)
{
	pool->count--;
	pool->settings.answered(pool->settings.context, question, text);
}

/** Put the questions of a lost child first. */
static void ask_again(struct filter_pool *pool, struct filter_question *first,
                      struct filter_question *last)
{
	last->next = pool->first;
	if (!pool->first)
		pool->last = last;
	pool->first = first;
}

/** Ask the questions of a lost child again, except those that kill children. */
static struct error *lose_child(struct filter_pool *pool,
                                struct filter_child *child)
{
	struct filter_question *first = NULL, *last = NULL;
	bool was_ready = child->is_ready;
	struct filter_question *next;
	int status;

	for (struct filter_question *q = child->first; q; q = next) {
		next = q->next;
		if (q == &child->greeting)
			continue;
		if (++q->losses >= LOSSES_MAX) {
			answer(pool, q, text_from(NO_ANSWER));
			continue;
		}
		if (last)
			last->next = q;
		else
			first = q;
		last = q;
	}
	if (first)
		ask_again(pool, first, last);
	status = end_child(child);
	pool->losses++;
	if (was_ready)
		return NULL;
	child->start_at_ms = timestamp_now_ms() + START_PAUSE_MS;
	if (++pool->failed_starts < STARTS_MAX &&
	    !(WIFEXITED(status) && WEXITSTATUS(status) != STATUS_ENVIRONMENT))
		return NULL;
	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_USAGE)
		return error_new(ERROR_CONFIG,
		                 "'%s filter' refuses its options",
		                 pool->settings.program);
	return WIFEXITED(status)
	               ? error_new(ERROR_OS,
	                           "'%s filter' does not start: status %d",
	                           pool->settings.program, WEXITSTATUS(status))
	               : error_new(ERROR_OS,
	                           "'%s filter' does not start: signal %d",
	                           pool->settings.program, WTERMSIG(status));
}

static void take_answer(struct filter_pool *pool, struct filter_child *child,
                        struct text text)
{
	struct filter_question *question = filter_child_take(child);

	if (question == &child->greeting) {
		child->is_ready = pool->has_started = true;
		pool->failed_starts = 0;
		return;
	}
	child->is_alone = false;
	answer(pool, question, text);
}

/** Read the answers of a child; false: it has died, or is broken. */
static bool receive(struct filter_pool *pool, struct filter_child *child)
{
	ssize_t got = file_read_some(child->pipes.from, pool->room, READ_BYTES);
	struct text text;

	if (got < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK;
	if (!got)
		return false;
	framing_give(&child->answers, pool->room, (size_t)got);
	for (;;) {
		switch (framing_next(&child->answers, &text)) {
		case FRAMING_MORE:
			set_deadline(pool, child);
			return true;
		case FRAMING_WHOLE:
			if (!child->first || child->first == child->unsent)
				return false;
			take_answer(pool, child, text);
			break;
		default:
			return false;
		}
	}
}

static bool has_room(const struct filter_child *child)
{
	return child->is_ready && !child->is_old && !child->is_alone &&
	       child->count < CHILD_FRAMES_MAX &&
	       (child->bytes < CHILD_BYTES_MAX || !child->count);
}

/** The child with the least work that may take the next question. */
static struct filter_child *choose(const struct filter_pool *pool)
{
	bool alone = pool->first->losses > 0;
	struct filter_child *best = NULL;

	for (size_t i = 0; i < pool->settings.children; i++) {
		struct filter_child *child = &pool->children[i];

		if (has_room(child) && !(alone && child->count) &&
		    (!best || child->bytes < best->bytes))
			best = child;
	}
	return best;
}

static void hand_out(struct filter_pool *pool)
{
	struct filter_child *child;

	while (pool->first && (child = choose(pool))) {
		struct filter_question *question = pool->first;

		pool->first = question->next;
		if (!pool->first)
			pool->last = NULL;
		if (!child->count)
			set_deadline(pool, child);
		child->is_alone = question->losses > 0;
		filter_child_add(child, question);
	}
}

/** Receive, and check whether the child died, is broken, or hangs. */
static bool is_lost(struct filter_pool *pool, struct filter_child *child,
                    const struct pollfd *event)
{
	if (event && event->revents && !receive(pool, child))
		return true;
	// A deadline that passed while this thread was busy elsewhere proves
	// nothing: its answer may wait to be read.
	return event && child->count &&
	       timestamp_now_ms() >= child->busy_until_ms;
}

/** The first alone until it is ready: it prints what is wrong with options. */
static size_t may_run(const struct filter_pool *pool)
{
	return pool->has_started ? pool->settings.children : 1;
}

static struct error *serve_child(struct filter_pool *pool,
                                 struct filter_child *child,
                                 const struct pollfd *event)
{
	struct error *err;

	if (child->pid && is_lost(pool, child, event) &&
	    (err = lose_child(pool, child)))
		return err;
	if (child->pid && child->is_old && !child->count)
		end_child(child);
	if (child->pid || timestamp_now_ms() < child->start_at_ms)
		return NULL;
	err = start_child(pool, child);
	if (!err || error_code(err) != ERROR_SHORTAGE ||
	    ++pool->failed_starts >= STARTS_MAX)
		return err;
	error_free(err);
	child->start_at_ms = timestamp_now_ms() + START_PAUSE_MS;
	return NULL;
}

struct error *filter_pool_serve(struct filter_pool *pool,
                                const struct pollfd *events)
{
	for (size_t i = 0; i < may_run(pool); i++) {
		struct error *err = serve_child(pool, &pool->children[i],
		                                events ? &events[2 * i] : NULL);

		if (err)
			return err;
	}
	hand_out(pool);
	for (size_t i = 0; i < pool->settings.children; i++)
		filter_child_send(&pool->children[i]);
	return NULL;
}

size_t filter_pool_count(const struct filter_pool *pool)
{
	return pool->count;
}

size_t filter_pool_losses(const struct filter_pool *pool)
{
	return pool->losses;
}

void filter_pool_renew(struct filter_pool *pool)
{
	for (size_t i = 0; i < pool->settings.children; i++)
		pool->children[i].is_old = pool->children[i].pid != 0;
}

size_t filter_pool_events(const struct filter_pool *pool)
{
	return 2 * pool->settings.children;
}

void filter_pool_watch(const struct filter_pool *pool, struct pollfd *events)
{
	for (size_t i = 0; i < pool->settings.children; i++) {
		const struct filter_child *child = &pool->children[i];

		events[2 * i] = (struct pollfd){
			.fd = child->pid ? child->pipes.from : -1,
			.events = POLLIN,
		};
		events[2 * i + 1] = (struct pollfd){
			.fd = child->pid && child->unsent ? child->pipes.to
			                                  : -1,
			.events = POLLOUT,
		};
	}
}

int filter_pool_wait_ms(const struct filter_pool *pool)
{
	int64_t next = INT64_MAX;
	int64_t left;

	for (size_t i = 0; i < may_run(pool); i++) {
		const struct filter_child *child = &pool->children[i];

		if (!child->pid && child->start_at_ms < next)
			next = child->start_at_ms;
		if (child->pid && child->count && child->busy_until_ms < next)
			next = child->busy_until_ms;
	}
	if (next == INT64_MAX)
		return -1;
	left = next - timestamp_now_ms();
	if (left < 0)
		return 0;
	return left > INT_MAX ? INT_MAX : (int)left;
}

static bool is_ready(const struct filter_pool *pool)
{
	for (size_t i = 0; i < pool->settings.children; i++)
		if (!pool->children[i].is_ready)
			return false;
	return true;
}

struct error *filter_pool_start(struct filter_pool *pool)
{
	size_t count = filter_pool_events(pool);
	SCOPED(mem_drop)
	struct pollfd *events = mem_zalloc(count, sizeof(*events));
	struct error *err = filter_pool_serve(pool, NULL);

	while (!err && !is_ready(pool)) {
		filter_pool_watch(pool, events);
		poll(events, (nfds_t)count, filter_pool_wait_ms(pool));
		err = filter_pool_serve(pool, events);
	}
	return err;
}
