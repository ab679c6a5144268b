// SPDX-License-Identifier: MIT
/**
 * Values of a document that is read piece by piece (lib/text/json/pull.h): each
 * is taken as what it should be, and noted where it is something else.
 *
 *     struct json_source source = { .pull = pull, .reader = &reader,
 *                                   .prefix = "" };
 *
 *     if (text_is(name, "pid"))
 *             has_pid = json_take_u64(&source, UINT64_MAX, &pid);
 *
 * A null says that a member is absent, and is no note.
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
	/** Takes notes on the last event instead of the reader; or NULL. */
	void (*note)(const struct json_source *source, const char *format,
	             va_list args);
	void *context; ///< of @c note
	/** Where the document is: in front of all paths; or "". */
	const char *prefix;
};

/** Note something at the member @p key; NULL: at the last event. */
void json_source_note(const struct json_source *source, const char *key,
                      const char *format, ...) PRINTF_LIKE(3, 4);

/** May a frame, the last event, be read? As json_place_may_read(). */
bool json_source_may_read(const struct json_source *source);

/** Note that @p event, the last one, is no @p expected, and step over it. */
void json_source_wrong(const struct json_source *source,
                       const struct json_event *event, const char *expected);

/** The same of a member, whose null is no note. */
void json_source_unexpected(const struct json_source *source,
                            const struct json_event *event,
                            const char *expected);

/** The text of the next event, in the reader's arena; NULL: it is no text. */
const char *json_take_text(const struct json_source *source);
/** The number of the next event, @p most at most; false: it is no number. */
bool json_take_u64(const struct json_source *source, uint64_t most,
                   uint64_t *ret);
bool json_take_bool(const struct json_source *source, bool *ret);
/** The UUID that the next event's text is; else @p ret stays as it is. */
void json_take_uuid(const struct json_source *source, struct uuid *ret);

/**
 * The document is done: note what ended it before its time, at @p key as in
 * json_source_note().
 *
 * @param what  What it is called: `the payload`.
 */
void json_source_end(const struct json_source *source, const char *key,
                     const char *what);

#endif
