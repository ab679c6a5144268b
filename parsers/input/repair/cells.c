// SPDX-License-Identifier: MIT
#include "parsers/input/repair/cells.h"

#include "lib/base/compiler.h"
#include "lib/base/number.h"

#include <inttypes.h>
#include <string.h>

// Longer lines are text.
#define IMAGE_BYTES 80
#define DIGITS_MAX  4

struct row {
	uint64_t number;
	struct text image;
	struct text file; ///< or empty
	uint64_t line;
	struct text function;
};

static bool is_heading(struct text line)
{
	return text_starts(line, "Crashed: ") ||
	       text_starts(line, "Fatal Exception: ") ||
	       text_starts(line, "Non-fatal");
}

/** The next line that is not blank. */
static bool next_cell(struct text *rest, struct text *ret)
{
	while (text_next_line(rest, ret)) {
		*ret = text_trim(*ret);
		if (ret->size)
			return true;
	}
	return false;
}

static bool is_number(struct text cell, uint64_t *ret)
{
	return cell.size <= DIGITS_MAX && number_decimal(cell, ret);
}

/** `Cart.swift - Line 44`. */
static bool take_file(struct text cell, struct row *ret)
{
	static const char said[] = " - Line ";
	size_t at = text_find_last(cell, said);

	if (at == TEXT_NOWHERE || !at ||
	    !number_decimal(text_after(cell, at + strlen(said)), &ret->line))
		return false;
	ret->file = text_first(cell, at);
	return true;
}

/** Read three or four cells; @p rest is unchanged if there is no row. */
static bool take_row(struct text *rest, struct row *ret)
{
	struct text at = *rest;
	struct row row = { .file = TEXT_NONE };
	struct text cell;
	uint64_t number;

	if (!next_cell(&at, &cell) || !is_number(cell, &row.number) ||
	    !next_cell(&at, &row.image) || row.image.size > IMAGE_BYTES ||
	    is_number(row.image, &number) ||
	    text_find(row.image, "  ") != TEXT_NOWHERE ||
	    !next_cell(&at, &cell))
		return false;
	if (take_file(cell, &row) && !next_cell(&at, &cell))
		return false;
	row.function = cell;
	if (is_number(cell, &number) || text_find(cell, "  ") != TEXT_NOWHERE)
		return false;
	*ret = row;
	*rest = at;
	return true;
}

/** Is it an address, in place of an unknown line? */
static bool is_address(uint64_t number)
{
	return number > UINT32_MAX;
}

/** `f() + 44`, where 44 is the line or an address: `f()`. */
static struct text function_of(const struct row *row, uint64_t *ret_number)
{
	size_t plus = text_find_last(row->function, " + ");

	*ret_number = 0;
	if (plus == TEXT_NOWHERE ||
	    !number_decimal(text_after(row->function, plus + 3), ret_number) ||
	    (!is_address(*ret_number) &&
	     (!row->file.size || *ret_number != row->line)))
		return row->function;
	return text_first(row->function, plus);
}

static void write_row(struct str *out, const struct row *row)
{
	uint64_t number;
	struct text function = function_of(row, &number);

	str_addf(out, "%-3" PRIu64 " %.*s  ", row->number,
	         TEXT_ARGS(row->image));
	if (is_address(number))
		str_addf(out, "0x%" PRIx64 " ", number);
	str_add_text(out, function);
	if (row->file.size && is_address(row->line))
		str_addf(out, " (%.*s:0)", TEXT_ARGS(row->file));
	else if (row->file.size)
		str_addf(out, " (%.*s:%" PRIu64 ")", TEXT_ARGS(row->file),
		         row->line);
	str_add_char(out, '\n');
}

bool cells_join(struct text in, struct str *out, size_t *ret_count)
{
	struct text line;
	bool is_below = false;

	*ret_count = 0;
	// Most texts have no heading.
	if (text_find(in, "Crashed: ") == TEXT_NOWHERE &&
	    text_find(in, "Fatal Exception: ") == TEXT_NOWHERE &&
	    text_find(in, "Non-fatal") == TEXT_NOWHERE)
		return false;
	while (in.size) {
		struct row row;

		if (is_below && take_row(&in, &row)) {
			write_row(out, &row);
			(*ret_count)++;
			continue;
		}
		if (!text_next_line(&in, &line))
			break;
		is_below |= is_heading(text_trim(line));
		str_add_text(out, line);
		str_add_char(out, '\n');
	}
	return *ret_count > 0;
}
