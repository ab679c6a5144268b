// SPDX-License-Identifier: MIT
#include "cmd/worker/settings.h"
#include "lib/text/yaml.h"

#include <string.h>

/** Delivery depends on these properties, so only the worker sets them. */
static const char *const own_properties[] = {
	"acks",
	"request.required.acks",
	"enable.auto.commit",
	"auto.commit.enable",
	"enable.auto.offset.store",
	"enable.idempotence",
	"enable.partition.eof",
	"delivery.report.only.error",
	"group.id",
	"transactional.id",
	NULL,
};

/** Properties with these words in their names have secret values. */
static const char *const secret_words[] = { "password", "secret", "key.pem",
	                                    "oauthbearer.config", NULL };

void worker_settings_add(struct worker_settings *settings, const char *name,
                         const char *value, const char *place)
{
	size_t cap = settings->property_count;

	ARENA_GROW(&settings->arena, settings->properties,
	           settings->property_count, cap);
	settings->properties[settings->property_count++] =
	        (struct kafka_property){ name, value, place };
}

void worker_settings_add_filter(struct worker_settings *settings,
                                const char *word)
{
	size_t cap = settings->filter_count;

	ARENA_GROW(&settings->arena, settings->filter, settings->filter_count,
	           cap);
	settings->filter[settings->filter_count++] = word;
}

bool worker_property_is_secret(const char *name)
{
	for (size_t i = 0; secret_words[i]; i++)
		if (strstr(name, secret_words[i]))
			return true;
	return false;
}

static struct error *check_property(const char *name)
{
	for (size_t i = 0; own_properties[i]; i++)
		if (!strcmp(name, own_properties[i]))
			return error_new(ERROR_CONFIG,
			                 "'%s' is set by apmtool-worker", name);
	return NULL;
}

static struct error *add_kafka(const struct yml *map,
                               struct worker_settings *ret)
{
	if (map && map->type != YML_MAP && map->type != YML_EMPTY)
		return yml_error(map, "kafka: expected a map of properties of "
		                      "librdkafka");
	for (const struct yml *value = map ? map->first : NULL; value;
	     value = value->next) {
		const char *name = value->key->text;
		const char *text;
		struct error *err = yml_text(value, &text);

		if (!err)
			err = check_property(name);
		if (err)
			return error_code(err) == ERROR_CONFIG
			               ? error_prefix(err, "%s:%u", value->file,
			                              value->line)
			               : err;
		if (worker_property_is_secret(name))
			return yml_error(value,
			                 "'%s' is a secret: give it with "
			                 "--kafka-conf",
			                 name);
		worker_settings_add(ret, arena_strdup(&ret->arena, name),
		                    arena_strdup(&ret->arena, text),
		                    arena_printf(&ret->arena, "%s:%u",
		                                 value->file, value->line));
	}
	return NULL;
}

const char *const worker_topic_names[TOPICS + 1] = {
	[TOPIC_RAW] = "raw",       [TOPIC_EVENT] = "event",
	[TOPIC_REPORT] = "report", [TOPIC_WAITING] = "waiting",
	[TOPIC_DEAD] = "dead",     [TOPIC_SYMBOLS] = "symbols",
	[TOPICS] = NULL,
};

static struct error *add_topics(const struct yml *map,
                                struct worker_settings *ret)
{
	struct error *err = map ? yml_known_fields(map, worker_topic_names)
	                        : NULL;

	for (size_t i = 0; !err && map && i < TOPICS; i++) {
		const struct yml *value = yml_field(map, worker_topic_names[i]);
		const char *text;

		if (value && !(err = yml_text(value, &text)))
			ret->topics[i] = arena_strdup(&ret->arena, text);
	}
	return err;
}

static struct error *add_words(const struct yml *list,
                               struct worker_settings *ret)
{
	struct error *err = list ? yml_list(list) : NULL;

	for (const struct yml *item = !err && list ? list->first : NULL;
	     item && !err; item = item->next) {
		const char *text;

		err = yml_text(item, &text);
		if (!err)
			worker_settings_add_filter(
			        ret, arena_strdup(&ret->arena, text));
	}
	return err;
}

static struct error *add_all(const struct yml *root,
                             struct worker_settings *ret)
{
	static const char *const fields[] = { "brokers", "group",  "topics",
		                              "report",  "filter", "kafka",
		                              NULL };
	static const char *const shapes[] = { "full", "slim", NULL };
	const struct yml *value;
	const char *text;
	unsigned shape = 0;
	struct error *err = yml_known_fields(root, fields);

	if (!err && (value = yml_field(root, "brokers")) &&
	    !(err = yml_text(value, &text)))
		worker_settings_add(ret, "bootstrap.servers",
		                    arena_strdup(&ret->arena, text), "brokers");
	if (!err && (value = yml_field(root, "group")) &&
	    !(err = yml_text(value, &text)))
		ret->group = arena_strdup(&ret->arena, text);
	if (!err && (value = yml_field(root, "report")) &&
	    !(err = yml_choice(value, shapes, &shape)))
		ret->report_is_slim = shape == 1;
	if (!err)
		err = add_topics(yml_field(root, "topics"), ret);
	if (!err)
		err = add_words(yml_field(root, "filter"), ret);
	return err ? err : add_kafka(yml_field(root, "kafka"), ret);
}

struct error *worker_settings_add_yaml(struct text text, const char *path,
                                       struct worker_settings *ret)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct yml *root;
	struct error *err = yml_parse(text, path, &arena, &root);

	return err ? err : add_all(root, ret);
}

struct error *worker_settings_add_conf(struct text text, const char *path,
                                       struct worker_settings *ret)
{
	struct text line;

	for (unsigned number = 1; text_next_line(&text, &line); number++) {
		size_t equals = text_find_char(line, '=');
		struct error *err;
		const char *name;

		if (!text_trim(line).size || text_trim(line).data[0] == '#')
			continue;
		// Do not print the line: it may be a secret.
		if (equals == TEXT_NOWHERE)
			return error_new(ERROR_CONFIG,
			                 "%s:%u: expected name=value", path,
			                 number);
		name = arena_text(&ret->arena,
		                  text_trim(text_first(line, equals)));
		if ((err = check_property(name)))
			return error_prefix(err, "%s:%u", path, number);
		worker_settings_add(
		        ret, name,
		        arena_text(&ret->arena,
		                   text_trim(text_after(line, equals + 1))),
		        arena_printf(&ret->arena, "%s:%u", path, number));
	}
	return NULL;
}
