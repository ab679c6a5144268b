// SPDX-License-Identifier: MIT
#include "cmd/worker/kafka.h"

#include "cmd/worker/log.h"
#include "lib/base/process.h"
#include "lib/base/timestamp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/** As syslog(3) has it: warnings and worse. */
#define LOG_LEVEL_MAX 4

/** How long a broker has for an answer, and a topic that is being created. */
#define METADATA_MS    3000
#define TOPIC_WAIT_MS  10000
#define TOPIC_PAUSE_US 200000
#define SAY_EVERY_MS   60000

static void log_line(const rd_kafka_t *rk, int level, const char *facility,
                     const char *text)
{
	(void)rk;
	// Consumers and producers get the properties of both: do not warn. A
	// failed connection is an error, too, which worker_take_error() prints.
	// librdkafka asks a new broker for an id until the broker has one.
	if (level > LOG_LEVEL_MAX || !strcmp(facility, "CONFWARN") ||
	    !strcmp(facility, "FAIL") ||
	    (!strcmp(facility, "GETPID") &&
	     text_ends(text_from(text), "retrying")))
		return;
	worker_log("kafka: %s: %s", facility, text);
}

static struct error *set(rd_kafka_conf_t *conf, const char *name,
                         const char *value, const char *place)
{
	char reason[256];

	if (rd_kafka_conf_set(conf, name, value, reason, sizeof(reason)) ==
	    RD_KAFKA_CONF_OK)
		return NULL;
	// The reason may quote the value.
	return worker_property_is_secret(name)
	               ? error_new(ERROR_CONFIG, "%s: '%s' has a wrong value",
	                           place, name)
	               : error_new(ERROR_CONFIG, "%s: %s", place, reason);
}

static struct error *set_all(rd_kafka_conf_t *conf,
                             const struct kafka_own *properties)
{
	struct error *err = NULL;

	for (; properties->name && !err; properties++)
		err = set(conf, properties->name, properties->value,
		          "apmtool-worker");
	return err;
}

struct error *kafka_configure(const struct worker_settings *settings,
                              const struct kafka_own *defaults,
                              const struct kafka_own *own, void *opaque,
                              rd_kafka_conf_t **ret)
{
	static const struct kafka_own common[] = {
		{ "client.id", "apmtool-worker" },
		{ "log.connection.close", "false" },
		{ NULL, NULL },
	};
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	struct error *err = set_all(conf, common);

	if (!err)
		err = set_all(conf, defaults);
	for (size_t i = 0; i < settings->property_count && !err; i++) {
		const struct kafka_property *property =
		        &settings->properties[i];

		err = set(conf, property->name, property->value,
		          property->place);
	}
	if (!err)
		err = set_all(conf, own);
	if (err) {
		rd_kafka_conf_destroy(conf);
		return err;
	}
	rd_kafka_conf_set_log_cb(conf, log_line);
	rd_kafka_conf_set_opaque(conf, opaque);
	*ret = conf;
	return NULL;
}

bool kafka_is_set(const struct worker_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->property_count; i++)
		if (!strcmp(settings->properties[i].name, name))
			return true;
	return false;
}

void kafka_warn(const struct worker_settings *settings)
{
	if (rd_kafka_version() >= KAFKA_SCRAM_VERSION)
		return;
	for (size_t i = 0; i < settings->property_count; i++)
		if (text_starts(text_from(settings->properties[i].value),
		                "SCRAM-"))
			worker_log("warning: brokers of Kafka 4 refuse SCRAM "
			           "from librdkafka %s: use librdkafka 2.6.1, "
			           "or PLAIN over TLS",
			           rd_kafka_version_str());
}

struct error *kafka_new(rd_kafka_type_t type, rd_kafka_conf_t *conf,
                        rd_kafka_t **ret)
{
	char reason[512];
	rd_kafka_t *rk = rd_kafka_new(type, conf, reason, sizeof(reason));

	if (!rk) {
		rd_kafka_conf_destroy(conf);
		return error_new(ERROR_CONFIG, "kafka: %s", reason);
	}
	*ret = rk;
	return NULL;
}

/** What a broker says of the topic; or that none answers. */
static rd_kafka_resp_err_t look_for(rd_kafka_t *rk, rd_kafka_topic_t *topic)
{
	const struct rd_kafka_metadata *metadata;
	rd_kafka_resp_err_t code =
	        rd_kafka_metadata(rk, 0, topic, &metadata, METADATA_MS);

	// Its errors are printed as they come.
	rd_kafka_poll(rk, 0);
	if (code)
		return code;
	code = metadata->topic_cnt ? metadata->topics[0].err
	                           : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
	rd_kafka_metadata_destroy(metadata);
	return code;
}

struct error *kafka_await_topic(rd_kafka_t *rk, const char *name,
                                bool (*stops)(void *context), void *context)
{
	rd_kafka_topic_t *topic = rd_kafka_topic_new(rk, name, NULL);
	int64_t said_at_ms = 0;
	int64_t known_at_ms = 0; // since when a broker answers
	struct error *err = NULL;

	while (topic && !stops(context)) {
		rd_kafka_resp_err_t code = look_for(rk, topic);
		int64_t now_ms = timestamp_now_ms();

		if (!code)
			break;
		if (code == RD_KAFKA_RESP_ERR__TRANSPORT ||
		    code == RD_KAFKA_RESP_ERR__TIMED_OUT) {
			if (now_ms - said_at_ms > SAY_EVERY_MS) {
				worker_log("no broker can be reached: trying "
				           "again");
				said_at_ms = now_ms;
			}
			continue;
		}
		if (!known_at_ms)
			known_at_ms = now_ms;
		// It may have been created a moment ago.
		if (code == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED ||
		    now_ms - known_at_ms > TOPIC_WAIT_MS) {
			err = error_new(ERROR_OS,
			                "topic '%s': %s: workers need it, and "
			                "do not create it",
			                name, rd_kafka_err2str(code));
			break;
		}
		usleep(TOPIC_PAUSE_US);
	}
	if (topic)
		rd_kafka_topic_destroy(topic);
	return err;
}

int kafka_watch(rd_kafka_queue_t *queue, int ret_pipe[2])
{
	if (!process_pipe(ret_pipe)) {
		rd_kafka_queue_destroy(queue);
		return -1;
	}
	for (int i = 0; i < 2; i++)
		(void)fcntl(ret_pipe[i], F_SETFL, O_NONBLOCK);
	rd_kafka_queue_io_event_enable(queue, ret_pipe[1], "1", 1);
	rd_kafka_queue_destroy(queue);
	return ret_pipe[0];
}

void kafka_unwatch(int end)
{
	char room[256];

	while (read(end, room, sizeof(room)) == sizeof(room))
		continue;
}

struct error *kafka_error(rd_kafka_error_t *error, const char *what)
{
	struct error *err;

	if (!error)
		return NULL;
	err = error_new(ERROR_OS, "%s: %s", what, rd_kafka_error_string(error));
	rd_kafka_error_destroy(error);
	return err;
}
