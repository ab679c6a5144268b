// SPDX-License-Identifier: MIT
/**
 * A KSCrash report (formats.md chapter 5), read in parts: who, where and when
 * (system.c), images (images.c), why it ended (error.c), threads and frames
 * (threads.c), registers (registers.c), and whatever KSCrash's own text prints
 * after `EOF` (extra.c). What KSCrash 2.6 adds, report versions 3.7 to 3.9, has
 * parts of its own: how the process ended (ending.c), profiles (profile.c), the
 * state of app and device (state.c); apmtool-formats(5) describes them. What
 * Matrix adds is read by matrix.c. The document around them is kscrash.c's.
 *
 * Nothing in a report is an error. What is missing is absent, what is mistyped
 * or out of range becomes a note that names its place as a JSON path.
 */
#ifndef APMTOOL_PARSERS_KSCRASH_PARTS_H
#define APMTOOL_PARSERS_KSCRASH_PARTS_H

#include "parsers/json/place.h"
#include "parsers/kscrash/matrix.h"

#include <stdbool.h>
#include <stddef.h>

/** Sections with this before their title are printed after `EOF`. */
#define KSCRASH_EXTRA "Extra Information: "

#define KSCRASH_INFORMATION "Application Specific Information"

/** `crash.error.type`, as far as it changes how the rest is read. */
enum kscrash_error_type {
	KSCRASH_ERROR_OTHER, ///< mach, signal and what we do not know
	KSCRASH_ERROR_NSEXCEPTION,
	KSCRASH_ERROR_CPP_EXCEPTION,
	KSCRASH_ERROR_DEADLOCK,
	KSCRASH_ERROR_USER,
	KSCRASH_ERROR_HANG, ///< one that ended; others are KSCRASH_ERROR_OTHER
	KSCRASH_ERROR_PROFILE,
};

/** The report's own objects; each NULL where it is missing. */
struct kscrash {
	struct json_place place; ///< of the report: "" or `recrash_report`
	const cJSON *root;
	const cJSON *crash;
	const cJSON *error;
	const cJSON *system;
	const cJSON *images; ///< `binary_images`
	enum kscrash_error_type error_type;
	const struct matrix *matrix; ///< call trees that belong to it; or NULL
};

/**
 * A date as reports print it, `2026-01-31 01:08:07.123 +0000`, in UTC, out of
 * seconds, milliseconds or microseconds since 1970 (identified by their size)
 * or of ISO text; any other text as it is. NULL where there is none.
 */
const char *kscrash_date(const cJSON *value, struct arena *arena);

/** Digits of an address: 8 in a 32-bit process, else 16. */
int kscrash_address_digits(const struct report *report);

// The parts, in the order they are to be called.
void kscrash_read_system(const struct kscrash *ks);
void kscrash_read_images(const struct kscrash *ks);
/** Images must have been read: some hold messages. */
void kscrash_read_error(const struct kscrash *ks);
/** The error must have been read. */
void kscrash_read_ending(const struct kscrash *ks);
void kscrash_read_profile(const struct kscrash *ks);
void kscrash_read_state(const struct kscrash *ks);
void kscrash_read_threads(const struct kscrash *ks);
/** Threads must have been read. */
void kscrash_read_extra(const struct kscrash *ks);

/** Is @p value, of an object of this name, one that kscrash_read_state() reads?
 */
bool kscrash_is_state(const char *object, const cJSON *value);

/** The thread object that is marked as crashed; NULL if none is. */
const cJSON *kscrash_crashed_thread(const struct kscrash *ks);

/**
 * Set the function's name that the device gave; NULL, "" and `<redacted>` are
 * none.
 *
 * @param address  Where the function begins; 0: not said.
 */
void kscrash_set_symbol(struct report_frame *frame, const char *symbol,
                        uint64_t address, struct arena *arena);
/** Add the frame at @p place; what is not a frame becomes a note. */
void kscrash_read_frame(const struct json_place *place, const cJSON *value,
                        struct report_stack *stack);
/** Read frames, innermost first, out of an array at @p place. */
void kscrash_read_frames(const struct json_place *place, const cJSON *frames,
                         struct report_stack *stack);
/** `registers` of @p thread, an object at @p place. */
void kscrash_read_registers(const struct json_place *place,
                            const cJSON *registers,
                            struct report_thread *thread);

#endif
