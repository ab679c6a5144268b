// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/grouping.h"
#include "cmd/run/reports.h"

/** Choices of --fail-on; "none" is the default. */
#define FAIL_ON "none|launch"

enum fail_on { FAIL_ON_NOTHING, FAIL_ON_LAUNCH };

struct group_settings {
	struct grouping_settings grouping;
	struct report_settings reports;
	unsigned by; ///< enum crash_group_by
	unsigned top;
	unsigned fail_on; ///< of FAIL_ON
	bool members;
	bool explain;
	bool test_rules;
};

static const struct option options[] = {
	OPT_CHOICE('b', "by", struct group_settings, by, CRASH_GROUP_BY,
	           "what to group reports by"),
	OPT_GROUPING(struct group_settings, grouping),
	OPT_UINT('n', "top", struct group_settings, top, 1, 0, "<count>",
	         "show the <count> most frequent groups"),
	OPT_CHOICE(0, "fail-on", struct group_settings, fail_on, FAIL_ON,
	           "exit with status 1 if a report is of a crash at launch"),
	OPT_FLAG(0, "members", struct group_settings, members,
	         "list the reports of each group, too"),
	OPT_FLAG(0, "explain", struct group_settings, explain,
	         "show which frames of each report are in its signature, and "
	         "why"),
	OPT_FLAG(0, "test-rules", struct group_settings, test_rules,
	         "show how often each rule matched; exit with status 1 if one "
	         "of --rules never did"),
	OPT_FORMAT(struct group_settings, reports.format,
	           SHAPE_TABLE | SHAPE_COUNTS, "text"),
	OPT_WIDTH(struct group_settings, reports.run.width),
	OPT_BULK(struct group_settings, reports.run),
	OPT_SELECTION(struct group_settings, reports.run.selection),
	OPT_REDACT(struct group_settings, reports.run.redact),
	OPT_PATH_MAP(struct group_settings, reports.run.path_map),
	OPT_OUTPUT(struct group_settings, reports.run),
	OPT_JOBS(struct group_settings, reports.run),
	OPT_QUIET(struct group_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool group --dsym samples samples/demo.crash "
	  "samples/metrickit-crash.json samples/kscrash-mach.json",
	  "reports of three formats, by what crashed" },
	{ "apmtool group --explain --dsym samples samples/demo.crash",
	  "how a signature was found" },
	{ "apmtool group -q --format json -d samples samples/demo.ips | jq -r "
	  "'.rows[] | .signature, .hashes[1]'",
	  "the groups, as JSON for programs" },
	{ NULL, NULL },
};

static enum exit_status check_settings(const struct group_settings *settings)
{
	const struct formatter *formatter =
	        formatter_find(settings->reports.format);

	if (settings->explain && settings->test_rules)
		return notice_usage(&console,
		                    "options '--explain' and '--test-rules' "
		                    "cannot be used together");
	if (settings->by == CRASH_BY_OWNER && !settings->grouping.owners)
		return notice_usage(&console,
		                    "option '--by owner' needs '--owners'");
	if (settings->by && settings->explain)
		return notice_usage(&console,
		                    "option '--by' applies to groups, but "
		                    "'--explain' lists frames");
	if (settings->explain)
		return run_check_counts(&console, formatter, "--explain",
		                        "frames");
	if (settings->test_rules)
		return run_check_counts(&console, formatter, "--test-rules",
		                        "rules");
	return EXIT_DONE;
}

/** Warn of rules of the user that match nothing. */
static enum exit_status answer_rules(const struct grouping *grouping)
{
	for (size_t i = 0; i < grouping->user_rule_count; i++)
		if (!grouping->signer.counts ||
		    !grouping->signer.counts[i].matched)
			return EXIT_ANSWER_NO;
	return EXIT_DONE;
}

static const struct table *make_table(const struct group_settings *settings,
                                      struct grouping *grouping)
{
	if (settings->explain)
		return grouping->frames;
	if (settings->test_rules)
		return crash_rules_table(&grouping->signer, &grouping->arena);
	crash_groups_join(&grouping->groups);
	return crash_groups_table(&grouping->groups, settings->top,
	                          &grouping->arena);
}

static enum exit_status group_run(const struct command_line *line)
{
	const struct group_settings *settings = line->settings;
	SCOPED(grouping_release)
	struct grouping grouping = {
		.groups.by = (enum crash_group_by)settings->by,
		.groups.draws = formatter_find(settings->reports.format)->draws,
		.groups.keeps_members = settings->members,
		.groups.gates_launch = settings->fail_on == FAIL_ON_LAUNCH,
		.signer.counts_matches = settings->test_rules,
	};
	const struct command_line reports =
	        symbol_search_split(&grouping.search, line);
	SCOPED(report_run_release)
	struct report_run run = { .hook = grouping_take,
		                  .context = &grouping,
		                  .refuse = report_run_refuse_records,
		                  .hook_only = true };
	enum exit_status status = check_settings(settings);

	if (status == EXIT_DONE)
		status = grouping_init(&grouping, &reports, &settings->grouping,
		                       run_jobs(line, &settings->reports.run),
		                       settings->reports.run.quiet);
	if (status == EXIT_DONE)
		status = report_run_init(&run, &reports, &settings->reports);
	if (status != EXIT_DONE)
		return status;
	if (settings->explain)
		grouping.frames = crash_frames_table(&grouping.arena);
	status = report_run_all(&run);
	grouping_end(&grouping);
	if (!settings->reports.run.quiet)
		grouping_warn(&grouping, &console);
	if (status != EXIT_ALL_FAILED)
		run_print_table(run.documents.formatter,
		                make_table(settings, &grouping),
		                &run.documents.options, run.run.out);
	if (status == EXIT_DONE && settings->test_rules)
		status = answer_rules(&grouping);
	if (status == EXIT_DONE && settings->fail_on == FAIL_ON_LAUNCH &&
	    grouping.groups.at_launch)
		status = EXIT_ANSWER_NO;
	return report_run_finish(
	        &run, symbol_search_finish(&grouping.search, status));
}

const struct command group_command = {
	.name = "group",
	.topic = COMMAND_CRASH,
	.summary = "group crash reports by what crashed",
	.operands = "[<report>...]",
	.description =
	        "Gives each report a signature: its class, such as the "
	        "exception, and the innermost in-app functions of the stack "
	        "that crashed, without what changes from device to device and "
	        "build to build. Reports of one signature are a group; the "
	        "most frequent comes first.\n\nReads crash reports of any "
	        "format (see apmtool-formats(5)), hangs, and the kills of "
	        "jetsam logs, and names their frames where it finds symbols. "
	        "Directories are searched recursively; `-` is standard input, "
	        "which may be JSON Lines.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct group_settings),
	.uses_config = true,
	.run = group_run,
};
