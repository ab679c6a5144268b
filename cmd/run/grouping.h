// SPDX-License-Identifier: MIT
/**
 * Groups crash reports for `group` and `diff`. Frames are symbolicated first,
 * if symbols are found. Reports are counted in their groups and not kept.
 *
 *     SCOPED(grouping_release) struct grouping grouping = { 0 };
 *     struct report_run run = {
 *             .hook = grouping_take,
 *             .refuse = report_run_refuse_records,
 *             .hook_only = true,
 *             .context = &grouping,
 *     };
 */
#ifndef APMTOOL_CMD_RUN_GROUPING_H
#define APMTOOL_CMD_RUN_GROUPING_H

#include "cmd/run/frame_rules.h"
#include "cmd/run/reports.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/crash/group/deferred.h"
#include "lib/analysis/crash/group/groups.h"
#include "lib/analysis/crash/group/owners.h"

/** User settings; part of the settings of each such command. */
struct grouping_settings {
	struct symbol_paths symbols;
	struct option_list rules;
	const char *owners;
	unsigned algorithm; ///< enum signature_algorithm
	unsigned level;     ///< 0: SIGNATURE_LEVEL
};

/** Their options. */
#define OPT_GROUPING(type, member)                                             \
	OPT_UINT('l', "level", type, member.level, 1, SIGNATURE_LEVELS,        \
	         "<count>", "frames that must be the same; 2 by default"),     \
	        OPT_CHOICE(0, "algorithm", type, member.algorithm,             \
	                   SIGNATURE_ALGORITHMS, "how a signature is made"),   \
	        OPT_FRAME_RULES(type, member.rules),                           \
	        OPT_TEXT(0, "owners", type, member.owners, "<file>",           \
	                 "name the owner of each group by a CODEOWNERS file"), \
	        OPT_SYMBOL_PATHS(type, member.symbols)

/** Zero-initialise. */
struct grouping {
	struct symbol_search
	        search; ///< after symbol_search_split(), if the command uses it
	struct lag_rules rules; ///< the user's, then the built-in ones
	size_t user_rule_count;
	struct owners owners;
	struct signer signer;
	struct crash_groups groups; ///< the result
	/** truncated reports, until grouping_end() */
	struct crash_deferred held;
	struct table *frames; ///< rows of `--explain`; or NULL
	struct arena arena;
};

/** Prepare; returns EXIT_DONE, or another status after a message. */
enum exit_status grouping_init(struct grouping *grouping,
                               const struct command_line *line,
                               const struct grouping_settings *settings,
                               unsigned jobs, bool quiet);

/** Hook of a report_run; @p context is the grouping. */
void grouping_take(struct report *const *reports, size_t count,
                   struct arena *arena, void *context);
/** Complete the groups after the last report. */
void grouping_end(struct grouping *grouping);
/** Warn of rules that exceeded their budget, and of groups beyond the limit. */
void grouping_warn(const struct grouping *grouping,
                   const struct notices *notices);

void grouping_release(struct grouping *grouping);

#endif
