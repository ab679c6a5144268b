// SPDX-License-Identifier: MIT
/**
 * Behind each node of a call tree of several reports: from which devices they
 * came, and from which builds of the app. Nodes that were met by the same share
 * one set; of what is more than ORIGINS_MOST, only that is known. It is kept
 * only where an output shows it.
 *
 *     origins_begin(&origins, "iPhone14,2", "Demo 2.1 (210)");  // each report
 *     origins_pass(&origins, node);                    // and where it passes
 *     count = origins_list(&origins.devices, node, names);
 */
#ifndef APMTOOL_LIB_MODEL_ORIGINS_H
#define APMTOOL_LIB_MODEL_ORIGINS_H

#include "lib/base/intern.h"

#include <stddef.h>
#include <stdint.h>

/** Names that a node keeps. */
#define ORIGINS_MOST 32
/** Different sets; beyond, nothing is known of any node. */
#define ORIGINS_SETS_MAX ((uint32_t)1 << 16)

/** Names of one sort, by node. */
struct origin_sets {
	struct intern names;
	struct intern sets; ///< numbers of names, as bytes, in their order
	uint32_t *of_node;  ///< number of its set, from 1; 0: none
	size_t node_count;
	size_t node_cap;
	uint32_t current; ///< name of the report; INTERN_NONE
};

/** All zeros is empty. */
struct origins {
	struct origin_sets devices;
	struct origin_sets builds;
};

/** A report begins; NULL for what it does not say. */
void origins_begin(struct origins *origins, const char *device,
                   const char *build);

/** It passes a node. */
void origins_pass(struct origins *origins, uint32_t node);

/** Add what is behind a node of another tree. */
void origins_join(struct origins *origins, uint32_t node,
                  const struct origins *from, uint32_t from_node);

/** The nodes of the tree, so many, have other numbers now; some are one. */
void origins_renumber(struct origins *origins, const uint32_t *node_of,
                      uint32_t count);

/**
 * The names behind a node, in their order.
 *
 * @param ret  Room for ORIGINS_MOST.
 * @return How many; ORIGINS_MOST + 1: there are more than are known, and none
 *         is given. 0: nothing is known.
 */
size_t origins_list(const struct origin_sets *sets, uint32_t node,
                    const char **ret);

/** Forget everything. */
void origins_release(struct origins *origins);

#endif
