// SPDX-License-Identifier: MIT
/** Calls that only the older of two trees has, below callers that both have. */
#ifndef APMTOOL_FORMATTERS_FLAME_GONE_H
#define APMTOOL_FORMATTERS_FLAME_GONE_H

#include "formatters/flame/layout.h"

#include <stddef.h>
#include <stdint.h>

#define FLAME_GONE_MOST 20

struct flame_gone {
	uint32_t nodes[FLAME_GONE_MOST]; ///< heaviest first
	size_t count;
	size_t more; ///< not in the list
};

/** Calls of one weight are sorted by name. */
void flame_gone_find(const struct flame *flame, struct flame_gone *ret);

#endif
