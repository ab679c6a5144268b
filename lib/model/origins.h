// SPDX-License-Identifier: MIT
/**
 * Devices and app builds of each node in a call tree of several reports. Nodes
 * with equal names share one set; a set of more than ORIGINS_MOST names is only
 * known to be larger. Recorded only if the output shows it.
 *
 *     origins_begin(&origins, "iPhone14,2", "Demo 2.1 (210)");  // each report
 *     origins_pass(&origins, node);                    // each of its nodes
 *     count = origins_list(&origins.devices, node, names);
 */
#ifndef APMTOOL_LIB_MODEL_ORIGINS_H
#define APMTOOL_LIB_MODEL_ORIGINS_H

#include "lib/base/intern.h"

#include <stddef.h>
#include <stdint.h>

/** Max names of a node. */
#define ORIGINS_MOST 32
/** Max different sets; beyond, nothing is known about any node. */
#define ORIGINS_SETS_MAX ((uint32_t)1 << 16)

/** Names of one kind, by node. */
struct origin_sets {
	struct intern names;
	struct intern sets; ///< numbers of names, as bytes, sorted
	uint32_t *of_node;  ///< number of its set, from 1; or 0
	size_t node_count;
	size_t node_cap;
	uint32_t current; ///< of the current report; or INTERN_NONE
};

/** All zeros is empty. */
struct origins {
	struct origin_sets devices;
	struct origin_sets builds;
};

/** Begin a report; NULL for unknown values. */
void origins_begin(struct origins *origins, const char *device,
                   const char *build);

/** The current report has this node. */
void origins_pass(struct origins *origins, uint32_t node);

/** Add the names of a node in another tree. */
void origins_join(struct origins *origins, uint32_t node,
                  const struct origins *from, uint32_t from_node);

/** Renumber @p count nodes of the tree; several may become one. */
void origins_renumber(struct origins *origins, const uint32_t *node_of,
                      uint32_t count);

/**
 * The names of a node, sorted.
 *
 * @param ret  Has room for ORIGINS_MOST.
 * @return Number of names; ORIGINS_MOST + 1 if there are more, and none is
 * returned; 0 if unknown.
 */
size_t origins_list(const struct origin_sets *sets, uint32_t node,
                    const char **ret);

/** Forget everything. */
void origins_release(struct origins *origins);

#endif
