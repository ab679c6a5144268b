// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/samples.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_recursion.h"
#include "lib/model/calltree_walk.h"
#include "lib/model/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHTS "samples|cost"
#define LAYOUTS "flame|icicle"
#define ORDERS  "name|weight|time"
#define DIFFS   "absolute|share"

enum weight { WEIGHT_SAMPLES, WEIGHT_COST };
enum layout { LAYOUT_FLAME, LAYOUT_ICICLE };

struct flamegraph_settings {
	struct sample_settings samples;
	const char *format;
	unsigned weight; ///< enum weight
	bool has_weight; ///< else by cost if samples are calls
	unsigned layout; ///< enum layout
	unsigned order;  ///< enum call_order
	unsigned color;  ///< enum console_color
	struct text_width width;
	const char *title;
	const char *min_percent;
	bool diff;
	unsigned diff_mode; ///< enum diff_mode
	bool has_diff_mode;
	bool fold_recursion;
};

static const struct option options[] = {
	OPT_FORMAT(struct flamegraph_settings, format, SHAPE_CALLTREE, "svg"),
	OPT_FLAG(0, "diff", struct flamegraph_settings, diff,
	         "compare two inputs, the old and the new"),
	OPT_CHOICE_HAS(
	        0, "diff-mode", struct flamegraph_settings, diff_mode,
	        has_diff_mode, DIFFS,
	        "compare the numbers, or scale the older input to the newer"),
	OPT_CHOICE_HAS('w', "weight", struct flamegraph_settings, weight,
	               has_weight, WEIGHTS,
	               "show samples, or their cost, as widths"),
	OPT_CHOICE('l', "layout", struct flamegraph_settings, layout, LAYOUTS,
	           "callers at the bottom (flame) or at the top (icicle)"),
	OPT_CHOICE(0, "order", struct flamegraph_settings, order, ORDERS,
	           "order of callees: by name, by weight, or by time of their "
	           "first sample"),
	OPT_FLAG(0, "fold-recursion", struct flamegraph_settings,
	         fold_recursion, "show direct recursion as one call"),
	OPT_TEXT(0, "title", struct flamegraph_settings, title, "<text>",
	         "title above the graph"),
	OPT_UINT_OR_ZERO(
	        0, "width", struct flamegraph_settings, width.columns,
	        width.is_given, TEXT_COLUMNS_MIN, 100000, "<count>",
	        "width of the graph in pixels, 1200 by default; of text, "
	        "in columns"),
	OPT_TEXT(0, "min-percent", struct flamegraph_settings, min_percent,
	         "<percent>",
	         "in text, skip calls with a smaller share; 1 by default"),
	OPT_CHOICE(0, "color", struct flamegraph_settings, color,
	           CONSOLE_COLORS,
	           "in text, use colors and bars; by default only on a "
	           "terminal"),
	OPT_SAMPLES(struct flamegraph_settings, samples, SAMPLE_THREADS_SPLIT),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool flamegraph --dsym samples -o stalls.svg "
	  "samples/lag/reports.jsonl && ls *.svg",
	  "a graph of all hangs" },
	{ "apmtool flamegraph --format text samples/lag/demo.folded",
	  "the tree as text" },
	{ "apmtool flamegraph --diff --diff-mode share --format text "
	  "samples/lag/demo.folded samples/lag/bare.json",
	  "what changed between two inputs of different length" },
	{ NULL, NULL },
};

/** The graph. */
struct drawn {
	struct profile_functions functions;
	struct calltree tree;
};

static void drawn_release(struct drawn *drawn)
{
	profile_functions_release(&drawn->functions);
	calltree_release(&drawn->tree);
}

static void take_total(struct sample_run *run,
                       const struct flamegraph_settings *settings,
                       struct drawn *drawn)
{
	sample_run_total(run, &drawn->tree, &drawn->functions);
	if (settings->fold_recursion)
		calltree_fold_recursion(&drawn->tree);
}

/** Read the two operands one after the other; either may be a directory. */
static enum exit_status read_both(struct sample_run *run,
                                  const struct command_line *line,
                                  struct drawn *drawn)
{
	struct command_line second = run_one_operand(line, 1);
	enum exit_status old_status = sample_run_all(run);
	enum exit_status status = sample_run_again(run, &second);

	if (status != EXIT_DONE)
		return status;
	status = sample_run_all(run);
	take_total(run, line->settings, drawn);
	return old_status > status ? old_status : status;
}

/** Sums have no order in time, so their picture must not suggest one. */
static enum exit_status order_by_time(
        const struct flamegraph_settings *settings, struct calltree *tree)
{
	const struct timeline *timeline = tree->timeline;
	size_t ordered = timeline ? timeline_ordered(timeline) : 0;

	if (!ordered)
		return notice_fail(&console, NULL,
		                   "'--order time' needs samples in their "
		                   "order, but no input has it: collapsed "
		                   "stacks and call trees are sums");
	if (ordered < timeline->track_count && !settings->samples.run.quiet)
		notice_warn(&console, NULL,
		            "%zu of %zu reports have no order of samples: "
		            "their calls come last",
		            timeline->track_count - ordered,
		            timeline->track_count);
	timeline_sort(timeline, tree);
	return EXIT_DONE;
}

static enum exit_status read_all(struct sample_run *run,
                                 const struct command_line *line,
                                 struct drawn *drawn)
{
	const struct flamegraph_settings *settings = line->settings;
	enum exit_status order_status;
	enum exit_status status;

	if (settings->diff)
		return read_both(run, line, drawn);
	status = sample_run_all(run);
	take_total(run, settings, drawn);
	if (settings->order != CALL_ORDER_TIME || status == EXIT_ALL_FAILED)
		return status;
	order_status = order_by_time(settings, &drawn->tree);
	return order_status > status ? order_status : status;
}

/** Add the last part of a path, as the input's name. */
static void add_input(struct str *out, const char *operand)
{
	struct text path = text_from(operand);

	if (!strcmp(operand, "-")) {
		str_add(out, "standard input");
		return;
	}
	if (redaction()) {
		redactor_add(redaction(), out, REDACT_INPUT, path);
		return;
	}
	while (path.size > 1 && path.data[path.size - 1] == '/')
		path.size--;
	str_add_text(out, text_base_name(path));
}

/** `Flame graph of stalls.json and 2 more` */
static void add_title(struct str *out, const struct command_line *line)
{
	const struct flamegraph_settings *settings = line->settings;
	const char *first = line->operand_count ? line->operands[0] : "-";

	if (settings->diff) {
		str_add(out, "Differential flame graph: ");
		add_input(out, first);
		str_add(out, " → ");
		add_input(out, line->operands[1]);
		return;
	}
	str_add(out, "Flame graph of ");
	add_input(out, first);
	if (line->operand_count > 1)
		str_addf(out, " and %zu more", line->operand_count - 1);
}

static enum exit_status check(const struct command_line *line,
                              struct format_options *format)
{
	const struct flamegraph_settings *settings = line->settings;
	unsigned hundredths = 0;

	if (settings->min_percent &&
	    !option_percent(settings->min_percent, &hundredths))
		return notice_usage(&console,
		                    "option '--min-percent': expected a "
		                    "percentage from 0 to 100, with at most "
		                    "two decimals, found '%s'",
		                    settings->min_percent);
	if (settings->min_percent && strcmp(settings->format, "text") != 0)
		return notice_usage(&console,
		                    "option '--min-percent' needs text "
		                    "output, but the format is %s",
		                    settings->format);
	if (settings->min_percent)
		format->min_percent = hundredths / 100.0;
	if (settings->diff && line->operand_count != 2)
		return notice_usage(&console,
		                    "option '--diff' needs two operands, the "
		                    "old and the new");
	if (settings->has_diff_mode && !settings->diff)
		return notice_usage(&console,
		                    "option '--diff-mode' needs '--diff'");
	if (settings->diff && !strcmp(line->operands[0], "-") &&
	    !strcmp(line->operands[1], "-"))
		return notice_usage(&console,
		                    "standard input can be read only once: "
		                    "one '-' too many");
	if (settings->diff && formatter_find(settings->format)->shows_one)
		return notice_usage(&console,
		                    "option '--diff' cannot be used with "
		                    "format '%s': it shows one profile",
		                    settings->format);
	return EXIT_DONE;
}

/** Check the order of the options, and whether it is available. */
static enum exit_status check_order(const struct flamegraph_settings *settings)
{
	const struct formatter *formatter = formatter_find(settings->format);
	const char *other = settings->diff                ? "--diff"
	                    : settings->samples.max_nodes ? "--max-nodes"
	                                                  : NULL;

	if (settings->order != CALL_ORDER_TIME)
		return EXIT_DONE;
	if (other)
		return notice_usage(&console,
		                    "options '--order time' and '%s' cannot "
		                    "be used together",
		                    other);
	if (!formatter->has_call_orders)
		return notice_usage(&console,
		                    "option '--order time' cannot be used "
		                    "with format '%s'",
		                    settings->format);
	return EXIT_DONE;
}

/** Warn if the two inputs differ in size, which changes all numbers. */
static void warn_of_scale(const struct flamegraph_settings *settings,
                          const struct calltree *tree)
{
	uint64_t now, before;

	if (!settings->diff || settings->diff_mode == DIFF_SHARE ||
	    settings->samples.run.quiet || !tree->node_count)
		return;
	now = calltree_weight_of(tree, CALLTREE_ROOT).samples;
	before = calltree_weight_before(tree, CALLTREE_ROOT).samples;
	if (now / 3 > before / 2 || before / 3 > now / 2)
		notice_warn(&console, NULL,
		            "the inputs have %" PRIu64 " and %" PRIu64
		            " samples: '--diff-mode share' scales the old one",
		            before, now);
}

static enum exit_status flamegraph_run(const struct command_line *line)
{
	const struct flamegraph_settings *settings = line->settings;
	const struct formatter *formatter = formatter_find(settings->format);
	SCOPED(drawn_release) struct drawn drawn = { 0 };
	SCOPED(sample_run_release)
	struct sample_run run = {
		.options = {
			.wants_total = true,
			.wants_order = (formatter->shows_order ||
			                settings->order == CALL_ORDER_TIME) &&
			               !settings->diff,
			.lists_samples = formatter->lists_samples,
			.wants_origins = formatter->shows_origins,
		},
		.colors_kinds = formatter->colors_kinds,
	};
	SCOPED(str_release) struct str title = { 0 };
	struct command_line first = *line;
	struct format_options format = {
		.min_percent = FORMAT_MIN_PERCENT,
		.title = settings->title,
		.icicle = settings->layout == LAYOUT_ICICLE,
		.order = settings->order,
		.diff = settings->diff_mode,
		.width = settings->width.columns,
		.columns = text_width_columns(&settings->width, line,
		                              settings->samples.run.output),
	};
	enum exit_status status = check(line, &format);

	if (status == EXIT_DONE)
		status = check_order(settings);
	if (status == EXIT_DONE)
		status = console_colors(settings->color, settings->format,
		                        settings->samples.run.output, &format);
	if (status != EXIT_DONE)
		return status;
	if (settings->diff) {
		first.operand_count = 1;
		run.all = line;
	}
	status = sample_run_init(&run, &first, &settings->samples);
	if (status != EXIT_DONE)
		return status;
	if (!format.title) {
		add_title(&title, settings->diff ? line : &run.inputs);
		format.title = str_cstr(&title);
	}
	status = read_all(&run, line, &drawn);
	status = sample_run_weigh(&run, &drawn.tree, settings->has_weight,
	                          settings->weight == WEIGHT_COST, status);
	if (status < EXIT_ALL_FAILED && status != EXIT_USAGE) {
		warn_of_scale(settings, &drawn.tree);
		formatter->calltree(&drawn.tree, &format, run.run.out);
	}
	return sample_run_finish(&run, status);
}

const struct command flamegraph_command = {
	.name = "flamegraph",
	.topic = COMMAND_HANGS,
	.summary = "draw a flame graph of samples or collapsed stacks",
	.operands = "[<samples>...]",
	.description =
	        "Adds up the samples of all reports in one call tree and "
	        "draws it as a self-contained SVG, an HTML page, a file for "
	        "speedscope, or text. With --diff, calls that take more than "
	        "before are red, those that take less are blue, and those "
	        "that are gone are listed. Reads the same files as "
	        "lag-aggregate.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct flamegraph_settings),
	.uses_config = true,
	.run = flamegraph_run,
};
