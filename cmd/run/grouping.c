// SPDX-License-Identifier: MIT
#include "cmd/run/grouping.h"

#include "cmd/run/frame_rules.h"
#include "cmd/run/redaction.h"
#include "lib/analysis/lag/stacks.h"
#include "lib/analysis/symbolicate/device_names.h"
#include "lib/analysis/symbolicate/symbolicate.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/model/redact/redact.h"

#include <inttypes.h>

// Settings

static struct error *read_owners(struct grouping *grouping, const char *path)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct error *err;

	if (!path)
		return NULL;
	err = file_read(path, OWNERS_BYTES_MAX, &file);
	if (!err)
		err = owners_parse(bytes_text(file.bytes), path,
		                   &grouping->arena, &grouping->owners);
	grouping->groups.owners = &grouping->owners;
	return err;
}

enum exit_status grouping_init(struct grouping *grouping,
                               const struct command_line *line,
                               const struct grouping_settings *settings,
                               unsigned jobs, bool quiet)
{
	struct error *err = frame_rules_read(&settings->rules, &grouping->rules,
	                                     &grouping->user_rule_count);

	if (!err)
		err = read_owners(grouping, settings->owners);
	if (err)
		return notice_refuse(line->notices, err);
	grouping->signer.functions.rules = &grouping->rules;
	grouping->signer.functions.algorithm =
	        (enum signature_algorithm)settings->algorithm;
	grouping->groups.algorithm = grouping->signer.functions.algorithm;
	grouping->groups.level = settings->level ? settings->level
	                                         : SIGNATURE_LEVEL;
	return symbol_search_open(&grouping->search, line, &settings->symbols,
	                          jobs, quiet);
}

// Reports

/** How to treat a report. */
enum fate {
	FATE_COUNTED,
	FATE_HELD,
	FATE_COPY, ///< a duplicate
};

static enum fate decide(struct grouping *grouping, const struct report *report)
{
	if (crash_deferred_begin(&grouping->held, &grouping->groups, report))
		return FATE_HELD;
	return crash_groups_is_duplicate(&grouping->groups, report)
	               ? FATE_COPY
	               : FATE_COUNTED;
}

/** Count a report without a signature. */
static void take_unsigned(struct grouping *grouping, struct report *report,
                          enum fate fate, struct arena *arena)
{
	const char *unclear = lag_stacks_unclear(report);

	if (fate == FATE_COUNTED)
		crash_groups_add_unsigned(&grouping->groups);
	if (unclear)
		report_add_failure(report, arena, "not grouped", unclear);
}

static void take_signature(struct grouping *grouping,
                           const struct report *report,
                           const struct signature *signature, enum fate fate)
{
	if (grouping->frames)
		crash_frames_add(grouping->frames, report, signature,
		                 &grouping->arena);
	if (fate == FATE_HELD)
		crash_deferred_add(&grouping->held, &grouping->groups, report,
		                   signature);
	else
		crash_groups_add(&grouping->groups, report, signature,
		                 fate == FATE_COUNTED);
}

static void take_kills(struct grouping *grouping, const struct report *report,
                       enum fate fate, struct arena *arena)
{
	const struct jetsam *jetsam = report->jetsam;

	for (size_t i = 0; i < jetsam->process_count; i++) {
		struct signature signature;

		if (!jetsam->processes[i].reason)
			continue;
		signer_sign_kill(&jetsam->processes[i], arena, &signature);
		take_signature(grouping, report, &signature, fate);
	}
}

void grouping_take(struct report *const *reports, size_t count,
                   struct arena *arena, void *context)
{
	struct grouping *grouping = context;
	SCOPED(arena_release) struct arena scratch = { 0 };

	symbol_search_name(&grouping->search, reports, count, arena);
	for (size_t i = 0; i < count; i++) {
		enum fate fate = decide(grouping, reports[i]);
		struct signature signature;

		arena_clear(&scratch);
		if (redaction())
			report_redact_symbols(reports[i], redaction(), arena);
		if (reports[i]->jetsam && fate != FATE_COPY)
			take_kills(grouping, reports[i], fate, &scratch);
		else if (!reports[i]->jetsam &&
		         signer_sign(&grouping->signer, reports[i], &scratch,
		                     &signature))
			take_signature(grouping, reports[i], &signature, fate);
		else if (fate != FATE_COPY)
			take_unsigned(grouping, reports[i], fate, arena);
	}
}

void grouping_end(struct grouping *grouping)
{
	crash_deferred_count(&grouping->held, &grouping->groups);
}

void grouping_warn(const struct grouping *grouping,
                   const struct notices *notices)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct signer *signer = &grouping->signer;
	const struct lag_rules *rules = signer->functions.rules;

	for (size_t i = 0; signer->counts && i < rules->count; i++)
		if (signer->counts[i].undecided)
			notice_warn(notices,
			            config_source_text(&rules->rules[i].source,
			                               &arena),
			            "the rule exceeded the matching "
			            "limits for some functions, which are "
			            "treated as if no rule matched%s",
			            limit_hint(LIMIT_PATTERN_STEPS));
	if (signer->counts && !signer->functions.budget)
		notice_warn(notices, NULL,
		            "matching took too long: the rules were not "
		            "applied to the remaining functions%s",
		            limit_hint(LIMIT_PATTERN_STEPS));
	if (grouping->groups.duplicates)
		notice_warn(notices, NULL,
		            "%" PRIu64 " report%s left out: the same "
		            "incident was counted before",
		            grouping->groups.duplicates,
		            grouping->groups.duplicates == 1 ? " was"
		                                             : "s were");
	if (grouping->groups.counted_twice)
		notice_warn(notices, NULL,
		            "%" PRIu64 " incident%s counted twice, by a "
		            "truncated report and by the whole one after it: "
		            "too many reports are truncated to keep all of "
		            "them; give the whole ones first",
		            grouping->groups.counted_twice,
		            grouping->groups.counted_twice == 1 ? " was"
		                                                : "s were");
	if (grouping->groups.dropped)
		notice_warn(notices, NULL,
		            "%" PRIu64 " reports of more than %d groups are "
		            "not listed",
		            grouping->groups.dropped, CRASH_GROUPS_MAX);
	if (grouping->groups.is_truncated)
		notice_warn(notices, NULL,
		            "only the first %d users, devices and builds of "
		            "all groups are counted",
		            CRASH_GROUPS_TALLIES_MAX);
}

void grouping_release(struct grouping *grouping)
{
	symbol_search_release(&grouping->search);
	lag_rules_release(&grouping->rules);
	signer_release(&grouping->signer);
	crash_groups_release(&grouping->groups);
	crash_deferred_release(&grouping->held);
	arena_release(&grouping->arena);
}
