// SPDX-License-Identifier: MIT
/**
 * Where in an artefact a reader is, for notes that name it as a JSON path,
 * also in those that are no JSON: `crash.threads[3].backtrace: expected an
 * object, found 'n/a'`.
 *
 *     struct json_place root = JSON_PLACE_ROOT(&reader);
 *     struct json_place crash = JSON_PLACE_MEMBER(&root, "crash");
 *
 *     json_place_note(&crash, "threads", "the report has no threads");
 *
 * A chain of places lives on the stack and costs nothing until a note is made.
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

/** Most notes of one report; a hostile one has faults without end. */
#define JSON_NOTES_MAX 1000

/** A report that is being read. */
struct json_reader {
	struct report *report;
	struct arena *arena;
	const char *whole; ///< what it is called; NULL: `report`
	size_t note_count;
};

/** No element of an array. */
#define JSON_NO_INDEX SIZE_MAX

struct json_place {
	struct json_reader *reader;
	const struct json_place *outer; ///< NULL: the document
	const char *name;               ///< member of @c outer; "" for none
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
 * Note something at the member @p key, or at a path below (`[3].child[0]`);
 * NULL: at the place itself.
 */
void json_place_note(const struct json_place *place, const char *key,
                     const char *format, ...) PRINTF_LIKE(3, 4);

/**
 * Note that of @p total elements (`threads`) only those were read that a limit
 * allows.
 */
void json_place_note_limit(const struct json_place *place, const char *key,
                           enum limit_id id, size_t total, const char *what);

/**
 * May what is at @p place be read, which takes as much memory as so many lines
 * or frames? It counts from now on; if not, a note says so.
 */
bool json_place_may_read(const struct json_place *place, size_t lines);

/** Note that @p value is no @p expected. */
void json_place_unexpected(const struct json_place *place, const char *key,
                           const cJSON *value, const char *expected);

/** No more notes are listed. */
static inline bool json_reader_is_full(const struct json_reader *reader)
{
	return reader->note_count > JSON_NOTES_MAX;
}

/** The path of @p place, in the reader's arena. */
const char *json_place_path(const struct json_place *place);

/** Append a path to one, which may be empty or end in a blank. */
void json_path_join(struct str *path, const char *inner);

/** Note something at @p path. */
void json_reader_note(struct json_reader *reader, struct text path,
                      const char *format, va_list args) PRINTF_LIKE(3, 0);

/** Read an object by a table; complaints become notes. */
void json_place_fields(const struct json_place *place, const cJSON *object,
                       const struct json_field *fields, size_t count,
                       void *target);

/** A member of this type; NULL, and a note unless it is absent, if not. */
const cJSON *json_place_member(const struct json_place *place,
                               const cJSON *object, const char *key,
                               enum json_type type);
/** The same of a member that was found already; @p value may be NULL. */
const cJSON *json_place_value(const struct json_place *place, const char *key,
                              const cJSON *value, enum json_type type);

/** Gets one element of an array, at its place. */
typedef void (*json_place_visit)(const struct json_place *place,
                                 const cJSON *value, void *context);

/**
 * Visit the elements of the array @p key of @p object that are objects, as many
 * as @p limit allows.
 *
 * @param what  They are called, for a note: `threads`.
 */
void json_place_each(const struct json_place *outer, const cJSON *object,
                     const char *key, enum limit_id limit, const char *what,
                     json_place_visit visit, void *context);

/**
 * Note what was repaired in a document, and where it ends if it ends early.
 *
 * @param part  Which part of the report it is, `body`; NULL: all of it.
 */
void json_note_document(const struct json_doc *doc, const char *part,
                        struct report *report, struct arena *arena);
/** What was repaired only. */
void json_note_repairs(const struct json_doc *doc, const char *part,
                       struct report *report, struct arena *arena);

#endif
