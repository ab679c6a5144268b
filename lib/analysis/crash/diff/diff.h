// SPDX-License-Identifier: MIT
/**
 * Two sets of groups compared: which are new, gone, more or less frequent, and
 * whether that is more than chance. What is counted are crashes by signature
 * (lib/analysis/crash/group) or stalls by key (lib/analysis/lag/baseline.h).
 *
 *     struct diff diff = { .exposure = { 1000, 2000 } };
 *
 *     diff_take_groups(&diff, &groups);
 *     table = diff_table(&diff, &arena);
 *     failed = diff.failed;
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_DIFF_DIFF_H
#define APMTOOL_LIB_ANALYSIS_CRASH_DIFF_DIFF_H

#include "lib/analysis/crash/group/groups.h"
#include "lib/analysis/lag/baseline.h"
#include "lib/base/arena.h"
#include "lib/model/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A change is one where chance makes it so rarely. */
#define DIFF_P_MAX 0.05

enum diff_status {
	DIFF_NEW,
	DIFF_GROWN,
	DIFF_SHRUNK,
	DIFF_GONE,
	DIFF_SAME,
};

/** What makes the comparison fail. */
struct diff_gate {
	bool on_new;
	bool on_grown;
	bool on_launch; ///< what crashes at launch, and did so less before
	/** Growth from which on it does, in hundredths of a percent. */
	uint64_t grown_least;
};

/** Read `new`, `launch`, `grown`, `grown:50%`; false for anything else. */
bool diff_gate_add(const char *value, struct diff_gate *gate);

struct diff_row {
	const char *name; ///< signature, or key
	const char *kind; ///< `app`, …; of stalls `stall`, `cpu`, …
	uint64_t counts[2];
	uint64_t at_launch[2]; ///< of the counts
	uint64_t costs_us[2];  ///< of stalls only
	enum cost_origin origins[2];
	const char *example;
	const char *file;
	uint32_t line;
	const char *hash;                 ///< NULL: there is none
	const char *owner;                ///< NULL: nobody is known
	enum sample_kind sample_kind : 8; ///< of stalls only
	// Found by diff_table():
	enum diff_status status : 8;
	bool fails;
	double p;
};

/** All zeros but for the settings. */
struct diff {
	/** Sessions, or whatever else; 0 both: not known, taken for equal. */
	uint64_t exposure[2];
	struct diff_gate gate;
	size_t top; ///< so many rows of the table; 0: all

	/** Of stalls, what each kind is counted of: reports, or sessions. */
	uint64_t bases[SAMPLE_KINDS][2];

	struct arena arena;
	struct diff_row *rows;
	size_t count;
	size_t cap;
	size_t failed; ///< rows that the gate refuses
	bool is_of_stalls;
	bool has_owners; ///< owners were asked for
};

/** Take groups of both sides, after crash_groups_join(). */
void diff_take_groups(struct diff *diff, const struct crash_groups *groups);

/**
 * Take stalls of both sides. Without an exposure, they are compared per report
 * of their kind.
 *
 * @param stalls  Outlives the table; it keeps examples.
 */
void diff_take_stalls(struct diff *diff, const struct lag_baseline *stalls);

/**
 * The table `diff`: what is new first, then what has grown, and so on. Its rows
 * are made when they are read: table_release().
 */
const struct table *diff_table(struct diff *diff, struct arena *arena);

void diff_release(struct diff *diff);

#endif
