// SPDX-License-Identifier: MIT
/**
 * Restores a report from what people paste.
 *
 * Mail programs quote and break lines, web pages escape, chats add fences, logs
 * add the time to each line. Such changes of a whole text are undone here, one
 * layer at a time, before the format is detected; parsers never see them. Each
 * step first looks for something that no report has, so an unchanged text is
 * left alone.
 *
 *     SCOPED(repaired_release) struct repaired repaired = { 0 };
 *
 *     if (repair(text, &repaired))
 *             text = repaired.text;
 *
 * The work is bounded: REPAIR_LAYERS_MAX layers, each with a fixed number of
 * passes over a text that becomes shorter. Two layers add text, and run once:
 * joining cells adds up to 3 bytes a row, adding braces doubles a text at most.
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
	struct text text; ///< the result, owned
	/** Each layer that was undone: `quote marks of 214 lines; …`. */
	struct str notes[REPAIR_LAYERS_MAX];
	size_t count;
	size_t lines_gone; ///< removed from the top
	struct str buffer;
};

/** Repair @p in; false if it needs no repair. */
bool repair(struct text in, struct repaired *ret);

void repaired_release(struct repaired *repaired);

#endif
