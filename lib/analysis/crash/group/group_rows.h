// SPDX-License-Identifier: MIT
/** Internals of crash_groups, shared by groups.c and group_table.c. */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_GROUP_ROWS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_GROUP_ROWS_H

#include <stdint.h>

/** A raw hash, and its groups; or MAP_NONE. */
struct crash_raw {
	uint64_t hash;
	uint32_t named;
	uint32_t places;
};

struct crash_member {
	uint32_t group;
	const char *name;
};

/** Key of a tally, as bytes. */
struct crash_tally {
	uint32_t group;
	uint32_t kind;
	uint32_t value;
};

#endif
