// SPDX-License-Identifier: MIT
#include "cmd/worker/settings.h"

#include "cmd/worker/log.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/str.h"

#include <string.h>
#include <sys/stat.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)

/** The filter tries twice, each time for half of the time limit. */
#define FILTER_TRIES 2

static void add_limits(struct worker_settings *settings)
{
	for (enum limit_id id = 0; id < LIMITS; id++) {
		if (!limit_is_given(id))
			continue;
		worker_settings_add_filter(settings, "--limit");
		worker_settings_add_filter(
		        settings,
		        arena_printf(&settings->arena, "%s=%zu",
		                     limit_rows[id].name, limit_get(id)));
	}
}

/** Pass options of the worker on to its filters. */
static void add_filter_options(struct worker_settings *settings)
{
	const struct worker_options *options = &settings->options;
	unsigned try_s = options->time_limit_s / FILTER_TRIES;

	for (size_t i = 0; i < options->dsym.count; i++) {
		worker_settings_add_filter(settings, "--dsym");
		worker_settings_add_filter(settings, options->dsym.items[i]);
	}
	for (size_t i = 0; i < options->store.count; i++) {
		worker_settings_add_filter(settings, "--store");
		worker_settings_add_filter(settings, options->store.items[i]);
	}
	if (options->redact_key) {
		worker_settings_add_filter(settings, "--redact-key");
		worker_settings_add_filter(settings, options->redact_key);
	}
	add_limits(settings);
	worker_settings_add_filter(settings, "--jobs");
	worker_settings_add_filter(settings, "1");
	worker_settings_add_filter(settings, "--time-limit");
	worker_settings_add_filter(
	        settings,
	        arena_printf(&settings->arena, "%u", try_s ? try_s : 1));
}

/** What is delivered to the raw topic, or to two ends, goes in circles. */
static struct error *check_topics(const struct worker_settings *settings)
{
	for (size_t i = 0; i < TOPICS; i++)
		for (size_t j = 0; j < i; j++)
			if (settings->topics[i] && settings->topics[j] &&
			    !strcmp(settings->topics[i], settings->topics[j]))
				return error_new(
				        ERROR_CONFIG,
				        "topics: %s and %s are both '%s'",
				        worker_topic_names[j],
				        worker_topic_names[i],
				        settings->topics[i]);
	return NULL;
}

/** These decide what its answers are; the worker sets them. */
static struct error *check_filter(const struct worker_settings *settings)
{
	static const char *const own[] = { "--shape", "--frame", "--redact" };

	for (size_t i = 0; i < settings->filter_count; i++)
		for (size_t j = 0; j < ARRAY_SIZE(own); j++)
			if (text_starts(text_from(settings->filter[i]), own[j]))
				return error_new(ERROR_CONFIG,
				                 "filter: '%s' is set by "
				                 "apmtool-worker",
				                 own[j]);
	return NULL;
}

static struct error *check(const struct worker_settings *settings)
{
	const struct worker_options *options = &settings->options;
	bool has_brokers = false;
	struct error *err;

	for (size_t i = 0; i < settings->property_count; i++) {
		const struct kafka_property *each = &settings->properties[i];

		if (!strcmp(each->name, "bootstrap.servers") ||
		    !strcmp(each->name, "metadata.broker.list"))
			has_brokers = *each->value;
	}
	if (!has_brokers)
		return error_new(ERROR_USAGE,
		                 "no brokers: name them with --brokers");
	if (!*settings->group)
		return error_new(ERROR_USAGE, "--group: the name is empty");
	if (options->slot && !*options->slot)
		return error_new(ERROR_USAGE, "--slot: the name is empty");
	if ((err = check_topics(settings)))
		return err;
	if (options->redact && !options->redact_key)
		return error_new(ERROR_USAGE,
		                 "--redact needs --redact-key: without a key, "
		                 "each run gives a report other pseudonyms");
	if (options->exactly_once && !options->slot)
		return error_new(ERROR_USAGE,
		                 "--exactly-once needs --slot: a name that is "
		                 "unique in the group, and that the worker "
		                 "keeps when it restarts");
	if (options->redrive && (options->until_end || options->messages_max))
		return error_new(ERROR_USAGE,
		                 "--redrive ends by itself: not with "
		                 "--until-end or --max-messages");
	if (options->exactly_once && options->redrive)
		return error_new(
		        ERROR_USAGE,
		        "--redrive may deliver a report twice: it cannot be "
		        "used with --exactly-once");
	return NULL;
}

static void warn_of_readers(const char *path)
{
	struct stat info;

	if (!stat(path, &info) && S_ISREG(info.st_mode) &&
	    (info.st_mode & (S_IRGRP | S_IROTH)))
		worker_log("warning: others can read '%s': chmod 600 prevents "
		           "that",
		           path);
}

static struct error *add_file(const char *path, struct worker_settings *ret,
                              struct error *(*add)(struct text, const char *,
                                                   struct worker_settings *))
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct error *err = file_read(path, FILE_BYTES_MAX, &file);

	return err ? err
	           : add((struct text){ (const char *)file.bytes.data,
	                                file.bytes.size },
	                 path, ret);
}

struct error *worker_settings_read(const struct worker_options *options,
                                   struct worker_settings *ret)
{
	struct error *err = NULL;

	*ret = (struct worker_settings){
		.options = *options,
		.group = "apmtool",
		.topics = {
			[TOPIC_RAW] = "apm.raw",
			[TOPIC_EVENT] = "apm.event",
			[TOPIC_WAITING] = "apm.waiting",
			[TOPIC_DEAD] = "apm.dead",
			[TOPIC_SYMBOLS] = "apm.symbols",
		},
	};
	if (options->config)
		err = add_file(options->config, ret, worker_settings_add_yaml);
	if (!err && options->kafka_conf) {
		warn_of_readers(options->kafka_conf);
		err = add_file(options->kafka_conf, ret,
		               worker_settings_add_conf);
	}
	if (err)
		return error_as_config(err);
	if (options->brokers)
		worker_settings_add(ret, "bootstrap.servers", options->brokers,
		                    "--brokers");
	if (options->group)
		ret->group = options->group;
	if ((err = check_filter(ret)))
		return err;
	add_filter_options(ret);
	return check(ret);
}

void worker_settings_release(struct worker_settings *settings)
{
	arena_release(&settings->arena);
}
