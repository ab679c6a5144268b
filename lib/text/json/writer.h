// SPDX-License-Identifier: MIT
/**
 * Writing JSON: indented or on one line, keys in the order they are written,
 * always valid UTF-8, nothing that a terminal or a CI runner could act on.
 * Unbalanced calls are our bug and assert.
 *
 *     struct json_writer w = json_writer_to(out);
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
	unsigned base; ///< indentation of the outermost
	unsigned depth;
	/** What lies in this many containers or more stays on one line. */
	unsigned line_depth;
	bool is_array[JSON_WRITER_DEPTH];
	bool has_members[JSON_WRITER_DEPTH];
};

struct json_writer json_writer_to(struct out *out);
/** All on one line, without blanks: for lines of JSON. */
struct json_writer json_writer_compact(struct out *out);

// `key` is NULL inside an array and for the outermost value.
void json_open_object(struct json_writer *w, const char *key);
void json_open_array(struct json_writer *w, const char *key);
void json_close(struct json_writer *w);

/**
 * For the functions below: comma, line, indentation and key, all that precedes
 * a value, which is to be appended to what this returns.
 */
struct str *json_writer_start(struct json_writer *w, const char *key,
                              size_t size);
/** For the functions below: a text between quotes. */
void json_writer_add(struct str *to, const char *text);

// Inline, so that the length of a key is known to the compiler.
__attribute__((always_inline)) static inline struct str *json_start(
        struct json_writer *w, const char *key)
{
	return json_writer_start(w, key, key ? strlen(key) : 0);
}

/** NULL text writes nothing at all: absent is not empty. */
__attribute__((always_inline)) static inline void json_text(
        struct json_writer *w, const char *key, const char *text)
{
	if (text)
		json_writer_add(json_start(w, key), text);
}

/** An array of texts; writes nothing where there are none. */
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
/** A number as its text says it: digits, at most one point among them. */
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

/** NULL text is null: the member is always there. */
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
/** Canonical; writes nothing for the zero UUID. */
void json_uuid(struct json_writer *w, const char *key, const struct uuid *uuid);
/** Members as they were written, `"key": value, …`; none: nothing at all. */
void json_members(struct json_writer *w, struct text members);
/** The final newline. */
void json_finish(struct json_writer *w);

#endif
