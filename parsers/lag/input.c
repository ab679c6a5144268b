/*
 * A JSON input from its beginning to its end.
 */
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"

#include <stdlib.h>

struct lag_json lag_json_begin(struct lag_reader *reader)
{
	if (!reader->stack) {
		reader->stack =
		        mem_zalloc(LAG_STACK_FRAMES, sizeof(*reader->stack));
		reader->stack_cap = LAG_STACK_FRAMES;
	}
	return (struct lag_json){
		.reader = reader,
		.report = &reader->report,
		.source = lag_json_source(NULL, &reader->report),
		.first_line = 1,
		.stack.frames = reader->stack,
	};
}

void lag_json_end(struct lag_json *json)
{
	lag_stack_release(&json->stack);
	free(json->samples.tallies);
	free(json->nodes.levels);
	arena_release(&json->arena);
}
