// SPDX-License-Identifier: MIT
/**
 * A KSCrash report (apmtool-formats(5)): app, device and time (system.c),
 * images (images.c), the error (error.c), threads and frames (threads.c),
 * registers (registers.c), and the text that KSCrash itself prints after `EOF`
 * (extra.c). KSCrash 2.6, report versions 3.7 to 3.9, adds how the process
 * ended (ending.c), profiles (profile.c), and the state of app and device
 * (state.c). matrix.c reads the additions of Matrix, kscrash.c the document.
 *
 * Nothing in a report is an error: mistyped members and values out of range
 * become notes with their JSON path.
 */
#ifndef APMTOOL_PARSERS_KSCRASH_PARTS_H
#define APMTOOL_PARSERS_KSCRASH_PARTS_H

#include "parsers/json/place.h"
#include "parsers/kscrash/matrix.h"

#include <stdbool.h>
#include <stddef.h>

/** Prefix of the titles of sections that are printed after `EOF`. */
#define KSCRASH_EXTRA "Extra Information: "

#define KSCRASH_INFORMATION "Application Specific Information"

/** `crash.error.type`, where it affects other parts. */
enum kscrash_error_type {
	KSCRASH_ERROR_OTHER, ///< mach, signal and unknown types
	KSCRASH_ERROR_NSEXCEPTION,
	KSCRASH_ERROR_CPP_EXCEPTION,
	KSCRASH_ERROR_DEADLOCK,
	KSCRASH_ERROR_USER,
	/** a hang that ended; others are KSCRASH_ERROR_OTHER */
	KSCRASH_ERROR_HANG,
	KSCRASH_ERROR_PROFILE,
};

/** The objects of the report; NULL if missing. */
struct kscrash {
	struct json_place place; ///< "" or `recrash_report`
	const cJSON *root;
	const cJSON *crash;
	const cJSON *error;
	const cJSON *system;
	const cJSON *images; ///< `binary_images`
	enum kscrash_error_type error_type;
	const struct matrix *matrix; ///< its call trees; or NULL
};

/**
 * Format a date as reports print it, `2026-01-31 01:08:07.123 +0000`, in UTC,
 * from seconds, milliseconds or microseconds since 1970 (by magnitude) or from
 * ISO text; other text unchanged. NULL if absent.
 */
const char *kscrash_date(const cJSON *value, struct arena *arena);

/** Digits of an address: 8 in a 32-bit process, else 16. */
int kscrash_address_digits(const struct report *report);

// The parts, in calling order.
void kscrash_read_system(const struct kscrash *ks);
void kscrash_read_images(const struct kscrash *ks);
/** Read images first: some contain messages. */
void kscrash_read_error(const struct kscrash *ks);
/** Read the error first. */
void kscrash_read_ending(const struct kscrash *ks);
void kscrash_read_profile(const struct kscrash *ks);
void kscrash_read_state(const struct kscrash *ks);
void kscrash_read_threads(const struct kscrash *ks);
/** Read threads first. */
void kscrash_read_extra(const struct kscrash *ks);

/** Does kscrash_read_state() read @p value, a member of that object? */
bool kscrash_is_state(const char *object, const cJSON *value);

/** The thread object marked as crashed; or NULL. */
const cJSON *kscrash_crashed_thread(const struct kscrash *ks);

/**
 * Set the function's name as the device gave it; NULL, "" and `<redacted>` are
 * ignored.
 *
 * @param address  Start of the function; 0: unknown.
 */
void kscrash_set_symbol(struct report_frame *frame, const char *symbol,
                        uint64_t address, struct arena *arena);
/** Add the frame at @p place; other values become notes. */
void kscrash_read_frame(const struct json_place *place, const cJSON *value,
                        struct report_stack *stack);
/** Read an array of frames at @p place, innermost first. */
void kscrash_read_frames(const struct json_place *place, const cJSON *frames,
                         struct report_stack *stack);
/** `registers` of @p thread, an object at @p place. */
void kscrash_read_registers(const struct json_place *place,
                            const cJSON *registers,
                            struct report_thread *thread);

#endif
