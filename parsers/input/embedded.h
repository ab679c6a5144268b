/**
 * A report that is the text of a value in JSON of another kind: servers log it
 * so, and hooks send it so, with its lines as `\\n` and its quotes as `\\"`.
 */
#ifndef APMTOOL_PARSERS_INPUT_EMBEDDED_H
#define APMTOOL_PARSERS_INPUT_EMBEDDED_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

#include <stddef.h>

struct embedded {
	struct text *texts;
	size_t count;
	size_t cap;
};

/**
 * The texts in the JSON values of @p in that look like reports, in their order:
 * none if @p in is no JSON. They live in the arena.
 */
struct embedded embedded_find(struct text in, struct arena *arena);

#endif
