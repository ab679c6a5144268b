// SPDX-License-Identifier: MIT
/**
 * Test only: librdkafka's mock of a cluster, for clients in other processes.
 *
 *     mock_kafka BROKERS
 *
 * Prints its servers. For each line of standard input, makes a topic of that
 * name and prints the line again; ends with the input. It keeps a few MB a
 * partition, and no offsets that transactions commit: tests/kafka.py starts
 * real brokers.
 */
#include "lib/base/number.h"
#include "lib/base/text.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>
#include <string.h>

#define PARTITIONS 4
#define COPIES     1

static int serve(rd_kafka_mock_cluster_t *cluster)
{
	char topic[256];

	puts(rd_kafka_mock_cluster_bootstraps(cluster));
	while (!fflush(stdout) && fgets(topic, sizeof(topic), stdin)) {
		topic[strcspn(topic, "\n")] = '\0';
		if (rd_kafka_mock_topic_create(cluster, topic, PARTITIONS,
		                               COPIES))
			return 1;
		puts(topic);
	}
	return 0;
}

int main(int argc, char **argv)
{
	rd_kafka_mock_cluster_t *cluster;
	rd_kafka_conf_t *conf;
	rd_kafka_t *client;
	uint64_t brokers;
	int status;

	if (argc != 2 || !number_decimal(text_from(argv[1]), &brokers) ||
	    !brokers || brokers > 9)
		return 2;
	conf = rd_kafka_conf_new();
	// It has no servers of its own, and says so.
	rd_kafka_conf_set(conf, "log_level", "4", NULL, 0);
	client = rd_kafka_new(RD_KAFKA_PRODUCER, conf, NULL, 0);
	if (!client)
		return 1;
	cluster = rd_kafka_mock_cluster_new(client, (int)brokers);
	status = cluster ? serve(cluster) : 1;
	if (cluster)
		rd_kafka_mock_cluster_destroy(cluster);
	rd_kafka_destroy(client);
	return status;
}
