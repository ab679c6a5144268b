/**
 * The JSON body of a crash report in an `.ips` file (formats.md 3.3), read in
 * parts: facts and images (ips_crash.c), labelled text (ips_sections.c),
 * threads and frames (ips_threads.c), registers (ips_registers.c). The
 * container around it is ips.c's.
 *
 * Nothing in a body is an error. What is missing is absent, what is mistyped
 * or out of range becomes a note that names its place as a JSON path.
 */
#ifndef APMTOOL_PARSERS_IPS_CRASH_H
#define APMTOOL_PARSERS_IPS_CRASH_H

#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "lib/text/json.h"

#include <stdbool.h>
#include <stddef.h>

#define IPS_THREADS_MAX 10000
#define IPS_FRAMES_MAX  100000 ///< a thread
#define IPS_FRAMES_KEPT 512    ///< of a deeper one, at either end
#define IPS_IMAGES_MAX  20000
#define IPS_NOTES_MAX   1000

/** What all parts work on. */
struct ips_reader {
	struct report *report;
	struct arena *arena;
	bool truncated; ///< the document ends early
	size_t note_count;
};

/** No element of an array. */
#define IPS_NO_INDEX SIZE_MAX

/**
 * Where in the document we are: `threads[3].frames[0]`. A chain of these on
 * the stack costs nothing until a note is made.
 */
struct ips_place {
	struct ips_reader *reader;
	const struct ips_place *outer; ///< NULL: the body itself
	const char *name;              ///< member of @c outer; "" for the body
	size_t index;                  ///< element of that, or IPS_NO_INDEX
};

/** Note something at the member @p key (NULL: at the place itself). */
void ips_note(const struct ips_place *place, const char *key,
              const char *format, ...) PRINTF_LIKE(3, 4);

/** Read an object by a table; complaints become notes. */
void ips_read_object(const struct ips_place *place, const struct json *object,
                     const struct json_field *fields, size_t count,
                     void *target);

/** A member of this type; NULL, and a note unless it is absent, if not. */
const struct json *ips_member(const struct ips_place *place,
                              const struct json *object, const char *key,
                              enum json_type type);

/** Is this an object of the shape of a crash body? */
bool ips_is_crash_body(const struct json *value);

/** Read the whole body into the reader's report. */
void ips_read_crash(struct ips_reader *reader, const struct json *body);

/** Read the images at member @p key of @p body. */
void ips_read_images(const struct ips_place *body_place, const char *key,
                     const struct json *body);

/**
 * Read frames, the member @p name of @p outer, innermost first, into an empty
 * stack. Images must have been read.
 */
void ips_read_stack(const struct ips_place *outer, const char *name,
                    const struct json *frames, struct report_stack *stack);

// The parts, in the order ips_read_crash() calls them.
void ips_read_sections(const struct ips_place *body_place,
                       const struct json *body);
/** Images must have been read. */
void ips_read_threads(const struct ips_place *body_place,
                      const struct json *body);
/** `threadState` of @p thread, an object. */
void ips_read_registers(const struct ips_place *thread_place,
                        const struct json *state, struct report_thread *thread);

#endif
