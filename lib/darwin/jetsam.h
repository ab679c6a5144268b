// SPDX-License-Identifier: MIT
/**
 * The words and numbers of jetsam logs: kill causes and priority bands.
 *
 * Sources: XNU's bsd/sys/kern_memorystatus.h; names of causes as
 * kern_memorystatus_notify.c prints them (formats.md 4.4, 4.5).
 */
#ifndef APMTOOL_LIB_DARWIN_JETSAM_H
#define APMTOOL_LIB_DARWIN_JETSAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Who is to blame for a kill. */
enum jetsam_blame {
	JETSAM_BLAME_NONE,     ///< routine, no fault
	JETSAM_BLAME_OWN,      ///< the process went over a limit of its own
	JETSAM_BLAME_PRESSURE, ///< the system needed memory from anyone
	JETSAM_BLAME_LEAK,     ///< somebody used up a resource of all
};

struct jetsam_cause {
	const char *reason; ///< as the log has it
	unsigned code;      ///< of the termination namespace JETSAM
	enum jetsam_blame blame;
	const char *meaning; ///< completes "was killed: …"
	const char *advice;  ///< NULL: there is nothing to do
};

/** NULL if the reason is NULL or not known. */
const struct jetsam_cause *jetsam_cause_find(const char *reason);

/** The only reason that reveals a limit (formats.md 4.6). */
#define JETSAM_HARD_LIMIT "per-process-limit"

/**
 * Which extensions of apps are known to have such a limit: `packet tunnels
 * (since iOS 15)`; NULL: none. Apple documents no limit: these are of public
 * logs and reports of bugs: a reference, no promise.
 *
 * @param limit_bytes  What was exceeded, or a footprint just above it.
 */
const char *jetsam_extensions_with(uint64_t limit_bytes);

/**
 * The name of a priority band; NULL if no band has this number.
 *
 * @param new_scale  XNU 8792, iOS 16, multiplied the bands by ten and put new
 *                   ones between.
 */
const char *jetsam_band_name(int priority, bool new_scale);

/** Is this the band of the foreground app? */
bool jetsam_band_is_foreground(int priority, bool new_scale);

/**
 * Is @p in_log how a log writes the process called @p name? The kernel
 * truncates names: to 32 characters, on old systems to 16.
 */
bool jetsam_is_name(const char *in_log, const char *name);

#endif
