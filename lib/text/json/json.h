// SPDX-License-Identifier: MIT
/**
 * JSON documents as trees of cJSON.
 *
 * A tree is built from the events of the pull reader (lib/text/json/pull.h),
 * which has the only grammar. `\u0000` becomes U+FFFD, nesting is limited.
 * Damage by dying devices is repaired and noted: a truncated document is closed
 * at its end (the unfinished value is dropped), control characters inside
 * strings are accepted.
 *
 * All reading functions of cJSON work on the tree: cJSON_Is…, cJSON_Get…,
 * cJSON_ArrayForEach, cJSON_Compare, cJSON_Duplicate, cJSON_Print…. In
 * addition, `valuestring` of a number is its text, since a double loses digits
 * beyond 2^53. The document owns the nodes: do not use functions that change a
 * tree, such as cJSON_Delete and cJSON_Detach….
 *
 * Objects are read by tables of fields, so that missing, mistyped and unknown
 * fields are treated alike everywhere.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_JSON_H
#define APMTOOL_LIB_TEXT_JSON_JSON_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/text/json/value.h"

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Max values of a document: the tree takes about 90 bytes each; the
 * text of a real report has 20 bytes for each.
 */
#define JSON_VALUES_MAX 2200000

/** Max members of an object: a lookup walks over them. */
#define JSON_NAMES_MAX 1000000

struct json_doc; ///< owns a tree

/**
 * Read the first JSON value of @p in.
 *
 * @param ret_used  Size of the value; the caller handles the rest of @p in.
 *                  NULL: only white space may follow.
 * @param ret       Free it with json_doc_free().
 */
MUST_CHECK struct error *json_parse(struct text in, size_t *ret_used,
                                    struct json_doc **ret);
/**
 * As json_parse(), but a fault inside the outermost object or array is treated
 * as the end of the input: everything before it is read. Wrong commas and
 * missing values are repaired (JSON_PULL_REPAIR).
 *
 * @param ret_used  Not NULL; for a fault, its position.
 */
MUST_CHECK struct error *json_salvage(struct text in, size_t *ret_used,
                                      struct json_doc **ret);
/** Why a salvaged document ended: `line 3, column 7: …`; or NULL. */
const char *json_fault(const struct json_doc *doc);
void json_doc_free(struct json_doc *doc);
void json_doc_drop(struct json_doc **doc); ///< for SCOPED()

const cJSON *json_root(const struct json_doc *doc);
/** The value was truncated, or ended by a fault. */
bool json_truncated(const struct json_doc *doc);
size_t json_repair_count(const struct json_doc *doc);
struct json_repair json_repair(const struct json_doc *doc, size_t index);

/** Absent or null, which are equivalent. */
static inline bool json_is_null(const cJSON *value)
{
	return !value || cJSON_IsNull(value);
}

/** JSON_NULL for NULL. */
enum json_type json_type(const cJSON *value);

/** The text of a number as written, or a text; data is NULL for others. */
struct text json_scalar(const cJSON *value);
/**
 * A whole number from 0 to 2^64 - 1; a negative one is cast. Text with decimal
 * or hex digits (`"0x…"`) is a number, too, since reports have both. Fractions
 * and exponents are rejected: they have lost precision.
 */
bool json_as_u64(const cJSON *value, uint64_t *ret);
/** A copy of a number as written; NULL for other values. */
const char *json_number_text(const cJSON *value, struct arena *arena);
/** Describe a wrong value: `expected a number, found 'n/a'`. */
char *json_unexpected(const cJSON *value, const char *expected,
                      struct arena *arena);
/** true, false, 0 or 1. */
bool json_as_bool(const cJSON *value, bool *ret);

/** Type of a struct's field. */
enum json_kind {
	JSON_FIELD_TEXT,        ///< const char *, copied into the arena
	JSON_FIELD_U64,         ///< uint64_t, with an optional bool
	JSON_FIELD_BOOL,        ///< bool
	JSON_FIELD_NUMBER_TEXT, ///< const char *: text, or a number as written
};

struct json_field {
	struct text key;
	enum json_kind kind;
	size_t offset;     ///< of the field in the struct
	size_t has_offset; ///< of a bool, set if present; SIZE_MAX: none
};

/** For literals only. */
#define JSON_KEY(key_)                                       \
	{                                                    \
		.data = "" key_, .size = sizeof("" key_) - 1 \
	}
#define JSON_FIELD(key_, kind_, type_, member_)                            \
	{                                                                  \
		.key = JSON_KEY(key_), .kind = (kind_),                    \
		.offset = offsetof(type_, member_), .has_offset = SIZE_MAX \
	}
#define JSON_FIELD_HAS(key_, kind_, type_, member_, has_) \
	{                                                 \
		.key = JSON_KEY(key_), .kind = (kind_),   \
		.offset = offsetof(type_, member_),       \
		.has_offset = offsetof(type_, has_)       \
	}

/**
 * Receives a message about a mistyped field: `expected a number, found 'n/a'`.
 */
typedef void (*json_complaint)(const char *key, const char *message,
                               void *context);

/**
 * Fill @p target from @p object by @p fields (@p count of them). Absent, null
 * and mistyped fields leave their target unchanged; unknown ones are skipped;
 * mistyped ones are reported to @p complain (or NULL).
 */
void json_read_fields(const cJSON *object, const struct json_field *fields,
                      size_t count, struct arena *arena, void *target,
                      json_complaint complain, void *context);

/** Max names of a lookup. */
#define JSON_LOOKUP_MAX 32

/**
 * Names to look up in many similar objects: each member is first compared with
 * the name that was at its position in the previous object. All zeros: no
 * names.
 */
struct json_lookup {
	struct text names[JSON_LOOKUP_MAX];
	size_t count;
	unsigned char usual[JSON_LOOKUP_MAX]; ///< name of each position
};

/** Add a name, which must outlive the lookup. */
void json_lookup_add(struct json_lookup *lookup, const char *name);
/**
 * Find the first member of each name, in the order of the names, in one pass.
 */
void json_lookup_find(struct json_lookup *lookup, const cJSON *object,
                      const cJSON *ret[JSON_LOOKUP_MAX]);

/** The version of cJSON, `1.7.15`, for `apmtool doctor`. */
const char *json_library_version(void);

#endif
