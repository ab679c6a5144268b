// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/samples.h"

#define WEIGHTS "samples|cost"

enum weight { WEIGHT_SAMPLES, WEIGHT_COST };

struct fold_settings {
	struct sample_settings samples;
	const char *format;
	unsigned weight; ///< enum weight
	bool has_weight; ///< else by cost if samples are calls
};

static const struct option options[] = {
	OPT_FORMAT(struct fold_settings, format, SHAPE_CALLTREE, "folded"),
	OPT_CHOICE_HAS('w', "weight", struct fold_settings, weight, has_weight,
	               WEIGHTS, "count samples, or their cost"),
	OPT_WIDTH(struct fold_settings, samples.run.width),
	OPT_SAMPLES(struct fold_settings, samples, SAMPLE_THREADS_SPLIT),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool fold samples/lag/bare.json", "samples as collapsed stacks" },
	{ "apmtool fold --dsym samples samples/lag/reports.jsonl | grep Store",
	  "the stacks of many reports that pass through a class" },
	{ "apmtool fold --format nodes --max-nodes 6 samples/lag/bare.json",
	  "a node list, without the cheapest calls" },
	{ NULL, NULL },
};

static enum exit_status fold_run(const struct command_line *line)
{
	const struct fold_settings *settings = line->settings;
	SCOPED(profile_functions_release)
	struct profile_functions functions = { 0 };
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(sample_run_release)
	struct sample_run run = {
		.options = {
			.wants_total = true,
			.wants_order = formatter_find(settings->format)
			                       ->shows_order,
			.lists_samples = formatter_find(settings->format)
			                         ->lists_samples,
		},
		.takes_weights =
		        formatter_find(settings->format)->takes_weights,
		.colors_kinds = formatter_find(settings->format)->colors_kinds,
	};
	const struct run_settings *common = &settings->samples.run;
	struct format_options format = {
		.min_percent = FORMAT_MIN_PERCENT,
		.columns = text_width_columns(&common->width, line,
		                              common->output),
	};
	enum exit_status status =
	        sample_run_init(&run, line, &settings->samples);

	if (status != EXIT_DONE)
		return status;
	status = sample_run_all(&run);
	sample_run_total(&run, &tree, &functions);
	status = sample_run_weigh(&run, &tree, settings->has_weight,
	                          settings->weight == WEIGHT_COST, status);
	if (status != EXIT_ALL_FAILED)
		formatter_find(settings->format)
		        ->calltree(&tree, &format, run.run.out);
	return sample_run_finish(&run, status);
}

const struct command fold_command = {
	.name = "fold",
	.topic = COMMAND_HANGS,
	.summary = "fold samples into collapsed stacks or other formats",
	.operands = "[<samples>...]",
	.description =
	        "Adds up the samples of all reports in one call tree and "
	        "writes it as collapsed stacks, the text format of flame "
	        "graph tools, or in another format. Reads the same files as "
	        "lag-aggregate.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct fold_settings),
	.uses_config = true,
	.run = fold_run,
};
