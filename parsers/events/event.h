// SPDX-License-Identifier: MIT
/**
 * What the JSON of crash reporting services has in common: Sentry's and
 * Bugsnag's events, CrashReportKit's reports (apmtool-formats(5)). Each frame
 * says where its image lies, and some of them which build it is of.
 *
 * Nothing in an event is an error. What is missing is absent, what is mistyped
 * becomes a note that names its place as a JSON path.
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

/** A frame as its format says it; texts are in the arena. */
struct event_frame {
	uint64_t address;
	bool has_address;
	uint64_t base;           ///< load address of the image; 0: not said
	const char *image;       ///< path or name of the image
	const char *uuid;        ///< of the image
	const char *symbol;      ///< mangled or not; NULL: none
	uint64_t symbol_address; ///< 0: not said
	uint64_t symbol_offset;
	bool has_symbol_offset;
	const char *path; ///< of the source file
	uint64_t line;
	bool has_line;
	uint64_t column;
	bool is_pc;
	bool is_own; ///< code of the app, as the service judges it
};

/**
 * Append a frame. Where the report has no list of images, they are made up of
 * what frames say of theirs.
 *
 * @param is_listed  The report has such a list.
 */
void event_add_frame(const struct json_place *place,
                     const struct event_frame *entry, bool is_listed,
                     struct report_stack *stack);

/** Mach's exception and its codes, the signal: `0x1, 0x10`. */
struct event_fault {
	const char *type;   ///< `EXC_BAD_ACCESS`; NULL: not said
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
 * What was thrown, or what ended the process: its class and its message.
 *
 * @param kind  `objc-exception`, `cpp-exception`, `user-reported`; NULL: what
 *              the class is decides, an exception of Mach, a signal, any other.
 */
void event_set_error(struct report *report, struct arena *arena,
                     const char *type, const char *message, const char *kind);

/** `iOS`, `17.2`, `21C62`; each may be NULL. */
void event_set_os(struct report *report, struct arena *arena, const char *name,
                  const char *version, const char *build);

/** A date in text as it is, or of seconds since 1970; NULL: none. */
const char *event_date(const cJSON *value, struct arena *arena);

/** Text, or a number as it is written, in the arena; NULL if empty or none. */
const char *event_text(const cJSON *object, const char *key,
                       struct arena *arena);

/** All is read: which image each frame is in, which program it was. */
void event_finish(struct report *report);

/** Reads one event, whose object is at @p place. */
typedef void (*event_read)(const struct json_place *place, const cJSON *event);

/** Is it an event of this format? */
typedef bool (*event_is)(const cJSON *object);

/**
 * Read all events of a document: the object itself, those of an array, or what
 * its member `event`, `events` or `payload` holds, three levels deep at most.
 * None leaves the sink empty.
 */
MUST_CHECK struct error *event_read_all(const struct envelope *envelope,
                                        const char *format, event_is is,
                                        event_read read, struct sink *sink);

/** The names of the first object, inside of an array, too. */
uint64_t event_names(const struct envelope *in);

#endif
