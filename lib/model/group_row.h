// SPDX-License-Identifier: MIT
/**
 * A row of a stored table of crash groups: a group without its reports
 * (apmtool-report(5), `crash-groups`).
 */
#ifndef APMTOOL_LIB_MODEL_GROUP_ROW_H
#define APMTOOL_LIB_MODEL_GROUP_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Hashes of a signature, one per level. */
#define GROUP_ROW_HASHES 4
/** Max raw hashes in a row. */
#define GROUP_ROW_RAW_HASHES 16

struct group_row {
	size_t number; ///< in its table, from 0
	const char *signature;
	const char *kind;      ///< or NULL
	const char *algorithm; ///< or NULL
	uint64_t level;        ///< 0: unknown
	bool has_places;
	uint64_t count;
	uint64_t at_launch; ///< number of them; also 0 if unknown
	uint64_t hashes[GROUP_ROW_HASHES];
	uint64_t raw_hashes[GROUP_ROW_RAW_HASHES];
	size_t raw_count;
	const char *example; ///< or NULL
	const char *file;    ///< or NULL
	uint32_t line;
};

#endif
