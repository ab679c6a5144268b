// SPDX-License-Identifier: MIT
/**
 * The inside of crash_groups: what its counting (groups.c) hands to its table
 * (group_table.c).
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_GROUP_ROWS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_GROUP_ROWS_H

#include <stdint.h>

/** A raw hash, and the groups that have it; MAP_NONE: none has. */
struct crash_raw {
	uint64_t hash;
	uint32_t named;
	uint32_t places;
};

struct crash_member {
	uint32_t group;
	const char *name;
};

/** Bytes of a tally's identity. */
struct crash_tally {
	uint32_t group;
	uint32_t kind;
	uint32_t value;
};

#endif
