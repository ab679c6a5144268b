// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/analysis/jetsam/steps.h"
#include "lib/base/units.h"
#include "lib/darwin/jetsam.h"

#include <inttypes.h>
#include <string.h>

/** Victims that the verdict describes; the list has them all. */
#define VICTIMS_SHOWN 3
#define SUSPECTS      5

/** Percent of the zone map from which it matters. */
#define ZONE_MAP_FULL 75

// Lines

/** State of writing the verdict. */
struct verdict {
	const struct report *report;
	const struct jetsam *jetsam; ///< the report's
	const struct jetsam_answer *answer;
	struct arena *arena;
	const char **lines;
	size_t count;
	size_t cap;
	struct str line;
};

static void end_line(struct verdict *verdict)
{
	ARENA_GROW(verdict->arena, verdict->lines, verdict->count,
	           verdict->cap);
	verdict->lines[verdict->count++] =
	        arena_text(verdict->arena, str_text(&verdict->line));
	str_clear(&verdict->line);
}

static void add_name(struct str *line, const struct jetsam_process *process)
{
	str_add(line, process->name ? process->name : "an unnamed process");
	if (process->pid.known)
		str_addf(line, " [%" PRIu64 "]", process->pid.value);
}

/** `1450.1`: JSON has all digits. */
static void add_mib(struct str *line, uint64_t bytes)
{
	units_add_fixed(line, bytes, UNITS_MIB, 1);
	str_add(line, " MiB");
}

/** `1450.1 MiB`; in pages if their size is unknown. */
static void add_size(struct str *line, const struct jetsam_usage *usage)
{
	uint64_t pages = usage->process->pages.value;

	if (usage->footprint_bytes.known) {
		add_mib(line, usage->footprint_bytes.value);
	} else {
		str_addf(line, "%" PRIu64 " page%s", pages, text_plural(pages));
	}
}

static const char *app_state_words(enum jetsam_app_state app_state)
{
	switch (app_state) {
	case JETSAM_APP_STATE_FOREGROUND:
		return "in the foreground (FOOM)";
	case JETSAM_APP_STATE_BACKGROUND:
		return "in the background (BOOM)";
	case JETSAM_APP_STATE_SYSTEM:
		return "as a daemon";
	case JETSAM_APP_STATE_UNKNOWN:
		break;
	}
	return "(the log does not say whether in the foreground)";
}

static void add_death(struct verdict *verdict,
                      const struct jetsam_victim *victim)
{
	struct str *line = &verdict->line;

	add_name(line, victim->process);
	str_addf(line, " was killed %s: %s, %s",
	         app_state_words(victim->app_state), victim->process->reason,
	         victim->meaning);
	end_line(verdict);
}

static void add_footprint(struct verdict *verdict,
                          const struct jetsam_usage *usage)
{
	const struct jetsam_process *process = usage->process;
	uint64_t page_bytes = verdict->answer->page_bytes.value;
	struct str *line = &verdict->line;

	if (!usage->footprint_bytes.known && process->pages.known) {
		str_add(line, "  footprint ");
		add_size(line, usage);
		str_add(line, ": ");
		add_mib(line, process->pages.value * page_bytes);
		str_addf(line, ", if a page has %" PRIu64 " bytes", page_bytes);
		end_line(verdict);
		return;
	}
	if (!usage->footprint_bytes.known) {
		str_add(line, "  its footprint is not in the log");
		end_line(verdict);
		return;
	}
	str_add(line, "  footprint ");
	add_mib(line, usage->footprint_bytes.value);
	if (process->kernel) {
		end_line(verdict);
		return;
	}
	str_addf(line, " (%" PRIu64 " page%s of %" PRIu64 " bytes)",
	         process->pages.value, text_plural(process->pages.value),
	         page_bytes);
	if (usage->lifetime_bytes.known) {
		str_add(line, ", lifetime maximum ");
		add_mib(line, usage->lifetime_bytes.value);
		// The writer races with the counter.
		if (usage->lifetime_bytes.value < usage->footprint_bytes.value)
			str_add(line, " (out of date)");
	}
	if (usage->age_ms.known) {
		str_add(line, ", lived ");
		units_add_duration(line, usage->age_ms.value);
	}
	end_line(verdict);
}

static void add_limit(struct verdict *verdict,
                      const struct jetsam_victim *victim)
{
	const struct jetsam_kernel *kernel = victim->process->kernel;
	struct str *line = &verdict->line;

	if (kernel && kernel->limit_bytes.known) {
		str_add(line, "  its limit is ");
		add_mib(line, kernel->limit_bytes.value);
		str_addf(line, " (%s)", kernel->limit_name);
	} else if (victim->limit_bytes.known) {
		// The footprint exceeded the limit, so it is an upper bound.
		str_add(line, "  its limit is at most ");
		add_mib(line, victim->limit_bytes.value);
		str_add(line, ": it was killed just above it");
	} else if (!strcmp(victim->process->reason, JETSAM_HARD_LIMIT) &&
	           victim->process->pages.value) {
		str_add(line, "  its limit is about the same: it was killed "
		              "just above it");
	} else if (!strcmp(victim->process->reason, JETSAM_HARD_LIMIT)) {
		str_add(line, victim->process->pages.known
		                      ? "  its limit is unknown: its "
		                        "footprint is 0 pages"
		                      : "  its limit is therefore unknown");
	} else {
		str_addf(line,
		         "  its limit is unknown: only a %s kill reveals it",
		         JETSAM_HARD_LIMIT);
	}
	end_line(verdict);
}

/** Extensions have low limits, which Apple does not document. */
static void add_extensions(struct verdict *verdict,
                           const struct jetsam_victim *victim)
{
	const struct jetsam_kernel *kernel = victim->process->kernel;
	struct jetsam_number limit = kernel && kernel->limit_bytes.known
	                                     ? kernel->limit_bytes
	                                     : victim->limit_bytes;
	const char *which = limit.known ? jetsam_extensions_with(limit.value)
	                                : NULL;

	if (!which || victim->app_state == JETSAM_APP_STATE_SYSTEM)
		return;
	str_addf(&verdict->line,
	         "  it is a reference limit of %s, as public logs show", which);
	end_line(verdict);
}

static void add_advice(struct verdict *verdict,
                       const struct jetsam_victim *victim)
{
	if (!victim->advice)
		return;
	str_addf(&verdict->line, "  %s", victim->advice);
	end_line(verdict);
}

static const char *describe_part(enum jetsam_part part)
{
	static const char *const words[] = {
		[JETSAM_TRUNCATED] = "the log is truncated",
		[JETSAM_DAMAGED] = "the log is damaged",
		[JETSAM_EXCERPT] = "this is an excerpt",
	};

	return words[part];
}

/** Of an incomplete log the number of victims is a lower bound. */
static bool has_count(const struct verdict *verdict)
{
	size_t count = verdict->answer->victim_count;

	return count > 1 || (count && verdict->report->truncated &&
	                     verdict->jetsam->part != JETSAM_EXCERPT);
}

/** `3 processes were killed: 2 vm-pageshortage, 1 highwater` */
static void add_count(struct verdict *verdict)
{
	const struct jetsam_answer *answer = verdict->answer;
	struct {
		const char *reason;
		size_t count;
	} sums[16] = { { 0 } };
	size_t sum_count = 0, others = 0;
	struct str *line = &verdict->line;

	for (size_t i = 0; i < answer->victim_count; i++) {
		const char *reason = answer->victims[i].process->reason;
		size_t j = 0;

		while (j < sum_count && strcmp(sums[j].reason, reason) != 0)
			j++;
		if (j == ARRAY_SIZE(sums)) {
			others++;
			continue;
		}
		sums[j].reason = reason;
		sums[j].count++;
		sum_count += j == sum_count;
	}
	if (verdict->report->truncated)
		str_addf(line, "at least %zu process%s killed (%s):",
		         answer->victim_count,
		         answer->victim_count == 1 ? " was" : "es were",
		         verdict->report->is_limited
		                 ? "the log was read up to the limit"
		                 : describe_part(verdict->jetsam->part));
	else
		str_addf(line,
		         "%zu processes were killed:", answer->victim_count);
	for (size_t i = 0; i < sum_count; i++)
		str_addf(line, "%s %zu %s", i ? "," : "", sums[i].count,
		         sums[i].reason);
	if (others)
		str_addf(line, ", %zu for other reasons", others);
	end_line(verdict);
}

static void add_no_victim(struct verdict *verdict)
{
	const struct jetsam *jetsam = verdict->jetsam;
	struct str *line = &verdict->line;

	if (verdict->report->is_limited)
		str_add(line, "the log, read up to the limit, does not name "
		              "the victim");
	else if (verdict->report->truncated)
		str_addf(line, "the %s does not name the victim",
		         jetsam_part_name(jetsam->part));
	else if (jetsam->process_count)
		str_add(line, "no process was killed: the log gives no reason "
		              "for any");
	else
		str_addf(line, "the log does not name the victim: %s",
		         jetsam->has_process_list
		                 ? "its list of processes is empty"
		                 : "it has no list of processes");
	if (!verdict->answer->largest && jetsam->largest_name)
		str_addf(line, "; the log calls %s the largest process",
		         jetsam->largest_name);
	if (jetsam->event_reason)
		str_addf(line, "; the reason given by the log is %s",
		         jetsam->event_reason);
	end_line(verdict);
}

static void add_largest(struct verdict *verdict)
{
	const struct report *report = verdict->report;
	const struct jetsam *jetsam = verdict->jetsam;
	const struct jetsam_usage *usage = verdict->answer->largest;
	const struct jetsam_process *largest;
	struct str *line = &verdict->line;

	if (!usage)
		return;
	largest = usage->process;
	if (report->is_limited)
		str_add(line, "the largest of the processes read, ");
	else if (report->truncated)
		str_addf(line, "the largest process in the %s, ",
		         jetsam_part_name(jetsam->part));
	else
		str_add(line, "the largest process, ");
	add_name(line, largest);
	str_add(line, " with ");
	add_size(line, usage);
	if (largest->reason)
		str_add(line, ", was a victim");
	else if (report->truncated && !report->is_limited &&
	         jetsam->part == JETSAM_TRUNCATED &&
	         largest->index + 1 == jetsam->process_count)
		str_add(line, ", is where the log is truncated: whether it "
		              "was killed is unknown");
	else
		str_add(line, ", was not killed");
	// The log is truncated, or its writer raced with the list.
	if (jetsam->largest_name && largest->name &&
	    strcmp(jetsam->largest_name, largest->name) != 0)
		str_addf(line, "; the log calls %s the largest",
		         jetsam->largest_name);
	end_line(verdict);
}

/** If the system ran out of memory, the victim is rarely the cause. */
static void add_suspects(struct verdict *verdict)
{
	const struct jetsam_answer *answer = verdict->answer;
	const struct jetsam_usage *top[SUSPECTS] = { 0 };
	size_t count = 0;
	bool was_pressure = false;

	for (size_t i = 0; i < answer->victim_count; i++) {
		const struct jetsam_cause *cause =
		        jetsam_cause_find(answer->victims[i].process->reason);

		was_pressure |= cause && cause->blame == JETSAM_BLAME_PRESSURE;
	}
	if (!was_pressure)
		return;
	for (size_t i = 0; i < verdict->jetsam->process_count; i++) {
		const struct jetsam_usage *usage = &answer->usages[i];
		const struct jetsam_process *p = usage->process;
		size_t at = count;

		while (at && top[at - 1]->process->pages.value < p->pages.value)
			at--;
		if (!p->pages.known || at == SUSPECTS)
			continue;
		count += count < SUSPECTS;
		memmove(&top[at + 1], &top[at],
		        (count - at - 1) * sizeof(*top));
		top[at] = usage;
	}
	if (!count)
		return;
	str_add(&verdict->line, "suspects, by footprint:");
	for (size_t i = 0; i < count; i++) {
		str_add(&verdict->line, i ? ", " : " ");
		add_name(&verdict->line, top[i]->process);
		str_add(&verdict->line, " ");
		add_size(&verdict->line, top[i]);
	}
	end_line(verdict);
}

/** Was an app killed at its own limit? Only then the limits can be compared. */
static bool has_limit_of_app(const struct jetsam_answer *answer)
{
	for (size_t i = 0; i < answer->victim_count; i++)
		if (answer->victims[i].limit_bytes.known &&
		    answer->victims[i].app_state != JETSAM_APP_STATE_SYSTEM)
			return true;
	return false;
}

static void add_reference(struct verdict *verdict)
{
	const struct jetsam_reference *reference = &verdict->answer->reference;
	struct str *line = &verdict->line;

	if (!reference->device || !has_limit_of_app(verdict->answer))
		return;
	str_addf(line,
	         "reference limit: foreground apps on an %s were killed "
	         "at ",
	         reference->device);
	// Whole ones are written as they were collected.
	if (reference->limit_bytes % UNITS_MIB)
		add_mib(line, reference->limit_bytes);
	else
		str_addf(line, "%s MiB", reference->limit_mib);
	str_addf(line, ", %" PRIu64 " %% of its memory", reference->percent);
	if (reference->os)
		str_addf(line, ", on version %s", reference->os);
	if (reference->source)
		str_addf(line, " (%s)", reference->source);
	end_line(verdict);
	if (!reference->disagrees)
		return;
	str_add(line, "  warning: this log shows a different limit, which is "
	              "the right one: limits change with the system");
	end_line(verdict);
}

static void add_zone_map(struct verdict *verdict)
{
	const struct jetsam_memory *memory = &verdict->jetsam->memory;
	uint64_t cap = memory->zone_map_cap.value;
	struct str *line = &verdict->line;

	if (!memory->zone_map_size.known || !cap ||
	    memory->zone_map_size.value < cap / 100 * ZONE_MAP_FULL)
		return;
	str_addf(line,
	         "the kernel's zone map is nearly full: %" PRIu64 " of %" PRIu64
	         " MiB",
	         units_share(memory->zone_map_size.value, UNITS_MIB, 1),
	         units_share(cap, UNITS_MIB, 1));
	if (memory->largest_zone)
		str_addf(line, ", most of it '%s' with %" PRIu64 " MiB",
		         memory->largest_zone,
		         units_share(memory->largest_zone_size.value, UNITS_MIB,
		                     1));
	end_line(verdict);
}

static void add_assumptions(struct verdict *verdict)
{
	const struct jetsam_answer *answer = verdict->answer;
	const struct jetsam_number *said = &verdict->jetsam->memory.page_bytes;
	struct str *line = &verdict->line;

	if (!answer->page_bytes_assumed)
		return;
	if (said->known)
		str_addf(line,
		         "the log says that a page has %" PRIu64
		         " bytes, which is impossible: ",
		         said->value);
	else
		str_add(line, "the log does not give the page size: ");
	if (answer->page_bytes_unsure)
		str_add(line, "sizes are given in pages");
	else
		str_addf(line, "%" PRIu64 " bytes are assumed",
		         answer->page_bytes.value);
	end_line(verdict);
}

void jetsam_judge(struct jetsam_work *work)
{
	struct jetsam_answer *answer = work->answer;
	struct verdict verdict = { .report = work->report,
		                   .jetsam = work->report->jetsam,
		                   .answer = answer,
		                   .arena = work->arena };
	size_t shown = answer->victim_count;

	if (!shown)
		add_no_victim(&verdict);
	if (has_count(&verdict))
		add_count(&verdict);
	if (shown > VICTIMS_SHOWN)
		shown = VICTIMS_SHOWN;
	for (size_t i = 0; i < shown; i++) {
		add_death(&verdict, &answer->victims[i]);
		add_footprint(&verdict, answer->victims[i].usage);
		add_limit(&verdict, &answer->victims[i]);
		add_extensions(&verdict, &answer->victims[i]);
		add_advice(&verdict, &answer->victims[i]);
	}
	add_largest(&verdict);
	add_suspects(&verdict);
	add_reference(&verdict);
	add_zone_map(&verdict);
	add_assumptions(&verdict);
	str_release(&verdict.line);
	answer->verdict = verdict.lines;
	answer->verdict_count = verdict.count;
}
