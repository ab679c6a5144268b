// SPDX-License-Identifier: MIT
/**
 * What waits for symbols: a raw message, by its place, and the UUIDs that it
 * misses (`apmtool.waiting/1`, a value of the waiting topic).
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
	const char *topic; ///< NULL: it is done
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
 * Add what a message says; one that is no reference is an ERROR_FORMAT.
 *
 * @param value  No data: what has the key is done.
 */
MUST_CHECK struct error *references_add(struct references *references,
                                        struct text key, struct text value);
/** By topic, partition and offset. */
void references_sort(struct references *references);
void references_release(struct references *references);

#endif
