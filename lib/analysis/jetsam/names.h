/**
 * What the numbers and words of a jetsam log stand for: kill causes, priority
 * bands, product ids. Tables, with their sources beside them.
 */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_NAMES_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whose doing a kill was (formats.md 4.5). */
enum jetsam_blame {
	JETSAM_BLAME_NONE,     ///< routine, nobody's fault
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

/** NULL where the reason is NULL or not known. */
const struct jetsam_cause *jetsam_cause_find(const char *reason);

/** Only this reason tells a limit (formats.md 4.6). */
#define JETSAM_HARD_LIMIT "per-process-limit"

/** The name of a band; NULL where no band has this number. */
const char *jetsam_band_name(int priority, bool new_scale);

/** Is this the band of the app in front? */
bool jetsam_band_is_foreground(int priority, bool new_scale);

/**
 * Is this how a log writes the process called @p name? Logs cut names: to 32
 * characters, to 16 on old systems.
 */
bool jetsam_is_name(const char *in_log, const char *name);

/** `iPhone 11 Pro` for `iPhone12,3`; NULL where it is not known. */
const char *jetsam_model_name(const char *product);

/** Is this the name of a model, as jetsam_model_name() gives it? */
bool jetsam_is_model(const char *name);

/**
 * The size of the pages that logs of a device count in, where they do not say
 * it: 4096 before A7, 16384 from A9 on.
 *
 * @return Whether the device settles it. With A7 and A8 it does not: programs
 *         see pages of 16 KiB there, the kernel counts in 4 KiB, and a log of
 *         an iPhone7,2 says 4096. Nor do watches and what is not known.
 */
bool jetsam_page_bytes(const char *product, uint64_t *ret);

#endif
