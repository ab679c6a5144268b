/**
 * The inside of lag_groups: what its counting (groups.c) hands to its table
 * (group_table.c).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_GROUP_ROWS_H
#define APMTOOL_LIB_ANALYSIS_LAG_GROUP_ROWS_H

#include "lib/base/str.h"
#include "lib/model/sample_kind.h"

#include <stdbool.h>
#include <stdint.h>

struct lag_group {
	enum sample_kind kind;
	uint64_t reports;
	uint64_t samples;
	uint64_t cost_us;
	struct str example;  ///< name of its costliest report
	bool example_has_id; ///< so the name does not say the file
	struct str example_input;
	uint64_t example_cost_us;
};

/** What is counted inside of a group; as stored, functions are numbers. */
enum lag_tally_kind {
	LAG_TALLY_KEY,
	LAG_TALLY_CLASS2,
	LAG_TALLY_CLASS4,
	LAG_TALLY_DEVICE,
	LAG_TALLY_OS,
	LAG_TALLY_APP,
	LAG_TALLY_KINDS,
};

struct lag_tally {
	uint32_t group;
	enum lag_tally_kind kind;
	struct text what;
	uint64_t count;
};

#endif
