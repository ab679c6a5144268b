// SPDX-License-Identifier: MIT
#include "cmd/worker/redrive.h"

#include "cmd/worker/log.h"
#include "cmd/worker/outputs.h"
#include "cmd/worker/questions.h"
#include "cmd/worker/reference.h"
#include "lib/base/timestamp.h"

#include <string.h>

/** References that are read and sorted at a time: some 300 bytes each. */
#define REFERENCES_MAX 200000

/** Seek rather than read on over more messages than this. */
#define READ_ON_MAX 1000

#define CALL_MS    10000
#define POLL_MS    100
#define SILENCE_MS 60000
#define TURN_MS    INT64_C(3600000)

/** The waiting topic up to its ends at the start: this run adds to it. */
struct waiting {
	rd_kafka_t *consumer;
	rd_kafka_topic_partition_list_t *next; ///< offsets to read next
	int64_t *ends;
	int left; ///< partitions that are not at their end
};

static bool has_failed(struct worker *worker, rd_kafka_resp_err_t code,
                       const char *what)
{
	if (code)
		worker_fail(worker, error_new(ERROR_OS, "%s: %s", what,
		                              rd_kafka_err2str(code)));
	return code != RD_KAFKA_RESP_ERR_NO_ERROR;
}

static rd_kafka_t *open_consumer(struct worker *worker, const char *group)
{
	static const struct kafka_own defaults[] = {
		{ "auto.offset.reset", "earliest" },
		{ NULL, NULL },
	};
	const struct kafka_own own[] = {
		{ "enable.auto.commit", "false" },
		{ "enable.auto.offset.store", "false" },
		{ "enable.partition.eof", "true" },
		{ group ? "group.id" : NULL, group },
		{ NULL, NULL },
	};
	rd_kafka_conf_t *conf;
	rd_kafka_t *ret = NULL;
	struct error *err = kafka_configure(&worker->settings, defaults, own,
	                                    worker, &conf);

	if (!err)
		err = kafka_new(RD_KAFKA_CONSUMER, conf, &ret);
	worker_fail(worker, err);
	return ret;
}

// References

/** Find where the last run ended in each partition, and where each ends. */
static void find_partitions(struct worker *worker, struct waiting *waiting,
                            const struct rd_kafka_metadata_topic *topic)
{
	waiting->next = rd_kafka_topic_partition_list_new(topic->partition_cnt);
	for (int i = 0; i < topic->partition_cnt; i++)
		rd_kafka_topic_partition_list_add(waiting->next, topic->topic,
		                                  topic->partitions[i].id);
	waiting->ends = arena_array(&worker->settings.arena,
	                            (size_t)topic->partition_cnt,
	                            sizeof(*waiting->ends));
	if (has_failed(worker,
	               rd_kafka_committed(waiting->consumer, waiting->next,
	                                  CALL_MS),
	               "cannot read where the last --redrive ended"))
		return;
	for (int i = 0; i < waiting->next->cnt; i++) {
		rd_kafka_topic_partition_t *each = &waiting->next->elems[i];
		int64_t low, high;

		if (has_failed(worker,
		               rd_kafka_query_watermark_offsets(
		                       waiting->consumer, each->topic,
		                       each->partition, &low, &high, CALL_MS),
		               "cannot read the ends of the waiting topic"))
			return;
		if (each->offset < low)
			each->offset = low;
		waiting->ends[i] = high;
		waiting->left += each->offset < high;
	}
}

static void open_waiting(struct worker *worker, struct waiting *waiting)
{
	const char *name = worker->settings.topics[TOPIC_WAITING];
	const char *group = arena_printf(&worker->settings.arena, "%s-redrive",
	                                 worker->settings.group);
	const struct rd_kafka_metadata *metadata;
	rd_kafka_topic_t *topic;

	waiting->consumer = open_consumer(worker, group);
	if (!waiting->consumer)
		return;
	rd_kafka_poll_set_consumer(waiting->consumer);
	topic = rd_kafka_topic_new(waiting->consumer, name, NULL);
	if (!has_failed(worker,
	                rd_kafka_metadata(waiting->consumer, 0, topic,
	                                  &metadata, CALL_MS),
	                "cannot find the waiting topic")) {
		if (!has_failed(worker, metadata->topics[0].err, name))
			find_partitions(worker, waiting, &metadata->topics[0]);
		rd_kafka_metadata_destroy(metadata);
	}
	rd_kafka_topic_destroy(topic);
	if (!worker->err)
		has_failed(worker,
		           rd_kafka_assign(waiting->consumer, waiting->next),
		           "cannot read the waiting topic");
}

/** With unfinished messages, destroying would wait for them: leave it. */
static void destroy(const struct worker *worker, rd_kafka_t *consumer)
{
	if (consumer && !worker->partitions.messages)
		rd_kafka_destroy(consumer);
}

static void close_waiting(const struct worker *worker, struct waiting *waiting)
{
	if (waiting->next)
		rd_kafka_topic_partition_list_destroy(waiting->next);
	if (!waiting->consumer)
		return;
	rd_kafka_consumer_close(waiting->consumer);
	destroy(worker, waiting->consumer);
}

/** Take a message, or the end of a partition. */
static void take_reference(struct waiting *waiting,
                           const rd_kafka_message_t *raw,
                           struct references *references)
{
	int at = 0;
	bool was_left;

	if (raw->err && raw->err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
		worker_log("kafka: %s", rd_kafka_message_errstr(raw));
		return;
	}
	while (at < waiting->next->cnt &&
	       waiting->next->elems[at].partition != raw->partition)
		at++;
	if (at == waiting->next->cnt)
		return;
	was_left = waiting->next->elems[at].offset < waiting->ends[at];
	if (raw->err) {
		waiting->next->elems[at].offset = waiting->ends[at];
	} else if (raw->offset < waiting->ends[at]) {
		SCOPED(error_drop)
		struct error *err = references_add(
		        references, (struct text){ raw->key, raw->key_len },
		        (struct text){ raw->payload, raw->len });

		if (err)
			worker_log("%s/%d/%lld: %s",
			           rd_kafka_topic_name(raw->rkt),
			           (int)raw->partition, (long long)raw->offset,
			           error_message(err));
		waiting->next->elems[at].offset = raw->offset + 1;
	} else {
		waiting->next->elems[at].offset = waiting->ends[at];
	}
	if (was_left && waiting->next->elems[at].offset >= waiting->ends[at])
		waiting->left--;
}

static void read_references(struct worker *worker, struct waiting *waiting,
                            struct references *references)
{
	int64_t heard = timestamp_now_ms();

	while (waiting->left && !worker->err &&
	       references->count < REFERENCES_MAX) {
		rd_kafka_message_t *raw =
		        rd_kafka_consumer_poll(waiting->consumer, POLL_MS);

		if (raw) {
			heard = timestamp_now_ms();
			take_reference(waiting, raw, references);
			rd_kafka_message_destroy(raw);
		} else if (timestamp_now_ms() - heard > SILENCE_MS) {
			worker_fail(worker,
			            error_new(ERROR_OS, "the waiting topic "
			                                "does not answer"));
		}
	}
}

// Raw messages

/** Reads one partition of a raw topic at a time. */
struct raw_reader {
	rd_kafka_t *consumer;
	rd_kafka_topic_t *topic; ///< NULL: none is open
	int32_t partition;
	int64_t next;              ///< offset to read next
	rd_kafka_message_t *ahead; ///< the last that was read, if unused
	bool at_end;
};

static void close_raw(struct raw_reader *reader)
{
	if (reader->ahead)
		rd_kafka_message_destroy(reader->ahead);
	reader->ahead = NULL;
	if (!reader->topic)
		return;
	rd_kafka_consume_stop(reader->topic, reader->partition);
	rd_kafka_topic_destroy(reader->topic);
	reader->topic = NULL;
}

static void open_raw(struct worker *worker, struct raw_reader *reader,
                     const struct reference *reference)
{
	if (reader->topic && reader->partition == reference->partition &&
	    !strcmp(rd_kafka_topic_name(reader->topic), reference->topic))
		return;
	close_raw(reader);
	reader->topic =
	        rd_kafka_topic_new(reader->consumer, reference->topic, NULL);
	reader->partition = reference->partition;
	reader->next = reference->offset;
	reader->at_end = false;
	if (reader->topic &&
	    rd_kafka_consume_start(reader->topic, reader->partition,
	                           reference->offset))
		has_failed(worker, rd_kafka_last_error(), reference->topic);
	if (!partitions_find(&worker->partitions, reference->topic,
	                     reference->partition))
		partitions_add(&worker->partitions, reference->topic,
		               reference->partition);
}

/** Read until `ahead` is at or after @p offset, or to the end. */
static void read_to(struct worker *worker, struct raw_reader *reader,
                    int64_t offset)
{
	int64_t heard = timestamp_now_ms();

	if (offset - reader->next > READ_ON_MAX && !reader->ahead &&
	    !rd_kafka_seek(reader->topic, reader->partition, offset, CALL_MS))
		reader->next = offset;
	while (!worker->err && !reader->at_end &&
	       (!reader->ahead || reader->ahead->offset < offset)) {
		rd_kafka_message_t *raw = rd_kafka_consume(
		        reader->topic, reader->partition, POLL_MS);

		rd_kafka_poll(reader->consumer, 0);
		if (!raw) {
			if (timestamp_now_ms() - heard > SILENCE_MS)
				worker_fail(worker,
				            error_new(ERROR_OS,
				                      "'%s' does not answer",
				                      rd_kafka_topic_name(
				                              reader->topic)));
			continue;
		}
		if (raw->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
			reader->at_end = true;
		} else if (raw->err) {
			// A deleted topic sends no end of its partitions.
			reader->at_end =
			        raw->err ==
			                RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION ||
			        raw->err == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC;
			worker_log("kafka: %s", rd_kafka_message_errstr(raw));
		} else {
			heard = timestamp_now_ms();
			if (reader->ahead)
				rd_kafka_message_destroy(reader->ahead);
			reader->ahead = raw;
			reader->next = raw->offset + 1;
			continue;
		}
		rd_kafka_message_destroy(raw);
	}
}

static bool has_room(struct worker *worker)
{
	return partitions_have_room(&worker->partitions);
}

static bool is_finished(struct worker *worker)
{
	return !worker->partitions.messages &&
	       !rd_kafka_outq_len(worker->producer);
}

static void repeat(struct worker *worker, struct raw_reader *reader,
                   const struct reference *reference)
{
	struct message *message;

	open_raw(worker, reader, reference);
	if (!worker->err)
		read_to(worker, reader, reference->offset);
	if (worker->err)
		return;
	if (!reader->ahead || reader->ahead->offset != reference->offset) {
		outputs_send_gone(worker, reference->key);
		return;
	}
	worker->counts.messages++;
	worker->counts.bytes += reader->ahead->len;
	message = message_new(&worker->partitions,
	                      partitions_find(&worker->partitions,
	                                      reference->topic,
	                                      reference->partition),
	                      reader->ahead);
	reader->ahead = NULL;
	message->attempt = reference->attempt + 1;
	message->known = reference->missing;
	worker_fail(worker, questions_ask_all(worker, message));
	worker->drain(worker, TURN_MS, has_room);
}

/** A reference of another topic would have it copied: it may be a secret. */
static bool may_read(const struct worker *worker,
                     const struct reference *reference)
{
	const char *const *topics = worker->settings.topics;
	const char *topic = reference->topic;

	if (!topic)
		return false;
	// Of the second, where dead letters were answered once more.
	if (!strcmp(topic, topics[TOPIC_RAW]) ||
	    !strcmp(topic, topics[TOPIC_DEAD]))
		return true;
	worker_log("%.*s: not of the topics raw and dead: left out",
	           TEXT_ARGS(reference->key));
	return false;
}

static void repeat_all(struct worker *worker, struct raw_reader *reader,
                       struct references *references)
{
	references_sort(references);
	for (size_t i = 0; i < references->count && !worker->err; i++)
		if (may_read(worker, &references->all[i]))
			repeat(worker, reader, &references->all[i]);
	close_raw(reader);
	worker->drain(worker, TURN_MS, is_finished);
	if (!worker->err && !is_finished(worker))
		worker_fail(worker,
		            error_new(ERROR_OS, "messages are unfinished after "
		                                "an hour"));
}

void redrive_run(struct worker *worker)
{
	struct waiting waiting = { 0 };
	struct raw_reader reader = { 0 };

	open_waiting(worker, &waiting);
	if (!worker->err)
		reader.consumer = open_consumer(worker, NULL);
	while (!worker->err && waiting.left) {
		SCOPED(references_release) struct references references = { 0 };

		read_references(worker, &waiting, &references);
		if (!worker->err)
			repeat_all(worker, &reader, &references);
		// Messages refer to references.
		partitions_clear(&worker->partitions);
		if (!worker->err)
			has_failed(worker,
			           rd_kafka_commit(waiting.consumer,
			                           waiting.next, 0),
			           "cannot commit");
	}
	close_waiting(worker, &waiting);
	destroy(worker, reader.consumer);
}
