// SPDX-License-Identifier: MIT
/**
 * What only the older of two trees has: each call that is gone, where its
 * caller is still there.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_GONE_H
#define APMTOOL_FORMATTERS_FLAME_GONE_H

#include "formatters/flame/layout.h"

#include <stddef.h>
#include <stdint.h>

#define FLAME_GONE_MOST 20

struct flame_gone {
	uint32_t nodes[FLAME_GONE_MOST]; ///< that weighed most first
	size_t count;
	size_t more; ///< that are not in the list
};

/** Those of one weight are in the order of their names. */
void flame_gone_find(const struct flame *flame, struct flame_gone *ret);

#endif
