// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/options.h"
#include "cmd/run/output.h"
#include "cmd/version.h"
#include "formatters/formatter.h"
#include "lib/base/columns.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/utf8.h"
#include "lib/config/config.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/symbols/worker/confinement.h"
#include "lib/text/gzip.h"
#include "lib/text/json/json.h"
#include "lib/text/plist/plist.h"
#include "lib/text/regex.h"
#include "lib/text/yaml.h"
#include "parsers/reader.h"

#include <unistd.h>

/** Column of values, after names. */
#define VALUE_COLUMN 24

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/** Output, and its line width. */
struct answer {
	struct out *out;
	size_t columns; ///< 0: unlimited
};

static void add_row(const struct answer *answer, const char *name,
                    const char *value)
{
	SCOPED(str_release) struct str row = { 0 };
	SCOPED(str_release) struct str visible = { 0 };
	struct columns_lines lines = { .out = &row,
		                       .width = answer->columns,
		                       .indent = VALUE_COLUMN,
		                       .column = VALUE_COLUMN,
		                       .shortens = true };

	str_addf(&row, "  %-20s  ", name);
	utf8_add_visible(&visible, text_from(value));
	columns_add_text(&lines, str_text(&visible));
	str_add_char(&row, '\n');
	out_add_bytes(answer->out, row.data, row.size);
}

static void add_versions(const struct answer *answer)
{
	out_add(answer->out, "versions\n");
	add_row(answer, "apmtool", APMTOOL_VERSION);
	add_row(answer, "commit", apmtool_commit);
	add_row(answer, "compiler", COMPILER);
	add_row(answer, "cJSON", json_library_version());
	add_row(answer, "expat", plist_library_version());
	add_row(answer, "zlib", gzip_library_version());
	add_row(answer, "libyaml", yml_library_version());
	add_row(answer, "pcre2", regex_library_version());
	add_row(answer, "debug info", debug_info_library());
	add_row(answer, "debug info reader", confinement_summary());
}

/** Add readers that yield any of @p yields. */
static void add_inputs(const struct answer *answer, unsigned yields)
{
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->yields & yields && readers[i]->summary)
			add_row(answer, readers[i]->name, readers[i]->summary);
}

static void add_formats(const struct answer *answer)
{
	out_add(answer->out, "\nreport formats\n");
	add_inputs(answer, YIELDS_ANY_REPORT);
	out_add(answer->out,
	        "\nsample formats, besides reports with samples\n");
	add_inputs(answer, YIELDS_SAMPLES | YIELDS_STACKS);
	out_add(answer->out, "\noutput formats (--format)\n");
	for (size_t i = 0; formatters[i]; i++)
		add_row(answer, formatters[i]->name, formatters[i]->summary);
}

/** Add the limits as listed in SECURITY.md. */
static void add_limits(const struct answer *answer)
{
	out_add(answer->out, "\nlimits (--limit NAME=VALUE)\n");
	for (size_t i = 0; i < LIMITS; i++) {
		const struct limit_row *row = &limit_rows[i];
		enum limit_id id = (enum limit_id)i;
		SCOPED(str_release) struct str value = { 0 };

		limit_add_value(&value, id, limit_get(id));
		str_addf(&value, " %s", row->what);
		if (limit_is_changed(id)) {
			str_add(&value, " (default ");
			limit_add_value(&value, id, row->usual);
			str_add_char(&value, ')');
		}
		add_row(answer, row->name, str_cstr(&value));
	}
}

static void add_config_files(const struct answer *answer,
                             const struct config *config)
{
	out_add(answer->out, "\nconfig files\n");
	if (!config->file_count)
		out_add(answer->out, "  none\n");
	for (size_t i = 0; i < config->file_count; i++)
		add_row(answer, config_origin_name(config->files[i].origin),
		        config->files[i].path);
	for (size_t i = 0; i < config->warning_count; i++)
		add_row(answer, "warning", config->warnings[i]);
}

/** @return Do all paths to search for dSYMs exist? */
static bool add_symbol_paths(const struct answer *answer,
                             const struct config *config)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	bool all_there = true;

	out_add(answer->out, "\ndSYMs (APMTOOL_DSYM_PATH and config files)\n");
	if (!config->dsym_count)
		out_add(answer->out, "  none\n");
	for (size_t i = 0; i < config->dsym_count; i++) {
		const char *path = config->dsym[i].path;
		const struct config_source *source = &config->dsym[i].source;

		if (access(path, R_OK)) {
			// A project's file may be any file: quote nothing of
			// it.
			add_row(answer, "cannot be read",
			        source->origin == CONFIG_PROJECT
			                ? config_source_text(source, &arena)
			                : path);
			all_there = false;
		} else {
			add_row(answer,
			        file_is_directory(path) ? "directory" : "file",
			        path);
		}
	}
	return all_there;
}

/** @return Are the config files valid, and do the paths in them exist? */
static bool add_config(const struct answer *answer, const struct config *config,
                       const struct error *err)
{
	add_config_files(answer, config);
	if (err)
		add_row(answer, "wrong", error_message(err));
	return add_symbol_paths(answer, config) && !err;
}

struct doctor_settings {
	struct text_width width;
};

static enum exit_status doctor_run(const struct command_line *line)
{
	const struct doctor_settings *settings = line->settings;
	struct answer answer = {
		.columns = text_width_columns(&settings->width, line, NULL),
	};
	SCOPED(config_release) struct config config;
	SCOPED(error_drop)
	struct error *err = config_load(line->places, &config);
	enum exit_status status = output_open(&console, NULL, &answer.out);
	bool well;

	if (status != EXIT_DONE)
		return status;
	// With an invalid file, other commands do not run.
	if (!err)
		config_apply_limits(&config);
	add_versions(&answer);
	add_formats(&answer);
	add_limits(&answer);
	well = add_config(&answer, &config, err);
	return output_finish(&console, answer.out,
	                     well ? EXIT_DONE : EXIT_ANSWER_NO);
}

static const struct option options[] = {
	OPT_WIDTH(struct doctor_settings, width),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool doctor",
	  "print what this build supports, and what it finds" },
	{ "APMTOOL_DSYM_PATH=samples apmtool doctor | tail -n 1",
	  "check the directories that are searched for dSYMs" },
	{ "apmtool doctor | grep -A 3 '^versions'",
	  "the part to include in a bug report" },
	{ NULL, NULL },
};

const struct command doctor_command = {
	.name = "doctor",
	.topic = COMMAND_TOOLS,
	.summary = "show versions, formats, limits and dSYM directories",
	.description = "Exits with status 1 if a config file has an error, or "
	               "if a path in it or in APMTOOL_DSYM_PATH cannot be "
	               "read.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct doctor_settings),
	.run = doctor_run,
};
