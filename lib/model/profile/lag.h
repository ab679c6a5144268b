// SPDX-License-Identifier: MIT
/**
 * A lag report: samples of a main thread during a hang on one device
 * (apmtool-formats(5)), from any format: a profile, and its origin.
 *
 * A reader reuses one lag_report for each report; only the strings of the
 * profile are kept.
 */
#ifndef APMTOOL_LIB_MODEL_PROFILE_LAG_H
#define APMTOOL_LIB_MODEL_PROFILE_LAG_H

#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/model/cost.h"
#include "lib/model/notice.h"
#include "lib/model/profile/profile.h"
#include "lib/model/sample_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Default interval of samples, used for samples without a cost: 50 ms. */
#define LAG_INTERVAL_US 50000

/** Max frames of a stack; deeper ones lose their middle. */
#define LAG_STACK_FRAMES 4096
/** Max notes of a report; further ones are only counted. */
#define LAG_NOTES 20
/** Higher costs (12 days) are damage. */
#define LAG_COST_US_MAX ((uint64_t)1 << 40)
/** Higher totals in a report, in any unit, are damage. */
#define LAG_TOTAL_MAX ((uint64_t)1 << 50)

/** Threads to use. */
enum lag_threads {
	LAG_THREADS_MAIN,  ///< the main thread, or the attributed one
	LAG_THREADS_ALL,   ///< all threads, added up
	LAG_THREADS_SPLIT, ///< all threads, each below its name
};

struct lag_report {
	struct profile profile;
	struct arena arena; ///< owns all members below; cleared with the report

	const char *input; ///< file name as given; set by the caller
	size_t line;       ///< its first line in the input, from 1
	/** Which of several reports in one input: `hangDiagnostics[1]`. */
	const char *origin;
	const char *id; ///< NULL if unknown, as those below
	const char *session;
	const char *app; ///< name of the app or its process
	const char *os;
	const char *device;
	const char *date; ///< a date, or a time since 1970
	const char *arch;
	const char *app_path; ///< main executable; or NULL
	int platform;         ///< enum darwin_platform; 0: unknown
	const char *event;    ///< the system's name of the hang: `timed out`
	const char *scenario; ///< see lib/darwin/hangs.h: `launch`
	/** Another process that blocked the main thread. */
	const char *blocker_process;
	/**
	 * Else the stack of the thread that blocked it: frames of the profile,
	 * outermost first.
	 */
	const uint32_t *blocker;
	size_t blocker_count;
	uint64_t interval_us; ///< 0: unknown
	uint64_t duration_us; ///< of the hang; 0: unknown
	/** Min duration for a report to be written; 0: unknown. */
	uint64_t threshold_us;
	/**
	 * Origin of the costs, in the unit of their kind. COST_UNKNOWN: only
	 * their proportions are meaningful.
	 */
	enum cost_origin cost_origin;
	/** SAMPLE_KIND_STALL unless the reader sets it. */
	enum sample_kind kind;

	struct notice *notes; ///< array of LAG_NOTES, or NULL
	size_t note_count;    ///< may exceed LAG_NOTES
};

/**
 * @param strings  Must outlive the report; may be shared by a reader's reports.
 */
void lag_report_init(struct lag_report *report, struct intern *strings);
/** Prepare for the next report; keeps memory. */
void lag_report_clear(struct lag_report *report);
void lag_report_release(struct lag_report *report);

/**
 * Place the frames of the profile (profile_place()). If images have addresses,
 * adds one note about frames outside of all images.
 */
void lag_report_place(struct lag_report *report);

/** Add a note; both texts are copied. */
void lag_report_note(struct lag_report *report, const char *place,
                     const char *text);

#endif
