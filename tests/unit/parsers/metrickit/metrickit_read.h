// SPDX-License-Identifier: MIT
/**
 * What the tests of MetricKit payloads share: reading one, and looking at what
 * came of it. Include cmocka's headers first.
 */
#ifndef APMTOOL_TESTS_UNIT_METRICKIT_READ_H
#define APMTOOL_TESTS_UNIT_METRICKIT_READ_H

#include "lib/base/str.h"
#include "tests/unit/parsers/parsed.h"

#include <inttypes.h>
#include <string.h>

static inline struct report *parse(struct arena *arena, const char *json)
{
	return parsed(&metrickit_reader, json, arena);
}

/** The addresses of a stack: `1 2 3`. */
static inline const char *addresses(struct arena *arena,
                                    const struct report_stack *stack)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < stack->count; i++)
		str_addf(&text, "%s%" PRIu64, i ? " " : "",
		         stack->frames[i].address);
	return arena_text(arena, str_text(&text));
}

#endif
