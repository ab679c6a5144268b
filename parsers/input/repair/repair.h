// SPDX-License-Identifier: MIT
/**
 * A report as people paste it, and the report that it was.
 *
 * Mail programs quote and break lines, web pages escape, chats put fences
 * around, logs write the time in front of each line. What was done to a text
 * as a whole is undone here, one layer after the other, before its format is
 * detected; so no parser knows of it. A text that nothing was done to is left
 * alone: each step first looks for what no report has.
 *
 *     SCOPED(repaired_release) struct repaired repaired = { 0 };
 *
 *     if (repair(text, &repaired))
 *             text = repaired.text;
 *
 * The work is bounded: REPAIR_LAYERS_MAX layers, each with a fixed number of
 * passes over a text that becomes shorter; but for two, each of which happens
 * once: joined cells add 3 bytes a row at most, braces double a text at most.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_REPAIR_H
#define APMTOOL_PARSERS_INPUT_REPAIR_REPAIR_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define REPAIR_LAYERS_MAX 12

/** All zeros before repair(). */
struct repaired {
	struct text text; ///< what is left, held below
	/** What was undone, layer by layer: `quote marks of 214 lines; …`. */
	struct str notes[REPAIR_LAYERS_MAX];
	size_t count;
	size_t lines_gone; ///< left out above
	struct str held;
};

/** Repair @p in; false if there is nothing to repair. */
bool repair(struct text in, struct repaired *ret);

void repaired_release(struct repaired *repaired);

#endif
