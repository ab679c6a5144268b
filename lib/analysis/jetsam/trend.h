// SPDX-License-Identifier: MIT
/**
 * Summarizes many jetsam logs: limits they reveal, reasons of deaths, and one
 * process over time. Only a few numbers of each log are kept.
 *
 *     SCOPED(jetsam_trend_release) struct jetsam_trend trend = {
 *             .process = "Demo",
 *     };
 *
 *     jetsam_trend_add(&trend, report);
 *     table = jetsam_trend_process(&trend, &arena);
 */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_TREND_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_TREND_H

#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/model/jetsam_answer.h"
#include "lib/model/report.h"
#include "lib/model/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max different limits, and reasons. */
#define JETSAM_TREND_ROWS_MAX 1000

/**
 * The limit of a process on a system and device. The kernel has a limit for the
 * foreground and one for the background (memlimit_active and memlimit_inactive
 * of XNU's kern_memorystatus.h).
 */
struct jetsam_limit_row {
	const char *product; ///< not NULL; "" is unknown
	const char *model;
	const char *os;
	const char *process;
	enum jetsam_app_state app_state;
	const char *evidence; ///< its source, also for a kill
	bool is_lower_bound;
	size_t deaths; ///< 0: from other evidence
	uint64_t least_bytes;
	uint64_t most_bytes;
	uint64_t reference_bytes; ///< 0: unknown
	const char *reference_os;
	const char *reference_source;
	bool reference_disagrees; ///< with the limit of any of these deaths
};

struct jetsam_reason_row {
	const char *reason;
	size_t deaths;
	size_t foreground;
	size_t background;
	size_t system;
	size_t unknown;
	uint64_t most_bytes; ///< largest footprint at death
};

/** A limit in a log for the tracked process. */
struct jetsam_known_limit {
	const char *product;
	const char *os;
	struct uuid uuid; ///< or zero
	enum jetsam_app_state app_state;
	/** The log has a larger process of this name: another program. */
	bool is_of_lesser;
	uint64_t bytes;
};

/** The tracked process in one log. */
struct jetsam_point {
	size_t index;    ///< of the log, from 0
	int64_t time_ms; ///< since 1970
	bool has_time;
	const char *date; ///< or NULL, like the members below
	const char *input;
	const char *product; ///< "" is unknown, also for the next two
	const char *device;  ///< its identifying key
	const char *os;
	const char *states;
	const char *reason;
	uint64_t pid;
	bool has_pid;
	uint64_t age_ms;
	bool has_age;
	struct uuid uuid; ///< or zero
	enum jetsam_app_state app_state;
	size_t count; ///< processes of this name; this is the largest
	uint64_t bytes;
	uint64_t peak_bytes;      ///< since its launch
	uint64_t coalition_bytes; ///< with helper processes
	size_t coalition_size;    ///< number of processes, including this one
	uint64_t own_limit_bytes; ///< limit at which it was killed; or 0
	uint64_t reference_bytes; ///< 0: unknown for its app state

	// Set by jetsam_trend_process():
	uint64_t limit_bytes; ///< from logs; 0: unknown
	/** The same process in an earlier log; or NULL. */
	const struct jetsam_point *before;
};

/** A victim; only with jetsam_trend.keeps_kills. */
struct jetsam_kill {
	const char *input; ///< or NULL, like the members below
	const char *date;
	const char *product;
	const char *process;
	const char *states;
	const char *reason;
	struct jetsam_number pid;
	struct jetsam_number footprint_bytes;
	struct jetsam_number order; ///< in its log, from 1
	struct jetsam_number delay_us;
	struct jetsam_number since_us;
	enum jetsam_app_state app_state;
};

/** All zeros, except the first two, is empty. */
struct jetsam_trend {
	const char *process; ///< tracked process, borrowed; or NULL
	bool keeps_kills;    ///< keep each victim, not only counts

	size_t log_count;
	size_t copy_count; ///< copies of a log, which are not counted
	struct intern incidents;
	size_t victim_count;
	size_t truncated_count; ///< logs that may have had more victims
	size_t limited_count;   ///< part of them: incomplete because of a limit
	struct jetsam_kill *kills; ///< by log, in order
	size_t kill_count;
	size_t kill_cap;
	size_t dropped; ///< rows over JETSAM_TREND_ROWS_MAX
	struct jetsam_limit_row *limits;
	size_t limit_count;
	size_t limit_cap;
	size_t evidence_count; ///< limits from other evidence than kills
	struct jetsam_reason_row *reasons;
	size_t reason_count;
	size_t reason_cap;
	struct jetsam_known_limit *known; ///< for the tracked process
	size_t known_count;
	size_t known_cap;
	/**
	 * The name most similar to the tracked process's, as long as no log has
	 * that; or NULL.
	 */
	const char *nearest;
	struct jetsam_point *points; ///< logs with the process
	size_t point_count;
	size_t point_cap;
	struct arena names;
};

/**
 * Add a log after jetsam_analyse(). Keeps a few numbers and its incident;
 * copies of a log are ignored.
 *
 * @return Was it new?
 */
bool jetsam_trend_add(struct jetsam_trend *trend, const struct report *report);

/** Add evidence (evidence.h) after jetsam_take_evidence(). */
void jetsam_trend_add_evidence(struct jetsam_trend *trend,
                               const struct report *report);

// Tables; in the arena, except names, which the trend owns. For people, sizes
// are rounded to tenths of a MiB.

/** Limits by device, system and process. */
struct table *jetsam_trend_limits(const struct jetsam_trend *trend,
                                  bool for_people, struct arena *arena);
/** Deaths by reason; only of the tracked process, if any. */
struct table *jetsam_trend_reasons(const struct jetsam_trend *trend,
                                   bool for_people, struct arena *arena);
/** All victims, in order of death; if they are kept. */
struct table *jetsam_trend_victims(const struct jetsam_trend *trend,
                                   bool for_people, struct arena *arena);
/** The process in each log, in chronological order. */
struct table *jetsam_trend_process(struct jetsam_trend *trend, bool for_people,
                                   struct arena *arena);

/**
 * A chart of its footprints, with the first, largest and last, in one row. Call
 * it after jetsam_trend_process(), if there are logs.
 */
struct table *jetsam_trend_chart_table(const struct jetsam_trend *trend,
                                       size_t most_columns,
                                       struct arena *arena);
/**
 * Append a chart of its footprints in block characters, at most @p most_columns
 * wide. Call it after jetsam_trend_process().
 */
void jetsam_trend_chart(const struct jetsam_trend *trend, size_t most_columns,
                        struct str *out);

/** Required distance of a process from its limit. */
struct jetsam_gate {
	uint64_t value;
	bool is_percent; ///< of the limit; else in MiB
};

/** Read `100`, in MiB, or `10%`; false for other text. */
bool jetsam_gate_read(const char *value, struct jetsam_gate *ret);

enum jetsam_gate_answer {
	JETSAM_NO_LIMIT, ///< no limit is known
	JETSAM_KEPT,
	JETSAM_CLOSER,
};

/** The limit for a point: its own, else a collected one; or 0. */
uint64_t jetsam_point_limit(const struct jetsam_point *point);
/**
 * The value to compare with it: of a foreground process its peak; of others the
 * current footprint, since the peak may be from the foreground.
 */
uint64_t jetsam_point_height(const struct jetsam_point *point);
/** The rest of the limit. */
uint64_t jetsam_point_room(const struct jetsam_point *point);

/**
 * Did it come too close in any log, or reach its limit? Call it after
 * jetsam_trend_process().
 *
 * @param ret  The log with the min distance; unchanged if no limit is known.
 *             Borrowed.
 */
enum jetsam_gate_answer jetsam_trend_gate(const struct jetsam_trend *trend,
                                          const struct jetsam_gate *gate,
                                          const struct jetsam_point **ret);

void jetsam_trend_release(struct jetsam_trend *trend);

/** kills.c: keep the victims of an analysed log. */
void jetsam_trend_keep_kills(struct jetsam_trend *trend,
                             const struct report *report);

/** `kills: 12, logs: 3`; of truncated logs, `kills: at least 12, …` */
const char *jetsam_trend_summary(const struct jetsam_trend *trend,
                                 struct arena *arena);

/** `2098.1` for people, else `2098.09375`; in MiB, signed. */
const char *jetsam_mib_text(struct arena *arena, int64_t bytes,
                            bool for_people);

#endif
