#include "lib/config/file.h"

#include "lib/base/limit.h"
#include "lib/base/units.h"
#include "lib/config/pattern.h"
#include "lib/text/yaml.h"

#include <string.h>

static const char *const known_fields[] = { "dsym",   "in-app", "jobs",
	                                    "style",  "cache",  "cache-size",
	                                    "limits", NULL };
static const char *const known_rule_fields[] = { "image", "path", "bundle",
	                                         "app", NULL };

// In the order of the formatters' enum text_style.
const char *const config_styles[] = { "full", "partial", "side-by-side", "raw",
	                              NULL };

static struct config_source source_of(const struct config_input *input,
                                      const struct yml *node)
{
	return (struct config_source){
		.origin = input->origin,
		.name = node->file,
		.line = node->line,
	};
}

/** The path that @p value means in a file of the directory of @p input. */
static struct error *resolve_path(const struct config_input *input,
                                  const struct yml *node, const char *value,
                                  struct arena *arena, const char **ret)
{
	size_t slash = text_find_last_char(text_from(input->path), '/');
	bool is_home = value[0] == '~' && (!value[1] || value[1] == '/');

	if (is_home && !input->home)
		return yml_error(node,
		                 "cannot expand '%s': the home directory is "
		                 "not known",
		                 value);
	if (is_home)
		*ret = arena_printf(arena, "%s%s", input->home, value + 1);
	else if (value[0] == '/' || slash == TEXT_NOWHERE)
		*ret = value;
	else
		*ret = arena_printf(arena, "%.*s/%s", (int)slash, input->path,
		                    value);
	return NULL;
}

void config_add_directory(struct config *config, const char *path,
                          const struct config_source *source)
{
	ARENA_GROW(&config->arena, config->dsym, config->dsym_count,
	           config->dsym_cap);
	config->dsym[config->dsym_count++] = (struct config_directory){
		.path = arena_strdup(&config->arena, path),
		.source = *source,
	};
}

static struct error *read_directory(const struct config_input *input,
                                    const struct yml *item,
                                    struct config *config)
{
	struct config_source source = source_of(input, item);
	const char *value;
	const char *path = NULL;
	struct error *err;

	if ((err = yml_text(item, &value)))
		return err;
	err = resolve_path(input, item, value, &config->arena, &path);
	if (err)
		return err;
	config_add_directory(config, path, &source);
	return NULL;
}

static struct error *read_patterns(const struct yml *node,
                                   struct config_rule *rule)
{
	struct error *err;

	if ((err = config_pattern_read(node, "image", &rule->image)) ||
	    (err = config_pattern_read(node, "path", &rule->path)) ||
	    (err = config_pattern_read(node, "bundle", &rule->bundle)))
		return err;
	if (!rule->image.text && !rule->path.text && !rule->bundle.text)
		return yml_error(node, "expected image, path or bundle");
	return NULL;
}

static struct error *read_rule(const struct config_input *input,
                               const struct yml *item, struct config *config)
{
	const struct yml *app = yml_field(item, "app");
	struct config_rule *rule;
	struct error *err;

	if ((err = yml_known_fields(item, known_rule_fields)))
		return err;
	// Counted before it is complete: what it compiled is released so.
	ARENA_GROW(&config->arena, config->rules, config->rule_count,
	           config->rule_cap);
	rule = &config->rules[config->rule_count++];
	rule->source = source_of(input, item);
	if ((err = read_patterns(item, rule)))
		return err;
	if (!app)
		return yml_error(item, "expected app: true or app: false");
	return yml_bool(app, &rule->is_app);
}

typedef struct error *(*read_item)(const struct config_input *input,
                                   const struct yml *item,
                                   struct config *config);

static struct error *read_list(const struct config_input *input,
                               const struct yml *list, read_item read,
                               struct config *config)
{
	size_t count = 0;
	struct error *err;

	if (!list)
		return NULL;
	err = yml_list(list);
	for (const struct yml *at = list->first; !err && at; at = at->next) {
		if (count++ == limit_get(LIMIT_CONFIG_LIST))
			return yml_error(
			        at, "%s: more than %zu item%s%s",
			        list->key->text, limit_get(LIMIT_CONFIG_LIST),
			        text_plural(limit_get(LIMIT_CONFIG_LIST)),
			        limit_hint(LIMIT_CONFIG_LIST));
		err = read(input, at, config);
	}
	return err;
}

/** Does @p node say something that nothing stronger has said? */
static bool is_wanted(const struct config_input *input, const struct yml *node,
                      const struct config_source *source)
{
	return node && node->type != YML_EMPTY &&
	       source->origin < input->origin;
}

static struct error *read_numbers(const struct config_input *input,
                                  const struct yml *root, struct config *config)
{
	const struct yml *jobs = yml_field(root, "jobs");
	const struct yml *style = yml_field(root, "style");
	uint64_t number = config->jobs;
	unsigned choice = config->style;
	struct error *err = NULL;

	// What is not wanted has to be right all the same.
	if (jobs && jobs->type != YML_EMPTY)
		err = yml_number(jobs, 1, CONFIG_JOBS_MAX, &number);
	if (!err && style && style->type != YML_EMPTY)
		err = yml_choice(style, config_styles, &choice);
	if (err)
		return err;
	if (is_wanted(input, jobs, &config->jobs_source)) {
		config->jobs = (unsigned)number;
		config->jobs_source = source_of(input, jobs);
	}
	if (is_wanted(input, style, &config->style_source)) {
		config->style = choice;
		config->style_source = source_of(input, style);
	}
	return NULL;
}

static struct error *read_cache(const struct config_input *input,
                                const struct yml *root, struct config *config)
{
	const struct yml *cache = yml_field(root, "cache");
	const struct yml *size = yml_field(root, "cache-size");
	const char *text;
	uint64_t bytes = 0;
	bool is_used = true;
	struct error *err = NULL;

	if (cache && cache->type != YML_EMPTY)
		err = yml_bool(cache, &is_used);
	if (!err && size && size->type != YML_EMPTY) {
		err = yml_text(size, &text);
		if (!err &&
		    (!units_read_size(text_from(text), &bytes) || !bytes))
			err = yml_error(size,
			                "expected a size such as 500 MB, "
			                "found '%s'",
			                text);
	}
	if (err)
		return err;
	if (is_wanted(input, cache, &config->cache_source)) {
		config->cache_source = source_of(input, cache);
		if (!is_used)
			config->cache = NULL;
	}
	if (is_wanted(input, size, &config->cache_bytes_source)) {
		config->cache_bytes = bytes;
		config->cache_bytes_source = source_of(input, size);
	}
	return NULL;
}

static struct error *read_limit(const struct config_input *input,
                                const struct yml *node, struct config *config)
{
	enum limit_id id = LIMITS;
	struct config_limit *limit;
	const char *text;
	size_t value = 0;
	struct error *err = NULL;

	if (node->type == YML_EMPTY)
		return yml_error(node,
		                 "limit '%s': expected a value, found none",
		                 node->key->text);
	err = yml_text(node, &text);
	if (!err)
		err = limit_find(text_from(node->key->text), &id);
	if (!err)
		err = limit_read(id, text_from(text), &value);
	if (err && error_code(err) == ERROR_USAGE) {
		SCOPED(error_drop) struct error *why = err;

		return yml_error(node, "%s", error_message(why));
	}
	if (err)
		return err;
	limit = &config->limits[id];
	// Of a user's and a project's the lower: whoever sent the reports may
	// have sent the project, too.
	if (input->origin == CONFIG_USER &&
	    limit->source.origin == CONFIG_PROJECT) {
		limit->user_allows = limit->value <= value;
		if (!limit->user_allows)
			limit->source.origin = CONFIG_DEFAULT;
	}
	if (!is_wanted(input, node, &limit->source))
		return NULL;
	limit->value = value;
	limit->source = source_of(input, node);
	return NULL;
}

struct error *config_check_limits(const struct config *config)
{
	for (size_t i = 0; i < LIMITS; i++) {
		const struct config_limit *limit = &config->limits[i];

		if (limit->source.origin == CONFIG_PROJECT &&
		    !limit->user_allows && limit->value > limit_rows[i].usual)
			return error_new(
			        ERROR_CONFIG,
			        "%s:%u: limit '%s': a project can only lower "
			        "it; --limit and the user's config file raise "
			        "it",
			        limit->source.name, limit->source.line,
			        limit_rows[i].name);
	}
	return NULL;
}

static struct error *read_limits(const struct config_input *input,
                                 const struct yml *limits,
                                 struct config *config)
{
	const char *names[LIMITS + 1] = { 0 };
	struct error *err;

	if (!limits)
		return NULL;
	for (size_t i = 0; i < LIMITS; i++)
		names[i] = limit_rows[i].name;
	err = yml_known_fields(limits, names);
	for (const struct yml *at = limits->first; !err && at; at = at->next)
		err = read_limit(input, at, config);
	return err;
}

void config_apply_limits(const struct config *config)
{
	for (size_t i = 0; i < LIMITS; i++)
		if (config->limits[i].source.origin != CONFIG_DEFAULT &&
		    !limit_is_given((enum limit_id)i))
			limit_set((enum limit_id)i, config->limits[i].value);
}

struct error *config_read_text(const struct config_input *input,
                               struct text text, struct config *config)
{
	const struct yml *root;
	struct error *err;

	err = yml_parse(text, input->path, &config->arena, &root);
	if (err)
		return err;
	if ((err = yml_known_fields(root, known_fields)) ||
	    (err = read_list(input, yml_field(root, "dsym"), read_directory,
	                     config)) ||
	    (err = read_list(input, yml_field(root, "in-app"), read_rule,
	                     config)))
		return err;
	if ((err = read_limits(input, yml_field(root, "limits"), config)))
		return err;
	err = read_numbers(input, root, config);
	return err ? err : read_cache(input, root, config);
}
