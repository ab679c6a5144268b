// SPDX-License-Identifier: MIT
/**
 * Words and numbers of jetsam logs: causes of kills, and priority bands.
 *
 * Sources: XNU's bsd/sys/kern_memorystatus.h; names of causes from
 * kern_memorystatus_notify.c.
 */
#ifndef APMTOOL_LIB_DARWIN_JETSAM_H
#define APMTOOL_LIB_DARWIN_JETSAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Who caused a kill. */
enum jetsam_blame {
	JETSAM_BLAME_NONE,     ///< routine, no fault
	JETSAM_BLAME_OWN,      ///< the process exceeded its own limit
	JETSAM_BLAME_PRESSURE, ///< the system needed memory
	JETSAM_BLAME_LEAK,     ///< some process used up a shared resource
};

struct jetsam_cause {
	const char *reason; ///< as in the log
	unsigned code;      ///< of the termination namespace JETSAM
	enum jetsam_blame blame;
	const char *meaning; ///< completes "was killed: …"
	const char *advice;  ///< NULL: none
};

/** NULL if unknown. Accepts NULL. */
const struct jetsam_cause *jetsam_cause_find(const char *reason);

/** The only reason that reveals a limit. */
#define JETSAM_HARD_LIMIT "per-process-limit"

/**
 * Kinds of app extensions known to have such a limit: `packet tunnels (since
 * iOS 15)`; or NULL. Apple documents no limits: these are from public logs and
 * bug reports, for reference only.
 *
 * @param limit_bytes  The exceeded limit, or a footprint just above it.
 */
const char *jetsam_extensions_with(uint64_t limit_bytes);

/**
 * The name of a priority band; NULL if unknown.
 *
 * @param new_scale  Since XNU 8792, iOS 16: bands multiplied by ten, with new
 *                   ones between.
 */
const char *jetsam_band_name(int priority, bool new_scale);

/** Is this the band of the foreground app? */
bool jetsam_band_is_foreground(int priority, bool new_scale);

/**
 * Is @p in_log the process @p name? The kernel truncates names to 32
 * characters, old systems to 16.
 */
bool jetsam_is_name(const char *in_log, const char *name);

#endif
