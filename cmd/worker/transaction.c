// SPDX-License-Identifier: MIT
#include "cmd/worker/transaction.h"

#include "cmd/worker/hook.h"
#include "cmd/worker/log.h"
#include "cmd/worker/outputs.h"
#include "lib/base/timestamp.h"

#define MESSAGES_MAX 500
#define AFTER_MS     200

#define INIT_MS 60000
#define CALL_MS 5000

/** Aborts without a commit between them, until the worker gives up. */
#define ABORTS_MAX 10

struct error *transaction_open(struct worker *worker)
{
	rd_kafka_error_t *error =
	        rd_kafka_init_transactions(worker->producer, INIT_MS);

	return kafka_error(error, "cannot begin transactions");
}

/** End the worker. Takes ownership of @p error. */
static void fail(struct worker *worker, rd_kafka_error_t *error,
                 const char *what)
{
	worker_fail_fenced(worker, rd_kafka_error_code(error));
	worker_fail(worker, kafka_error(error, what));
}

/** Mark all messages of the transaction to be sent again. */
static void take_back(struct worker *worker)
{
	for (size_t i = 0; i < worker->partitions.count; i++) {
		struct partition *partition = worker->partitions.all[i];

		for (struct message *m = partition->first;
		     m && m != partition->unsent; m = m->next)
			m->state = m->asked ? MESSAGE_ASKED : MESSAGE_ANSWERED;
		partition->unsent = partition->first;
	}
	worker->in_transaction = worker->must_abort = false;
	worker->transaction_count = 0;
}

/**
 * Is the call that failed to be repeated? Then @p error is freed. After a
 * signal it is not: the broker aborts what is left open.
 */
static bool is_to_retry(rd_kafka_error_t *error)
{
	if (!error || !rd_kafka_error_is_retriable(error) || worker_signal)
		return false;
	rd_kafka_error_destroy(error);
	return true;
}

void transaction_abort(struct worker *worker)
{
	rd_kafka_error_t *error;

	if (!worker->in_transaction)
		return;
	worker->counts.aborted++;
	do {
		error = rd_kafka_abort_transaction(worker->producer, CALL_MS);
	} while (is_to_retry(error));
	take_back(worker);
	if (error)
		fail(worker, error, "cannot abort a transaction");
	else if (++worker->aborts == ABORTS_MAX)
		worker_fail(worker, error_new(ERROR_OS,
		                              "%d transactions in a row were "
		                              "aborted",
		                              ABORTS_MAX));
}

static rd_kafka_topic_partition_list_t *sent_offsets(struct worker *worker)
{
	rd_kafka_topic_partition_list_t *list =
	        rd_kafka_topic_partition_list_new(
	                (int)worker->partitions.count);

	for (size_t i = 0; i < worker->partitions.count; i++) {
		struct partition *partition = worker->partitions.all[i];
		int64_t next = -1;

		for (struct message *m = partition->first;
		     m && m != partition->unsent; m = m->next)
			next = m->raw->offset + 1;
		if (next >= 0)
			rd_kafka_topic_partition_list_add(
			        list, partition->topic, partition->number)
			        ->offset = next;
	}
	return list;
}

static rd_kafka_error_t *send_offsets(struct worker *worker)
{
	rd_kafka_topic_partition_list_t *list = sent_offsets(worker);
	rd_kafka_consumer_group_metadata_t *metadata =
	        rd_kafka_consumer_group_metadata(worker->consumer);
	rd_kafka_error_t *error;

	do {
		error = rd_kafka_send_offsets_to_transaction(
		        worker->producer, list, metadata, CALL_MS);
	} while (is_to_retry(error));
	rd_kafka_consumer_group_metadata_destroy(metadata);
	rd_kafka_topic_partition_list_destroy(list);
	return error;
}

static rd_kafka_error_t *commit(struct worker *worker)
{
	rd_kafka_error_t *error;

	do {
		error = rd_kafka_commit_transaction(worker->producer, CALL_MS);
	} while (is_to_retry(error));
	return error;
}

/** Finish all messages of the transaction. */
static void finish(struct worker *worker)
{
	for (size_t i = 0; i < worker->partitions.count; i++) {
		struct partition *partition = worker->partitions.all[i];
		struct message *end = partition->unsent;

		while (partition->first && partition->first != end) {
			worker->counts.done++;
			message_finish(&worker->partitions, partition->first);
		}
	}
	worker->in_transaction = false;
	worker->transaction_count = 0;
	worker->aborts = 0;
	worker->counts.transactions++;
}

/** Commit the transaction, or abort it. */
static void end(struct worker *worker)
{
	rd_kafka_error_t *error;

	hook("sent");
	rd_kafka_flush(worker->producer, CALL_MS);
	hook("flushed");
	if (worker->must_abort) {
		transaction_abort(worker);
		return;
	}
	error = send_offsets(worker);
	if (!error) {
		hook("offsets");
		error = commit(worker);
	}
	if (!error) {
		finish(worker);
		return;
	}
	if (!rd_kafka_error_txn_requires_abort(error)) {
		fail(worker, error, "cannot commit a transaction");
		return;
	}
	worker_log("kafka: repeating a transaction: %s",
	           rd_kafka_error_string(error));
	rd_kafka_error_destroy(error);
	transaction_abort(worker);
}

static void begin(struct worker *worker)
{
	rd_kafka_error_t *error = rd_kafka_begin_transaction(worker->producer);

	if (error) {
		fail(worker, error, "cannot begin a transaction");
		return;
	}
	worker->in_transaction = true;
	worker->transaction_began_ms = timestamp_now_ms();
}

/** Send answered messages up to the first without an answer. */
static void send_answered(struct worker *worker)
{
	for (size_t i = 0; i < worker->partitions.count; i++) {
		struct partition *partition = worker->partitions.all[i];
		struct message *message;

		while (!worker->err && (message = partition->unsent) &&
		       message->state == MESSAGE_ANSWERED &&
		       worker->transaction_count < MESSAGES_MAX) {
			if (!worker->in_transaction)
				begin(worker);
			if (worker->err)
				return;
			partition->unsent = message->next;
			worker->transaction_count++;
			outputs_send(worker, message);
		}
	}
}

static bool is_due(const struct worker *worker)
{
	return worker->transaction_count >= MESSAGES_MAX ||
	       timestamp_now_ms() - worker->transaction_began_ms >= AFTER_MS;
}

void transaction_serve(struct worker *worker, bool now)
{
	send_answered(worker);
	if (worker->in_transaction && !worker->err && (now || is_due(worker)))
		end(worker);
}

int transaction_wait_ms(const struct worker *worker)
{
	int64_t left;

	if (!worker->in_transaction)
		return -1;
	left = worker->transaction_began_ms + AFTER_MS - timestamp_now_ms();
	return left > 0 ? (int)left : 0;
}
