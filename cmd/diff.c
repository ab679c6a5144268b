// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/diff/diff.h"
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/grouping.h"
#include "cmd/run/reports.h"
#include "cmd/run/samples.h"
#include "lib/analysis/lag/baseline.h"
#include "lib/base/file.h"
#include "lib/base/number.h"

#include <string.h>

struct diff_settings {
	struct grouping_settings grouping;
	struct report_settings reports;
	struct option_list fail_on;
	const char *sessions;
	unsigned top;
	bool stalls;
};

static const struct option options[] = {
	OPT_TEXT('s', "sessions", struct diff_settings, sessions, "<old,new>",
	         "number of sessions, or users, of each side"),
	OPT_WORDS(0, "fail-on", struct diff_settings, fail_on,
	          "new|grown|launch", "<change>",
	          "exit with status 1 on this change: new, grown, "
	          "grown:<percent>, or launch, what now crashes at launch"),
	OPT_FLAG(0, "stalls", struct diff_settings, stalls,
	         "compare samples of hangs by their key, not crashes"),
	OPT_GROUPING(struct diff_settings, grouping),
	OPT_UINT('n', "top", struct diff_settings, top, 1, 0, "<count>",
	         "show the first <count> rows"),
	OPT_FORMAT(struct diff_settings, reports.format,
	           SHAPE_TABLE | SHAPE_COUNTS, "text"),
	OPT_WIDTH(struct diff_settings, reports.run.width),
	OPT_BULK(struct diff_settings, reports.run),
	OPT_SELECTION(struct diff_settings, reports.run.selection),
	OPT_REDACT(struct diff_settings, reports.run.redact),
	OPT_PATH_MAP(struct diff_settings, reports.run.path_map),
	OPT_OUTPUT(struct diff_settings, reports.run),
	OPT_JOBS(struct diff_settings, reports.run),
	OPT_QUIET(struct diff_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool diff -q -d samples samples/demo.crash samples/demo.ips",
	  "what is new, and what is gone" },
	{ "apmtool diff -q --fail-on new --fail-on grown:50% --sessions "
	  "10000,9000 samples/demo.crash samples/demo.crash",
	  "a gate for CI" },
	{ "apmtool diff -q --stalls --format json samples/lag/reports.jsonl "
	  "samples/lag/bare.json | jq -c '.rows[] | [.status, .signature]'",
	  "hangs by their key, as JSON for programs" },
	{ NULL, NULL },
};

// Settings

static enum exit_status read_settings(const struct command_line *line,
                                      struct diff *diff)
{
	const struct diff_settings *settings = line->settings;
	struct error *err;

	if (line->operand_count != 2)
		return notice_usage(&console,
		                    "expected two operands, the older and the "
		                    "newer, found %zu",
		                    line->operand_count);
	err = option_sessions(settings->sessions, diff->exposure);
	if (err)
		return notice_refuse(&console, err);
	for (size_t i = 0; i < settings->fail_on.count; i++)
		if (!diff_gate_add(settings->fail_on.items[i], &diff->gate))
			return notice_usage(&console,
			                    "option '--fail-on': expected "
			                    "new, grown, "
			                    "grown:<percent> or launch, "
			                    "found '%s'",
			                    settings->fail_on.items[i]);
	diff->top = settings->top;
	return run_check_bulk_op(&console, &settings->reports.run,
	                         formatter_find(settings->reports.format));
}

static enum exit_status worst(enum exit_status a, enum exit_status b)
{
	return a > b ? a : b;
}

/** Write the table of both sides in @p diff. */
static enum exit_status write_table(const struct command_line *line,
                                    struct diff *diff, struct out *out,
                                    enum exit_status status)
{
	const struct diff_settings *settings = line->settings;
	const struct run_settings *common = &settings->reports.run;
	const struct format_options format = {
		.columns = text_width_columns(&common->width, line,
		                              common->output),
		.bulk_op = (enum bulk_op)common->bulk_op,
	};

	const struct table *table;

	if (status == EXIT_ALL_FAILED)
		return status;
	table = diff_table(diff, &diff->arena);
	run_print_table(formatter_find(settings->reports.format), table,
	                &format, out);
	return status == EXIT_DONE && diff->failed ? EXIT_ANSWER_NO : status;
}

/**
 * A side may be empty: a new project or a good week has no reports. An empty
 * directory, or one without a selected report, is not a failure. A missing path
 * is: it may be mistyped.
 */
static void allow_empty(struct run *run, const char *operand)
{
	run->may_be_empty = file_is_directory(operand) ||
	                    selection_is_active(&run->selection);
}

static void warn_if_empty(const struct run *run, unsigned side,
                          const char *operand)
{
	size_t others = run->others.count;
	SCOPED(str_release) struct str text = { 0 };

	// A build without crashes passes; other files may mean that the reports
	// are elsewhere.
	if (!run->may_be_empty || run->tried ||
	    (run->settings->quiet && !(side && others)))
		return;
	if (others)
		str_addf(&text, " (%zu other file%s)", others,
		         text_plural(others));
	notice_warn(&console, operand,
	            "no report was found%s: all of the other side is %s",
	            str_cstr(&text), side ? "gone" : "new");
}

// Crashes

static struct error *take_row(const struct group_row *row, void *context)
{
	struct grouping *grouping = context;

	return crash_groups_add_row(&grouping->groups, row);
}

static enum exit_status take_side(struct report_run *run,
                                  struct grouping *grouping, unsigned side,
                                  const struct command_line *line)
{
	enum exit_status status = run_again(&run->run, line);

	grouping->groups.side = side;
	allow_empty(&run->run, line->operands[0]);
	if (status == EXIT_DONE)
		status = report_run_all(run);
	if (status == EXIT_DONE)
		warn_if_empty(&run->run, side, line->operands[0]);
	return run->is_unfit ? EXIT_USAGE : status;
}

static enum exit_status compare_crashes(const struct command_line *line,
                                        struct diff *diff)
{
	const struct diff_settings *settings = line->settings;
	SCOPED(grouping_release) struct grouping grouping = { 0 };
	SCOPED(report_run_release)
	struct report_run run = { .hook = grouping_take,
		                  .group = take_row,
		                  .context = &grouping,
		                  .refuse = report_run_refuse_records,
		                  .hook_only = true };
	enum exit_status status =
	        grouping_init(&grouping, line, &settings->grouping,
	                      run_jobs(line, &settings->reports.run),
	                      settings->reports.run.quiet);

	if (status == EXIT_DONE)
		status = report_run_init(&run, line, &settings->reports);
	if (status != EXIT_DONE)
		return status;
	for (unsigned i = 0; i < 2 && status != EXIT_ALL_FAILED; i++) {
		struct command_line one = run_one_operand(line, i);
		enum exit_status side_status;

		side_status = take_side(&run, &grouping, i, &one);
		if (side_status == EXIT_USAGE)
			return side_status;
		status = worst(status, side_status);
	}
	status = run_check_selection(&run.run, status);
	grouping_end(&grouping);
	if (!settings->reports.run.quiet)
		grouping_warn(&grouping, &console);
	crash_groups_join(&grouping.groups);
	diff_take_groups(diff, &grouping.groups);
	status = write_table(line, diff, run.run.out, status);
	return report_run_finish(
	        &run, symbol_search_finish(&grouping.search, status));
}

// Hangs

struct stalls {
	struct lag_groups groups; ///< of the side being read
	struct lag_baseline both;
};

static void stalls_release(struct stalls *stalls)
{
	lag_groups_release(&stalls->groups);
	lag_baseline_release(&stalls->both);
}

/** After a side is read, keep only its sums. */
static void end_side(struct stalls *stalls, enum lag_side side)
{
	lag_baseline_add_groups(&stalls->both, &stalls->groups, side);
	lag_groups_release(&stalls->groups);
}

static void count_hangs(const struct lag_builder *builder, void *context)
{
	struct stalls *stalls = context;

	lag_groups_add(&stalls->groups, builder, NULL);
}

/** Settings of crashes that apply to samples as well. */
static enum exit_status sample_settings_of(const struct diff_settings *from,
                                           struct sample_settings *ret)
{
	const struct grouping_settings *grouping = &from->grouping;

	if (grouping->level || grouping->algorithm || grouping->owners)
		return notice_usage(&console,
		                    "option '%s' applies to crashes, not to "
		                    "'--stalls'",
		                    grouping->level       ? "--level"
		                    : grouping->algorithm ? "--algorithm"
		                                          : "--owners");
	if (grouping->rules.count > 1)
		return notice_usage(&console,
		                    "option '--rules' may be given once with "
		                    "'--stalls'");
	*ret = (struct sample_settings){
		.run = from->reports.run,
		.paths = grouping->symbols,
		.rules = grouping->rules.count ? grouping->rules.items[0]
		                               : NULL,
	};
	return EXIT_DONE;
}

static enum exit_status compare_stalls(const struct command_line *line,
                                       struct diff *diff)
{
	SCOPED(stalls_release)
	struct stalls stalls = { .both.keeps_examples = true };
	SCOPED(sample_run_release)
	struct sample_run run = { .merge = count_hangs,
		                  .context = &stalls,
		                  .forgets_functions = true,
		                  .only_damaged = true,
		                  .all = line,
		                  .options.wants_hangs = true };
	struct command_line sides[] = { run_one_operand(line, 0),
		                        run_one_operand(line, 1) };
	struct sample_settings settings;
	enum exit_status status = sample_settings_of(line->settings, &settings);
	enum exit_status again;

	if (status == EXIT_DONE)
		status = sample_run_init(&run, &sides[0], &settings);
	if (status != EXIT_DONE)
		return status;
	allow_empty(&run.run, sides[0].operands[0]);
	status = sample_run_all(&run);
	if (status == EXIT_DONE)
		warn_if_empty(&run.run, 0, sides[0].operands[0]);
	end_side(&stalls, LAG_BEFORE);
	again = sample_run_again(&run, &sides[1]);
	if (again != EXIT_DONE)
		return again;
	allow_empty(&run.run, sides[1].operands[0]);
	if (status != EXIT_ALL_FAILED) {
		status = worst(status, sample_run_all(&run));
		warn_if_empty(&run.run, 1, sides[1].operands[0]);
	}
	sample_run_end(&run, NULL);
	end_side(&stalls, LAG_NOW);
	diff_take_stalls(diff, &stalls.both);
	status = write_table(line, diff, run.run.out, status);
	return sample_run_finish(&run, status);
}

static enum exit_status diff_run(const struct command_line *line)
{
	const struct diff_settings *settings = line->settings;
	SCOPED(diff_release) struct diff diff = { 0 };
	enum exit_status status = read_settings(line, &diff);

	if (status != EXIT_DONE)
		return status;
	return settings->stalls ? compare_stalls(line, &diff)
	                        : compare_crashes(line, &diff);
}

const struct command diff_command = {
	.name = "diff",
	.topic = COMMAND_CRASH,
	.summary = "show which crashes are new, gone, or more frequent",
	.operands = "<old> <new>",
	.description =
	        "Compares the crashes of two sets of reports by signature, as "
	        "`group` makes it: files, directories, or what `group "
	        "--format json` wrote. A change counts as grown or shrunk only "
	        "if chance makes one like it in fewer than 5 of 100 cases; "
	        "with --sessions, counts are compared per session.\n\nWith "
	        "--stalls, the sets are samples of hangs, which are compared "
	        "by key, as `lag-aggregate` finds it, and per report unless "
	        "--sessions is given.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct diff_settings),
	.uses_config = true,
	.run = diff_run,
};
