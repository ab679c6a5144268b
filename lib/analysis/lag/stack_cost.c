// SPDX-License-Identifier: MIT
/*
 * Costs of a report's samples.
 */
#include "lib/analysis/lag/stacker.h"

/** Cost of all samples together; 0: unknown. */
static uint64_t total_of(const struct report *report, enum cost_unit unit)
{
	switch (unit) {
	case COST_MS:
		return report->sampled_us;
	case COST_CPU_MS:
		return report->cpu_us;
	case COST_BYTES:
		return report->written_bytes;
	case COST_WAKEUPS:
		return report->wakeup_count;
	case COST_SAMPLES:
	case COST_CALLS:
		break;
	}
	return 0;
}

/** If a duration was unreadable, the reader has added a note. */
static void leave_unknown(struct lag_stacker *s)
{
	static const char *const units[COST_UNITS] = {
		[COST_MS] = "how long it took",
		[COST_CPU_MS] = "how much CPU time it is",
		[COST_BYTES] = "how many bytes were written",
		[COST_WAKEUPS] = "how many wakeups it is",
	};
	enum cost_unit unit = cost_unit_of(s->ret->kind);

	s->ret->cost_origin = COST_UNKNOWN;
	s->interval_us = 1;
	if (!s->report->sampled_unread && units[unit])
		lag_report_note(s->ret, "cost",
		                arena_printf(&s->ret->arena,
		                             "the report does not say %s",
		                             units[unit]));
}

void lag_stacker_set_cost(struct lag_stacker *s, uint64_t samples)
{
	const struct report *report = s->report;
	enum cost_unit unit = cost_unit_of(s->ret->kind);
	uint64_t total = total_of(report, unit);

	if (total && total <= LAG_TOTAL_MAX && samples) {
		s->total = total;
		s->total_samples = samples;
		s->ret->cost_origin = unit == COST_MS &&
		                                      report->sampled_at_least
		                              ? COST_AT_LEAST
		                              : COST_RECORDED;
		return;
	}
	if (!cost_unit_is_time(unit) || !report->sample_interval_us ||
	    report->sampled_unread) {
		leave_unknown(s);
		return;
	}
	s->interval_us = report->sample_interval_us;
	// Samples in wall-clock time include waiting threads.
	s->ret->cost_origin = unit == COST_MS &&
	                                      !report->sample_interval_assumed
	                              ? COST_MEASURED
	                              : COST_ASSUMED;
}

/** A part of the total; the parts of all samples add up to it exactly. */
static uint64_t part_of(struct lag_stacker *s, uint64_t samples)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t before = s->counted;
	uint64_t left = s->total_samples - before;

	s->counted += samples < left ? samples : left;
	return (uint64_t)((wide)s->total * s->counted / s->total_samples) -
	       (uint64_t)((wide)s->total * before / s->total_samples);
}

uint64_t lag_stacker_cost(struct lag_stacker *s, uint64_t samples)
{
	if (s->total_samples)
		return part_of(s, samples);
	if (samples > LAG_COST_US_MAX / s->interval_us)
		return LAG_COST_US_MAX;
	return samples * s->interval_us;
}
