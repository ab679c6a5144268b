// SPDX-License-Identifier: MIT
#include "parsers/memory/memory.h"

#include "lib/base/units.h"

/** More memory than any device has, in MiB; and fewer bytes than any app. */
#define MIB_MAX ((uint64_t)1 << 20)

struct report *memory_report_new(struct arena *arena, const char *format)
{
	struct report *report = report_new(arena);

	report->format = format;
	report->kind = "record of a memory limit";
	return report;
}

bool memory_has_room(struct report *report, struct arena *arena)
{
	if (report->memory_limit_count < MEMORY_LIMITS_MAX)
		return true;
	report_add_note(report, arena, "memory",
	                arena_printf(arena,
	                             "more than %d limits: the rest is left "
	                             "out",
	                             MEMORY_LIMITS_MAX));
	report->truncated = true;
	return false;
}

const char *memory_add_sum(struct report *report, struct arena *arena,
                           struct text footprint, struct text available)
{
	struct memory_limit *limit;
	uint64_t used, left, whole;
	uint64_t unit = 1;

	if (!units_read(footprint, 1, UINT64_MAX, &whole))
		return MEMORY_FOOTPRINT ": expected an amount of memory";
	// No app runs in 1 MiB or less, or uses 1 TiB.
	if (whole < MIB_MAX)
		unit = UNITS_MIB;
	if (!units_read(footprint, unit, MIB_MAX * UNITS_MIB, &used) || !used)
		return MEMORY_FOOTPRINT ": expected an amount of memory";
	if (!units_read(available, unit, MIB_MAX * UNITS_MIB, &left))
		return MEMORY_AVAILABLE ": expected an amount of memory";
	limit = report_add_memory_limit(report, arena, MEMORY_EVIDENCE_SUM);
	limit->footprint_bytes = used;
	limit->available_bytes = left;
	limit->bytes = used + left;
	return NULL;
}

const char *memory_add_warning(struct report *report, struct arena *arena,
                               struct text peak, struct text threshold)
{
	struct memory_limit *limit;
	uint64_t used;
	uint64_t min = 0;

	if (!units_read(peak, UNITS_MIB, MIB_MAX * UNITS_MIB, &used) || !used)
		return MEMORY_PEAK ": expected MiB";
	if (threshold.size &&
	    !units_read(threshold, UNITS_MIB, MIB_MAX * UNITS_MIB, &min))
		return MEMORY_THRESHOLD ": expected MiB";
	limit = report_add_memory_limit(report, arena, MEMORY_EVIDENCE_WARNING);
	limit->bytes = used;
	limit->footprint_bytes = used;
	limit->threshold_bytes = min;
	return NULL;
}

const char *memory_add_logged(struct report *report, struct arena *arena,
                              struct text footprint, struct text limit)
{
	uint64_t used, whole;
	struct memory_limit *added;

	if (!units_read(footprint, UNITS_MIB, MIB_MAX * UNITS_MIB, &used) ||
	    !units_read(limit, UNITS_MIB, MIB_MAX * UNITS_MIB, &whole) ||
	    !used || !whole)
		return "memory limit: expected MB";
	added = report_add_memory_limit(report, arena, MEMORY_EVIDENCE_LOGGED);
	added->footprint_bytes = used;
	added->bytes = whole;
	return NULL;
}

const char *memory_add_available(struct report *report, struct arena *arena,
                                 struct text available)
{
	struct memory_limit *added;
	uint64_t whole, left;

	if (!units_read(available, 1, UINT64_MAX, &whole) ||
	    !units_read(available, whole < MIB_MAX ? UNITS_MIB : 1,
	                MIB_MAX * UNITS_MIB, &left) ||
	    !left)
		return MEMORY_AVAILABLE ": expected an amount of memory";
	added = report_add_memory_limit(report, arena,
	                                MEMORY_EVIDENCE_AVAILABLE);
	added->available_bytes = left;
	added->bytes = left;
	return NULL;
}
