// SPDX-License-Identifier: MIT
#include "lib/model/report_sources.h"

#include "lib/base/source_path.h"
#include "lib/base/text.h"

#include <string.h>

/** The line with the first @p from replaced; itself if there is none. */
static const char *replace(const char *line, const char *from, const char *to,
                           struct arena *arena)
{
	size_t at = line ? text_find(text_from(line), from) : TEXT_NOWHERE;

	if (at == TEXT_NOWHERE)
		return line;
	return arena_printf(arena, "%.*s%s%s", (int)at, line, to,
	                    line + at + strlen(from));
}

static void map_call(struct report_call *call, struct arena *arena)
{
	const char *path = source_path(call->path, arena);

	if (path == call->path)
		return;
	call->verbatim = replace(call->verbatim, call->path, path, arena);
	call->path = path;
	call->file = text_base_cstr(path);
}

static void map_stack(struct report_stack *stack, void *context)
{
	for (size_t i = 0; i < stack->count; i++)
		for (uint32_t j = 0; j < stack->frames[i].call_count; j++)
			map_call(&stack->frames[i].calls[j], context);
}

void report_map_sources(struct report *report, struct arena *arena)
{
	if (source_path_has_rules())
		report_each_stack(report, map_stack, arena);
}
