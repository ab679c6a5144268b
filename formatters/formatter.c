// SPDX-License-Identifier: MIT
#include "formatters/formatter.h"

#include <string.h>

const struct formatter *const formatters[] = {
#define FORMATTER(name) &name##_formatter,
#include "formatters/formatters.def"
#undef FORMATTER
	NULL,
};

static bool shows(const struct formatter *formatter, unsigned shapes)
{
	return (!(shapes & SHAPE_REPORT) || formatter->report) &&
	       (!(shapes & SHAPE_TABLE) ||
	        (formatter->table &&
	         (!formatter->counts || shapes & SHAPE_COUNTS))) &&
	       (!(shapes & SHAPE_CALLTREE) || formatter->calltree) &&
	       (!(shapes & SHAPE_PAGE) || formatter->page);
}

bool formatter_only_counts(const struct formatter *formatter)
{
	return formatter->counts && !formatter->report;
}

const struct formatter *formatter_of_shapes(unsigned shapes, size_t index)
{
	for (size_t i = 0; formatters[i]; i++)
		if (shows(formatters[i], shapes) && !index--)
			return formatters[i];
	return NULL;
}

const struct formatter *formatter_find(const char *name)
{
	for (size_t i = 0; formatters[i]; i++)
		if (!strcmp(formatters[i]->name, name))
			return formatters[i];
	return NULL;
}
