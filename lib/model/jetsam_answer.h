// SPDX-License-Identifier: MIT
/**
 * The analysis of a jetsam log: units, victims, sums, a ranking, and a verdict
 * of a few lines. lib/analysis/jetsam computes it from the log (jetsam.h),
 * which stays unchanged; the report has both, and JSON shows both as its member
 * `jetsam`.
 *
 * Borrows from the log: both live in the report's arena.
 */
#ifndef APMTOOL_LIB_MODEL_JETSAM_ANSWER_H
#define APMTOOL_LIB_MODEL_JETSAM_ANSWER_H

#include "lib/model/jetsam.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** App state of a process when it was killed, or when the log was written. */
enum jetsam_app_state {
	JETSAM_APP_STATE_UNKNOWN,
	JETSAM_APP_STATE_FOREGROUND, ///< FOOM: visible to the user
	JETSAM_APP_STATE_BACKGROUND, ///< BOOM
	JETSAM_APP_STATE_SYSTEM,     ///< a daemon: invisible to the user
};

/** A process of the log in bytes and milliseconds. */
struct jetsam_usage {
	const struct jetsam_process *process;
	struct jetsam_number footprint_bytes;
	struct jetsam_number lifetime_bytes;
	struct jetsam_number age_ms;
	struct jetsam_number idle_ms;
	struct jetsam_number kill_delay_us; ///< after the snapshot
	/**
	 * Position among the kills, from 1; unknown if it was not killed, or
	 * when.
	 */
	struct jetsam_number kill_order;
	struct jetsam_number since_kill_us; ///< after the previous kill
	const char *band; ///< `foreground app`; NULL: no priority, or unknown
	enum jetsam_app_state app_state; ///< when the log was written
};

/** A row of the memory pages. */
struct jetsam_memory_row {
	const char *name; ///< `file-backed`
	uint64_t bytes;
	struct jetsam_number permille; ///< of the row sum
	bool is_part; ///< counted in another row, too: not part of the sum
};

struct jetsam_victim {
	const struct jetsam_process *process;
	const struct jetsam_usage *usage; ///< of the same process
	enum jetsam_app_state app_state;
	const char *evidence; ///< source of the app state; or NULL
	const char *meaning;  ///< the reason in words
	const char *advice;   ///< or NULL
	bool at_fault; ///< killed for its own limit, not for the system's need
	bool is_largest; ///< no process in the log had more memory
	/** Its hard limit, if the reason reveals it. */
	struct jetsam_number limit_bytes;
};

/** Memory of an app and its helper processes. */
struct jetsam_coalition {
	uint64_t id;
	const char *name; ///< of its largest process
	size_t process_count;
	uint64_t pages;
	struct jetsam_number bytes;
};

/** A limit that was measured on such a device, for reference. */
struct jetsam_reference {
	const char *device; ///< model name; NULL: there is no measurement
	uint64_t limit_bytes;
	const char *limit_mib; ///< the same in MiB, `1450.09375`
	const char *ram_mib;
	uint64_t percent;   ///< the limit in percent of the memory
	const char *os;     ///< of the measurement; or NULL
	const char *source; ///< who collected it
	bool disagrees;     ///< the limit in the log is different
};

struct jetsam_answer {
	const char *model;               ///< `iPhone 11 Pro`; NULL: unknown
	struct jetsam_number page_bytes; ///< as used
	bool page_bytes_assumed;         ///< not in the log
	/** Unknown from the device, too: no amounts in bytes. */
	bool page_bytes_unsure;
	bool new_bands;              ///< the scale of iOS 16
	struct jetsam_usage *usages; ///< of all processes, in order
	const char *const *verdict;  ///< lines for people
	size_t verdict_count;
	struct jetsam_victim *victims; ///< heaviest first
	size_t victim_count;
	/** Victims in order of their kills; unknown times last. */
	const struct jetsam_usage **kills;
	size_t timed_kill_count;            ///< kills with known time
	const struct jetsam_usage *largest; ///< by pages; or NULL
	struct jetsam_memory_row *rows;
	size_t row_count;
	struct jetsam_number physical_bytes;      ///< sum of the rows
	struct jetsam_number compression_percent; ///< held / taken × 100
	const struct jetsam_usage **ranking; ///< processes to show, in order
	size_t ranking_count;
	const char *ranking_order; ///< `pages`
	/** with several processes, heaviest first */
	struct jetsam_coalition *coalitions;
	size_t coalition_count;
	struct jetsam_reference reference;
};

/** `foreground`, `background`, `system`, `unknown`, as JSON has them. */
const char *jetsam_app_state_name(enum jetsam_app_state app_state);

#endif
