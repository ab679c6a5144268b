// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/samples.h"
#include "lib/analysis/lag/baseline.h"
#include "lib/analysis/lag/groups.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#include <stdlib.h>

#define GROUPS   "key|class2|class4|app|os|device|build|event|blocker"
#define POINTS   "top+depth|top|run"
#define SIBLINGS "parent|level"

struct lag_aggregate_settings {
	struct sample_settings samples;
	const char *format;
	unsigned by;       ///< enum lag_group_by
	unsigned heaviest; ///< enum lag_heaviest_rule
	unsigned siblings; ///< enum lag_siblings
	unsigned top;
	unsigned stacks;
	const char *min_share;
	bool per_report;
	bool explain;
	const char *baseline;
	const char *fail_over;
	const char *sessions;
	const char *threshold;
	const char *min_duration;
};

static const struct option options[] = {
	OPT_FORMAT(struct lag_aggregate_settings, format,
	           SHAPE_TABLE | SHAPE_COUNTS, "text"),
	OPT_CHOICE('b', "by", struct lag_aggregate_settings, by, GROUPS,
	           "what to group hangs by"),
	OPT_UINT('n', "top", struct lag_aggregate_settings, top, 1, 0,
	         "<count>", "show the <count> costliest groups"),
	OPT_UINT(0, "stacks", struct lag_aggregate_settings, stacks, 1, 0,
	         "<count>", "show a typical stack of the first <count> groups"),
	OPT_TEXT(0, "min-share", struct lag_aggregate_settings, min_share,
	         "<percent>",
	         "show only groups with at least this share of the cost"),
	OPT_TEXT(0, "baseline", struct lag_aggregate_settings, baseline,
	         "<samples>", "compare with older samples, and sort by growth"),
	OPT_TEXT(0, "fail-over", struct lag_aggregate_settings, fail_over,
	         "<points>",
	         "exit with status 1 if the share of a group grew by more"),
	OPT_TEXT(0, "sessions", struct lag_aggregate_settings, sessions,
	         "<old,new>", "number of sessions, or users, of each side"),
	OPT_TEXT(0, "threshold", struct lag_aggregate_settings, threshold,
	         "<duration>",
	         "min duration of reported hangs, 2s for Matrix: closer "
	         "reports of a session are one hang"),
	OPT_TEXT(0, "min-duration", struct lag_aggregate_settings, min_duration,
	         "<duration>",
	         "skip hangs that are shorter, or of unknown length"),
	OPT_FLAG(0, "per-report", struct lag_aggregate_settings, per_report,
	         "list the reports instead of the groups"),
	OPT_FLAG(0, "explain", struct lag_aggregate_settings, explain,
	         "show how the key of each report was found, call by call"),
	OPT_CHOICE(0, "point", struct lag_aggregate_settings, heaviest, POINTS,
	           "which samples count as equal when finding the heaviest "
	           "stack"),
	OPT_CHOICE(0, "siblings", struct lag_aggregate_settings, siblings,
	           SIBLINGS,
	           "compare each call with its siblings, or with all calls at "
	           "its depth"),
	OPT_WIDTH(struct lag_aggregate_settings, samples.run.width),
	OPT_BULK(struct lag_aggregate_settings, samples.run),
	OPT_SAMPLES(struct lag_aggregate_settings, samples, SAMPLE_THREADS),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool lag-aggregate --dsym samples samples/lag/reports.jsonl",
	  "what causes the hangs of a fleet" },
	{ "apmtool lag-aggregate --explain samples/lag/nodes.json",
	  "how the key of a report was found" },
	{ "apmtool lag-aggregate -q --format json samples/lag/bare.json | jq "
	  "'.rows[] | {key, share}'",
	  "the groups, as JSON for programs" },
	{ NULL, NULL },
};

/** Counts of a run. */
struct lag_aggregate {
	struct lag_groups groups;
	struct lag_baseline baseline;
	struct arena arena;
	struct table *rows; ///< of reports or steps; NULL: of groups
	bool explain;
	size_t more_steps; ///< steps
	bool *repeats;
	size_t repeat_cap;
};

static void aggregate_release(struct lag_aggregate *aggregate)
{
	lag_groups_release(&aggregate->groups);
	lag_baseline_release(&aggregate->baseline);
	arena_release(&aggregate->arena);
	free(aggregate->repeats);
}

static void count_hangs(const struct lag_builder *builder, void *context)
{
	struct lag_aggregate *aggregate = context;

	aggregate->repeats = mem_grow(aggregate->repeats,
	                              &aggregate->repeat_cap,
	                              builder->hang_count + 1, sizeof(bool));
	lag_groups_add(&aggregate->groups, builder, aggregate->repeats);
	if (aggregate->rows && aggregate->explain)
		lag_explain_add(aggregate->rows, builder,
		                &aggregate->more_steps, &aggregate->arena);
	else if (aggregate->rows)
		lag_reports_add(aggregate->rows, builder, aggregate->repeats,
		                &aggregate->arena);
}

/** Reject options for a table that is not printed. */
static enum exit_status check_table(
        const struct lag_aggregate_settings *settings)
{
	const char *other = settings->top            ? "--top"
	                    : settings->stacks       ? "--stacks"
	                    : settings->min_share    ? "--min-share"
	                    : settings->by           ? "--by"
	                    : settings->baseline     ? "--baseline"
	                    : settings->min_duration ? "--min-duration"
	                                             : NULL;
	const struct formatter *formatter = formatter_find(settings->format);

	if (settings->per_report && settings->explain)
		return notice_usage(&console,
		                    "options '--per-report' and '--explain' "
		                    "cannot be used together");
	if (other && (settings->per_report || settings->explain))
		return notice_usage(&console,
		                    "option '%s' applies to groups, but '%s' "
		                    "lists reports",
		                    other,
		                    settings->explain ? "--explain"
		                                      : "--per-report");
	if (settings->min_share && settings->baseline)
		return notice_usage(&console,
		                    "options '--min-share' and '--baseline' "
		                    "cannot be used together");
	if (settings->fail_over && !settings->baseline)
		return notice_usage(&console,
		                    "option '--fail-over' needs '--baseline'");
	if (settings->sessions && !settings->baseline)
		return notice_usage(&console,
		                    "option '--sessions' needs '--baseline'");
	if (settings->per_report || settings->explain)
		return run_check_counts(&console, formatter,
		                        settings->explain ? "--explain"
		                                          : "--per-report",
		                        "reports");
	return run_check_bulk_op(&console, &settings->samples.run, formatter);
}

/** Read percentages, in hundredths of a percent; keep other defaults. */
static enum exit_status check_shares(
        const struct lag_aggregate_settings *settings, unsigned *min_share,
        unsigned *fail_over)
{
	if (settings->min_share &&
	    !option_percent(settings->min_share, min_share))
		return notice_usage(&console,
		                    "option '--min-share': expected a "
		                    "percentage from 0 to 100, with at most "
		                    "two decimals, found '%s'",
		                    settings->min_share);
	if (settings->fail_over &&
	    !option_percent(settings->fail_over, fail_over))
		return notice_usage(&console,
		                    "option '--fail-over': expected points "
		                    "of a percentage from 0 to 100, with at "
		                    "most two decimals, found '%s'",
		                    settings->fail_over);
	return EXIT_DONE;
}

/** Read `2s`, `500ms`; keep the default without an option. */
static enum exit_status check_duration(const char *name, const char *value,
                                       uint64_t *ret_us)
{
	uint64_t us = value ? units_read_duration_us(text_from(value)) : 0;

	if (!value)
		return EXIT_DONE;
	if (!us)
		return notice_usage(&console,
		                    "option '%s': expected a duration, such as "
		                    "2s or 500ms, found '%s'",
		                    name, value);
	*ret_us = us;
	return EXIT_DONE;
}

/** Check values and combinations of options. */
static enum exit_status check(const struct lag_aggregate_settings *settings,
                              struct lag_aggregate *aggregate,
                              struct lag_table_options *shown,
                              unsigned *fail_over)
{
	enum exit_status status =
	        check_shares(settings, &shown->min_share, fail_over);

	struct error *err;

	if (status != EXIT_DONE)
		return status;
	err = option_sessions(settings->sessions, aggregate->baseline.sessions);
	return err ? notice_refuse(&console, err) : check_table(settings);
}

/** Count the older samples, from an operand of their own. */
static enum exit_status read_baseline(struct sample_run *run,
                                      const struct command_line *line,
                                      struct lag_aggregate *aggregate)
{
	const struct lag_aggregate_settings *settings = line->settings;
	struct lag_groups groups = {
		.by = (enum lag_group_by)settings->by,
		.min_us = aggregate->groups.min_us,
	};
	enum exit_status status = sample_run_all(run);
	enum exit_status again;

	lag_baseline_add_groups(&aggregate->baseline, &aggregate->groups,
	                        LAG_BEFORE);
	lag_groups_release(&aggregate->groups);
	aggregate->groups = groups;
	again = sample_run_again(run, &run->inputs);
	return again == EXIT_DONE ? status : again;
}

/** Read all inputs, after the baseline. */
static enum exit_status read_all(struct sample_run *run,
                                 const struct command_line *line,
                                 struct lag_aggregate *aggregate)
{
	const struct lag_aggregate_settings *settings = line->settings;
	enum exit_status old_status = EXIT_DONE;
	enum exit_status status;

	if (settings->baseline)
		old_status = read_baseline(run, line, aggregate);
	if (old_status != EXIT_DONE && old_status != EXIT_SOME_FAILED)
		return old_status;
	status = sample_run_all(run);
	return old_status > status ? old_status : status;
}

/** A group that grew by more than the gate allows makes the answer "no". */
static enum exit_status judge(const struct lag_aggregate *aggregate,
                              const struct lag_aggregate_settings *settings,
                              unsigned fail_over, enum exit_status status)
{
	if (status == EXIT_DONE && settings->fail_over &&
	    aggregate->baseline.growth > fail_over)
		return EXIT_ANSWER_NO;
	return status;
}

/** Warn of reports without a stack, which are not counted as hangs. */
static void warn_of_empty(const struct lag_groups *groups, bool quiet)
{
	if (groups->empty && !quiet)
		notice_warn(&console, NULL,
		            "reports without a stack, or without one left by "
		            "the rules: %llu",
		            (unsigned long long)groups->empty);
}

/** Some formats have no summary. */
static void warn_of_steps(const struct lag_aggregate *aggregate, bool quiet)
{
	if (aggregate->more_steps && !quiet)
		notice_warn(&console, NULL, "%s", aggregate->rows->summary);
}

static void warn_of_sums(const struct sample_run *run,
                         const struct lag_groups *groups)
{
	uint64_t most_us = 0;

	for (size_t i = 0; i < SAMPLE_KINDS; i++)
		if (groups->kinds[i].cost_us > most_us)
			most_us = groups->kinds[i].cost_us;
	sample_run_warn_of_sums(run, 0, most_us);
}

/** Unreadable samples are not zero hangs; lists show them. */
static enum exit_status judge_counts(const struct lag_groups *groups,
                                     enum exit_status status)
{
	if ((status != EXIT_DONE && status != EXIT_SOME_FAILED) ||
	    groups->identities.count || !groups->unsampled)
		return status;
	return notice_fail(&console, NULL,
	                   "no report has a sample with a readable stack; see "
	                   "apmtool-formats(5)");
}

/** Print the groups, or the rows of reports if requested. */
static void print_table(struct lag_aggregate *aggregate,
                        const struct command_line *line,
                        const struct lag_table_options *shown, struct out *out)
{
	const struct lag_aggregate_settings *settings = line->settings;
	const struct run_settings *common = &settings->samples.run;
	const struct format_options format = {
		.columns = text_width_columns(&common->width, line,
		                              common->output),
		.bulk_op = (enum bulk_op)common->bulk_op,
	};
	const struct table *table = aggregate->rows;

	if (!table)
		table = lag_groups_table(&aggregate->groups, shown,
		                         &aggregate->arena);
	run_print_table(formatter_find(settings->format), table, &format, out);
}

static enum exit_status lag_aggregate_run(const struct command_line *line)
{
	const struct lag_aggregate_settings *settings = line->settings;
	SCOPED(aggregate_release)
	struct lag_aggregate aggregate = {
		.groups.by = (enum lag_group_by)settings->by,
		.groups.only_repeats = settings->per_report ||
		                       settings->explain,
		.explain = settings->explain,
	};
	SCOPED(sample_run_release)
	struct sample_run run = {
		.merge = count_hangs,
		.context = &aggregate,
		// Lists of reports borrow their names.
		.forgets_functions = !aggregate.groups.only_repeats,
		.counts_functions = true,
		.options = {
			.wants_hangs = true,
			.explain = settings->explain,
			.heaviest = (enum lag_heaviest_rule)settings->heaviest,
			.siblings = (enum lag_siblings)settings->siblings,
		},
	};
	struct lag_table_options shown = { .top = settings->top,
		                           .stacks = settings->stacks,
		                           .counts_evidence = true };
	struct command_line first = *line;
	unsigned fail_over = 0;
	enum exit_status status;

	status = check(settings, &aggregate, &shown, &fail_over);
	if (settings->baseline) {
		shown.baseline = &aggregate.baseline;
		first.operands = &settings->baseline;
		first.operand_count = 1;
		run.all = line;
	}
	if (status == EXIT_DONE)
		status = check_duration("--threshold", settings->threshold,
		                        &run.options.threshold_us);
	if (status == EXIT_DONE)
		status = check_duration("--min-duration",
		                        settings->min_duration,
		                        &aggregate.groups.min_us);
	if (status == EXIT_DONE)
		status = sample_run_init(&run, &first, &settings->samples);
	if (status != EXIT_DONE)
		return status;
	if (settings->explain)
		aggregate.rows = lag_explain_table(&aggregate.arena);
	else if (settings->per_report)
		aggregate.rows = lag_reports_table(&aggregate.arena);
	status = read_all(&run, line, &aggregate);
	warn_of_empty(&aggregate.groups, settings->samples.run.quiet);
	warn_of_steps(&aggregate, settings->samples.run.quiet);
	warn_of_sums(&run, &aggregate.groups);
	if (!aggregate.rows)
		status = judge_counts(&aggregate.groups, status);
	if (!aggregate.rows)
		sample_run_end(&run, &aggregate.groups.functions);
	if (status != EXIT_ALL_FAILED)
		print_table(&aggregate, line, &shown, run.run.out);
	status = judge(&aggregate, settings, fail_over, status);
	return sample_run_finish(&run, status);
}

const struct command lag_aggregate_command = {
	.name = "lag-aggregate",
	.topic = COMMAND_HANGS,
	.summary = "find the calls that cause hangs, across many reports",
	.operands = "[<samples>...]",
	.description =
	        "Folds the samples of each report into a call tree, finds the "
	        "call that best explains the hang, the key, and groups the "
	        "reports by it, the costliest group first. A hang that "
	        "continues through several reports of a session is counted "
	        "once.\n\nReads lag reports in JSON, collapsed stacks, "
	        "Matrix, KSCrash and MetricKit files, and the output of "
	        "sample and spindump; the format is detected from the "
	        "content. Directories are searched recursively; `-` is "
	        "standard input.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct lag_aggregate_settings),
	.uses_config = true,
	.run = lag_aggregate_run,
};
