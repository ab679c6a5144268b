// SPDX-License-Identifier: MIT
#include "cmd/worker/symbols.h"

#include "cmd/worker/log.h"
#include "lib/base/timestamp.h"

#define METADATA_MS 10000

/** After several dSYMs in a row, replace children only once. */
#define QUIET_MS 2000

static bool find_partitions(struct worker *worker)
{
	const struct rd_kafka_metadata *metadata;
	bool found;

	if (rd_kafka_metadata(worker->symbols, 0, worker->symbols_topic,
	                      &metadata, METADATA_MS))
		return false;
	found = metadata->topic_cnt == 1 && !metadata->topics[0].err;
	for (int i = 0; found && i < metadata->topics[0].partition_cnt; i++)
		rd_kafka_consume_start_queue(
		        worker->symbols_topic,
		        metadata->topics[0].partitions[i].id,
		        RD_KAFKA_OFFSET_END, worker->symbols_queue);
	rd_kafka_metadata_destroy(metadata);
	return found;
}

struct error *symbols_open(struct worker *worker)
{
	static const struct kafka_own none[] = { { NULL, NULL } };
	rd_kafka_conf_t *conf;
	struct error *err =
	        kafka_configure(&worker->settings, none, none, worker, &conf);

	if (err)
		return err;
	rd_kafka_conf_set_error_cb(conf, worker_take_error);
	if ((err = kafka_new(RD_KAFKA_CONSUMER, conf, &worker->symbols)))
		return err;
	worker->symbols_topic = rd_kafka_topic_new(
	        worker->symbols, worker->settings.topics[TOPIC_SYMBOLS], NULL);
	worker->symbols_queue = rd_kafka_queue_new(worker->symbols);
	if (!find_partitions(worker))
		symbols_close(worker);
	return NULL;
}

static void renew(struct worker *worker)
{
	worker->renew_at_ms = 0;
	worker_log("symbols have changed: children are replaced");
	for (size_t i = 0; i < POOLS; i++)
		if (worker->pools[i])
			filter_pool_renew(worker->pools[i]);
}

void symbols_serve(struct worker *worker)
{
	rd_kafka_message_t *message;

	if (!worker->symbols)
		return;
	rd_kafka_poll(worker->symbols, 0);
	while ((message = rd_kafka_consume_queue(worker->symbols_queue, 0))) {
		if (!message->err)
			worker->renew_at_ms = timestamp_now_ms() + QUIET_MS;
		rd_kafka_message_destroy(message);
	}
	if (worker->renew_at_ms && timestamp_now_ms() >= worker->renew_at_ms)
		renew(worker);
}

void symbols_close(struct worker *worker)
{
	if (!worker->symbols)
		return;
	rd_kafka_queue_destroy(worker->symbols_queue);
	rd_kafka_topic_destroy(worker->symbols_topic);
	rd_kafka_destroy(worker->symbols);
	worker->symbols = NULL;
}
