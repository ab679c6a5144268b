// SPDX-License-Identifier: MIT
/**
 * Groups crashes by signature, over any number of reports. Memory grows with
 * the groups: only a few words of each report are kept.
 *
 *     struct crash_groups groups = { .level = 2 };
 *
 *     crash_groups_add(&groups, report, &signature);
 *     …
 *     table = crash_groups_table(&groups, top, &arena);
 *
 * A report without symbols has a group of its own, by places. If a symbolicated
 * report of the same build has the same raw hash, the table counts both in the
 * group of the latter.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_GROUPS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_GROUPS_H

#include "lib/analysis/crash/group/owners.h"
#include "lib/analysis/crash/group/stacks.h"
#include "lib/analysis/crash/group/trend.h"
#include "lib/analysis/crash/signature/signer.h"
#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/fingerprint.h"
#include "lib/base/intern.h"
#include "lib/model/group_row.h"
#include "lib/model/report.h"
#include "lib/model/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max groups; reports of further ones are only counted. */
#define CRASH_GROUPS_MAX 100000
/** Max different users, devices and so on, of all groups together. */
#define CRASH_GROUPS_TALLIES_MAX 2000000

/** Max incidents that are remembered; later duplicates count again. */
#define CRASH_GROUPS_INCIDENTS_MAX 4000000

/** Criterion for grouping. */
enum crash_group_by {
	CRASH_BY_SIGNATURE,
	CRASH_BY_CLASS, ///< exception or cause, without frames
	CRASH_BY_FRAME, ///< innermost frame of the signature
	CRASH_BY_IMAGE, ///< image of that frame
	CRASH_BY_APP,   ///< bundle identifier and version
	CRASH_BY_DEVICE,
	CRASH_BY_SYSTEM,
	CRASH_BY_OWNER,
};

/** Choices of a `--by` option, in the order of the enum. */
#define CRASH_GROUP_BY "signature|class|frame|image|app|device|os|owner"

struct crash_group {
	uint64_t count;
	uint64_t sides[2]; ///< parts of the count, see crash_groups
	/** Reports at launch; known for some report, or from its table. */
	uint64_t at_launch[2];
	bool knows_launch;
	enum signature_kind kind;
	bool has_places; ///< some name is only a place
	uint64_t hashes[SIGNATURE_LEVELS];
	uint64_t raw_hash; ///< of the first report that has one
	bool has_raw_hash;
	bool has_dates;
	int64_t first_ms; ///< since 1970
	int64_t last_ms;
	struct trend *trend; ///< of its dates; NULL: not requested
	const char *text;    ///< signature, or another criterion
	const char *example; ///< first report
	const char *file;    ///< source file of its first frame; or NULL
	uint32_t line;
	uint32_t joined; ///< group that counts it; else itself
};

/** What is counted within a group. */
enum crash_tally_kind {
	CRASH_TALLY_USER,
	CRASH_TALLY_APP,
	CRASH_TALLY_DEVICE,
	CRASH_TALLY_SYSTEM,
	CRASH_TALLY_KINDS,
};

/** All zeros except the settings. */
struct crash_groups {
	enum signature_algorithm algorithm;
	unsigned level; ///< 1 to SIGNATURE_LEVELS
	enum crash_group_by by;
	bool keeps_members;
	bool gates_launch; ///< a crash at launch is an error, others are
	                   ///< notices
	bool draws;        ///< also keep counts over time, and stacks
	const struct owners *owners; ///< NULL: unknown
	/** In a comparison, the side of the next reports. */
	unsigned side;

	struct arena arena;
	struct crash_stacks stacks;
	struct intern identities; ///< by group
	struct crash_group *groups;
	size_t group_cap;
	struct intern values;    ///< users, devices and so on
	struct intern tally_ids; ///< group, kind and value
	uint64_t *tally_counts;
	size_t tally_cap;
	struct map raw_map; ///< raw hashes
	struct crash_raw *raws;
	size_t raw_count;
	size_t raw_cap;
	struct crash_member *members;
	size_t member_count;
	size_t member_cap;

	struct fingerprints incidents[2]; ///< of each side's reports

	uint64_t count;          ///< reports with a signature
	uint64_t at_launch;      ///< part of them
	uint64_t duplicates;     ///< skipped, already counted
	uint64_t counted_twice;  ///< incidents counted truncated, then complete
	uint64_t unsigned_count; ///< reports without a signature
	uint64_t dropped;        ///< reports of groups over the max
	bool is_truncated; ///< some users, devices and so on are not counted
};

/**
 * The identity of a report's incident on this side; false without an incident
 * id.
 */
bool crash_groups_identify(struct crash_groups *groups,
                           const struct report *report,
                           struct fingerprint *ret);
/**
 * Was the incident counted before? Marks it as counted. A complete report after
 * a truncated one counts, too.
 */
bool crash_groups_is_counted(struct crash_groups *groups,
                             const struct fingerprint *incident,
                             bool is_truncated);

/**
 * Was this report counted before on this side? Incidents occur twice if a
 * report was sent again, or is there in two formats. Reports without an
 * incident id are never duplicates.
 */
bool crash_groups_is_duplicate(struct crash_groups *groups,
                               const struct report *report);

/**
 * Count a report, or a process killed according to a jetsam log.
 *
 * @param is_new  False: a duplicate, which is not counted. With symbols, it
 *                still determines the group of its copy without.
 */
void crash_groups_add(struct crash_groups *groups, const struct report *report,
                      const struct signature *signature, bool is_new);

/**
 * Count the reports of a stored row.
 *
 * @return An ERROR_USAGE if its algorithm or level differs from these groups.
 */
MUST_CHECK struct error *crash_groups_add_row(struct crash_groups *groups,
                                              const struct group_row *row);

/** Count a report without a signature: it belongs to no group. */
void crash_groups_add_unsigned(struct crash_groups *groups);

/**
 * Merge groups of places with groups of the same places by name. Call it after
 * adding all reports, before reading the groups.
 */
void crash_groups_join(struct crash_groups *groups);

/**
 * The table `crash-groups`: most frequent first, then by signature. Call it
 * after crash_groups_join(); it is in @p arena and borrows from the groups.
 *
 * @param top  Max rows; 0: all.
 */
const struct table *crash_groups_table(struct crash_groups *groups, size_t top,
                                       struct arena *arena);

void crash_groups_release(struct crash_groups *groups);

/**
 * A new, empty table `crash-frames`, and adding the frames of a report to it.
 */
struct table *crash_frames_table(struct arena *arena);
void crash_frames_add(struct table *table, const struct report *report,
                      const struct signature *signature, struct arena *arena);

/** The table `crash-rules`: number of matches of each rule. */
const struct table *crash_rules_table(const struct signer *signer,
                                      struct arena *arena);

#endif
