// SPDX-License-Identifier: MIT
#include "lib/config/file.h"

#include "lib/base/limit.h"
#include "lib/base/parallel.h"
#include "lib/base/source_path.h"
#include "lib/base/str.h"
#include "lib/base/units.h"
#include "lib/config/pattern.h"
#include "lib/text/yaml.h"

#include <stdarg.h>
#include <string.h>

const struct config_field config_fields[] = {
	{ "dsym", CONFIG_ADDS },          { "in-app", CONFIG_ADDS },
	{ "path-map", CONFIG_ADDS },      { "style", CONFIG_CHOOSES },
	{ "jobs", CONFIG_LOWERS },        { "cache", CONFIG_LOWERS },
	{ "cache-size", CONFIG_LOWERS },  { "limits", CONFIG_LOWERS },
	{ "store", CONFIG_NOTHING },      { "fetch", CONFIG_NOTHING },
	{ "fetch-size", CONFIG_NOTHING }, { NULL, 0 },
};
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

/** Resolve the path @p value relative to the directory of @p input. */
static struct error *resolve_path(const struct config_input *input,
                                  const struct yml *node, const char *value,
                                  struct arena *arena, const char **ret)
{
	size_t slash = text_find_last_char(text_from(input->path), '/');
	bool is_home = value[0] == '~' && (!value[1] || value[1] == '/');

	if (is_home && !input->home)
		return yml_error(node, "cannot expand '~': the home directory "
		                       "is not known");
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
	// Counted first, so that its regexes are freed on errors.
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

static struct error *read_path_rule(const struct config_input *input,
                                    const struct yml *item,
                                    struct config *config)
{
	const char *value;
	struct error *err = yml_text(item, &value);

	if (err)
		return err;
	if (!source_path_is_rule(text_from(value)))
		return yml_error_found(item, "expected OLD=NEW");
	ARENA_GROW(&config->arena, config->path_rules, config->path_rule_count,
	           config->path_rule_cap);
	config->path_rules[config->path_rule_count++] =
	        (struct config_path_rule){
		        .text = value,
		        .source = source_of(input, item),
	        };
	return NULL;
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

/** Does @p node have a value that no higher origin has set? */
static bool is_wanted(const struct config_input *input, const struct yml *node,
                      const struct config_source *source)
{
	return node && node->type != YML_EMPTY &&
	       source->origin < input->origin;
}

static void take_resource(const struct config_input *input,
                          const struct yml *node, uint64_t value,
                          struct config_resource *resource)
{
	// The lower value of user and project wins: the sender of the reports
	// may have sent the project, too.
	if (input->origin == CONFIG_USER && node && node->type != YML_EMPTY &&
	    resource->source.origin == CONFIG_PROJECT) {
		resource->user_allows = resource->value <= value;
		if (!resource->user_allows) {
			resource->ignored = resource->source;
			resource->source.origin = CONFIG_DEFAULT;
		}
	}
	if (!is_wanted(input, node, &resource->source))
		return;
	resource->value = value;
	resource->source = source_of(input, node);
}

static struct error *read_jobs(const struct config_input *input,
                               const struct yml *root, struct config *config)
{
	const struct yml *jobs = yml_field(root, "jobs");
	uint64_t number = 0;
	struct error *err = NULL;

	if (jobs && jobs->type != YML_EMPTY)
		err = yml_number(jobs, 1, CONFIG_JOBS_MAX, &number);
	if (!err)
		take_resource(input, jobs, number, &config->jobs);
	return err;
}

static struct error *read_style(const struct config_input *input,
                                const struct yml *root, struct config *config)
{
	const struct yml *style = yml_field(root, "style");
	unsigned choice = config->style;
	struct error *err = NULL;

	// Ignored values must still be valid.
	if (style && style->type != YML_EMPTY)
		err = yml_choice(style, config_styles, &choice);
	if (!err && is_wanted(input, style, &config->style_source)) {
		config->style = choice;
		config->style_source = source_of(input, style);
	}
	return err;
}

static struct error *read_cache(const struct config_input *input,
                                const struct yml *root, struct config *config)
{
	const struct yml *cache = yml_field(root, "cache");
	bool is_used = true;
	struct error *err = NULL;

	if (cache && cache->type != YML_EMPTY)
		err = yml_bool(cache, &is_used);
	if (err || !is_wanted(input, cache, &config->cache_source))
		return err;
	// A project cannot turn on the cache that the user turned off.
	if (is_used && input->origin == CONFIG_PROJECT) {
		config->cache_asked = source_of(input, cache);
		return NULL;
	}
	config->cache_source = source_of(input, cache);
	if (is_used)
		return NULL;
	config->cache = NULL;
	config->cache_ignored = config->cache_asked;
	return NULL;
}

static struct error *read_size(const struct config_input *input,
                               const struct yml *size,
                               struct config_resource *resource)
{
	const char *text;
	uint64_t bytes = 0;
	struct error *err = NULL;

	if (size && size->type != YML_EMPTY) {
		err = yml_text(size, &text);
		if (!err &&
		    (!units_read_size(text_from(text), &bytes) || !bytes))
			err = yml_error_found(size,
			                      "expected a size such as 500 MB");
	}
	if (!err)
		take_resource(input, size, bytes, resource);
	return err;
}

static struct error *read_store(const struct config_input *input,
                                const struct yml *store, struct config *config)
{
	const char *value, *path;
	struct error *err;

	if (!is_wanted(input, store, &config->store_source))
		return NULL;
	if ((err = yml_text(store, &value)))
		return err;
	err = resolve_path(input, store, value, &config->arena, &path);
	if (err)
		return err;
	config->store = arena_strdup(&config->arena, path);
	config->store_source = source_of(input, store);
	return NULL;
}

/** The program is not searched for: another one of its name may be first. */
static struct error *read_argument(const struct config_input *input,
                                   const struct yml *item,
                                   struct config *config)
{
	const char *value;
	struct error *err = yml_text(item, &value);

	if (!err && !config->fetch_count) {
		if (value[0] != '/' && !text_starts(text_from(value), "~/"))
			return yml_error_found(item, "expected the absolute "
			                             "path of a program");
		err = resolve_path(input, item, value, &config->arena, &value);
	}
	if (err)
		return err;
	ARENA_GROW(&config->arena, config->fetch, config->fetch_count,
	           config->fetch_cap);
	config->fetch[config->fetch_count++] =
	        arena_strdup(&config->arena, value);
	return NULL;
}

static struct error *read_fetch(const struct config_input *input,
                                const struct yml *fetch, struct config *config)
{
	bool has_file = false;
	struct error *err = read_list(input, fetch, read_argument, config);

	if (err || !config->fetch_count)
		return err;
	for (size_t i = 1; i < config->fetch_count; i++)
		has_file |= text_find(text_from(config->fetch[i]), "{file}") !=
		            TEXT_NOWHERE;
	if (!has_file)
		return yml_error(fetch, "fetch: expected an argument with "
		                        "{file}, the file to be made");
	config->fetch_source = source_of(input, fetch);
	return NULL;
}

static struct error *read_limit(const struct config_input *input,
                                const struct yml *node, struct config *config)
{
	SCOPED(str_release) struct str expected = { 0 };
	enum limit_id id = LIMITS;
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
	if (err)
		return err;
	if (!limit_read(id, text_from(text), &value)) {
		limit_add_expected(&expected, id);
		return yml_error_found(node, "%s", str_cstr(&expected));
	}
	take_resource(input, node, value, &config->limits[id]);
	return NULL;
}

/** Ignore a project's value above the one without it. */
static void refuse_raised(struct config_resource *resource, uint64_t usual)
{
	if (resource->source.origin == CONFIG_PROJECT &&
	    !resource->user_allows && resource->value > usual)
		*resource = (struct config_resource){
			.ignored = resource->source,
		};
}

void config_warn(struct config *config, const char *format, ...)
{
	SCOPED(str_release) struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	ARENA_GROW(&config->arena, config->warnings, config->warning_count,
	           config->warning_cap);
	config->warnings[config->warning_count++] =
	        arena_text(&config->arena, str_text(&text));
}

static void warn_ignored(struct config *config,
                         const struct config_source *source, const char *what,
                         const char *why)
{
	if (source->line)
		config_warn(config, "%s:%u: %s is ignored: %s", source->name,
		            source->line, what, why);
}

void config_check_resources(struct config *config)
{
	refuse_raised(&config->jobs, parallel_processors());
	warn_ignored(config, &config->jobs.ignored, "jobs",
	             "a project can only lower it; --jobs and the user's "
	             "config file raise it");
	warn_ignored(config, &config->cache_ignored, "cache",
	             "a project cannot turn on what the user's config file "
	             "turns off");
	refuse_raised(&config->cache_bytes, CONFIG_CACHE_BYTES);
	warn_ignored(config, &config->cache_bytes.ignored, "cache-size",
	             "a project can only lower it; the user's config file "
	             "raises it");
	for (size_t i = 0; i < LIMITS; i++) {
		SCOPED(str_release) struct str what = { 0 };

		str_addf(&what, "limit '%s'", limit_rows[i].name);
		refuse_raised(&config->limits[i], limit_rows[i].usual);
		warn_ignored(config, &config->limits[i].ignored,
		             str_cstr(&what),
		             "a project can only lower it; --limit and the "
		             "user's config file raise it");
	}
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
			limit_set((enum limit_id)i,
			          (size_t)config->limits[i].value);
}

/** Refuse fields of a project's file that only the user may set. */
static struct error *refuse_fields(const struct yml *root)
{
	for (const struct config_field *at = config_fields; at->name; at++) {
		const struct yml *field = yml_field(root, at->name);

		if (field && at->power == CONFIG_NOTHING)
			return yml_error(field,
			                 "%s: only the user's own config file "
			                 "may have it, not a project's",
			                 at->name);
	}
	return NULL;
}

static struct error *check_fields(const struct config_input *input,
                                  const struct yml *root)
{
	const char *names[ARRAY_SIZE(config_fields)];
	struct error *err;

	for (size_t i = 0; i < ARRAY_SIZE(config_fields); i++)
		names[i] = config_fields[i].name;
	err = yml_known_fields(root, names);
	return err || input->origin != CONFIG_PROJECT ? err
	                                              : refuse_fields(root);
}

struct error *config_read_text(const struct config_input *input,
                               struct text text, struct config *config)
{
	const struct yml *root;
	struct error *err;

	err = input->origin == CONFIG_PROJECT
	              ? yml_parse_private(text, input->path, &config->arena,
	                                  &root)
	              : yml_parse(text, input->path, &config->arena, &root);
	if (err || (err = check_fields(input, root)) ||
	    (err = read_list(input, yml_field(root, "dsym"), read_directory,
	                     config)) ||
	    (err = read_list(input, yml_field(root, "in-app"), read_rule,
	                     config)) ||
	    (err = read_list(input, yml_field(root, "path-map"), read_path_rule,
	                     config)) ||
	    (err = read_limits(input, yml_field(root, "limits"), config)) ||
	    (err = read_jobs(input, root, config)) ||
	    (err = read_style(input, root, config)) ||
	    (err = read_cache(input, root, config)) ||
	    (err = read_size(input, yml_field(root, "cache-size"),
	                     &config->cache_bytes)) ||
	    (err = read_store(input, yml_field(root, "store"), config)) ||
	    (err = read_fetch(input, yml_field(root, "fetch"), config)))
		return err;
	return read_size(input, yml_field(root, "fetch-size"),
	                 &config->fetch_bytes);
}
