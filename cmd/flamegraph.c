#include "cmd/command.h"
#include "cmd/run/console.h"
#include "cmd/run/samples.h"
#include "lib/model/calltree.h"

#include <stdlib.h>
#include <string.h>

#define WEIGHTS "samples|cost"
#define LAYOUTS "flame|icicle"

enum weight { WEIGHT_SAMPLES, WEIGHT_COST };
enum layout { LAYOUT_FLAME, LAYOUT_ICICLE };

struct flamegraph_settings {
	struct sample_settings samples;
	const char *format;
	unsigned weight; ///< enum weight
	unsigned layout; ///< enum layout
	unsigned color;  ///< enum console_color
	struct console_width width;
	const char *title;
	const char *min_percent;
	bool diff;
};

static const struct option options[] = {
	OPT_FORMAT("format", struct flamegraph_settings, format, SHAPE_CALLTREE,
	           "svg"),
	OPT_FLAG(0, "diff", struct flamegraph_settings, diff,
	         "compare two inputs, the old and the new"),
	OPT_CHOICE('w', "weight", struct flamegraph_settings, weight, WEIGHTS,
	           "what widths show: samples, or their cost"),
	OPT_CHOICE('l', "layout", struct flamegraph_settings, layout, LAYOUTS,
	           "callers at the bottom (flame) or at the top (icicle)"),
	OPT_TEXT(0, "title", struct flamegraph_settings, title, "<text>",
	         "title above the graph"),
	OPT_UINT_OR_ZERO(
	        0, "width", struct flamegraph_settings, width.columns,
	        width.is_given, CONSOLE_COLUMNS_LEAST, 100000, "<count>",
	        "width of the graph in pixels, 1200 by default; of text, "
	        "in columns"),
	OPT_TEXT(0, "min-percent", struct flamegraph_settings, min_percent,
	         "<percent>",
	         "in text, leave out calls with a smaller share; 1 by default"),
	OPT_CHOICE(0, "color", struct flamegraph_settings, color,
	           CONSOLE_COLORS,
	           "in text, use colors and bars; by default only on a "
	           "terminal"),
	OPT_SAMPLES(struct flamegraph_settings, samples),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool flamegraph --dsym samples -o stalls.svg "
	  "samples/lag/reports.jsonl && ls *.svg",
	  "a graph of all hangs" },
	{ "apmtool flamegraph --format text samples/lag/demo.folded",
	  "the tree as text" },
	{ "apmtool flamegraph --diff --format text samples/lag/demo.folded "
	  "samples/lag/bare.json",
	  "what changed between two inputs" },
	{ NULL, NULL },
};

/** Two trees over the same functions, or one. */
struct comparison {
	struct profile_functions functions;
	struct calltree old;
	struct calltree now;
	struct calltree_weight *before;
};

static void comparison_release(struct comparison *comparison)
{
	profile_functions_release(&comparison->functions);
	calltree_release(&comparison->old);
	calltree_release(&comparison->now);
	free(comparison->before);
}

/** Read the two operands apart, each of which may be a directory. */
static enum exit_status read_both(struct sample_run *run,
                                  const struct command_line *line,
                                  struct comparison *comparison)
{
	struct command_line second = *line;
	enum exit_status old_status = sample_run_all(run);
	enum exit_status status;

	sample_run_total(run, &comparison->old, &comparison->functions);
	second.operands++;
	second.operand_count--;
	status = sample_run_again(run, &second);
	if (status != EXIT_DONE)
		return status;
	status = sample_run_all(run);
	sample_run_total(run, &comparison->now, &comparison->functions);
	comparison->before =
	        calltree_compare(&comparison->now, &comparison->old);
	comparison->now.before = comparison->before;
	comparison->now.frames = comparison->functions.frames;
	return old_status > status ? old_status : status;
}

static enum exit_status read_all(struct sample_run *run,
                                 const struct command_line *line,
                                 struct comparison *comparison, bool diff)
{
	enum exit_status status;

	if (diff)
		return read_both(run, line, comparison);
	status = sample_run_all(run);
	sample_run_total(run, &comparison->now, &comparison->functions);
	return status;
}

static enum exit_status flamegraph_run(const struct command_line *line)
{
	const struct flamegraph_settings *settings = line->settings;
	SCOPED(comparison_release) struct comparison comparison = { 0 };
	SCOPED(sample_run_release)
	struct sample_run run = {
		.options = { .wants_total = true },
		.colors_kinds = formatter_find(settings->format)->colors_kinds,
	};
	struct command_line first = *line;
	struct format_options format = {
		.min_percent = FORMAT_MIN_PERCENT,
		.title = settings->title,
		.icicle = settings->layout == LAYOUT_ICICLE,
		.width = settings->width.columns,
		.columns = console_columns(&settings->width,
		                           settings->samples.run.output),
	};
	unsigned hundredths = 0;
	enum exit_status status;

	if (settings->min_percent &&
	    !console_percent(settings->min_percent, &hundredths))
		return console_usage("option '--min-percent': expected a "
		                     "percentage from 0 to 100, with at most "
		                     "two decimals, found '%s'",
		                     settings->min_percent);
	if (settings->min_percent)
		format.min_percent = hundredths / 100.0;
	if (settings->diff && line->operand_count != 2)
		return console_usage("option '--diff' needs two operands, the "
		                     "old and the new");
	if (settings->diff && !strcmp(line->operands[0], "-") &&
	    !strcmp(line->operands[1], "-"))
		return console_usage("standard input can be read only once: "
		                     "one '-' too many");
	if (settings->diff)
		first.operand_count = 1;
	console_colors(settings->color, settings->samples.run.output, &format);
	status = sample_run_init(&run, &first, &settings->samples);
	if (status != EXIT_DONE)
		return status;
	status = read_all(&run, line, &comparison, settings->diff);
	comparison.now.by_cost = settings->weight == WEIGHT_COST;
	if (status < EXIT_ALL_FAILED && status != EXIT_USAGE)
		formatter_find(settings->format)
		        ->calltree(&comparison.now, &format, run.run.out);
	return sample_run_finish(&run, status);
}

const struct command flamegraph_command = {
	.name = "flamegraph",
	.summary = "draw a flame graph of samples or collapsed stacks",
	.operands = "[<samples>...]",
	.description =
	        "Adds up the samples of all reports in one call tree and "
	        "draws it as a self-contained SVG, an HTML page, a file for "
	        "speedscope, or text. With --diff, calls that take more than "
	        "before are red, those that take less are blue. Reads the "
	        "same files as lag-aggregate.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct flamegraph_settings),
	.uses_config = true,
	.run = flamegraph_run,
};
