// SPDX-License-Identifier: MIT
/**
 * A lag report: what one device sampled of its main thread during a hang
 * (formats.md chapter 7), whatever format it came in: a profile, and whose.
 *
 * A reader holds one lag_report and uses it again for each report; the strings
 * of the profile alone live on.
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

/** A sample without a cost took one interval; this, if there is none
 *  either (formats.md 7.2: sampling every 50 ms). */
#define LAG_INTERVAL_US 50000

/** Deepest stack that is kept; of a deeper one, the middle is left out. */
#define LAG_STACK_FRAMES 4096
/** Most notes of a report; further ones are counted only. */
#define LAG_NOTES 20
/** Larger costs (12 days) are damage. */
#define LAG_COST_US_MAX ((uint64_t)1 << 40)
/** So are larger sums that a report says of its samples, in any unit. */
#define LAG_TOTAL_MAX ((uint64_t)1 << 50)

/** Which threads of a report are meant. */
enum lag_threads {
	LAG_THREADS_MAIN,  ///< the main thread, or the one that is blamed
	LAG_THREADS_ALL,   ///< every thread, added up
	LAG_THREADS_SPLIT, ///< the same, each below its name
};

struct lag_report {
	struct profile profile;
	struct arena arena; ///< all below; cleared with the report

	const char *input; ///< file name as given; the caller sets it
	size_t line;       ///< where it begins in the input, from 1
	/** Which of several in one input: `hangDiagnostics[1]`. */
	const char *origin;
	const char *id; ///< NULL where the report has none, as below
	const char *session;
	const char *app; ///< name of the app, or of its process
	const char *os;
	const char *device;
	const char *date; ///< of when it was taken, or since 1970
	const char *arch;
	const char *app_path; ///< main executable; NULL: not said
	int platform;         ///< formats.md 3.1; 0: not said
	const char *event;    ///< what the system calls it: `timed out`
	const char *scenario; ///< of lib/darwin/hangs.h: `launch`
	/** Another process that the main thread waited for. */
	const char *blocker_process;
	/** Else, what the thread did for which it waited: frames of the
	 * profile, outermost first. */
	const uint32_t *blocker;
	size_t blocker_count;
	uint64_t interval_us; ///< 0: not said
	uint64_t duration_us; ///< of the hang; 0: not said
	/** How long it has to be before it is written; 0: not known. */
	uint64_t threshold_us;
	/**
	 * How it is known what its samples cost, in the unit of its kind.
	 * COST_UNKNOWN: the costs of the profile are only in proportion to each
	 * other.
	 */
	enum cost_origin cost_origin;
	/** A stall, unless its reader says otherwise. */
	enum sample_kind kind;

	struct notice *notes; ///< LAG_NOTES of them, once there is one
	size_t note_count;    ///< may exceed LAG_NOTES
};

/** @p strings  Outlives the report and may be shared by a reader's reports. */
void lag_report_init(struct lag_report *report, struct intern *strings);
/** Ready for the next report; memory is kept. */
void lag_report_clear(struct lag_report *report);
void lag_report_release(struct lag_report *report);

/**
 * Place the frames of the profile (profile_place()). Where images have
 * addresses, frames that lie in none are noted, once.
 */
void lag_report_place(struct lag_report *report);

/** Both are copied. */
void lag_report_note(struct lag_report *report, const char *place,
                     const char *text);

#endif
