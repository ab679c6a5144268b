// SPDX-License-Identifier: MIT
/**
 * Reads values of a streamed document (lib/text/json/pull.h) with an expected
 * type; other types become notes.
 *
 *     struct json_source source = { .pull = pull, .reader = &reader,
 *                                   .prefix = "" };
 *     if (text_is(name, "pid"))
 *             has_pid = json_take_u64(&source, UINT64_MAX, &pid);
 *
 * A null is read as an absent member, without a note.
 */
#ifndef APMTOOL_PARSERS_JSON_SOURCE_H
#define APMTOOL_PARSERS_JSON_SOURCE_H

#include "lib/base/uuid.h"
#include "lib/text/json/pull.h"
#include "parsers/json/place.h"

#include <stdbool.h>
#include <stdint.h>

struct json_source {
	struct json_pull *pull;
	struct json_reader *reader;
	/**
	 * Receives notes about the last event instead of the reader; or NULL.
	 */
	void (*note)(const struct json_source *source, const char *format,
	             va_list args);
	void *context; ///< for @c note
	/** Path of the document, printed before all paths; or "". */
	const char *prefix;
};

/** Add a note about the member @p key; NULL: about the last event. */
void json_source_note(const struct json_source *source, const char *key,
                      const char *format, ...) PRINTF_LIKE(3, 4);

/** Reserve memory for a frame, the last event. As json_place_may_read(). */
bool json_source_may_read(const struct json_source *source);

/** Note that @p event, the last one, is not an @p expected, and skip it. */
void json_source_wrong(const struct json_source *source,
                       const struct json_event *event, const char *expected);

/** As json_source_wrong() for a member: a null is no fault. */
void json_source_unexpected(const struct json_source *source,
                            const struct json_event *event,
                            const char *expected);

/**
 * The text of the next event, in the reader's arena; NULL if it is not text.
 */
const char *json_take_text(const struct json_source *source);
/** The number of the next event, up to @p max; false if it is not a number. */
bool json_take_u64(const struct json_source *source, uint64_t max,
                   uint64_t *ret);
bool json_take_bool(const struct json_source *source, bool *ret);
/** The UUID in the next event; @p ret stays unchanged without one. */
void json_take_uuid(const struct json_source *source, struct uuid *ret);

/**
 * After the document: if it ended early, note why, at @p key as in
 * json_source_note().
 *
 * @param what  Name of the document: `the payload`.
 */
void json_source_end(const struct json_source *source, const char *key,
                     const char *what);

#endif
