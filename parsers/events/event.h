// SPDX-License-Identifier: MIT
/**
 * Shared by the JSON readers of crash reporting services: events of Sentry and
 * Bugsnag, reports of CrashReportKit (apmtool-formats(5)). Each frame gives the
 * load address of its image, some also its UUID.
 *
 * Nothing in an event is an error: mistyped members become notes with their
 * JSON path.
 */
#ifndef APMTOOL_PARSERS_EVENTS_EVENT_H
#define APMTOOL_PARSERS_EVENTS_EVENT_H

#include "lib/base/error.h"
#include "lib/model/report.h"
#include "lib/text/json/json.h"
#include "parsers/json/place.h"
#include "parsers/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A frame as the event gives it; texts are in the arena. */
struct event_frame {
	uint64_t address;
	bool has_address;
	uint64_t base;           ///< load address of the image; 0: unknown
	const char *image;       ///< path or name of the image
	const char *uuid;        ///< of the image
	const char *symbol;      ///< mangled or demangled; or NULL
	uint64_t symbol_address; ///< 0: unknown
	uint64_t symbol_offset;
	bool has_symbol_offset;
	const char *path; ///< of the source file
	uint64_t line;
	bool has_line;
	uint64_t column;
	bool is_pc;
	bool is_own; ///< app code, according to the service
};

/**
 * Append a frame. Without a list of images, the images are collected from the
 * frames.
 *
 * @param is_listed  The report has a list of images.
 */
void event_add_frame(const struct json_place *place,
                     const struct event_frame *entry, bool is_listed,
                     struct report_stack *stack);

/** Mach exception with its codes `0x1, 0x10`, and signal. */
struct event_fault {
	const char *type;   ///< `EXC_BAD_ACCESS`; NULL: unknown
	const char *signal; ///< `SIGSEGV`
	uint64_t code;
	uint64_t subcode;
	bool has_code;
	bool has_subcode;
};

/** Set exception, signal and codes of the report. */
void event_set_fault(struct report *report, struct arena *arena,
                     const struct event_fault *fault);

/**
 * Set the class and message of the exception, or of another cause.
 *
 * @param kind  `objc-exception`, `cpp-exception`, `user-reported`; NULL:
 *              derived from the class (Mach exception, signal or another).
 */
void event_set_error(struct report *report, struct arena *arena,
                     const char *type, const char *message, const char *kind);

/** `iOS`, `17.2`, `21C62`; each may be NULL. */
void event_set_os(struct report *report, struct arena *arena, const char *name,
                  const char *version, const char *build);

/** Format a date, text or seconds since 1970; NULL without one. */
const char *event_date(const cJSON *value, struct arena *arena);

/** A text or number as text, in the arena; NULL if empty or absent. */
const char *event_text(const cJSON *object, const char *key,
                       struct arena *arena);

/** After the last frame: find the image of each frame, and the program. */
void event_finish(struct report *report);

/** Reads one event, whose object is at @p place. */
typedef void (*event_read)(const struct json_place *place, const cJSON *event);

/** Is it an event of this format? */
typedef bool (*event_is)(const cJSON *object);

/**
 * Read all events of a document: the object itself, the objects of an array, or
 * the value of its member `event`, `events` or `payload`, down to three levels.
 * Without an event, the sink stays empty.
 */
MUST_CHECK struct error *event_read_all(const struct envelope *envelope,
                                        const char *format, event_is is,
                                        event_read read, struct sink *sink);

/** JSON_HAS() of the first object, also inside an array. */
uint64_t event_names(const struct envelope *in);

#endif
