/*
 * The line above the table of groups.
 */
#include "lib/analysis/lag/cells.h"
#include "lib/analysis/lag/group_rows.h"
#include "lib/analysis/lag/groups.h"

#include <inttypes.h>

// What the summary counts up to.
#define MOST_PERCENT 80

static bool is_most(uint64_t part, uint64_t whole)
{
	__extension__ typedef unsigned __int128 wide;

	return (wide)part * 100 >= (wide)whole * MOST_PERCENT;
}

/** As they are counted: one, and more. */
static const char *const kind_nouns[SAMPLE_KINDS][2] = {
	[SAMPLE_KIND_NONE] = { "report", "reports" },
	[SAMPLE_KIND_STALL] = { "hang", "hangs" },
	[SAMPLE_KIND_CPU] = { "report of CPU use", "reports of CPU use" },
	[SAMPLE_KIND_DISK] = { "report of disk writes",
	                       "reports of disk writes" },
	[SAMPLE_KIND_LAUNCH] = { "report of a launch", "reports of launches" },
};

/** What its reports took, and of how many that is not known. */
static void add_cost(const struct lag_kind_sums *sums, struct str *text,
                     struct arena *arena)
{
	if (!sums->unknown) {
		str_addf(text, ", %s ms", lag_cell_ms(arena, sums->cost_us));
		return;
	}
	if (sums->unknown == sums->reports && !sums->cost_us) {
		str_add(text, ", cost unknown");
		return;
	}
	str_addf(text, ", %s ms without %" PRIu64 " of unknown cost",
	         lag_cell_ms(arena, sums->cost_us), sums->unknown);
}

/** A kind, and how many of its groups make up most of its cost. */
static void summarise_kind(const struct lag_kind_sums *sums,
                           const char *const *nouns, const struct lag_row *rows,
                           size_t count, struct str *text, struct arena *arena)
{
	size_t most = 0;
	uint64_t part = 0;

	while ((sums->cost_us || !sums->unknown) && most < count &&
	       !is_most(part, sums->cost_us))
		part = rows[most++].running;
	str_addf(text, "%s%" PRIu64 " %s", text->size ? "; " : "",
	         sums->reports, nouns[sums->reports != 1]);
	if (sums->repeats)
		str_addf(text, " (and %" PRIu64 " repeat%s)", sums->repeats,
		         text_plural(sums->repeats));
	add_cost(sums, text, arena);
	if (most)
		str_addf(text, ": %zu of %zu group%s cause%s %s %%", most,
		         count, text_plural(count), most == 1 ? "s" : "",
		         lag_cell_percent(arena, part, sums->cost_us));
}

const char *lag_groups_summary(const struct lag_groups *groups,
                               const struct lag_row *rows, size_t count,
                               size_t shown, bool counts_evidence,
                               struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t size;

	if (!count)
		summarise_kind(&groups->kinds[SAMPLE_KIND_STALL],
		               kind_nouns[SAMPLE_KIND_STALL], rows, 0, &text,
		               arena);
	for (size_t i = 0; i < count; i += size) {
		enum sample_kind kind = rows[i].sums->kind;

		size = lag_rows_of_kind(rows + i, count - i);
		summarise_kind(&groups->kinds[kind], kind_nouns[kind], rows + i,
		               size, &text, arena);
	}
	if (shown < count)
		str_addf(&text, "; %zu not shown", count - shown);
	if (counts_evidence && profile_functions_count(&groups->functions)) {
		str_add(&text, "; in-app is decided ");
		lag_evidence_add(&groups->functions, &text);
	}
	return arena_text(arena, str_text(&text));
}
