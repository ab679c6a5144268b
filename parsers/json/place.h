// SPDX-License-Identifier: MIT
/**
 * The current place of a reader in an artefact, JSON or not. Notes print it as
 * a JSON path: `crash.threads[3].backtrace: expected an object, found 'n/a'`.
 *
 *     struct json_place root = JSON_PLACE_ROOT(&reader);
 *     struct json_place crash = JSON_PLACE_MEMBER(&root, "crash");
 *     json_place_note(&crash, "threads", "the report has no threads");
 *
 * Places are linked on the stack, and cost nothing until a note is made.
 */
#ifndef APMTOOL_PARSERS_JSON_PLACE_H
#define APMTOOL_PARSERS_JSON_PLACE_H

#include "lib/base/arena.h"
#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/model/report.h"
#include "lib/text/json/json.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max notes of one report; a hostile one has unlimited faults. */
#define JSON_NOTES_MAX 1000

/** A report that is being read. */
struct json_reader {
	struct report *report;
	struct arena *arena;
	const char *whole; ///< name of the whole input in notes; NULL: `report`
	size_t note_count;
};

/** Not an element of an array. */
#define JSON_NO_INDEX SIZE_MAX

struct json_place {
	struct json_reader *reader;
	const struct json_place *outer; ///< NULL for the document
	const char *name;               ///< member of @c outer; or ""
	size_t index;                   ///< element of it, or JSON_NO_INDEX
};

#define JSON_PLACE_ROOT(reader_)                                        \
	{                                                               \
		.reader = (reader_), .name = "", .index = JSON_NO_INDEX \
	}
#define JSON_PLACE_MEMBER(outer_, name_)                       \
	{                                                      \
		.reader = (outer_)->reader, .outer = (outer_), \
		.name = (name_), .index = JSON_NO_INDEX        \
	}

/**
 * Add a note about the member @p key, or a path below (`[3].child[0]`); NULL:
 * about the place itself.
 */
void json_place_note(const struct json_place *place, const char *key,
                     const char *format, ...) PRINTF_LIKE(3, 4);

/**
 * Note that of @p total elements (`threads`) only as many were read as a limit
 * allows.
 */
void json_place_note_limit(const struct json_place *place, const char *key,
                           enum limit_id id, size_t total, const char *what);

/**
 * Reserve memory for the element at @p place, in lines or frames; if the limit
 * is reached, adds a note and returns false.
 */
bool json_place_may_read(const struct json_place *place, size_t lines);

/** Note that @p value is not an @p expected. */
void json_place_unexpected(const struct json_place *place, const char *key,
                           const cJSON *value, const char *expected);

/** Has the report reached its max notes? */
static inline bool json_reader_is_full(const struct json_reader *reader)
{
	return reader->note_count > JSON_NOTES_MAX;
}

/** The path of @p place, in the reader's arena. */
const char *json_place_path(const struct json_place *place);

/** Append a path to @p path, which may be empty or end in a blank. */
void json_path_join(struct str *path, const char *inner);

/** Add a note about @p path. */
void json_reader_note(struct json_reader *reader, struct text path,
                      const char *format, va_list args) PRINTF_LIKE(3, 0);

/** Read an object by a table; faults become notes. */
void json_place_fields(const struct json_place *place, const cJSON *object,
                       const struct json_field *fields, size_t count,
                       void *target);

/**
 * The member @p key, if it has this type. NULL otherwise, with a note unless it
 * is absent.
 */
const cJSON *json_place_member(const struct json_place *place,
                               const cJSON *object, const char *key,
                               enum json_type type);
/** As json_place_member(), for a value already looked up, which may be NULL. */
const cJSON *json_place_value(const struct json_place *place, const char *key,
                              const cJSON *value, enum json_type type);

/** Receives one element of an array, and its place. */
typedef void (*json_place_visit)(const struct json_place *place,
                                 const cJSON *value, void *context);

/**
 * Visit the objects in the array @p key of @p object, up to @p limit.
 *
 * @param what  Name of the elements in a note: `threads`.
 */
void json_place_each(const struct json_place *outer, const cJSON *object,
                     const char *key, enum limit_id limit, const char *what,
                     json_place_visit visit, void *context);

/**
 * Note the repairs of a document, and where it ends early.
 *
 * @param part  Part of the report, `body`; NULL: all of it.
 */
void json_note_document(const struct json_doc *doc, const char *part,
                        struct report *report, struct arena *arena);
/** As json_note_document(), only the repairs. */
void json_note_repairs(const struct json_doc *doc, const char *part,
                       struct report *report, struct arena *arena);

#endif
