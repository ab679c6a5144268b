// SPDX-License-Identifier: MIT
#include "cmd/worker/consumer.h"

#include "cmd/worker/log.h"
#include "cmd/worker/questions.h"
#include "cmd/worker/transaction.h"
#include "lib/base/timestamp.h"

#include <string.h>

/** After this long without room, pause and poll, to stay in the group. */
#define PAUSE_AFTER_MS 5000

/** How long to work on the messages of a revoked partition. */
#define REVOKE_MS 3000

/** How long to wait for a commit, and for the group: the broker may be gone. */
#define COMMIT_MS     2000
#define CLOSE_MS      2000
#define CLOSE_TURN_MS 100

// Partitions

static void add_partitions(struct worker *worker,
                           const rd_kafka_topic_partition_list_t *list)
{
	for (int i = 0; i < list->cnt; i++)
		if (!partitions_find(&worker->partitions, list->elems[i].topic,
		                     list->elems[i].partition))
			partitions_add(&worker->partitions,
			               list->elems[i].topic,
			               list->elems[i].partition);
	worker->is_assigned = true;
	worker->counts.partitions = worker->partitions.count;
}

static void remove_partitions(struct worker *worker,
                              const rd_kafka_topic_partition_list_t *list)
{
	for (int i = 0; i < list->cnt; i++) {
		struct partition *partition = partitions_find(
		        &worker->partitions, list->elems[i].topic,
		        list->elems[i].partition);

		if (partition)
			worker->counts.abandoned += partitions_remove(
			        &worker->partitions, partition);
	}
	worker->counts.partitions = worker->partitions.count;
}

static bool is_finished(struct worker *worker)
{
	return !worker->partitions.messages;
}

static void give_back(struct worker *worker,
                      const rd_kafka_topic_partition_list_t *list)
{
	// Another worker already has them, and repeats their messages.
	if (rd_kafka_assignment_lost(worker->consumer)) {
		transaction_abort(worker);
		remove_partitions(worker, list);
		return;
	}
	if (!worker->is_stopping)
		worker->drain(worker, REVOKE_MS, is_finished);
	consumer_commit(worker, true);
	remove_partitions(worker, list);
}

static void log_failure(rd_kafka_resp_err_t code, const char *what)
{
	if (code)
		worker_log("kafka: cannot %s: %s", what,
		           rd_kafka_err2str(code));
}

/** Drops messages that librdkafka has fetched, so do it rarely. */
static void pause_all(struct worker *worker, bool pauses)
{
	rd_kafka_topic_partition_list_t *list;

	if (worker->is_paused == pauses)
		return;
	worker->is_paused = pauses;
	if (rd_kafka_assignment(worker->consumer, &list))
		return;
	log_failure(pauses ? rd_kafka_pause_partitions(worker->consumer, list)
	                   : rd_kafka_resume_partitions(worker->consumer, list),
	            "pause");
	rd_kafka_topic_partition_list_destroy(list);
}

static void on_rebalance(rd_kafka_t *rk, rd_kafka_resp_err_t code,
                         rd_kafka_topic_partition_list_t *list, void *opaque)
{
	struct worker *worker = opaque;
	bool is_cooperative =
	        !strcmp(rd_kafka_rebalance_protocol(rk), "COOPERATIVE");
	bool assigns = code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS;

	// A paused partition that is assigned again is still paused.
	pause_all(worker, false);
	if (assigns)
		add_partitions(worker, list);
	else
		give_back(worker, list);
	// New ones follow: having none now is not the end of the topic.
	if (!assigns && !is_cooperative)
		worker->is_assigned = false;
	if (is_cooperative)
		log_failure(
		        rd_kafka_error_code(
		                assigns ? rd_kafka_incremental_assign(rk, list)
		                        : rd_kafka_incremental_unassign(rk,
		                                                        list)),
		        "change partitions");
	else
		log_failure(rd_kafka_assign(rk, assigns ? list : NULL),
		            "change partitions");
}

/** Let the next commit repeat one that failed. */
static void on_commit(rd_kafka_t *rk, rd_kafka_resp_err_t code,
                      rd_kafka_topic_partition_list_t *list, void *opaque)
{
	struct worker *worker = opaque;

	(void)rk;
	if (!code || code == RD_KAFKA_RESP_ERR__NO_OFFSET)
		return;
	worker_log("kafka: cannot commit: %s", rd_kafka_err2str(code));
	for (int i = 0; list && i < list->cnt; i++) {
		struct partition *partition = partitions_find(
		        &worker->partitions, list->elems[i].topic,
		        list->elems[i].partition);

		if (partition)
			partition->committed = -1;
	}
}

static void commit_and_wait(struct worker *worker,
                            const rd_kafka_topic_partition_list_t *list)
{
	rd_kafka_queue_t *queue = rd_kafka_queue_new(worker->consumer);

	if (!rd_kafka_commit_queue(worker->consumer, list, queue, on_commit,
	                           worker))
		rd_kafka_queue_poll_callback(queue, COMMIT_MS);
	rd_kafka_queue_destroy(queue);
}

void consumer_commit(struct worker *worker, bool waits)
{
	rd_kafka_topic_partition_list_t *list;

	if (worker->is_transactional) {
		if (waits && !worker->err)
			transaction_serve(worker, true);
		// Whatever could not be committed; a broker that did not
		// answer aborts it by itself.
		if (waits && !(worker_signal && worker->err))
			transaction_abort(worker);
		return;
	}
	list = rd_kafka_topic_partition_list_new((int)worker->partitions.count);
	for (size_t i = 0; i < worker->partitions.count; i++) {
		struct partition *partition = worker->partitions.all[i];

		if (partition->next < 0 ||
		    partition->next == partition->committed)
			continue;
		rd_kafka_topic_partition_list_add(list, partition->topic,
		                                  partition->number)
		        ->offset = partition->next;
		partition->committed = partition->next;
	}
	if (list->cnt && waits)
		commit_and_wait(worker, list);
	else if (list->cnt)
		rd_kafka_commit(worker->consumer, list, 1);
	rd_kafka_topic_partition_list_destroy(list);
}

bool consumer_is_at_end(const struct worker *worker)
{
	if (!worker->is_assigned)
		return false;
	for (size_t i = 0; i < worker->partitions.count; i++)
		if (!worker->partitions.all[i]->at_end)
			return false;
	return true;
}

// Messages

static void take_error(struct worker *worker, const rd_kafka_message_t *raw)
{
	struct partition *partition;

	switch (raw->err) {
	case RD_KAFKA_RESP_ERR__PARTITION_EOF:
		partition = partitions_find(&worker->partitions,
		                            rd_kafka_topic_name(raw->rkt),
		                            raw->partition);
		if (partition)
			partition->at_end = true;
		break;
	case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
	case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
	case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
	case RD_KAFKA_RESP_ERR__FATAL:
		worker_fail(worker, error_new(ERROR_OS, "kafka: %s",
		                              rd_kafka_message_errstr(raw)));
		break;
	default:
		worker_log("kafka: %s", rd_kafka_message_errstr(raw));
	}
}

/** Takes ownership of @p raw. */
static void take(struct worker *worker, rd_kafka_message_t *raw)
{
	struct partition *partition;
	struct message *message;

	if (raw->err) {
		take_error(worker, raw);
		rd_kafka_message_destroy(raw);
		return;
	}
	partition = partitions_find(&worker->partitions,
	                            rd_kafka_topic_name(raw->rkt),
	                            raw->partition);
	if (!partition) {
		rd_kafka_message_destroy(raw);
		return;
	}
	partition->at_end = false;
	worker->counts.messages++;
	worker->counts.bytes += raw->len;
	message = message_new(&worker->partitions, partition, raw);
	worker_fail(worker, questions_ask_all(worker, message));
}

static bool may_take(const struct worker *worker)
{
	unsigned most = worker->settings.options.messages_max;

	return !worker->is_stopping && !worker->err &&
	       partitions_have_room(&worker->partitions) &&
	       (!most || worker->counts.messages < most);
}

void consumer_serve(struct worker *worker)
{
	rd_kafka_message_t *raw;

	kafka_unwatch(worker->consumer_end[0]);
	if (may_take(worker)) {
		worker->full_since_ms = 0;
		pause_all(worker, false);
		while (may_take(worker) &&
		       (raw = rd_kafka_consumer_poll(worker->consumer, 0)))
			take(worker, raw);
		return;
	}
	if (worker->is_stopping)
		return;
	if (!worker->full_since_ms)
		worker->full_since_ms = timestamp_now_ms();
	if (timestamp_now_ms() - worker->full_since_ms < PAUSE_AFTER_MS)
		return;
	pause_all(worker, true);
	while ((raw = rd_kafka_consumer_poll(worker->consumer, 0)))
		take(worker, raw);
}

// The group

static struct error *subscribe(struct worker *worker)
{
	rd_kafka_topic_partition_list_t *list =
	        rd_kafka_topic_partition_list_new(1);
	rd_kafka_resp_err_t code;

	rd_kafka_topic_partition_list_add(list,
	                                  worker->settings.topics[TOPIC_RAW],
	                                  RD_KAFKA_PARTITION_UA);
	code = rd_kafka_subscribe(worker->consumer, list);
	rd_kafka_topic_partition_list_destroy(list);
	return code ? error_new(ERROR_OS, "cannot subscribe to '%s': %s",
	                        worker->settings.topics[TOPIC_RAW],
	                        rd_kafka_err2str(code))
	            : NULL;
}

struct error *consumer_open(struct worker *worker)
{
	const struct worker_settings *settings = &worker->settings;
	// With `group.protocol`, the broker has the assignor and the time-outs.
	bool chooses = !kafka_is_set(settings, "group.protocol");
	const char *assignment = rd_kafka_version() < KAFKA_COOPERATIVE_VERSION
	                                 ? "range"
	                                 : "cooperative-sticky";
	const struct kafka_own defaults[] = {
		{ "auto.offset.reset", "earliest" },
		{ "queued.min.messages", "2000" },
		{ "queued.max.messages.kbytes", "32768" },
		{ "fetch.wait.max.ms", "100" },
		{ chooses ? "session.timeout.ms" : NULL, "10000" },
		{ chooses ? "partition.assignment.strategy" : NULL,
		  assignment },
		{ NULL, NULL },
	};
	const struct kafka_own own[] = {
		{ "group.id", settings->group },
		{ "enable.auto.commit", "false" },
		{ "enable.auto.offset.store", "false" },
		{ "enable.partition.eof", "true" },
		{ NULL, NULL },
	};
	rd_kafka_conf_t *conf;
	struct error *err =
	        kafka_configure(settings, defaults, own, worker, &conf);

	if (err)
		return err;
	rd_kafka_conf_set_rebalance_cb(conf, on_rebalance);
	rd_kafka_conf_set_offset_commit_cb(conf, on_commit);
	rd_kafka_conf_set_error_cb(conf, worker_take_error);
	if ((err = kafka_new(RD_KAFKA_CONSUMER, conf, &worker->consumer)))
		return err;
	rd_kafka_poll_set_consumer(worker->consumer);
	if (kafka_watch(rd_kafka_queue_get_consumer(worker->consumer),
	                worker->consumer_end) < 0)
		return error_new(ERROR_SHORTAGE, "cannot make a pipe");
	return subscribe(worker);
}

// Not rd_kafka_consumer_close(): it waits for a broker that may be frozen.
void consumer_close(struct worker *worker)
{
	int64_t end = timestamp_now_ms() + CLOSE_MS;
	rd_kafka_message_t *raw;
	rd_kafka_queue_t *queue;
	rd_kafka_error_t *error;

	if (!worker->consumer)
		return;
	queue = rd_kafka_queue_get_consumer(worker->consumer);
	error = rd_kafka_consumer_close_queue(worker->consumer, queue);
	rd_kafka_error_destroy(error);
	while (!rd_kafka_consumer_closed(worker->consumer) &&
	       timestamp_now_ms() < end)
		if ((raw = rd_kafka_consumer_poll(worker->consumer,
		                                  CLOSE_TURN_MS)))
			rd_kafka_message_destroy(raw);
	rd_kafka_queue_destroy(queue);
	partitions_clear(&worker->partitions);
}

void consumer_free(struct worker *worker)
{
	// One that could not be closed ends with the process.
	if (worker->consumer && rd_kafka_consumer_closed(worker->consumer))
		rd_kafka_destroy(worker->consumer);
	worker->consumer = NULL;
}
