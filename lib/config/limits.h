// SPDX-License-Identifier: MIT
/**
 * Reference limits: memory limits of devices that were measured by others, in
 * addition to the limits in logs. The table is YAML, data/device-limits.yaml,
 * which the build embeds; `--limits` replaces it.
 *
 *     source: where the numbers come from
 *     limits:
 *       - device: iPhone 11 Pro Max
 *         limit: 2067.5
 *         ram: 3740
 *         os: "13.2.3"
 */
#ifndef APMTOOL_LIB_CONFIG_LIMITS_H
#define APMTOOL_LIB_CONFIG_LIMITS_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

#include <stddef.h>
#include <stdint.h>

struct limit {
	const char *device;   ///< model name, as translated from product ids
	uint64_t limit_bytes; ///< the app was killed at this footprint
	uint64_t ram_bytes;
	const char *os; ///< of the measurement; or NULL
};

struct limits {
	const char *source; ///< the collector of the numbers
	struct limit *items;
	size_t count;
	size_t cap;
};

/** The built-in table. */
extern const char device_limits_text[];

/**
 * Read a table into the arena.
 *
 * @param name  For messages.
 */
MUST_CHECK struct error *limits_parse(struct text in, const char *name,
                                      struct arena *arena, struct limits *ret);

/** The limit of a model; or NULL. */
const struct limit *limits_find(const struct limits *limits,
                                const char *device);

#endif
