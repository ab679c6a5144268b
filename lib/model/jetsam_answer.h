// SPDX-License-Identifier: MIT
/**
 * What a jetsam log means: units, victims, sums, an order, and a verdict in a
 * few lines. lib/analysis/jetsam makes it from what the log says (jetsam.h),
 * which stays as the parser left it; the report carries both, and JSON shows
 * both as its member `jetsam`.
 *
 * It borrows from the log: both live as long as the report's arena.
 */
#ifndef APMTOOL_LIB_MODEL_JETSAM_ANSWER_H
#define APMTOOL_LIB_MODEL_JETSAM_ANSWER_H

#include "lib/model/jetsam.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The app state of a process when it was killed, or the log was written. */
enum jetsam_app_state {
	JETSAM_APP_STATE_UNKNOWN,
	JETSAM_APP_STATE_FOREGROUND, ///< FOOM: the user was looking at it
	JETSAM_APP_STATE_BACKGROUND, ///< BOOM
	JETSAM_APP_STATE_SYSTEM,     ///< a daemon: the user saw nothing of it
};

/** A process of the log in bytes and milliseconds. */
struct jetsam_usage {
	const struct jetsam_process *process;
	struct jetsam_number footprint_bytes;
	struct jetsam_number lifetime_bytes;
	struct jetsam_number age_ms;
	struct jetsam_number idle_ms;
	struct jetsam_number kill_delay_us; ///< after the snapshot
	/** Its place among the kills, from 1; unknown: not killed, or when. */
	struct jetsam_number kill_order;
	struct jetsam_number since_kill_us; ///< after the kill before
	const char *band; ///< `foreground app`; NULL: no priority, or no name
	enum jetsam_app_state app_state; ///< when the log was written
};

/** A row of the memory pages. */
struct jetsam_memory_row {
	const char *name; ///< `file-backed`
	uint64_t bytes;
	struct jetsam_number permille; ///< of the sum of the physical pages
	bool is_part; ///< also counted in another row: not part of the sum
};

struct jetsam_victim {
	const struct jetsam_process *process;
	const struct jetsam_usage *usage; ///< of the same process
	enum jetsam_app_state app_state;
	const char *evidence; ///< what the app state is based on; NULL: nothing
	const char *meaning;  ///< the reason in words
	const char *advice;   ///< what to do about it; NULL: nothing
	bool at_fault;        ///< by its own limit, not by the system's need
	bool is_largest;      ///< no process in the log held more
	/** Its hard limit, where the reason lets it be read. */
	struct jetsam_number limit_bytes;
};

/** What the processes of one app and its helpers hold together. */
struct jetsam_coalition {
	uint64_t id;
	const char *name; ///< of its largest process
	size_t process_count;
	uint64_t pages;
	struct jetsam_number bytes;
};

/** A limit that somebody measured on such a device: a reference, no more. */
struct jetsam_reference {
	const char *device; ///< model name; NULL: none was collected
	uint64_t limit_bytes;
	const char *limit_mib; ///< the same in MiB, `1450.09375`
	const char *ram_mib;
	uint64_t percent;   ///< of the memory that the limit is
	const char *os;     ///< that it was measured on; NULL: not said
	const char *source; ///< who collected it
	bool disagrees;     ///< the log's own limit is another
};

struct jetsam_answer {
	const char *model;               ///< `iPhone 11 Pro`; NULL: unknown
	struct jetsam_number page_bytes; ///< as it was used
	bool page_bytes_assumed;         ///< the log does not say
	/** Nor does the device: nothing is counted in bytes. */
	bool page_bytes_unsure;
	bool new_bands;              ///< the scale of iOS 16
	struct jetsam_usage *usages; ///< of the processes, in their order
	const char *const *verdict;  ///< lines for a person
	size_t verdict_count;
	struct jetsam_victim *victims; ///< the heaviest first
	size_t victim_count;
	/** The victims in the order of the kills, those of unknown time last.
	 */
	const struct jetsam_usage **kills;
	size_t timed_kill_count;            ///< of known time
	const struct jetsam_usage *largest; ///< by pages; NULL: none
	struct jetsam_memory_row *rows;
	size_t row_count;
	struct jetsam_number physical_bytes;      ///< the sum of the rows
	struct jetsam_number compression_percent; ///< held / taken × 100
	const struct jetsam_usage **ranking; ///< those to be shown, in order
	size_t ranking_count;
	const char *ranking_order;           ///< `pages`
	struct jetsam_coalition *coalitions; ///< of several, heaviest first
	size_t coalition_count;
	struct jetsam_reference reference;
};

/** `foreground`, `background`, `system`, `unknown`, as JSON has them. */
const char *jetsam_app_state_name(enum jetsam_app_state app_state);

#endif
