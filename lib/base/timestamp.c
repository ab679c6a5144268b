// SPDX-License-Identifier: MIT
#include "lib/base/timestamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

/** Exactly @p count digits off the front. */
static bool take_number(struct text *in, size_t count, int64_t *ret)
{
	int64_t value = 0;

	if (in->size < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!text_is_digit(in->data[i]))
			return false;
		value = value * 10 + (in->data[i] - '0');
	}
	*in = text_after(*in, count);
	*ret = value;
	return true;
}

/** Parts of a date; the zone is in minutes. */
struct date {
	int64_t year, month, day;
	int64_t hour, minute, second, ms;
	int64_t zone;
	bool has_fraction;
};

/** `.79`: any number of digits, of which three are used. */
static void take_fraction(struct text *in, struct date *date)
{
	int64_t place = 100;

	date->ms = 0;
	date->has_fraction = text_take(in, ".");
	if (!date->has_fraction)
		return;
	while (in->size && text_is_digit(in->data[0])) {
		date->ms += (in->data[0] - '0') * place;
		place /= 10;
		*in = text_after(*in, 1);
	}
}

/** One or two digits: a 12-hour clock does not pad its hours. */
static bool take_hour(struct text *in, int64_t *ret)
{
	return take_number(in, 2, ret) || take_number(in, 1, ret);
}

/** ` a`, ` PM`: convert from a 12-hour clock. */
static bool take_half_day(struct text *in, int64_t *hour)
{
	static const char *const names[] = { "am", "pm", "AM", "PM",
		                             "a",  "p",  "A",  "P" };
	struct text rest = text_trim_left(*in);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!text_take(&rest, names[i]))
			continue;
		if (!text_starts(rest, " ") || !*hour || *hour > 12)
			return false;
		*hour = *hour % 12 + (i % 2 ? 12 : 0);
		*in = rest;
		return true;
	}
	return true;
}

/** `+0800`, `-05:00` or `Z`, as minutes. */
static bool take_zone(struct text *in, int64_t *ret_minutes)
{
	int64_t sign = 1;
	int64_t hours, minutes;

	*in = text_trim_left(*in);
	if (text_take(in, "Z")) {
		*ret_minutes = 0;
		return true;
	}
	if (text_take(in, "-"))
		sign = -1;
	else if (!text_take(in, "+"))
		return false;
	if (!take_number(in, 2, &hours))
		return false;
	text_take(in, ":");
	if (!take_number(in, 2, &minutes) || hours > 15 || minutes > 59)
		return false;
	*ret_minutes = sign * (hours * 60 + minutes);
	return true;
}

int64_t timestamp_of_day(int64_t year, int64_t month, int64_t day)
{
	// The year begins in March, so leap days end it.
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t m = month <= 2 ? month + 9 : month - 3;

	return (y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day -
	        1 - 719468) *
	       86400;
}

struct timestamp_text timestamp_utc(int64_t seconds, char between)
{
	time_t when = (time_t)seconds;
	struct timestamp_text ret = { 0 };
	struct tm tm;

	if (gmtime_r(&when, &tm))
		snprintf(ret.text, sizeof(ret.text),
		         "%04d-%02d-%02d%c%02d:%02d:%02d", tm.tm_year + 1900,
		         tm.tm_mon + 1, tm.tm_mday, between, tm.tm_hour,
		         tm.tm_min, tm.tm_sec);
	return ret;
}

int64_t timestamp_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool take_day(struct text *in, struct date *date)
{
	return take_number(in, 4, &date->year) && text_take(in, "-") &&
	       take_number(in, 2, &date->month) && text_take(in, "-") &&
	       take_number(in, 2, &date->day) && date->year >= 1970 &&
	       date->month >= 1 && date->month <= 12 && date->day >= 1 &&
	       date->day <= 31;
}

static bool take_time(struct text *in, struct date *date)
{
	if (!take_hour(in, &date->hour) || !text_take(in, ":") ||
	    !take_number(in, 2, &date->minute) || !text_take(in, ":") ||
	    !take_number(in, 2, &date->second))
		return false;
	take_fraction(in, date);
	return take_half_day(in, &date->hour) && date->hour <= 23 &&
	       date->minute <= 59 && date->second <= 60;
}

static bool take_month(struct text *in, int64_t *ret)
{
	static const char *const names[] = { "Jan", "Feb", "Mar", "Apr",
		                             "May", "Jun", "Jul", "Aug",
		                             "Sep", "Oct", "Nov", "Dec" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!text_take(in, names[i]))
			continue;
		*ret = (int64_t)i + 1;
		return true;
	}
	return false;
}

/** `(Coordinated Universal Time)`, which is redundant. */
static bool is_zone_name(struct text in)
{
	return !in.size || (text_starts(in, " (") && text_ends(in, ")"));
}

/** `Fri Jun 05 2026 10:00:00 GMT+0000 (…)`, as JavaScript prints dates. */
static bool parse_script_date(struct text in, struct date *ret)
{
	size_t blank = text_find_char(in, ' ');

	if (blank != 3)
		return false;
	in = text_after(in, blank + 1);
	return take_month(&in, &ret->month) && text_take(&in, " ") &&
	       take_number(&in, 2, &ret->day) && text_take(&in, " ") &&
	       take_number(&in, 4, &ret->year) && text_take(&in, " ") &&
	       ret->day >= 1 && ret->day <= 31 && ret->year >= 1970 &&
	       take_time(&in, ret) && text_take(&in, " GMT") &&
	       take_zone(&in, &ret->zone) && is_zone_name(in);
}

static bool parse_date(struct text in, struct date *ret)
{
	in = text_trim(in);
	if (in.size && text_is_letter(in.data[0]))
		return parse_script_date(in, ret);
	if (!take_day(&in, ret) ||
	    (!text_take(&in, " ") && !text_take(&in, "T")))
		return false;
	return take_time(&in, ret) && take_zone(&in, &ret->zone) && !in.size;
}

bool timestamp_parse(struct text in, int64_t *ret_ms)
{
	struct date date;

	if (!parse_date(in, &date))
		return false;
	*ret_ms = (timestamp_of_day(date.year, date.month, date.day) +
	           date.hour * 3600 + (date.minute - date.zone) * 60 +
	           date.second) *
	                  1000 +
	          date.ms;
	return true;
}

bool timestamp_add_iso(struct text in, struct str *out)
{
	struct date date;
	int64_t zone;

	if (!parse_date(in, &date))
		return false;
	str_addf(out,
	         "%04" PRId64 "-%02" PRId64 "-%02" PRId64 "T%02" PRId64
	         ":%02" PRId64 ":%02" PRId64,
	         date.year, date.month, date.day, date.hour, date.minute,
	         date.second);
	if (date.has_fraction)
		str_addf(out, ".%03" PRId64, date.ms);
	zone = date.zone < 0 ? -date.zone : date.zone;
	str_addf(out, "%c%02" PRId64 ":%02" PRId64, date.zone < 0 ? '-' : '+',
	         zone / 60, zone % 60);
	return true;
}
