#include "lib/base/timestamp.h"

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

/** `.79`: any number of digits, of which three count. */
static int64_t take_fraction(struct text *in)
{
	int64_t ms = 0;
	int64_t place = 100;

	if (!text_take(in, "."))
		return 0;
	while (in->size && text_is_digit(in->data[0])) {
		ms += (in->data[0] - '0') * place;
		place /= 10;
		*in = text_after(*in, 1);
	}
	return ms;
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

/** Days since 1970-01-01; the year begins in March, so leap days end it. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t m = month <= 2 ? month + 9 : month - 3;

	return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day -
	       1 - 719468;
}

bool timestamp_parse(struct text in, int64_t *ret_ms)
{
	int64_t year, month, day, hour, minute, second, ms, zone;

	in = text_trim(in);
	if (!take_number(&in, 4, &year) || !text_take(&in, "-") ||
	    !take_number(&in, 2, &month) || !text_take(&in, "-") ||
	    !take_number(&in, 2, &day))
		return false;
	if (!text_take(&in, " ") && !text_take(&in, "T"))
		return false;
	if (!take_number(&in, 2, &hour) || !text_take(&in, ":") ||
	    !take_number(&in, 2, &minute) || !text_take(&in, ":") ||
	    !take_number(&in, 2, &second))
		return false;
	ms = take_fraction(&in);
	if (!take_zone(&in, &zone) || in.size || year < 1970 || !month ||
	    month > 12 || !day || day > 31 || hour > 23 || minute > 59 ||
	    second > 60)
		return false;
	*ret_ms = (days_of(year, month, day) * 86400 + hour * 3600 +
	           (minute - zone) * 60 + second) *
	                  1000 +
	          ms;
	return true;
}
