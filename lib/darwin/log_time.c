// SPDX-License-Identifier: MIT
#include "lib/darwin/log_time.h"

#include "lib/base/compiler.h"

static const char *const months[] = {
	"Jan", "Feb", "Mar", "Apr", "May", "Jun",
	"Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
};

/** Remove a word with the shape @p shape, in which `d` is a digit. */
static bool take_shape(struct text *rest, const char *shape)
{
	size_t size = strlen(shape);

	// Most shapes begin with a digit.
	if (rest->size < size ||
	    (shape[0] == 'd' && !text_is_digit(rest->data[0])))
		return false;
	for (size_t i = 0; i < size; i++)
		if (shape[i] == 'd' ? !text_is_digit(rest->data[i])
		                    : rest->data[i] != shape[i])
			return false;
	*rest = text_after(*rest, size);
	return true;
}

/** Digits after a point or comma. */
static void take_fraction(struct text *rest)
{
	size_t digits = text_count_digits(text_after(*rest, 1));

	if (digits && (rest->data[0] == '.' || rest->data[0] == ','))
		*rest = text_after(*rest, 1 + digits);
}

/** Blanks, and the narrow ones that Apple's dates have before `AM`. */
static struct text after_blanks(struct text text)
{
	static const char narrow[] = "\xe2\x80\xaf", no_break[] = "\xc2\xa0";

	text = text_after(text, text_count_blanks(text));
	while (text.size && (unsigned char)text.data[0] >= 0x80 &&
	       (text_take(&text, narrow) || text_take(&text, no_break)))
		;
	return text;
}

/** Does a word end before @p rest? */
static bool ends_word(struct text rest)
{
	return !rest.size || !(text_is_alnum(rest.data[0]) ||
	                       (unsigned char)rest.data[0] >= 0x80);
}

/** ` AM`, ` pm`. */
static bool take_half_of_day(struct text *rest)
{
	static const char *const halves[] = { "AM", "PM", "am", "pm" };
	struct text at = after_blanks(*rest);

	if (at.size < 2 || (at.data[1] != 'M' && at.data[1] != 'm'))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(halves); i++) {
		struct text after = at;

		if (!text_take(&after, halves[i]) || !ends_word(after))
			continue;
		*rest = after;
		return true;
	}
	return false;
}

static bool take_offset(struct text *rest)
{
	if (!rest->size || (rest->data[0] != '+' && rest->data[0] != '-'))
		return text_take(rest, "Z");
	return take_shape(rest, "+dd:dd") || take_shape(rest, "-dd:dd") ||
	       take_shape(rest, "+dddd") || take_shape(rest, "-dddd");
}

static bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/** `Z`, `+0100` with or without a blank before, ` UTC`, ` GMT+0100 (CET)`. */
static void take_zone(struct text *rest)
{
	static const char *const zones[] = {
		"UTC", "GMT", "CET", "CEST", "EET", "EEST", "MSK",  "BST",
		"EST", "EDT", "CST", "CDT",  "MST", "MDT",  "PST",  "PDT",
		"IST", "JST", "KST", "HKT",  "SGT", "AEST", "AEDT",
	};
	struct text at = *rest;

	if (take_offset(rest) || !text_count_blanks(at))
		return;
	at = text_after(at, text_count_blanks(at));
	if (take_offset(&at) && ends_word(at)) {
		*rest = at;
		return;
	}
	// Names of processes seldom begin with two capitals.
	if (at.size < 3 || !is_capital(at.data[0]) || !is_capital(at.data[1]))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(zones); i++) {
		struct text after = at;

		if (!text_take(&after, zones[i]))
			continue;
		take_offset(&after);
		// It may be the name of an app.
		if (after.size && !text_is_blank(after.data[0]) &&
		    after.data[0] != ']')
			continue;
		*rest = after;
		return;
	}
}

/** @param has_date  A date is before it: `9:00:00` is a time of day. */
static bool take_clock(struct text *rest, bool has_date)
{
	struct text at = *rest;
	bool is_short = take_shape(&at, "d:dd:dd");

	if (!is_short && !take_shape(&at, "dd:dd:dd"))
		return false;
	take_fraction(&at);
	if (!take_half_of_day(&at) && is_short && !has_date)
		return false;
	take_zone(&at);
	*rest = at;
	return true;
}

static void skip_blanks(struct text *rest)
{
	*rest = text_after(*rest, text_count_blanks(*rest));
}

static bool take_month_name(struct text *rest)
{
	// Three letters, then a blank.
	if (rest->size < 4 || !text_is_blank(rest->data[3]) ||
	    !text_is_letter(rest->data[0]))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(months); i++) {
		if (!text_take(rest, months[i]))
			continue;
		skip_blanks(rest);
		return true;
	}
	return false;
}

/** Remove `1` or `01`, and a comma and blanks after it. */
static bool take_day(struct text *rest)
{
	if (!take_shape(rest, "dd") && !take_shape(rest, "d"))
		return false;
	text_take(rest, ",");
	skip_blanks(rest);
	return true;
}

/** `Nov  1 `, `Nov 01 2026 `, `Nov 1, 2026 `, `1 Nov 2026 `. */
static bool take_month(struct text *rest)
{
	struct text at = *rest;

	if (take_month_name(&at) ? !take_day(&at)
	                         : !(take_day(&at) && take_month_name(&at)))
		return false;
	if (take_shape(&at, "dddd,") || take_shape(&at, "dddd "))
		skip_blanks(&at);
	*rest = at;
	return true;
}

/** `2026-11-01`, `11/1/26`, `1.11.2026`: numbers with one mark between them. */
static bool take_numbers(struct text *rest)
{
	struct text at = *rest;
	struct text number = text_take_digits(&at);
	char mark = at.size ? at.data[0] : '\0';

	if (!number.size || number.size > 4 ||
	    (mark != '-' && mark != '/' && mark != '.'))
		return false;
	for (size_t i = 0; i < 2; i++) {
		if (!at.size || at.data[0] != mark)
			return false;
		at = text_after(at, 1);
		number = text_take_digits(&at);
		if (!number.size || number.size > 4)
			return false;
	}
	*rest = at;
	return true;
}

/** A date, and the text between it and the time. */
static bool take_date(struct text *rest)
{
	// logcat's
	if (take_shape(rest, "dd-dd "))
		return true;
	if (!take_numbers(rest) && !take_month(rest))
		return false;
	if (text_take(rest, "T"))
		return true;
	text_take(rest, ",");
	skip_blanks(rest);
	if (text_take(rest, "at "))
		skip_blanks(rest);
	return true;
}

/** `Thu `, in JavaScript's dates. */
static void take_weekday(struct text *rest)
{
	static const char *const days[] = { "Mon ", "Tue ", "Wed ", "Thu ",
		                            "Fri ", "Sat ", "Sun " };

	if (!rest->size || !text_is_letter(rest->data[0]))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(days); i++)
		if (text_take(rest, days[i]))
			return;
}

bool log_time_take_clock(struct text *rest)
{
	return take_clock(rest, false);
}

bool log_time_take(struct text *rest)
{
	struct text at = *rest;
	bool has_bracket = text_take(&at, "[");
	bool has_date;

	take_weekday(&at);
	has_date = take_date(&at);
	skip_blanks(&at);
	if (!take_clock(&at, has_date) || (has_bracket && !text_take(&at, "]")))
		return false;
	*rest = at;
	return true;
}
