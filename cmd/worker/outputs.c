// SPDX-License-Identifier: MIT
#include "cmd/worker/outputs.h"

#include "cmd/worker/log.h"
#include "cmd/worker/questions.h"
#include "lib/answers/answer.h"
#include "lib/base/mem.h"
#include "lib/base/out.h"
#include "lib/base/sha256.h"
#include "lib/text/json/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** OpenSearch's limit for `_id`. */
#define ID_BYTES_MAX     512
#define HASH_BYTES       16
#define DETAIL_BYTES_MAX 1024
#define MISSING_MAX      1000
/** How long to wait for the callbacks of purged records. */
#define PURGE_MS 1000
/** How long to wait each time the queue of the producer is full. */
#define FULL_WAIT_MS 10

enum output_kind {
	OUTPUT_EVENT,
	OUTPUT_REPORT,
	OUTPUT_WAITING,
	OUTPUT_DEAD,
};

static const enum worker_topic output_topics[] = {
	[OUTPUT_EVENT] = TOPIC_EVENT,
	[OUTPUT_REPORT] = TOPIC_REPORT,
	[OUTPUT_WAITING] = TOPIC_WAITING,
	[OUTPUT_DEAD] = TOPIC_DEAD,
};

/** The opaque pointer of a record. */
struct output {
	struct message *message;
	enum output_kind kind;
};

struct record {
	enum output_kind kind;
	struct text key;
	struct text value;           ///< no data: null
	rd_kafka_headers_t *headers; ///< produce() takes ownership
};

// Records that are too large

static void send_dead(struct worker *worker, struct message *message,
                      const char *reason, const char *detail);

static bool is_too_large(rd_kafka_resp_err_t code)
{
	return code == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE ||
	       code == RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE ||
	       code == RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE;
}

/** Send something smaller: in a transaction, after aborting it. */
static void give_way(struct worker *worker, struct message *message,
                     enum output_kind kind)
{
	struct error *err;

	worker->must_abort = worker->is_transactional;
	switch (kind) {
	case OUTPUT_EVENT:
		message->is_oversized = true;
		if (!worker->is_transactional)
			send_dead(worker, message, "E-output",
			          "its event is too large for the topic");
		break;
	case OUTPUT_REPORT:
		if (message->report != REPORT_FULL) {
			message->report = REPORT_OMITTED;
			worker->counts.omitted++;
			break;
		}
		message->report = REPORT_SLIM;
		worker->counts.slim++;
		if ((err = questions_ask(worker, message, POOL_SLIM)))
			worker_fail(worker, err);
		break;
	case OUTPUT_DEAD:
		if (message->dead_is_bare) {
			worker_fail(worker,
			            error_new(ERROR_OS,
			                      "the dead topic refuses even a "
			                      "message without a value"));
			break;
		}
		message->dead_is_bare = true;
		if (!worker->is_transactional)
			send_dead(worker, message, "E-output",
			          "the message is too large for this topic");
		break;
	case OUTPUT_WAITING:
		worker_fail(worker,
		            error_new(ERROR_OS, "a reference is too large for "
		                                "the waiting topic"));
		break;
	}
}

// Deliveries

static void count_delivery(struct counts *counts, enum output_kind kind)
{
	switch (kind) {
	case OUTPUT_EVENT:
		counts->events++;
		break;
	case OUTPUT_REPORT:
		counts->reports++;
		break;
	case OUTPUT_WAITING:
		counts->waiting++;
		break;
	case OUTPUT_DEAD:
		counts->dead++;
		break;
	}
}

/**
 * Count a delivery; after the last one, the message is done. After a failure no
 * message is: the next worker repeats what is not committed.
 */
static void settle(struct worker *worker, struct message *message)
{
	message->deliveries--;
	if (message_is_dropped(&worker->partitions, message))
		return;
	if (message->deliveries || message->asked || worker->err ||
	    worker->is_transactional || message->state != MESSAGE_SENT)
		return;
	worker->counts.done++;
	message_finish(&worker->partitions, message);
}

static void fail_delivery(struct worker *worker,
                          const rd_kafka_message_t *delivered)
{
	worker_fail(worker, error_new(ERROR_OS, "cannot deliver to '%s': %s",
	                              rd_kafka_topic_name(delivered->rkt),
	                              rd_kafka_err2str(delivered->err)));
}

static void on_delivery(rd_kafka_t *rk, const rd_kafka_message_t *delivered,
                        void *opaque)
{
	struct worker *worker = opaque;
	struct output *output = delivered->_private;
	struct message *message = output->message;
	enum output_kind kind = output->kind;

	(void)rk;
	free(output);
	// At the end: the message stays unfinished, for the next worker.
	if (!worker->is_transactional &&
	    (delivered->err == RD_KAFKA_RESP_ERR__PURGE_QUEUE ||
	     delivered->err == RD_KAFKA_RESP_ERR__PURGE_INFLIGHT))
		return;
	if (!message) {
		if (delivered->err)
			fail_delivery(worker, delivered);
		return;
	}
	if (!delivered->err)
		count_delivery(&worker->counts, kind);
	else if (is_too_large(delivered->err) && message->partition)
		give_way(worker, message, kind);
	// In a transaction, committing reports the error.
	else if (!worker->is_transactional)
		fail_delivery(worker, delivered);
	settle(worker, message);
}

/** @param message  NULL: a record for a raw message that is gone. */
static void produce(struct worker *worker, struct message *message,
                    const struct record *record)
{
	rd_kafka_topic_t *topic = worker->topics[output_topics[record->kind]];
	rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
	int64_t time = message ? rd_kafka_message_timestamp(message->raw, &type)
	                       : 0;
	struct output *output = mem_alloc(sizeof(*output));
	rd_kafka_resp_err_t code;

	*output = (struct output){ message, record->kind };
	if (message)
		message->deliveries++;
	do {
		code = rd_kafka_producev(
		        worker->producer, RD_KAFKA_V_RKT(topic),
		        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
		        RD_KAFKA_V_KEY(record->key.data, record->key.size),
		        RD_KAFKA_V_VALUE((void *)record->value.data,
		                         record->value.size),
		        RD_KAFKA_V_TIMESTAMP(
		                type == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
		                        ? 0
		                        : time),
		        RD_KAFKA_V_HEADERS(record->headers),
		        RD_KAFKA_V_OPAQUE(output), RD_KAFKA_V_END);
		if (code == RD_KAFKA_RESP_ERR__QUEUE_FULL)
			rd_kafka_poll(worker->producer, FULL_WAIT_MS);
	} while (code == RD_KAFKA_RESP_ERR__QUEUE_FULL && !worker_signal);
	if (!code)
		return;
	if (record->headers)
		rd_kafka_headers_destroy(record->headers);
	free(output);
	if (message)
		message->deliveries--;
	if (message && is_too_large(code))
		give_way(worker, message, record->kind);
	else
		worker_fail(worker,
		            error_new(ERROR_OS, "cannot send to '%s': %s",
		                      rd_kafka_topic_name(topic),
		                      rd_kafka_err2str(code)));
}

// Records

static void add_header(rd_kafka_headers_t *headers, const char *name,
                       const char *value)
{
	if (value)
		rd_kafka_header_add(headers, name, -1, value, -1);
}

static void add_source(const struct message *message, struct str *out)
{
	str_addf(out, "%s/%" PRId32 "/%" PRId64,
	         rd_kafka_topic_name(message->raw->rkt),
	         message->raw->partition, message->raw->offset);
}

/** A header of the raw message; no data where it is missing. */
static struct text raw_header(const struct message *message, const char *name)
{
	rd_kafka_headers_t *headers;
	struct text value = { 0 };
	const void *data;

	if (!rd_kafka_message_headers(message->raw, &headers) &&
	    !rd_kafka_header_get_last(headers, name, &data, &value.size))
		value.data = data;
	return value;
}

static bool is_id(struct text id)
{
	return id.size && id.size <= ID_BYTES_MAX;
}

/** Made once: a message may be an archive of many documents. */
static struct text hash_of(struct message *message)
{
	uint8_t digest[SHA256_SIZE];
	struct sha256 hash;

	if (message->hash.size)
		return str_text(&message->hash);
	sha256_init(&hash);
	sha256_add(&hash, message_value(message));
	sha256_finish(&hash, digest);
	for (size_t i = 0; i < HASH_BYTES; i++)
		str_add_hex(&message->hash, digest[i], 2);
	return str_text(&message->hash);
}

/** Add the report id of a document. @param own  Its incident id. */
static void add_id(const struct worker *worker, struct message *message,
                   struct text own, size_t index, struct str *out)
{
	struct text header = raw_header(message, "apm-report-id");
	bool hashes = worker->settings.options.id == ID_HASH;

	if (is_id(header) && !hashes)
		str_add_text(out, header);
	else if (is_id(own) && !hashes)
		str_add_text(out, own);
	else
		str_add_text(out, hash_of(message));
	// An incident id is already different for each document.
	if (index && (is_id(header) || !is_id(own) || hashes))
		str_addf(out, "/%zu", index);
}

static void send_documents(struct worker *worker, struct message *message,
                           enum output_kind kind,
                           const struct filter_answer *answer)
{
	bool from_event = kind == OUTPUT_REPORT &&
	                  message->report == REPORT_FULL;
	const struct filter_document *documents =
	        from_event ? answer->reports : answer->documents;
	size_t count = from_event ? answer->report_count
	                          : answer->document_count;
	SCOPED(str_release) struct str source = { 0 };

	add_source(message, &source);
	for (size_t i = 0; i < count; i++) {
		const struct filter_document *document = &documents[i];
		SCOPED(str_release) struct str id = { 0 };
		struct record record = {
			.kind = kind,
			.value = document->text,
			.headers = rd_kafka_headers_new(4),
		};

		add_id(worker, message, document->id, i, &id);
		record.key = str_text(&id);
		add_header(record.headers, "apm-source", str_cstr(&source));
		add_header(record.headers, "apm-status",
		           filter_status_name(answer->status));
		add_header(record.headers, "apm-error", answer->reason);
		if (kind == OUTPUT_REPORT && message->report == REPORT_SLIM &&
		    !worker->settings.report_is_slim)
			add_header(record.headers, "apm-note",
			           "slim: the full report is too large for "
			           "this topic");
		produce(worker, message, &record);
	}
}

/** Of the missing UUIDs, how many a reference lists: its topic takes 1 MB. */
static size_t missing_listed(const struct filter_answer *answer)
{
	return answer->missing_count < MISSING_MAX ? answer->missing_count
	                                           : MISSING_MAX;
}

static void send_waiting(struct worker *worker, struct message *message,
                         const struct filter_answer *answer)
{
	SCOPED(str_release) struct str source = { 0 };
	SCOPED(str_release) struct str id = { 0 };
	struct out *body = out_memory();
	struct json_writer w = json_writer_compact(body);
	struct record record = { .kind = OUTPUT_WAITING };

	add_source(message, &source);
	add_id(worker, message,
	       answer->document_count ? answer->documents[0].id
	                              : (struct text){ 0 },
	       0, &id);
	json_open_object(&w, NULL);
	json_text(&w, "schema", "apmtool.waiting/1");
	json_text(&w, "id", str_cstr(&id));
	json_texts(&w, "missing", answer->missing, missing_listed(answer));
	json_text(&w, "topic", rd_kafka_topic_name(message->raw->rkt));
	json_number(&w, "partition", (uint64_t)message->raw->partition);
	json_number(&w, "offset", (uint64_t)message->raw->offset);
	json_number(&w, "attempt", message->attempt);
	json_close(&w);
	record.key = str_text(&source);
	record.value = str_text(out_str(body));
	produce(worker, message, &record);
	out_abandon(body);
}

/** Remove the reference of a message from the waiting topic. */
static void send_done(struct worker *worker, struct message *message)
{
	SCOPED(str_release) struct str source = { 0 };
	struct record record = { .kind = OUTPUT_WAITING };

	add_source(message, &source);
	record.key = str_text(&source);
	produce(worker, message, &record);
}

/** The headers of the raw message, without those of an earlier dead letter. */
static rd_kafka_headers_t *copy_headers(const struct message *message)
{
	static const char *const ours[] = { "apm-source", "apm-error",
		                            "apm-detail", "apm-note",
		                            "apm-version" };
	rd_kafka_headers_t *headers;

	if (rd_kafka_message_headers(message->raw, &headers))
		return rd_kafka_headers_new(4);
	headers = rd_kafka_headers_copy(headers);
	for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
		rd_kafka_header_remove(headers, ours[i]);
	return headers;
}

static void send_dead(struct worker *worker, struct message *message,
                      const char *reason, const char *detail)
{
	SCOPED(str_release) struct str source = { 0 };
	SCOPED(str_release) struct str short_detail = { 0 };
	struct record record = {
		.kind = OUTPUT_DEAD,
		.key = { message->raw->key, message->raw->key_len },
		.value = message_value(message),
		.headers = copy_headers(message),
	};

	add_source(message, &source);
	str_add_text(&short_detail, text_first(text_from(detail ? detail : ""),
	                                       DETAIL_BYTES_MAX));
	add_header(record.headers, "apm-source", str_cstr(&source));
	add_header(record.headers, "apm-error", reason);
	if (detail)
		add_header(record.headers, "apm-detail",
		           str_cstr(&short_detail));
	add_header(record.headers, "apm-version", APMTOOL_VERSION);
	if (message->dead_is_bare) {
		record.value = (struct text){ 0 };
		add_header(record.headers, "apm-note",
		           "the value is too large for this topic: it is in "
		           "apm-source");
	}
	produce(worker, message, &record);
}

/** @param known  UUIDs, a blank after each; NULL: none are known. */
static bool misses_the_same(const struct filter_answer *answer,
                            const char *known)
{
	SCOPED(str_release) struct str all = { 0 };

	for (size_t i = 0; i < missing_listed(answer); i++)
		str_addf(&all, "%s ", answer->missing[i]);
	return known && !strcmp(str_cstr(&all), known);
}

/** @return Whether the report is to be delivered, too. */
static bool send_event(struct worker *worker, struct message *message)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct filter_answer answer;
	SCOPED(error_drop)
	struct error *err = filter_answer_read(str_text(&message->event_answer),
	                                       &arena, &answer);
	bool is_new;

	if (err) {
		send_dead(worker, message, "E-answer", error_message(err));
		return false;
	}
	if (message->is_oversized) {
		send_dead(worker, message, "E-output",
		          "its event is too large for the topic");
		return true;
	}
	if (!answer.document_count) {
		send_dead(worker, message,
		          answer.reason ? answer.reason : "E-empty",
		          answer.message);
		return false;
	}
	message->is_waiting = answer.missing_count > 0;
	// Do not deliver the same event again.
	is_new = !misses_the_same(&answer, message->known);
	if (is_new) {
		send_documents(worker, message, OUTPUT_EVENT, &answer);
		worker->counts.redriven += message->attempt > 0;
	}
	if (message->is_waiting) {
		worker->counts.missing++;
		send_waiting(worker, message, &answer);
	}
	return is_new;
}

static void send_report(struct worker *worker, struct message *message)
{
	const struct str *text = message->report == REPORT_FULL
	                                 ? &message->event_answer
	                                 : &message->slim_answer;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct filter_answer answer;
	SCOPED(error_drop) struct error *err = NULL;

	if (!text->size || message->report == REPORT_NONE ||
	    message->report == REPORT_OMITTED)
		return;
	err = filter_answer_read(str_text(text), &arena, &answer);
	// send_event() has sent a dead letter about an error.
	if (!err)
		send_documents(worker, message, OUTPUT_REPORT, &answer);
}

void outputs_send(struct worker *worker, struct message *message)
{
	// Hold the message: deliveries may come while it is being sent.
	message->deliveries++;
	message->state = MESSAGE_SENT;
	if (send_event(worker, message))
		send_report(worker, message);
	if (message->attempt && !message->is_waiting)
		send_done(worker, message);
	settle(worker, message);
}

void outputs_send_report(struct worker *worker, struct message *message)
{
	message->deliveries++;
	send_report(worker, message);
	settle(worker, message);
}

void outputs_send_gone(struct worker *worker, struct text key)
{
	struct record done = { .kind = OUTPUT_WAITING, .key = key };
	struct record dead = {
		.kind = OUTPUT_DEAD,
		.key = key,
		.headers = rd_kafka_headers_new(4),
	};

	rd_kafka_header_add(dead.headers, "apm-source", -1, key.data,
	                    (ssize_t)key.size);
	add_header(dead.headers, "apm-error", "E-raw-gone");
	add_header(dead.headers, "apm-version", APMTOOL_VERSION);
	produce(worker, NULL, &dead);
	produce(worker, NULL, &done);
	worker->counts.gone++;
}

// The producer

struct error *outputs_open(struct worker *worker)
{
	const struct kafka_own defaults[] = {
		{ "compression.type", "zstd" },
		// Higher ones take a tenth of the worker's time for events.
		{ "compression.level", "1" },
		{ "linger.ms", "20" },
		// A broker that refuses a batch for its size refuses all of it.
		{ "batch.size", "262144" },
		// Dead letters are as large as raw messages.
		{ "message.max.bytes", "100000000" },
		// Wait long for a broker to come back; but consumers wait for
		// the end of a transaction.
		{ worker->is_transactional ? "transaction.timeout.ms"
		                           : "message.timeout.ms",
		  worker->is_transactional ? "20000" : "600000" },
		{ NULL, NULL },
	};
	const struct worker_settings *settings = &worker->settings;
	SCOPED(str_release) struct str id = { 0 };
	const struct kafka_own own[] = {
		{ "enable.idempotence", "true" },
		{ worker->is_transactional ? "transactional.id" : NULL, NULL },
		{ NULL, NULL },
	};
	struct kafka_own all[ARRAY_SIZE(own)];
	rd_kafka_conf_t *conf;
	struct error *err;

	memcpy(all, own, sizeof(own));
	if (worker->is_transactional) {
		str_addf(&id, "%s-%s", settings->group, settings->options.slot);
		all[1].value = str_cstr(&id);
	}
	err = kafka_configure(settings, defaults, all, worker, &conf);
	if (err)
		return err;
	rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
	rd_kafka_conf_set_error_cb(conf, worker_take_error);
	if ((err = kafka_new(RD_KAFKA_PRODUCER, conf, &worker->producer)))
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(output_topics); i++) {
		enum worker_topic topic = output_topics[i];

		if (settings->topics[topic])
			worker->topics[topic] = rd_kafka_topic_new(
			        worker->producer, settings->topics[topic],
			        NULL);
	}
	if (kafka_watch(rd_kafka_queue_get_main(worker->producer),
	                worker->producer_end) < 0)
		return error_new(ERROR_SHORTAGE, "cannot make a pipe");
	return NULL;
}

void outputs_close(struct worker *worker)
{
	for (size_t i = 0; i < TOPICS; i++)
		if (worker->topics[i])
			rd_kafka_topic_destroy(worker->topics[i]);
	if (worker->producer) {
		rd_kafka_purge(worker->producer,
		               RD_KAFKA_PURGE_F_QUEUE |
		                       RD_KAFKA_PURGE_F_INFLIGHT);
		rd_kafka_flush(worker->producer, PURGE_MS);
		rd_kafka_destroy(worker->producer);
	}
	worker->producer = NULL;
}
