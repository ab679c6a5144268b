#include "cmd/command.h"
#include "cmd/run/console.h"
#include "formatters/formatter.h"
#include "lib/base/file.h"
#include "lib/config/config.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/object/macho/macho.h"
#include "lib/text/gzip.h"
#include "lib/text/json/json.h"
#include "lib/text/regex.h"
#include "lib/text/yaml.h"
#include "parsers/lag/lag.h"
#include "parsers/parser.h"

#include <unistd.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void add_row(struct out *out, const char *name, const char *value)
{
	out_addf(out, "  %-20s  ", name);
	out_add_visible(out, value);
	out_add(out, "\n");
}

static void add_versions(struct out *out)
{
	out_add(out, "versions\n");
	add_row(out, "apmtool", APMTOOL_VERSION);
	add_row(out, "compiler", COMPILER);
	add_row(out, "cJSON", json_library_version());
	add_row(out, "zlib", gzip_library_version());
	add_row(out, "libyaml", yml_library_version());
	add_row(out, "pcre2", regex_library_version());
	add_row(out, "debug info", debug_info_library());
}

static void add_formats(struct out *out)
{
	out_add(out, "\nreport formats\n");
	for (size_t i = 0; parsers[i]; i++)
		add_row(out, parsers[i]->name, parsers[i]->summary);
	out_add(out, "\nsample formats, besides reports with samples\n");
	for (size_t i = 0; lag_inputs[i].name; i++)
		add_row(out, lag_inputs[i].name, lag_inputs[i].summary);
	out_add(out, "\noutput formats (--format)\n");
	for (size_t i = 0; formatters[i]; i++)
		add_row(out, formatters[i]->name, formatters[i]->summary);
}

static void add_limits(struct out *out)
{
	static const struct {
		const char *name;
		size_t value;
		const char *unit;
	} limits[] = {
		{ "report", FILE_REPORT_LIMIT_BYTES >> 20, " MB" },
		{ "JSON nesting", JSON_DEPTH, " levels" },
		{ "universal file", MACHO_SLICES_MAX, " slices" },
		{ "Mach-O file", MACHO_SECTIONS_MAX, " sections" },
		{ "symbol table", MACHO_SYMBOLS_MAX, " symbols" },
	};

	out_add(out, "\nlimits\n");
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		out_addf(out, "  %-20s  %zu%s\n", limits[i].name,
		         limits[i].value, limits[i].unit);
}

static void add_config_files(struct out *out, const struct config *config)
{
	out_add(out, "\nconfig files\n");
	if (!config->file_count)
		out_add(out, "  none\n");
	for (size_t i = 0; i < config->file_count; i++)
		add_row(out, config_origin_name(config->files[i].origin),
		        config->files[i].path);
	if (config->warning)
		add_row(out, "warning", config->warning);
}

/** @return Whether all paths that are searched for dSYMs are there. */
static bool add_symbol_paths(struct out *out, const struct config *config)
{
	bool all_there = true;

	out_add(out, "\ndSYMs (APMTOOL_DSYM_PATH and config files)\n");
	if (!config->dsym_count)
		out_add(out, "  none\n");
	for (size_t i = 0; i < config->dsym_count; i++) {
		const char *path = config->dsym[i].path;

		if (access(path, R_OK)) {
			add_row(out, "cannot be read", path);
			all_there = false;
		} else {
			add_row(out,
			        file_is_directory(path) ? "directory" : "file",
			        path);
		}
	}
	return all_there;
}

/** @return Whether the config files are right, and what they name is there. */
static bool add_config(struct out *out)
{
	struct config_places places = console_config_places();
	SCOPED(config_release) struct config config;
	SCOPED(error_drop) struct error *err = config_load(&places, &config);

	add_config_files(out, &config);
	if (err)
		add_row(out, "wrong", error_message(err));
	return add_symbol_paths(out, &config) && !err;
}

static enum exit_status doctor_run(const struct command_line *line UNUSED)
{
	struct out *out;
	enum exit_status status = console_open_output(NULL, &out);
	bool well;

	if (status != EXIT_DONE)
		return status;
	add_versions(out);
	add_formats(out);
	add_limits(out);
	well = add_config(out);
	return console_finish(out, well ? EXIT_DONE : EXIT_ANSWER_NO);
}

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
	.summary = "show versions, formats, limits and dSYM directories",
	.description = "Exits with status 1 if a config file has an error, or "
	               "if a path in it or in APMTOOL_DSYM_PATH cannot be "
	               "read.",
	.examples = examples,
	.run = doctor_run,
};
