// SPDX-License-Identifier: MIT
/**
 * Compares two sets of groups: which are new, gone, more or less frequent, and
 * whether the change is significant. Counts crashes by signature
 * (lib/analysis/crash/group) or hangs by key (lib/analysis/lag/baseline.h).
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

/** Max p-value of a significant change. */
#define DIFF_P_MAX 0.05

enum diff_status {
	DIFF_NEW,
	DIFF_GROWN,
	DIFF_SHRUNK,
	DIFF_GONE,
	DIFF_SAME,
};

/** Conditions under which the comparison fails. */
struct diff_gate {
	bool on_new;
	bool on_grown;
	bool on_launch; ///< new or more frequent at launch
	/** Min growth, in hundredths of a percent. */
	uint64_t grown_least;
};

/** Read `new`, `launch`, `grown`, `grown:50%`; false for other text. */
bool diff_gate_add(const char *value, struct diff_gate *gate);

struct diff_row {
	const char *name; ///< signature, or key
	const char *kind; ///< `app`, …; for hangs `stall`, `cpu`, …
	uint64_t counts[2];
	uint64_t at_launch[2]; ///< part of the counts
	uint64_t costs_us[2];  ///< for hangs
	enum cost_origin origins[2];
	const char *example;
	const char *file;
	uint32_t line;
	const char *hash;                 ///< or NULL
	const char *owner;                ///< NULL: unknown
	enum sample_kind sample_kind : 8; ///< for hangs
	// Set by diff_table():
	enum diff_status status : 8;
	bool fails;
	double p;
};

/** All zeros except the settings. */
struct diff {
	/** Sessions or another measure; both 0: unknown, treated as equal. */
	uint64_t exposure[2];
	struct diff_gate gate;
	size_t top; ///< max rows of the table; 0: all

	/** For hangs, exposure by kind: reports, or sessions. */
	uint64_t bases[SAMPLE_KINDS][2];

	struct arena arena;
	struct diff_row *rows;
	size_t count;
	size_t cap;
	size_t failed; ///< rows that violate the gate
	bool is_of_stalls;
	bool has_owners; ///< owners were requested
};

/** Take the groups of both sides, after crash_groups_join(). */
void diff_take_groups(struct diff *diff, const struct crash_groups *groups);

/**
 * Take the hangs of both sides. Without an exposure, they are compared per
 * report of their kind.
 *
 * @param stalls  Must outlive the table; it owns the examples.
 */
void diff_take_stalls(struct diff *diff, const struct lag_baseline *stalls);

/**
 * The table `diff`: new rows first, then grown ones, and so on. Its rows are
 * created on demand: table_release().
 */
const struct table *diff_table(struct diff *diff, struct arena *arena);

void diff_release(struct diff *diff);

#endif
