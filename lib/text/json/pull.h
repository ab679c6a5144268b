// SPDX-License-Identifier: MIT
/**
 * Streaming JSON reader: bulk input, and trees too deep for a document
 * (lib/text/json/json.h), in constant memory and without recursion.
 *
 *     SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
 *     const struct json_event *event;
 *
 *     while ((event = json_pull_next(pull))->type != JSON_EVENT_DONE)
 *             …
 *     if ((err = json_pull_take_error(pull)))
 *             return err;
 *
 * This is the only grammar; documents are built from these events. It is RFC
 * 8259, except for faults of devices and writers, which are repaired and
 * listed: unpaired surrogates, `\u0000` and invalid UTF-8 become U+FFFD,
 * control characters inside strings are accepted, NaN, Infinity and inf, of any
 * case and sign, are null; NUL bytes after the text are ignored. A repeated
 * name in an object is returned each time.
 *
 * Errors are sticky, so callers need not check each event: at a fault or a
 * truncated end, all open containers end, then JSON_EVENT_DONE follows. Events
 * are always well-formed: a name without a value gets null. A truncated number,
 * word or string is dropped.
 *
 * json_pull_new_feed() reads an input piece by piece and keeps a window of
 * about 256 KB, or of the longest string. The input may have several values,
 * like JSON Lines:
 *
 *     SCOPED(json_pull_drop)
 *     struct json_pull *pull = json_pull_new_feed(read_file, &file, 0);
 *
 *     while (json_pull_again(pull))
 *             while ((event = json_pull_next(pull))->type != JSON_EVENT_DONE)
 *                     …
 *
 * Events, errors, repairs and paths do not depend on the pieces, except that a
 * string with a million consecutive NUL bytes ends a streamed input. Offsets,
 * lines and columns count from the start of the input.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_PULL_H
#define APMTOOL_LIB_TEXT_JSON_PULL_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/text/json/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_event_type {
	JSON_EVENT_DONE, ///< the value, or everything readable, was returned
	JSON_EVENT_OBJECT,
	JSON_EVENT_ARRAY,
	JSON_EVENT_END_OBJECT,
	JSON_EVENT_END_ARRAY,
	JSON_EVENT_NAME, ///< name of a member; its value is next
	JSON_EVENT_TEXT,
	JSON_EVENT_NUMBER,
	JSON_EVENT_BOOL,
	JSON_EVENT_NULL,
};

struct json_event {
	enum json_event_type type;
	/**
	 * A name or text without escapes, in UTF-8, without NUL; a number as
	 * written; for a null that replaced NaN or the like, that word. Valid
	 * until the next call.
	 */
	struct text text;
	bool truth; ///< of a BOOL
	/** Start in the input; for DONE, position of the fault or end. */
	size_t offset;
};

enum json_pull_flags {
	/**
	 * Repair common faults of writers: a missing comma between two members,
	 * as in Apple's example of a MetricKit payload; a comma before an end;
	 * a name without a value (null).
	 */
	JSON_PULL_REPAIR = 1 << 0,
};

struct json_pull;

/** Read the first value of @p in, which must outlive the reader. */
struct json_pull *json_pull_new(struct text in, unsigned flags);

/** Limit nesting to LIMIT_JSON_DEPTH instead of JSON_PULL_DEPTH levels. */
void json_pull_limit(struct json_pull *pull);

/**
 * Read up to @p size bytes of the input into @p buffer, and return their
 * number. 0 is the end, or a read error that @p context may remember; it is not
 * called again. Called only if the next event needs more input.
 */
typedef size_t (*json_pull_read)(void *context, char *buffer, size_t size);

/**
 * As json_pull_new() for a streamed input of any length. A string or number
 * beyond JSON_PULL_TOKEN_BYTES is an ERROR_LIMIT.
 */
struct json_pull *json_pull_new_feed(json_pull_read read, void *context,
                                     unsigned flags);
void json_pull_free(struct json_pull *pull);
void json_pull_drop(struct json_pull **pull); ///< for SCOPED()

/** The next event, always in the same object. DONE repeats. */
const struct json_event *json_pull_next(struct json_pull *pull);

/**
 * Skip the rest of the last event's value: a container to its end, the value of
 * a name; nothing for other events.
 */
void json_pull_skip(struct json_pull *pull);

/**
 * Begin the next value of the input (JSON Lines, concatenated values, JSON text
 * sequences). Skips blanks, line ends, RS bytes (0x1e) and NUL bytes between
 * values; NUL bytes before a value are listed as a repair.
 *
 * Skips the rest of an unfinished value. Before the first value it finds the
 * first, so that a loop can begin with it; an input without values is then no
 * error.
 *
 * Until the next event, the last event is a DONE with the value's position.
 *
 * @return false at the end of the input, or if the last value was malformed or
 * truncated.
 */
bool json_pull_again(struct json_pull *pull);

/**
 * Peek at the bytes after the last value, or at the start of the next one,
 * which may not be JSON.
 *
 * @return Up to @p size bytes; fewer only at the end of the input, or if they
 * exceed the window. Valid until the next call. Empty inside of a value.
 */
struct text json_pull_peek(struct json_pull *pull, size_t size);

/** Skip bytes that were peeked at; json_pull_again() continues after them. */
void json_pull_step(struct json_pull *pull, size_t size);

/** Number of open containers: 0 before the first event and when done. */
size_t json_pull_depth(const struct json_pull *pull);

/** Bytes up to the end of the value so far; for a fault, its position. */
size_t json_pull_used(const struct json_pull *pull);

/**
 * The line of the last event, from 1. Counting continues from the last call, so
 * all calls together read the input once.
 */
size_t json_pull_line(const struct json_pull *pull);

/** The input ended inside the value. */
bool json_pull_truncated(const struct json_pull *pull);

/**
 * The last event, and all further ones, are not in the input: they close open
 * containers.
 */
bool json_pull_is_closing(const struct json_pull *pull);

/**
 * Take the error, `line 3, column 7: …`, about a syntax fault or excessive
 * nesting; owned by the caller. NULL if there is none, also if the input only
 * ends inside a container.
 */
struct error *json_pull_take_error(struct json_pull *pull);

/** Repairs in all values so far; at most 100 are listed. */
size_t json_pull_repair_count(const struct json_pull *pull);
struct json_repair json_pull_repair(const struct json_pull *pull, size_t index);
/** List a repair at an offset that is in memory; @p text is constant. */
void json_pull_repair_add(struct json_pull *pull, size_t offset,
                          const char *text);

/** An error about the next bytes: `line 3, column 7: expected …, found …`. */
struct error *json_pull_unexpected(const struct json_pull *pull,
                                   const char *expected);

/**
 * Append the path of the last event: `threads[3].frames[0]`. The middle of a
 * very long path is omitted.
 */
void json_pull_path(const struct json_pull *pull, struct str *out);

/** json_add_found() for the value of @p event. */
void json_event_add_found(struct str *out, const struct json_event *event);
/** As json_as_u64(): number or text. */
bool json_event_u64(const struct json_event *event, uint64_t *ret);
/** true, false, 0 or 1, also as text. */
bool json_event_bool(const struct json_event *event, bool *ret);

#endif
