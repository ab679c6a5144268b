// SPDX-License-Identifier: MIT
#include "cmd/run/options.h"

#include "formatters/formatter.h"
#include "lib/base/number.h"
#include "lib/base/units.h"

#include <string.h>

size_t text_width_columns(const struct text_width *width,
                          const struct command_line *line, const char *output)
{
	if (!width->is_given)
		return output ? 0 : line->columns;
	return width->columns && width->columns < TEXT_COLUMNS_MIN
	               ? TEXT_COLUMNS_MIN
	               : width->columns;
}

static const char *format_at(unsigned shapes, size_t index)
{
	const struct formatter *formatter = formatter_of_shapes(shapes, index);

	return formatter ? formatter->name : NULL;
}

const struct option_names option_formats = { .at = format_at };

struct error *option_sessions(const char *value, uint64_t ret[2])
{
	struct text text;
	size_t comma;

	if (!value)
		return NULL;
	text = text_from(value);
	comma = text_find_char(text, ',');
	if (comma != TEXT_NOWHERE &&
	    number_decimal(text_first(text, comma), &ret[0]) &&
	    number_decimal(text_after(text, comma + 1), &ret[1]) && ret[0] &&
	    ret[1])
		return NULL;
	return error_new(ERROR_USAGE,
	                 "option '--sessions': expected two numbers above 0, "
	                 "as 1200,900, found '%s'",
	                 value);
}

struct error *option_selection(const struct selection_settings *settings,
                               struct arena *arena, struct selection *ret)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < settings->where.count; i++)
		err = selection_add(ret, settings->where.items[i], arena);
	if (!err && settings->since)
		err = selection_set_since(ret, settings->since);
	if (!err && settings->until)
		err = selection_set_until(ret, settings->until);
	return err;
}

bool option_percent(const char *value, unsigned *ret_hundredths)
{
	struct text number = text_from(value);
	uint64_t hundredths;

	if (text_ends(number, "%"))
		number = text_first(number, number.size - 1);
	// More digits would be rounded: probably a typing error.
	if (strpbrk(value, "eE") ||
	    text_after(number, text_find_char(number, '.')).size > 3 ||
	    !units_read(number, 100, 10000, &hundredths))
		return false;
	*ret_hundredths = (unsigned)hundredths;
	return true;
}
