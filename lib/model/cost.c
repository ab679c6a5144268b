// SPDX-License-Identifier: MIT
#include "lib/model/cost.h"

#include "lib/base/units.h"

static const struct {
	const char *name;
	const char *title;
} units[COST_UNITS] = {
	[COST_MS] = { "ms", "ms" },
	[COST_CPU_MS] = { "cpu_ms", "CPU ms" },
	[COST_BYTES] = { "bytes", "bytes" },
	[COST_WAKEUPS] = { "wakeups", "wakeups" },
	[COST_SAMPLES] = { "samples", "samples" },
	[COST_CALLS] = { "calls", "calls" },
};

static const struct {
	const char *name;
	const char *mark;
	const char *note;
} origins[COST_ORIGINS] = {
	[COST_MEASURED] = { "measured", "", NULL },
	[COST_RECORDED] = { "recorded", "", NULL },
	[COST_AT_LEAST] = { "at_least", "≥ ", "≥: at least this much" },
	[COST_ASSUMED] = { "assumed", "~",
	                   "~: assumed, since it is not in the input" },
	[COST_UNKNOWN] = { "unknown", "", NULL },
};

const char *cost_unit_name(enum cost_unit unit)
{
	return units[unit].name;
}

const char *cost_unit_title(enum cost_unit unit)
{
	return units[unit].title;
}

const char *cost_origin_name(enum cost_origin origin)
{
	return origins[origin].name;
}

const char *cost_origin_mark(enum cost_origin origin)
{
	return origins[origin].mark;
}

const char *cost_origin_note(enum cost_origin origin)
{
	return origins[origin].note;
}

enum cost_unit cost_unit_of(enum sample_kind kind)
{
	switch (kind) {
	case SAMPLE_KIND_CPU:
		return COST_CPU_MS;
	case SAMPLE_KIND_DISK:
		return COST_BYTES;
	case SAMPLE_KIND_WAKEUPS:
		return COST_WAKEUPS;
	case SAMPLE_KIND_NONE:
	case SAMPLE_KIND_STALL:
	case SAMPLE_KIND_LAUNCH:
		break;
	}
	return COST_MS;
}

enum cost_origin cost_origin_sum(enum cost_origin a, enum cost_origin b)
{
	enum cost_origin better = a < b ? a : b;
	enum cost_origin weaker = a < b ? b : a;

	if (weaker != COST_UNKNOWN || better == COST_UNKNOWN)
		return weaker;
	return better > COST_AT_LEAST ? better : COST_AT_LEAST;
}

enum cost_origin cost_origin_of(const uint64_t counts[COST_ORIGINS])
{
	enum cost_origin sum = COST_UNKNOWN;
	bool is_first = true;

	for (unsigned i = 0; i < COST_ORIGINS; i++) {
		if (!counts[i])
			continue;
		sum = is_first ? (enum cost_origin)i
		               : cost_origin_sum(sum, (enum cost_origin)i);
		is_first = false;
	}
	return sum;
}

/** Bytes as the systems write them: a kB has 1000. */
static void add_bytes(struct str *out, uint64_t bytes)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} sizes[] = {
		{ "TB", 1000000000000 },
		{ "GB", 1000000000 },
		{ "MB", 1000000 },
		{ "kB", 1000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		if (bytes < sizes[i].bytes)
			continue;
		units_add_fixed(out, bytes, sizes[i].bytes, 1);
		str_addf(out, " %s", sizes[i].name);
		return;
	}
	str_add_number(out, bytes);
	str_add(out, " bytes");
}

void cost_add(struct str *out, enum cost_unit unit, enum cost_origin origin,
              uint64_t cost)
{
	if (origin == COST_UNKNOWN) {
		str_add(out, "unknown");
		return;
	}
	str_add(out, cost_origin_mark(origin));
	if (unit == COST_BYTES) {
		add_bytes(out, cost);
		return;
	}
	units_add_exact(out, cost, cost_unit_steps(unit));
	str_add_char(out, ' ');
	str_add(out, cost_unit_title(unit));
}
