// SPDX-License-Identifier: MIT
#include "lib/model/excerpt.h"

#include <string.h>

const struct excerpt *excerpts_find(const struct excerpts *excerpts,
                                    const char *path, uint32_t line)
{
	for (size_t i = 0; excerpts && path && i < excerpts->count; i++)
		if (excerpts->items[i].line == line &&
		    !strcmp(excerpts->items[i].path, path))
			return &excerpts->items[i];
	return NULL;
}
