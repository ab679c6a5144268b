// SPDX-License-Identifier: MIT
#include "cmd/worker/settings.h"

#include "lib/base/limit.h"
#include "lib/base/str.h"

#include <string.h>

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

static struct error *check(const struct worker_settings *settings)
{
	const struct worker_options *options = &settings->options;
	bool has_brokers = false;

	for (size_t i = 0; i < settings->property_count; i++)
		has_brokers |= !strcmp(settings->properties[i].name,
		                       "bootstrap.servers") ||
		               !strcmp(settings->properties[i].name,
		                       "metadata.broker.list");
	if (!has_brokers)
		return error_new(ERROR_USAGE,
		                 "no brokers: name them with --brokers");
	if (options->redact && !options->redact_key)
		return error_new(ERROR_USAGE,
		                 "--redact needs --redact-key: without a key, "
		                 "each run gives a report other pseudonyms");
	if (options->exactly_once && !options->slot)
		return error_new(ERROR_USAGE,
		                 "--exactly-once needs --slot: a name that is "
		                 "unique in the group, and that the worker "
		                 "keeps when it restarts");
	if (options->exactly_once && options->redrive)
		return error_new(
		        ERROR_USAGE,
		        "--redrive may deliver a report twice: it cannot be "
		        "used with --exactly-once");
	return NULL;
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
		err = worker_settings_add_yaml(options->config, ret);
	if (!err && options->kafka_conf)
		err = worker_settings_add_conf(options->kafka_conf, ret);
	if (err)
		return err;
	if (options->brokers)
		worker_settings_add(ret, "bootstrap.servers", options->brokers,
		                    "--brokers");
	if (options->group)
		ret->group = options->group;
	add_filter_options(ret);
	return check(ret);
}

void worker_settings_release(struct worker_settings *settings)
{
	arena_release(&settings->arena);
}
