// SPDX-License-Identifier: MIT
/**
 * A row of a table of crash groups that was written before: a group without its
 * reports (apmtool-report(5), `crash-groups`).
 */
#ifndef APMTOOL_LIB_MODEL_GROUP_ROW_H
#define APMTOOL_LIB_MODEL_GROUP_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Hashes of a signature, one a level. */
#define GROUP_ROW_HASHES 4
/** Raw hashes of a group that its row lists. */
#define GROUP_ROW_RAW_HASHES 16

struct group_row {
	size_t number; ///< in its table, from 0
	const char *signature;
	const char *kind;      ///< NULL: not said
	const char *algorithm; ///< NULL: not said
	uint64_t level;        ///< 0: not said
	bool has_places;
	uint64_t count;
	uint64_t at_launch; ///< of them; 0, too: not said
	uint64_t hashes[GROUP_ROW_HASHES];
	uint64_t raw_hashes[GROUP_ROW_RAW_HASHES];
	size_t raw_count;
	const char *example; ///< NULL: not said
	const char *file;    ///< NULL: not said
	uint32_t line;
};

#endif
