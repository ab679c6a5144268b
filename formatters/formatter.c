#include "formatters/formatter.h"

#include <string.h>

const struct formatter *const formatters[] = {
	&crash_text_formatter, &json_formatter,       &jsonl_formatter,
	&ips_formatter,        &csv_formatter,        &github_formatter,
	&folded_formatter,     &speedscope_formatter, &nodes_formatter,
	&svg_formatter,        &html_formatter,       NULL,
};

const struct formatter *formatter_find(const char *name)
{
	for (size_t i = 0; formatters[i]; i++)
		if (!strcmp(formatters[i]->name, name))
			return formatters[i];
	return NULL;
}
