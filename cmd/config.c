// SPDX-License-Identifier: MIT
#include "lib/config/config.h"
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/options.h"
#include "cmd/run/output.h"
#include "lib/base/units.h"

#include <inttypes.h>
#include <sys/stat.h>

struct config_settings {
	const char *format;
	struct text_width width;
	bool show_origin;
	bool init;
};

static const struct option options[] = {
	OPT_FLAG(0, "show-origin", struct config_settings, show_origin,
	         "print where each value comes from"),
	OPT_FLAG(0, "init", struct config_settings, init,
	         "write a commented template, " CONFIG_PROJECT_FILE
	         ", into this directory"),
	OPT_FORMAT(struct config_settings, format, SHAPE_TABLE, "text"),
	OPT_WIDTH(struct config_settings, width),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool config", "the settings in effect in this directory" },
	{ "APMTOOL_DSYM_PATH=samples apmtool config --show-origin",
	  "the same, with the origin of each" },
	{ "apmtool config --init && cat " CONFIG_PROJECT_FILE,
	  "begin a config file for a project" },
	{ "apmtool config --format json", "the same as JSON, for programs" },
	{ NULL, NULL },
};

/** The table, and the source of its rows. */
struct listing {
	struct table table;
	struct arena arena;
};

enum {
	SETTING_NAME,
	SETTING_VALUE,
	SETTING_ORIGIN,
	SETTING_SOURCE,
	SETTING_COLUMNS,
};

static void add_row(struct listing *listing, const char *name,
                    const char *value, const struct config_source *source)
{
	struct table_cell *cells =
	        table_add_row(&listing->table, &listing->arena);

	table_set_text(&cells[SETTING_NAME], name);
	table_set_text(&cells[SETTING_VALUE], value);
	table_set_text(&cells[SETTING_ORIGIN],
	               config_origin_name(source->origin));
	if (source->name)
		table_set_text(&cells[SETTING_SOURCE],
		               config_source_text(source, &listing->arena));
}

static void add_pattern(struct str *out, const char *name,
                        const struct config_pattern *pattern)
{
	if (pattern->text)
		str_addf(out, "%s: %s, ", name, pattern->text);
}

static void add_rule(struct listing *listing, const struct config_rule *rule)
{
	SCOPED(str_release) struct str value = { 0 };

	add_pattern(&value, "image", &rule->image);
	add_pattern(&value, "path", &rule->path);
	add_pattern(&value, "bundle", &rule->bundle);
	str_addf(&value, "app: %s", rule->is_app ? "true" : "false");
	add_row(listing, "in-app",
	        arena_text(&listing->arena, str_text(&value)), &rule->source);
}

static void add_size(struct listing *listing, const char *name,
                     const struct config_resource *size)
{
	SCOPED(str_release) struct str text = { 0 };

	if (size->value % 1024) {
		str_addf(&text, "%" PRIu64 " B", size->value);
	} else if (size->value) {
		units_add_exact(&text, size->value, UNITS_MIB);
		str_add(&text, " MB");
	}
	add_row(listing, name,
	        text.size ? arena_text(&listing->arena, str_text(&text)) : NULL,
	        &size->source);
}

/** Only if set: most users have none. */
static void list_store(const struct config *config, struct listing *listing)
{
	SCOPED(str_release) struct str command = { 0 };

	if (config->store)
		add_row(listing, "store", config->store, &config->store_source);
	for (size_t i = 0; i < config->fetch_count; i++)
		str_addf(&command, "%s%s", i ? " " : "", config->fetch[i]);
	if (command.size)
		add_row(listing, "fetch",
		        arena_text(&listing->arena, str_text(&command)),
		        &config->fetch_source);
	if (config->fetch_bytes.value)
		add_size(listing, "fetch-size", &config->fetch_bytes);
}

/** Only if set: the default differs between systems. */
static void list_cache(const struct config *config, struct listing *listing)
{
	const char *path = NULL;

	if (!config->cache)
		path = "none";
	else if (config->cache_source.origin == CONFIG_ENVIRONMENT)
		path = config->cache;
	add_row(listing, "cache", path, &config->cache_source);
	add_size(listing, "cache-size", &config->cache_bytes);
}

/** `--limit` precedes all files. */
static const struct config_source *limit_source(const struct config *config,
                                                enum limit_id id)
{
	static const struct config_source option = { .origin = CONFIG_OPTION,
		                                     .name = "--limit" };

	return limit_is_given(id) ? &option : &config->limits[id].source;
}

static void list_limits(const struct config *config, struct listing *listing)
{
	for (size_t i = 0; i < LIMITS; i++) {
		enum limit_id id = (enum limit_id)i;
		const struct config_source *source = limit_source(config, id);
		SCOPED(str_release) struct str value = { 0 };

		if (source->origin == CONFIG_DEFAULT &&
		    !config->limits[i].ignored.line)
			continue;
		str_addf(&value, "%s: ", limit_rows[i].name);
		limit_add_value(&value, id, limit_get(id));
		add_row(listing, "limits",
		        arena_text(&listing->arena, str_text(&value)), source);
	}
}

static void list_values(const struct config *config, struct listing *listing)
{
	const char *jobs = NULL;

	for (size_t i = 0; i < config->dsym_count; i++)
		add_row(listing, "dsym", config->dsym[i].path,
		        &config->dsym[i].source);
	for (size_t i = 0; i < config->rule_count; i++)
		add_rule(listing, &config->rules[i]);
	for (size_t i = 0; i < config->path_rule_count; i++)
		add_row(listing, "path-map", config->path_rules[i].text,
		        &config->path_rules[i].source);
	// By default, all processors are used.
	if (config->jobs.value)
		jobs = arena_printf(&listing->arena, "%" PRIu64,
		                    config->jobs.value);
	add_row(listing, "jobs", jobs, &config->jobs.source);
	list_cache(config, listing);
	list_store(config, listing);
	list_limits(config, listing);
	add_row(listing, "style", config_styles[config->style],
	        &config->style_source);
}

/** Write the template, but never over a file. */
static enum exit_status write_template(void)
{
	struct text text = text_from(config_template_text);
	struct stat info;
	struct out *out;
	enum exit_status status;

	text = text_after(text, text_find_char(text, '\n') + 1);
	if (!lstat(CONFIG_PROJECT_FILE, &info))
		return notice_usage(&console, "'" CONFIG_PROJECT_FILE
		                              "' is there already");
	status = output_open(&console, CONFIG_PROJECT_FILE, &out);
	if (status != EXIT_DONE)
		return status;
	out_add_bytes(out, text.data, text.size);
	return output_finish(&console, out, EXIT_DONE);
}

static enum exit_status config_run(const struct command_line *line)
{
	const struct config_settings *settings = line->settings;
	const struct table_column columns[SETTING_COLUMNS] = {
		[SETTING_NAME] = { "name", "setting", TABLE_TEXT },
		[SETTING_VALUE] = { "value", "value", TABLE_PROSE },
		[SETTING_ORIGIN] = { "origin",
		                     settings->show_origin ? "origin" : NULL,
		                     TABLE_TEXT },
		[SETTING_SOURCE] = { "source",
		                     settings->show_origin ? "source" : NULL,
		                     TABLE_PATH },
	};
	struct listing listing = {
		.table = {
			.name = "config",
			.columns = columns,
			.column_count = SETTING_COLUMNS,
		},
	};
	const struct format_options format = {
		.columns = text_width_columns(&settings->width, line, NULL),
	};
	struct out *out;
	enum exit_status status;

	if (settings->init)
		return write_template();
	status = output_open(&console, NULL, &out);
	if (status != EXIT_DONE)
		return status;
	list_values(line->config, &listing);
	formatter_find(settings->format)->table(&listing.table, &format, out);
	arena_release(&listing.arena);
	return output_finish(&console, out, EXIT_DONE);
}

const struct command config_command = {
	.name = "config",
	.topic = COMMAND_TOOLS,
	.summary = "show the settings in effect and where they come from",
	.description =
	        "Settings come from the environment, from the project's "
	        "`.apmtool.yaml`, which is searched for in this directory and "
	        "then in its parents, and from the user's "
	        "`~/.config/apmtool/config.yaml`; apmtool-config(1) describes "
	        "these files. APMTOOL_CONFIG=FILE reads only that file, "
	        "APMTOOL_CONFIG=none reads none.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct config_settings),
	.uses_config = true,
	.run = config_run,
};
