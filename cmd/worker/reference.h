// SPDX-License-Identifier: MIT
/**
 * References to raw messages that wait for symbols, with the missing UUIDs:
 * values of the waiting topic (`apmtool.waiting/1`).
 */
#ifndef APMTOOL_CMD_WORKER_REFERENCE_H
#define APMTOOL_CMD_WORKER_REFERENCE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/map.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reference {
	struct text key;   ///< of the message, TOPIC/PARTITION/OFFSET
	const char *topic; ///< NULL: nothing is missing any more
	int32_t partition;
	int64_t offset;
	unsigned attempt;
	const char *missing; ///< UUIDs, a blank after each
};

/** The last reference of each key. */
struct references {
	struct reference *all;
	size_t count;
	size_t cap;
	struct map map;
	struct arena arena;
};

/**
 * Add a reference, or replace that of the same key.
 *
 * @param value  No data: nothing is missing any more.
 * @return ERROR_FORMAT where @p value is not a reference.
 */
MUST_CHECK struct error *references_add(struct references *references,
                                        struct text key, struct text value);
/** By topic, partition and offset. */
void references_sort(struct references *references);
void references_release(struct references *references);

#endif
