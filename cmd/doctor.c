#include "cmd/command.h"
#include "formatters/formatter.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/object/debug_info.h"
#include "lib/object/macho.h"
#include "lib/text/gzip.h"
#include "lib/text/json.h"
#include "parsers/parser.h"

#include <stdlib.h>
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
	add_row(out, "debug info", debug_info_library());
}

static void add_formats(struct out *out)
{
	out_add(out, "\nreports that are read\n");
	for (size_t i = 0; parsers[i]; i++)
		add_row(out, parsers[i]->name, parsers[i]->summary);
	out_add(out, "\nforms that are printed (--format)\n");
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

/** @return Whether all of APMTOOL_DSYM_PATH is there. */
static bool add_symbol_paths(struct out *out)
{
	const char *value = getenv("APMTOOL_DSYM_PATH");
	struct text rest = text_from(value ? value : "");
	bool all_there = true;

	out_add(out, "\ndSYMs (APMTOOL_DSYM_PATH)\n");
	if (!rest.size)
		out_add(out, "  not set\n");
	while (rest.size) {
		struct text part = text_first(rest, text_find_char(rest, ':'));
		SCOPED(mem_drop)
		char *path = mem_strndup(part.data, part.size);
		const char *state = "file";

		rest = text_after(rest, part.size + 1);
		if (!part.size)
			continue;
		if (access(path, R_OK)) {
			state = "cannot be read";
			all_there = false;
		} else if (file_is_directory(path)) {
			state = "folder";
		}
		out_addf(out, "  %-20s  ", state);
		out_add_visible(out, path);
		out_add(out, "\n");
	}
	return all_there;
}

static enum exit_status doctor_run(const struct command_line *line UNUSED)
{
	struct out *out;
	enum exit_status status = command_open_output(NULL, &out);
	bool well;

	if (status != EXIT_DONE)
		return status;
	add_versions(out);
	add_formats(out);
	add_limits(out);
	well = add_symbol_paths(out);
	return command_finish(out, well ? EXIT_DONE : EXIT_ANSWER_NO);
}

static const struct example examples[] = {
	{ "apmtool doctor", "print what this build can do, and what it finds" },
	{ "APMTOOL_DSYM_PATH=samples apmtool doctor | tail -n 1",
	  "check the folders that are searched for dSYMs" },
	{ "apmtool doctor | grep -A 3 '^versions'",
	  "what to put into a bug report" },
	{ NULL, NULL },
};

const struct command doctor_command = {
	.name = "doctor",
	.summary = "show versions, formats, limits and dSYM folders",
	.description =
	        "Exits with 1 when a path of APMTOOL_DSYM_PATH cannot be read.",
	.examples = examples,
	.run = doctor_run,
};
