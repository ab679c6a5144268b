// SPDX-License-Identifier: MIT
/*
 * The summary line above the table of groups.
 */
#include "lib/analysis/lag/cells.h"
#include "lib/analysis/lag/group_rows.h"
#include "lib/analysis/lag/groups.h"
#include "lib/base/number.h"

#include <inttypes.h>

// Share of the cost covered by the groups that the summary counts.
#define MOST_PERCENT 80

static bool is_most(uint64_t part, uint64_t whole)
{
	__extension__ typedef unsigned __int128 wide;

	return (wide)part * 100 >= (wide)whole * MOST_PERCENT;
}

/** Singular and plural. */
static const char *const kind_nouns[SAMPLE_KINDS][2] = {
	[SAMPLE_KIND_NONE] = { "report", "reports" },
	[SAMPLE_KIND_STALL] = { "hang", "hangs" },
	[SAMPLE_KIND_CPU] = { "report of CPU use", "reports of CPU use" },
	[SAMPLE_KIND_DISK] = { "report of disk writes",
	                       "reports of disk writes" },
	[SAMPLE_KIND_LAUNCH] = { "report of a launch", "reports of launches" },
	[SAMPLE_KIND_WAKEUPS] = { "report of wakeups", "reports of wakeups" },
};

enum lag_share lag_share_of(const struct lag_kind_sums *sums)
{
	if (sums->origins[COST_MEASURED] || sums->origins[COST_RECORDED])
		return LAG_SHARE_COST;
	// An assumed cost per sample is the same for all.
	return sums->origins[COST_ASSUMED] && !sums->origins[COST_AT_LEAST] &&
	                       !sums->origins[COST_UNKNOWN]
	               ? LAG_SHARE_SAMPLES
	               : LAG_SHARE_NONE;
}

uint64_t lag_group_weight(enum lag_share share, const struct lag_group *group)
{
	switch (share) {
	case LAG_SHARE_COST:
		return group->exact_us;
	case LAG_SHARE_SAMPLES:
		return group->samples;
	case LAG_SHARE_NONE:
		break;
	}
	return 0;
}

uint64_t lag_kind_weight(enum lag_share share, const struct lag_kind_sums *sums)
{
	switch (share) {
	case LAG_SHARE_COST:
		return sums->exact_us;
	case LAG_SHARE_SAMPLES:
		return sums->samples;
	case LAG_SHARE_NONE:
		break;
	}
	return 0;
}

/** Add the cost of a kind, and the number of reports without one. */
static void add_cost(enum sample_kind kind, const struct lag_kind_sums *sums,
                     struct str *text)
{
	enum cost_origin origin = cost_origin_of(sums->origins);
	uint64_t unknown = sums->origins[COST_UNKNOWN];

	str_add(text,
	        sums->reports && origin == COST_UNKNOWN ? ", cost " : ", ");
	cost_add(text, cost_unit_of(kind),
	         sums->reports ? origin : COST_MEASURED, sums->cost_us);
	if (unknown && origin != COST_UNKNOWN)
		str_addf(text, " without %" PRIu64 " of unknown cost", unknown);
}

/** Add the number of uncertain costs, which no share includes. */
static void add_uncertain(const struct lag_kind_sums *sums, struct str *text)
{
	uint64_t count = number_sum(sums->origins[COST_AT_LEAST],
	                            sums->origins[COST_ASSUMED]);

	if (lag_share_of(sums) == LAG_SHARE_SAMPLES)
		str_add(text, "; shares are of samples");
	else if (count)
		str_addf(text,
		         "; %" PRIu64 " without a certain cost %s in no share",
		         count, count == 1 ? "is" : "are");
}

/** Explain the marks in the table. */
static void add_marks(const struct lag_groups *groups, struct str *text)
{
	uint64_t assumed = 0;
	uint64_t least = 0;

	for (size_t i = 0; i < SAMPLE_KINDS; i++) {
		const struct lag_kind_sums *sums = &groups->kinds[i];

		assumed += sums->origins[COST_ASSUMED];
		least += sums->reports &&
		         cost_origin_of(sums->origins) == COST_AT_LEAST;
		least += sums->origins[COST_AT_LEAST];
	}
	if (assumed)
		str_addf(text, "; %s", cost_origin_note(COST_ASSUMED));
	if (least)
		str_addf(text, "; %s", cost_origin_note(COST_AT_LEAST));
}

/** Add a kind, and how many of its groups make up most of its cost. */
static void summarise_kind(const struct lag_groups *groups,
                           enum sample_kind kind, const struct lag_row *rows,
                           size_t count, struct str *text, struct arena *arena)
{
	const struct lag_kind_sums *sums = &groups->kinds[kind];
	const char *const *nouns = kind_nouns[kind];
	uint64_t whole = lag_kind_weight(lag_share_of(sums), sums);
	size_t most = 0;
	uint64_t part = 0;

	while (lag_share_of(sums) != LAG_SHARE_NONE && most < count &&
	       !is_most(part, whole))
		part = rows[most++].running;
	str_addf(text, "%s%" PRIu64 " %s", text->size ? "; " : "",
	         sums->reports, nouns[sums->reports != 1]);
	if (sums->repeats)
		str_addf(text, " (and %" PRIu64 " repeat%s)", sums->repeats,
		         text_plural(sums->repeats));
	add_cost(kind, sums, text);
	if (most)
		str_addf(text, ": %zu of %zu group%s cause%s %s %%", most,
		         count, text_plural(count), most == 1 ? "s" : "",
		         lag_cell_percent(arena, part, whole));
	add_uncertain(sums, text);
}

const char *lag_groups_summary(const struct lag_groups *groups,
                               const struct lag_row *rows, size_t count,
                               size_t shown, bool counts_evidence,
                               struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t size;

	if (!count)
		summarise_kind(groups, SAMPLE_KIND_STALL, rows, 0, &text,
		               arena);
	for (size_t i = 0; i < count; i += size) {
		enum sample_kind kind = rows[i].sums->kind;

		size = lag_rows_of_kind(rows + i, count - i);
		summarise_kind(groups, kind, rows + i, size, &text, arena);
	}
	if (groups->too_short)
		str_addf(&text,
		         "; %" PRIu64 " shorter or of unknown length skipped",
		         groups->too_short);
	add_marks(groups, &text);
	if (shown < count)
		str_addf(&text, "; %zu not shown", count - shown);
	if (counts_evidence && profile_functions_count(&groups->functions)) {
		str_add(&text, "; in-app is decided ");
		lag_evidence_add(&groups->functions, &text);
	}
	return arena_text(arena, str_text(&text));
}
