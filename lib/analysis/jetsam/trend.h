// SPDX-License-Identifier: MIT
/**
 * Many jetsam logs: which limits they reveal, who died of what, and one process
 * over time. Of each log only a few numbers are kept.
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

/** Most limits and reasons that are distinguished. */
#define JETSAM_TREND_ROWS_MAX 1000

/**
 * What one system on one device grants one process. The kernel keeps a limit
 * for in the foreground and one for the background
 * (memlimit_active and memlimit_inactive of xnu's kern_memorystatus.h).
 */
struct jetsam_limit_row {
	const char *product; ///< strings are never NULL here; "" is unknown
	const char *model;
	const char *os;
	const char *process;
	enum jetsam_app_state app_state;
	const char *evidence; ///< what it rests on; of a kill, too
	bool is_lower_bound;
	size_t deaths; ///< 0: of other evidence
	uint64_t least_bytes;
	uint64_t most_bytes;
	uint64_t reference_bytes; ///< 0: none was collected
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
	uint64_t most_bytes; ///< the largest footprint at death
};

/** A limit that a log reveals for a process of the name that is followed. */
struct jetsam_known_limit {
	const char *product;
	const char *os;
	struct uuid uuid; ///< zero: not said
	enum jetsam_app_state app_state;
	/** A larger process of the name is in the log: another program. */
	bool is_of_lesser;
	uint64_t bytes;
};

/** The process that is followed, in one log. */
struct jetsam_point {
	size_t index;    ///< of the log, from 0
	int64_t time_ms; ///< since 1970
	bool has_time;
	const char *date; ///< NULL where the log has none, as what follows
	const char *input;
	const char *product; ///< "" is unknown; so in the next two
	const char *device;  ///< the key that identifies it
	const char *os;
	const char *states;
	const char *reason;
	uint64_t pid;
	bool has_pid;
	uint64_t age_ms;
	bool has_age;
	struct uuid uuid; ///< zero: not said
	enum jetsam_app_state app_state;
	size_t count; ///< processes of this name; this is the largest
	uint64_t bytes;
	uint64_t peak_bytes;      ///< of its life so far
	uint64_t coalition_bytes; ///< with its helpers
	size_t coalition_size;    ///< processes, this one, too
	uint64_t own_limit_bytes; ///< that it was killed at; 0: it was not
	uint64_t reference_bytes; ///< 0: none for its app state

	// Set by jetsam_trend_process():
	uint64_t limit_bytes; ///< as logs reveal it; 0: unknown
	/** The same life of the process, in a log before; NULL: none. */
	const struct jetsam_point *before;
};

/** A victim; only where jetsam_trend.keeps_kills. */
struct jetsam_kill {
	const char *input; ///< NULL where the log does not say, as what follows
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

/** All zeros, but for the first two, is a trend without logs. */
struct jetsam_trend {
	const char *process; ///< the one to follow, borrowed; NULL: none
	bool keeps_kills;    ///< each victim is kept, not only counted

	size_t log_count;
	size_t copy_count; ///< logs of an incident that had one: not counted
	struct intern incidents;
	size_t victim_count;
	size_t truncated_count;    ///< logs that may have had more victims
	size_t limited_count;      ///< of them, those that a limit ended
	struct jetsam_kill *kills; ///< log by log, in their order
	size_t kill_count;
	size_t kill_cap;
	size_t dropped; ///< rows above JETSAM_TREND_ROWS_MAX
	struct jetsam_limit_row *limits;
	size_t limit_count;
	size_t limit_cap;
	size_t evidence_count; ///< limits that are not of a kill
	struct jetsam_reason_row *reasons;
	size_t reason_count;
	size_t reason_cap;
	struct jetsam_known_limit *known; ///< of the process
	size_t known_count;
	size_t known_cap;
	/** The name that is nearest to that of the process, while no log has
	 *  it; NULL: none is near. */
	const char *nearest;
	struct jetsam_point *points; ///< logs that have the process
	size_t point_count;
	size_t point_cap;
	struct arena names;
};

/**
 * Add a log that jetsam_analyse() has seen. Nothing of it is kept but for a few
 * numbers and its incident: a copy of a log adds nothing.
 *
 * @return Whether it was new.
 */
bool jetsam_trend_add(struct jetsam_trend *trend, const struct report *report);

/** Add evidence that was taken (evidence.h): limits, no log. */
void jetsam_trend_add_evidence(struct jetsam_trend *trend,
                               const struct report *report);

// Tables; all in the arena but for names, which are the trend's. For people,
// sizes are rounded to tenths of a MiB.

/** Limits by device, system and process. */
struct table *jetsam_trend_limits(const struct jetsam_trend *trend,
                                  bool for_people, struct arena *arena);
/** Deaths per reason; of the process that is followed, if there is one. */
struct table *jetsam_trend_reasons(const struct jetsam_trend *trend,
                                   bool for_people, struct arena *arena);
/** Every victim, in the order of the kills; if they are kept. */
struct table *jetsam_trend_victims(const struct jetsam_trend *trend,
                                   bool for_people, struct arena *arena);
/** The process in each log, in order of time. */
struct table *jetsam_trend_process(struct jetsam_trend *trend, bool for_people,
                                   struct arena *arena);

/**
 * Its footprints as a chart, the first, the largest and the last, in one row;
 * after the table, where there are logs.
 */
struct table *jetsam_trend_chart_table(const struct jetsam_trend *trend,
                                       size_t most_columns,
                                       struct arena *arena);
/**
 * Append its footprints as a line of blocks, @p most_columns of them at most;
 * after the table.
 */
void jetsam_trend_chart(const struct jetsam_trend *trend, size_t most_columns,
                        struct str *out);

/** How close a process may come to its limit. */
struct jetsam_gate {
	uint64_t value;
	bool is_percent; ///< of the limit; else MiB
};

/** Read `100`, which is MiB, or `10%`; false for anything else. */
bool jetsam_gate_read(const char *value, struct jetsam_gate *ret);

enum jetsam_gate_answer {
	JETSAM_NO_LIMIT, ///< no limit is known: there is no answer
	JETSAM_KEPT,
	JETSAM_CLOSER,
};

/** The limit that counts for a point, its own before a collected one; or 0. */
uint64_t jetsam_point_limit(const struct jetsam_point *point);
/**
 * What it is held against: of a foreground process the height of its life, of
 * others what they held then, for they may have had their height in the
 * foreground.
 */
uint64_t jetsam_point_height(const struct jetsam_point *point);
/** What that left of the limit. */
uint64_t jetsam_point_room(const struct jetsam_point *point);

/**
 * Did it come closer in any log, or even to its limit? After the table.
 *
 * @param ret  The log in which it came closest; untouched if no limit is
 *             known. Borrowed.
 */
enum jetsam_gate_answer jetsam_trend_gate(const struct jetsam_trend *trend,
                                          const struct jetsam_gate *gate,
                                          const struct jetsam_point **ret);

void jetsam_trend_release(struct jetsam_trend *trend);

/** Of kills.c: keep the victims of a log that was analysed. */
void jetsam_trend_keep_kills(struct jetsam_trend *trend,
                             const struct report *report);

/** `kills: 12, logs: 3`; of truncated logs, `kills: at least 12, …` */
const char *jetsam_trend_summary(const struct jetsam_trend *trend,
                                 struct arena *arena);

/** `2098.1` for people, else `2098.09375`; in MiB, with its sign. */
const char *jetsam_mib_text(struct arena *arena, int64_t bytes,
                            bool for_people);

#endif
