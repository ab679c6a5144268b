// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/trend.h"

#include "lib/base/timestamp.h"

#include <inttypes.h>
#include <string.h>

#define HOUR_MS 3600000

/** Hours of a slot: each length is a multiple of the one before. */
static int64_t hours_of(unsigned scale)
{
	static const int64_t few[] = { 1, 2, 6, 12 };

	return scale < ARRAY_SIZE(few)
	               ? few[scale]
	               : (int64_t)24 << (scale - ARRAY_SIZE(few));
}

static int64_t divide_down(int64_t value, int64_t by)
{
	return value / by - (value % by < 0);
}

/** Slots of the next length. */
static void widen(struct trend *trend)
{
	int64_t factor = hours_of(trend->scale + 1) / hours_of(trend->scale);
	int64_t first = divide_down(trend->first, factor);
	struct trend wide = { .first = first, .scale = trend->scale + 1 };

	for (size_t i = 0; i < trend->count; i++) {
		int64_t slot = divide_down(trend->first + (int64_t)i, factor);

		wide.count = (size_t)(slot - first) + 1;
		wide.counts[wide.count - 1] += trend->counts[i];
	}
	*trend = wide;
}

/** Make room for a slot of the trend's length; false: it has to be wider. */
static bool reach(struct trend *trend, int64_t slot)
{
	int64_t first = trend->first;
	int64_t end = first + (int64_t)trend->count;

	if (!trend->count)
		first = end = slot;
	first = slot < first ? slot : first;
	end = slot >= end ? slot + 1 : end;
	if (end - first > TREND_SLOTS)
		return false;
	memmove(&trend->counts[trend->count ? trend->first - first : 0],
	        trend->counts, trend->count * sizeof(trend->counts[0]));
	if (trend->count)
		memset(trend->counts, 0,
		       (size_t)(trend->first - first) *
		               sizeof(trend->counts[0]));
	trend->first = first;
	trend->count = (size_t)(end - first);
	return true;
}

/** @param hour  First hour of the counted time. */
static void add_count(struct trend *trend, int64_t hour, uint32_t count)
{
	int64_t slot;

	while (slot = divide_down(hour, hours_of(trend->scale)),
	       !reach(trend, slot))
		widen(trend);
	trend->counts[slot - trend->first] += count;
}

void trend_add(struct trend *trend, int64_t ms)
{
	add_count(trend, divide_down(ms, HOUR_MS), 1);
}

void trend_join(struct trend *trend, const struct trend *from)
{
	while (trend->scale < from->scale)
		widen(trend);
	for (size_t i = 0; i < from->count; i++)
		if (from->counts[i])
			add_count(trend,
			          (from->first + (int64_t)i) *
			                  hours_of(from->scale),
			          from->counts[i]);
}

void trend_spread(const struct trend *trend, const struct trend *whole,
                  uint32_t *ret)
{
	memset(ret, 0, whole->count * sizeof(*ret));
	for (size_t i = 0; i < trend->count; i++) {
		int64_t hour = (trend->first + (int64_t)i) *
		               hours_of(trend->scale);
		int64_t slot = divide_down(hour, hours_of(whole->scale));

		ret[slot - whole->first] += trend->counts[i];
	}
}

/** The day, or hour, of a slot's start. */
static void add_time(const struct trend *trend, int64_t slot, struct str *out)
{
	struct timestamp_text time = timestamp_utc(
	        slot * hours_of(trend->scale) * (HOUR_MS / 1000), ' ');

	str_add_text(out, text_first(text_from(time.text),
	                             hours_of(trend->scale) < 24 ? 16 : 10));
}

void trend_add_words(const struct trend *whole, const uint32_t *counts,
                     struct str *out)
{
	int64_t hours = hours_of(whole->scale);
	bool is_days = hours >= 24;
	int64_t length = is_days ? hours / 24 : hours;

	add_time(whole, whole->first, out);
	if (whole->count > 1) {
		str_add(out, " to ");
		add_time(whole, whole->first + (int64_t)whole->count - 1, out);
	}
	str_add(out, ", per ");
	if (length > 1)
		str_addf(out, "%" PRId64 " ", length);
	str_addf(out, "%s%s: ", is_days ? "day" : "hour",
	         length > 1 ? "s" : "");
	for (size_t i = 0; i < whole->count; i++)
		str_addf(out, "%s%" PRIu32, i ? ", " : "", counts[i]);
}
