// SPDX-License-Identifier: MIT
/**
 * JSON documents as trees of cJSON.
 *
 * A tree is built from the events of the pull reader (lib/text/json/pull.h),
 * which is the one grammar, and keeps what cJSON's own parser would lose.
 * `\u0000` becomes U+FFFD, nesting is limited. What devices leave behind when
 * they die is repaired and noted: a document that ends early is closed where it
 * ends (the unfinished value is dropped), control characters inside strings are
 * accepted.
 *
 * All of cJSON that reads a tree works on it: cJSON_Is…, cJSON_Get…,
 * cJSON_ArrayForEach, cJSON_Compare, cJSON_Duplicate, cJSON_Print…. Beyond what
 * cJSON promises, `valuestring` of a number is the number as it is written, for
 * a double loses digits beyond 2^53. The nodes belong to the document: nothing
 * that changes a tree, such as cJSON_Delete and cJSON_Detach…, works on it.
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
 * Most values of one document: the tree takes about 90 bytes each, and a
 * real report spends 20 bytes of text on one.
 */
#define JSON_VALUES_MAX 2200000

/** Most members of one object: looking one up walks over the others. */
#define JSON_NAMES_MAX 1000000

struct json_doc; ///< owns a tree

/**
 * Read the first JSON value of @p in.
 *
 * @param ret_used  Bytes that belong to the value; what follows is the
 *                  caller's business. May be NULL: then only white space may
 *                  follow.
 * @param ret       Freed with json_doc_free().
 */
MUST_CHECK struct error *json_parse(struct text in, size_t *ret_used,
                                    struct json_doc **ret);
/**
 * As json_parse(), but a fault inside the outermost object or array ends the
 * document there, as if the input ended: what is before it is read. Slips of
 * commas and missing values are repaired (JSON_PULL_REPAIR).
 *
 * @param ret_used  Not NULL; at a fault, the place of it.
 */
MUST_CHECK struct error *json_salvage(struct text in, size_t *ret_used,
                                      struct json_doc **ret);
/** What ended a salvaged document: `line 3, column 7: …`; NULL if nothing. */
const char *json_fault(const struct json_doc *doc);
void json_doc_free(struct json_doc *doc);
void json_doc_drop(struct json_doc **doc); ///< for SCOPED()

const cJSON *json_root(const struct json_doc *doc);
/** The document ended before its value did, or a fault ended it. */
bool json_truncated(const struct json_doc *doc);
size_t json_repair_count(const struct json_doc *doc);
struct json_repair json_repair(const struct json_doc *doc, size_t index);

/** Absent, or null: they read alike. */
static inline bool json_is_null(const cJSON *value)
{
	return !value || cJSON_IsNull(value);
}

/** JSON_NULL of NULL, too. */
enum json_type json_type(const cJSON *value);

/** A number as it is written, or a text; data is NULL of anything else. */
struct text json_scalar(const cJSON *value);
/**
 * A whole number from 0 to 2^64 - 1; a negative one gives the same 64 bits.
 * Hex text (`"0x…"`) and decimal text count as numbers, as reports write both.
 * Fractions and exponents do not: they have lost precision.
 */
bool json_as_u64(const cJSON *value, uint64_t *ret);
/** A copy of a number as it was written; NULL unless the value is one. */
const char *json_number_text(const cJSON *value, struct arena *arena);
/** `expected a number, found 'n/a'`: what is wrong with a value. */
char *json_unexpected(const cJSON *value, const char *expected,
                      struct arena *arena);
/** true, false, 0, 1. */
bool json_as_bool(const cJSON *value, bool *ret);

/** What a field of a struct is. */
enum json_kind {
	JSON_FIELD_TEXT,        ///< const char *, copied into the arena
	JSON_FIELD_U64,         ///< uint64_t, with an optional bool beside it
	JSON_FIELD_BOOL,        ///< bool
	JSON_FIELD_NUMBER_TEXT, ///< const char *: text, or a number as written
};

struct json_field {
	struct text key;
	enum json_kind kind;
	size_t offset;     ///< of the field in the struct
	size_t has_offset; ///< of a bool set when present; SIZE_MAX: none
};

/** Of a literal only. */
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

/** Gets a field of the wrong type: `expected a number, found 'n/a'`. */
typedef void (*json_complaint)(const char *key, const char *message,
                               void *context);

/**
 * Fill @p target from @p object by @p fields (@p count of them). Absent and
 * null fields stay as they are, unknown ones are skipped, mistyped ones are
 * reported to @p complain (may be NULL) and stay as they are.
 */
void json_read_fields(const cJSON *object, const struct json_field *fields,
                      size_t count, struct arena *arena, void *target,
                      json_complaint complain, void *context);

/** Most names of a lookup. */
#define JSON_LOOKUP_MAX 32

/**
 * Names that are looked up in many objects, which are mostly alike: each
 * member is at first taken for what the member at its place was in the object
 * before. All zeros: no names.
 */
struct json_lookup {
	struct text names[JSON_LOOKUP_MAX];
	size_t count;
	unsigned char usual[JSON_LOOKUP_MAX]; ///< the name of each member
};

/** Add a name, which must outlive the lookup. */
void json_lookup_add(struct json_lookup *lookup, const char *name);
/** The first member of each name, in the order of the names: one pass for all.
 */
void json_lookup_find(struct json_lookup *lookup, const cJSON *object,
                      const cJSON *ret[JSON_LOOKUP_MAX]);

/** The version of cJSON, `1.7.15`, for `apmtool doctor`. */
const char *json_library_version(void);

#endif
