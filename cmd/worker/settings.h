// SPDX-License-Identifier: MIT
/**
 * Settings of a worker, from its options, a config file, and a file with
 * secrets.
 */
#ifndef APMTOOL_CMD_WORKER_SETTINGS_H
#define APMTOOL_CMD_WORKER_SETTINGS_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/cli/options.h"

#include <stdbool.h>
#include <stddef.h>

/** A property of librdkafka; its value may be secret. */
struct kafka_property {
	const char *name;
	const char *value;
	const char *place; ///< `worker.yaml:12`, for messages
};

enum worker_topic {
	TOPIC_RAW,
	TOPIC_EVENT,
	TOPIC_REPORT, ///< optional: NULL
	TOPIC_WAITING,
	TOPIC_DEAD,
	TOPIC_SYMBOLS,
	TOPICS,
};

/** `raw` and so on, as config files name them; ends with NULL. */
extern const char *const worker_topic_names[TOPICS + 1];

/** Choices of `--id`. */
#define WORKER_IDS "header|hash"
enum worker_id { ID_HEADER, ID_HASH };

struct worker_options {
	const char *config;
	const char *kafka_conf;
	const char *brokers;
	const char *group;
	const char *slot;
	const char *status;
	const char *redact_key;
	struct option_list dsym;
	struct option_list store;
	unsigned id; ///< enum worker_id
	unsigned jobs;
	unsigned time_limit_s;
	unsigned messages_max;
	bool exactly_once;
	bool redact;
	bool redrive;
	bool until_end;
};

struct worker_settings {
	struct worker_options options;
	const char *group;
	const char *topics[TOPICS];
	bool report_is_slim;
	const char **filter; ///< options of `apmtool filter`; ends with NULL
	size_t filter_count;
	struct kafka_property *properties; ///< in order: later ones win
	size_t property_count;
	struct arena arena; ///< all of the above
};

/**
 * Fill in settings from @p options and the files that they name.
 *
 * @return ERROR_USAGE, ERROR_CONFIG, or an error of reading a file.
 */
MUST_CHECK struct error *worker_settings_read(
        const struct worker_options *options, struct worker_settings *ret);
void worker_settings_release(struct worker_settings *settings);

/**
 * Within settings: read the text of the file of `--config`.
 *
 * @param path  For messages.
 */
MUST_CHECK struct error *worker_settings_add_yaml(struct text text,
                                                  const char *path,
                                                  struct worker_settings *ret);
/** The same for `--kafka-conf`: lines `name=value`. */
MUST_CHECK struct error *worker_settings_add_conf(struct text text,
                                                  const char *path,
                                                  struct worker_settings *ret);

/** Whether the value of a property of librdkafka must not be shown. */
bool worker_property_is_secret(const char *name);

void worker_settings_add(struct worker_settings *settings, const char *name,
                         const char *value, const char *place);
void worker_settings_add_filter(struct worker_settings *settings,
                                const char *word);

#endif
