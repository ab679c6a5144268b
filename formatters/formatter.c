#include "formatters/formatter.h"

#include <string.h>

const struct formatter *const formatters[] = {
#define FORMATTER(name) &name##_formatter,
#include "formatters/formatters.def"
#undef FORMATTER
	NULL,
};

const char *formatter_missing_shape(const struct formatter *formatter,
                                    unsigned shapes)
{
	if (shapes & SHAPE_REPORT && !formatter->report)
		return "a report";
	if (shapes & SHAPE_TABLE && !formatter->table)
		return "a table";
	if (shapes & SHAPE_CALLTREE && !formatter->calltree)
		return "a call tree";
	if (shapes & SHAPE_PAGE && !formatter->page)
		return "a page";
	return NULL;
}

const struct formatter *formatter_of_shapes(unsigned shapes, size_t index)
{
	for (size_t i = 0; formatters[i]; i++)
		if (!formatter_missing_shape(formatters[i], shapes) && !index--)
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
