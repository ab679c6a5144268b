// SPDX-License-Identifier: MIT
/**
 * Writes JSON: indented or on one line, keys in the order of the calls, always
 * valid UTF-8, nothing that could act on a terminal or a CI runner. Unbalanced
 * calls assert.
 *
 *     struct json_writer w = json_writer_to(out);
 *
 *     json_open_object(&w, NULL);
 *     json_text(&w, "schema", "apmtool.report/1");
 *     json_address(&w, "address", frame->address);
 *     json_close(&w);
 *     json_finish(&w);
 */
#ifndef APMTOOL_LIB_TEXT_JSON_WRITER_H
#define APMTOOL_LIB_TEXT_JSON_WRITER_H

#include "lib/base/out.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define JSON_WRITER_DEPTH 32

struct json_writer {
	struct out *out;
	unsigned base; ///< indentation of the outermost value
	unsigned depth;
	/** Values nested at least this deep are on one line. */
	unsigned line_depth;
	bool is_array[JSON_WRITER_DEPTH];
	bool has_members[JSON_WRITER_DEPTH];
};

struct json_writer json_writer_to(struct out *out);
/** On one line without blanks, for JSON Lines. */
struct json_writer json_writer_compact(struct out *out);

// @p key is NULL in arrays and for the outermost value.
void json_open_object(struct json_writer *w, const char *key);
void json_open_array(struct json_writer *w, const char *key);
void json_close(struct json_writer *w);

/**
 * Private: append comma, line, indentation and key. Returns where to append the
 * value.
 */
struct str *json_writer_start(struct json_writer *w, const char *key,
                              size_t size);
/** Private: append a text in quotes. */
void json_writer_add(struct str *to, const char *text);

// Inline, so that the compiler knows the length of keys.
__attribute__((always_inline)) static inline struct str *json_start(
        struct json_writer *w, const char *key)
{
	return json_writer_start(w, key, key ? strlen(key) : 0);
}

/** Writes nothing for NULL: absent is not empty. */
__attribute__((always_inline)) static inline void json_text(
        struct json_writer *w, const char *key, const char *text)
{
	if (text)
		json_writer_add(json_start(w, key), text);
}

/** An array of texts; nothing if there are none. */
void json_texts(struct json_writer *w, const char *key,
                const char *const *texts, size_t count);
__attribute__((always_inline)) static inline void json_number(
        struct json_writer *w, const char *key, uint64_t value)
{
	str_add_number(json_start(w, key), value);
}

void json_signed(struct json_writer *w, const char *key, int64_t value);
/** Microseconds as milliseconds, exact: `50`, `0.25`. */
void json_ms(struct json_writer *w, const char *key, uint64_t us);
/** A number from its digits, with at most one decimal point. */
void json_decimal(struct json_writer *w, const char *key, const char *digits);
__attribute__((always_inline)) static inline void json_bool(
        struct json_writer *w, const char *key, bool value)
{
	struct str *to = json_start(w, key);

	if (value)
		str_add(to, "true");
	else
		str_add(to, "false");
}

__attribute__((always_inline)) static inline void json_null(
        struct json_writer *w, const char *key)
{
	str_add(json_start(w, key), "null");
}

/** Writes null for NULL, so that the member is always present. */
__attribute__((always_inline)) static inline void json_text_or_null(
        struct json_writer *w, const char *key, const char *text)
{
	if (text)
		json_text(w, key, text);
	else
		json_null(w, key);
}

/** `"0x…"`, lower case, no padding: a double cannot hold 64 bits. */
void json_address(struct json_writer *w, const char *key, uint64_t value);
/** Canonical; nothing for the zero UUID. */
void json_uuid(struct json_writer *w, const char *key, const struct uuid *uuid);
/** Copy members as they were written, `"key": value, …`; nothing if empty. */
void json_members(struct json_writer *w, struct text members);
/** The final newline. */
void json_finish(struct json_writer *w);

#endif
