// SPDX-License-Identifier: MIT
#include "lib/text/csv.h"

#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>

/** Would a spreadsheet read a field with this start as a formula? */
static bool is_formula(struct text in)
{
	// Full-width = + - @, which some treat alike.
	static const char *const wide[] = { "\uff1d", "\uff0b", "\uff0d",
		                            "\uff20" };

	for (size_t i = 0; i < ARRAY_SIZE(wide); i++)
		if (text_starts(in, wide[i]))
			return true;
	// A lone dash is a name, or a placeholder.
	return in.size && !text_is(in, "-") &&
	       memchr("=+-@\t\r\n", in.data[0], 7);
}

/**
 * Characters that a quoted field may contain: a lone CR would act on a
 * terminal.
 */
static bool is_kept(struct text in, size_t at)
{
	char c = in.data[at];

	return c == '"' || c == '\n' ||
	       (c == '\r' && at + 1 < in.size && in.data[at + 1] == '\n');
}

/** Make text visible, except what a quoted field may contain. */
static void add_plain(struct str *out, struct text in)
{
	while (in.size) {
		size_t end = 0;

		while (end < in.size && !is_kept(in, end))
			end++;
		utf8_add_visible(out, text_first(in, end));
		if (end < in.size && in.data[end] == '"')
			str_add(out, "\"\"");
		else if (end < in.size)
			str_add_char(out, in.data[end]);
		in = text_after(in, end + 1);
	}
}

void csv_empty(struct csv_writer *w)
{
	if (w->has_fields)
		str_add_char(&w->record, ',');
	w->has_fields = true;
}

void csv_text(struct csv_writer *w, const char *text)
{
	struct text in = text_from(text ? text : "");
	bool quoted = false;

	csv_empty(w);
	for (size_t i = 0; i < in.size && !quoted; i++)
		quoted = strchr("\",\r\n", in.data[i]);
	if (quoted)
		str_add_char(&w->record, '"');
	if (is_formula(in))
		str_add_char(&w->record, '\'');
	add_plain(&w->record, in);
	if (quoted)
		str_add_char(&w->record, '"');
}

void csv_number(struct csv_writer *w, uint64_t value)
{
	csv_empty(w);
	str_addf(&w->record, "%" PRIu64, value);
}

void csv_address(struct csv_writer *w, uint64_t value)
{
	csv_empty(w);
	str_addf(&w->record, "0x%" PRIx64, value);
}

void csv_decimal(struct csv_writer *w, const char *digits)
{
	csv_empty(w);
	str_add(&w->record, digits);
}

void csv_end(struct csv_writer *w)
{
	str_add(&w->record, "\r\n");
	out_add_bytes(w->out, w->record.data, w->record.size);
	str_clear(&w->record);
	w->has_fields = false;
}

void csv_release(struct csv_writer *w)
{
	str_release(&w->record);
}
