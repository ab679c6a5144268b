// SPDX-License-Identifier: MIT
#include "cmd/worker/work.h"

#include "cmd/worker/consumer.h"
#include "cmd/worker/log.h"
#include "cmd/worker/outputs.h"
#include "cmd/worker/questions.h"
#include "cmd/worker/redrive.h"
#include "cmd/worker/symbols.h"
#include "cmd/worker/transaction.h"
#include "lib/base/mem.h"
#include "lib/base/timestamp.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define COMMIT_EVERY_MS 1000
#define STATUS_EVERY_MS 5000
#define WAIT_MS_MAX     500

/** After a signal, time to finish the messages that were taken. */
#define STOP_MS 5000

/** After that, the worker ends as it is: librdkafka waits for brokers. */
#define ALARM_S 10

static void on_signal(int number)
{
	worker_signal = number;
	alarm(ALARM_S);
}

/** As safe as to be killed. */
static void on_alarm(int number UNUSED)
{
	static const char text[] =
	        "apmtool-worker: brokers do not answer: messages that are "
	        "unfinished are left to the next worker\n";

	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EXIT_ENVIRONMENT);
}

static void answered(struct worker *worker, struct message *message)
{
	if (message->state == MESSAGE_SENT) {
		// A transaction is aborted and sends the message again.
		if (!worker->is_transactional)
			outputs_send_report(worker, message);
		return;
	}
	message->state = MESSAGE_ANSWERED;
	// transaction_serve() sends messages in order.
	if (!worker->is_transactional)
		outputs_send(worker, message);
}

// Turns

/** Wait for events and handle them. @param takes  Take new messages, too. */
static void step(struct worker *worker, bool takes, int wait_ms)
{
	size_t count = 0;
	int transaction_ms;
	struct pollfd *events;
	size_t at = 2;

	for (size_t i = 0; i < POOLS; i++)
		if (worker->pools[i])
			count += filter_pool_events(worker->pools[i]);
	events = mem_zalloc(count + 2, sizeof(*events));
	events[0] = (struct pollfd){ worker->producer_end[0], POLLIN, 0 };
	events[1] = (struct pollfd){ takes ? worker->consumer_end[0] : -1,
		                     POLLIN, 0 };
	for (size_t i = 0; i < POOLS; i++) {
		int left_ms;

		if (!worker->pools[i])
			continue;
		filter_pool_watch(worker->pools[i], events + at);
		at += filter_pool_events(worker->pools[i]);
		left_ms = filter_pool_wait_ms(worker->pools[i]);
		if (left_ms >= 0 && left_ms < wait_ms)
			wait_ms = left_ms;
	}
	transaction_ms = transaction_wait_ms(worker);
	if (transaction_ms >= 0 && transaction_ms < wait_ms)
		wait_ms = transaction_ms;
	poll(events, (nfds_t)count + 2, wait_ms);
	at = 2;
	for (size_t i = 0; i < POOLS; i++) {
		size_t own;

		if (!worker->pools[i] || at >= count + 2)
			continue;
		own = filter_pool_events(worker->pools[i]);
		worker_fail(worker,
		            filter_pool_serve(worker->pools[i], events + at));
		at += own;
	}
	kafka_unwatch(worker->producer_end[0]);
	rd_kafka_poll(worker->producer, 0);
	if (worker->is_transactional)
		transaction_serve(worker, false);
	if (takes)
		consumer_serve(worker);
	// Send new questions.
	for (size_t i = 0; i < POOLS; i++)
		if (worker->pools[i])
			worker_fail(worker,
			            filter_pool_serve(worker->pools[i], NULL));
	mem_drop(&events);
}

static void drain(struct worker *worker, int64_t ms,
                  bool (*is_done)(struct worker *worker))
{
	int64_t end = timestamp_now_ms() + ms;

	while (!worker->err && !is_done(worker)) {
		int64_t left = end - timestamp_now_ms();

		if (left <= 0)
			break;
		step(worker, false, left < 100 ? (int)left : 100);
	}
}

static bool is_finished(struct worker *worker)
{
	return !worker->partitions.messages;
}

static bool has_ended(const struct worker *worker)
{
	const struct worker_options *options = &worker->settings.options;

	if (worker->partitions.messages)
		return false;
	return (options->messages_max &&
	        worker->counts.messages >= options->messages_max) ||
	       (options->until_end && consumer_is_at_end(worker));
}

static void write_status(struct worker *worker)
{
	const char *path = worker->settings.options.status;
	SCOPED(error_drop) struct error *err = NULL;

	if (!path)
		return;
	worker->counts.in_flight = worker->partitions.messages;
	worker->counts.lost_filters = 0;
	for (size_t i = 0; i < POOLS; i++)
		if (worker->pools[i])
			worker->counts.lost_filters +=
			        filter_pool_losses(worker->pools[i]);
	if ((err = counts_write(&worker->counts, path)))
		worker_log("%s", error_message(err));
}

static void work(struct worker *worker)
{
	int64_t commit_at = 0;
	int64_t status_at = 0;

	while (!worker->err && !worker_signal && !has_ended(worker)) {
		int64_t now;

		step(worker, true, WAIT_MS_MAX);
		symbols_serve(worker);
		now = timestamp_now_ms();
		if (now >= commit_at) {
			consumer_commit(worker, false);
			commit_at = now + COMMIT_EVERY_MS;
		}
		if (now >= status_at) {
			write_status(worker);
			status_at = now + STATUS_EVERY_MS;
		}
	}
}

static void log_counts(const struct counts *counts, bool is_redrive)
{
	worker_log("%" PRIu64 " message%s: %" PRIu64 " done, %" PRIu64
	           " events, %" PRIu64 " dead, %" PRIu64 " %s",
	           counts->messages, text_plural(counts->messages),
	           counts->done, counts->events, counts->dead, counts->missing,
	           is_redrive ? "still without symbols"
	                      : "with missing symbols");
}

/** Finish the messages that were taken, as far as possible. */
static void stop(struct worker *worker)
{
	worker->is_stopping = true;
	if (!worker->err)
		drain(worker, STOP_MS, is_finished);
	if (worker->consumer)
		consumer_commit(worker, true);
	consumer_close(worker);
	symbols_close(worker);
	write_status(worker);
	if (worker->counts.messages || !worker->err)
		log_counts(&worker->counts, worker->settings.options.redrive);
}

/** A --redrive may be killed: the next one starts where this one did. */
static void catch_signals(const struct worker *worker)
{
	struct sigaction action = { .sa_handler = on_signal };

	signal(SIGPIPE, SIG_IGN);
	if (worker->settings.options.redrive)
		return;
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	action.sa_handler = on_alarm;
	sigaction(SIGALRM, &action, NULL);
}

/** A wrong password is an error that the producer's queue brings. */
static bool stops_waiting(void *context)
{
	struct worker *worker = context;

	rd_kafka_poll(worker->producer, 0);
	return worker_signal || worker->err;
}

/** Wait for a broker, as a supervisor would, and for topics not so long. */
static struct error *await_topics(struct worker *worker)
{
	const char *const *topics = worker->settings.topics;
	struct error *err = NULL;

	for (size_t i = 0; i < TOPICS && !err; i++)
		// The symbols topic is optional.
		if (topics[i] && i != TOPIC_SYMBOLS)
			err = kafka_await_topic(worker->producer, topics[i],
			                        stops_waiting, worker);
	return err;
}

/** First whatever needs no broker: its errors come at once. */
static struct error *start(struct worker *worker)
{
	const struct worker_settings *settings = &worker->settings;
	const char *status = settings->options.status;
	struct error *err = outputs_open(worker);

	if (!err && status)
		err = counts_write(&worker->counts, status);
	if (!err)
		err = questions_start(worker, POOL_EVENT);
	if (!err && settings->topics[TOPIC_REPORT] && settings->report_is_slim)
		err = questions_start(worker, POOL_SLIM);
	if (!err)
		err = await_topics(worker);
	if (err || worker_signal || worker->err)
		return err;
	if (worker->is_transactional)
		err = transaction_open(worker);
	if (!err && !settings->options.redrive)
		err = symbols_open(worker);
	if (!err && !settings->options.redrive)
		err = consumer_open(worker);
	return err;
}

enum exit_status worker_run(struct worker *worker)
{
	worker->drain = drain;
	worker->answered = answered;
	catch_signals(worker);
	kafka_warn(&worker->settings);
	worker_fail(worker, start(worker));
	if (!worker->err && worker->settings.options.redrive)
		redrive_run(worker);
	else if (!worker->err && !worker_signal)
		work(worker);
	stop(worker);
	outputs_close(worker);
	for (size_t i = 0; i < POOLS; i++)
		filter_pool_free(worker->pools[i]);
	partitions_release(&worker->partitions);
	consumer_free(worker);
	return worker->err ? worker_refuse(worker->err) : EXIT_DONE;
}
