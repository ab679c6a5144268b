// SPDX-License-Identifier: MIT
/**
 * Memory limits of devices, as people have measured them: reference limits
 * beside what a log itself says. The table is YAML, data/device-limits.yaml,
 * which the build puts into the program and `--limits` replaces.
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
	const char *device;   ///< model name, as product ids are turned into
	uint64_t limit_bytes; ///< the app was killed there
	uint64_t ram_bytes;
	const char *os; ///< of the measurement; NULL: not known
};

struct limits {
	const char *source; ///< who collected them
	struct limit *items;
	size_t count;
	size_t cap;
};

/** The table of the program itself. */
extern const char device_limits_text[];

/** Read a table; @p name is how messages call it. All lives in the arena. */
MUST_CHECK struct error *limits_parse(struct text in, const char *name,
                                      struct arena *arena, struct limits *ret);

/** NULL where none was collected for this model. */
const struct limit *limits_find(const struct limits *limits,
                                const char *device);

#endif
