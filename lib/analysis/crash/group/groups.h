// SPDX-License-Identifier: MIT
/**
 * Crashes by their signature, over any number of reports, in the memory of the
 * groups: of a report only a few words are kept.
 *
 *     struct crash_groups groups = { .level = 2 };
 *
 *     crash_groups_add(&groups, report, &signature);
 *     …
 *     table = crash_groups_table(&groups, top, &arena);
 *
 * A report whose frames have no names has a group of its own, by places. Where
 * another report of the same build, with the same raw hash, has names, the
 * table counts the first in the group of the second.
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

/** Most groups; reports of further ones are only counted. */
#define CRASH_GROUPS_MAX 100000
/** Most different users, devices and so on, of all groups together. */
#define CRASH_GROUPS_TALLIES_MAX 2000000

/** Most incidents that are remembered; later duplicates count again. */
#define CRASH_GROUPS_INCIDENTS_MAX 4000000

/** What makes two reports the same. */
enum crash_group_by {
	CRASH_BY_SIGNATURE,
	CRASH_BY_CLASS, ///< exception or cause, without frames
	CRASH_BY_FRAME, ///< the innermost frame of the signature
	CRASH_BY_IMAGE, ///< the image of that
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
	/** Of those, at launch; known of any, or read from its table. */
	uint64_t at_launch[2];
	bool knows_launch;
	enum signature_kind kind;
	bool has_places; ///< some name is only a place
	uint64_t hashes[SIGNATURE_LEVELS];
	uint64_t raw_hash; ///< of its first report that has one
	bool has_raw_hash;
	bool has_dates;
	int64_t first_ms; ///< since 1970
	int64_t last_ms;
	struct trend *trend; ///< of their dates; NULL: not asked for
	const char *text;    ///< signature, or what it is grouped by
	const char *example; ///< its first report
	const char *file;    ///< source file of its first frame; NULL
	uint32_t line;
	uint32_t joined; ///< the group that counts it; else itself
};

/** What is counted inside of a group. */
enum crash_tally_kind {
	CRASH_TALLY_USER,
	CRASH_TALLY_APP,
	CRASH_TALLY_DEVICE,
	CRASH_TALLY_SYSTEM,
	CRASH_TALLY_KINDS,
};

/** All zeros but for the settings. */
struct crash_groups {
	enum signature_algorithm algorithm;
	unsigned level; ///< 1 to SIGNATURE_LEVELS
	enum crash_group_by by;
	bool keeps_members;
	bool gates_launch; ///< a crash at launch is an error, others are
	                   ///< notices
	bool draws;        ///< how often over time, and stacks, are kept, too
	const struct owners *owners; ///< NULL: none are known
	/** Of two sets that are compared, the one that reports are of. */
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

	struct fingerprints incidents[2]; ///< of the reports of each side

	uint64_t count;          ///< reports that have a signature
	uint64_t at_launch;      ///< of them
	uint64_t duplicates;     ///< left out: they were counted before
	uint64_t counted_twice;  ///< incidents: truncated, then whole
	uint64_t unsigned_count; ///< and that have none
	uint64_t dropped;        ///< of more groups than there may be
	bool is_truncated; ///< some users, devices and so on are not counted
};

/**
 * What the incident of a report is known by, on this side; false where it is
 * like no other.
 */
bool crash_groups_identify(struct crash_groups *groups,
                           const struct report *report,
                           struct fingerprint *ret);
/**
 * Was a report of this incident counted before? From now on it was. A whole one
 * is not lost to a truncated one: that was counted, and both count.
 */
bool crash_groups_is_counted(struct crash_groups *groups,
                             const struct fingerprint *incident,
                             bool is_truncated);

/**
 * Was this report counted before, on this side? The same incident comes twice
 * where a report was sent again, or lies there in two formats. A report
 * without an incident id is like no other.
 */
bool crash_groups_is_duplicate(struct crash_groups *groups,
                               const struct report *report);

/**
 * Count a report, or a process that a jetsam log says was killed.
 *
 * @param is_new  False: a duplicate, which is not counted. But one with names
 *                says which group its twin without belongs to.
 */
void crash_groups_add(struct crash_groups *groups, const struct report *report,
                      const struct signature *signature, bool is_new);

/**
 * Count the reports of a row.
 *
 * @return An ERROR_USAGE where it was made by another algorithm or level than
 *         these groups.
 */
MUST_CHECK struct error *crash_groups_add_row(struct crash_groups *groups,
                                              const struct group_row *row);

/** Count a report that has no signature: it is like no other. */
void crash_groups_add_unsigned(struct crash_groups *groups);

/**
 * Join the groups of places with those of the same places by name; before the
 * groups are read, after all reports are counted.
 */
void crash_groups_join(struct crash_groups *groups);

/**
 * The table `crash-groups`: the most frequent first, then by signature. After
 * crash_groups_join(); it lives in @p arena and borrows from the groups.
 *
 * @param top  So many rows; 0: all.
 */
const struct table *crash_groups_table(struct crash_groups *groups, size_t top,
                                       struct arena *arena);

void crash_groups_release(struct crash_groups *groups);

/** An empty table `crash-frames`, and the frames of a report for it. */
struct table *crash_frames_table(struct arena *arena);
void crash_frames_add(struct table *table, const struct report *report,
                      const struct signature *signature, struct arena *arena);

/** The table `crash-rules`: how often each rule matched. */
const struct table *crash_rules_table(const struct signer *signer,
                                      struct arena *arena);

#endif
