// SPDX-License-Identifier: MIT
/**
 * Reading JSON piece by piece: bulk input, and trees too deep for a document
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
 * This is the one grammar: documents are built from these events, too. It is
 * that of RFC 8259, but for what devices and their writers leave behind, which
 * is repaired and listed: unpaired surrogates, `\u0000` and bytes that are not
 * UTF-8 are U+FFFD, control characters inside strings are accepted, NaN,
 * Infinity and inf, of any case and sign, are null; NUL bytes after the text
 * are ignored. A name that an object repeats comes each time.
 *
 * Errors are sticky, so a reader need not check anywhere: where the input ends
 * early, or is not JSON from there on, whatever is open ends, and then all is
 * done. What comes is always well-formed: the value of a name that lost it is
 * null. A number, word or string that the end truncates does not come at all.
 *
 * An input need not be in memory: json_pull_new_feed() asks for it piece by
 * piece and keeps a window of some 256 KB, or of the longest string. And it may
 * hold several values, as JSON Lines do:
 *
 *     SCOPED(json_pull_drop)
 *     struct json_pull *pull = json_pull_new_feed(read_file, &file, 0);
 *
 *     while (json_pull_again(pull))
 *             while ((event = json_pull_next(pull))->type != JSON_EVENT_DONE)
 *                     …
 *
 * Events, errors, repairs and paths are the same in either format, however the
 * pieces are cut; but a string with a million NUL bytes in a row ends an input
 * that comes piece by piece. Offsets, lines and columns count from the start of
 * the input, also where several values are in it.
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
	JSON_EVENT_DONE, ///< the value is complete, or all that can be read
	JSON_EVENT_OBJECT,
	JSON_EVENT_ARRAY,
	JSON_EVENT_END_OBJECT,
	JSON_EVENT_END_ARRAY,
	JSON_EVENT_NAME, ///< of a member; its value comes next
	JSON_EVENT_TEXT,
	JSON_EVENT_NUMBER,
	JSON_EVENT_BOOL,
	JSON_EVENT_NULL,
};

struct json_event {
	enum json_event_type type;
	/**
	 * A name or text, without escapes, UTF-8, no NUL in it; a number as it
	 * is written; of a null the word for no number that it stands for, or
	 * nothing. Valid until the next call.
	 */
	struct text text;
	bool truth; ///< of a BOOL
	/** Where it begins in the input; of DONE where a fault or the end is.
	 */
	size_t offset;
};

enum json_pull_flags {
	/**
	 * Read on where a writer slipped, and list it as a repair: a comma is
	 * missing between two members, as in Apple's example of a MetricKit
	 * payload; a comma is before an end; a name has no value (null).
	 */
	JSON_PULL_REPAIR = 1 << 0,
};

struct json_pull;

/** Read the first value of @p in, which must outlive the reader. */
struct json_pull *json_pull_new(struct text in, unsigned flags);

/** Read no deeper than LIMIT_JSON_DEPTH, instead of JSON_PULL_DEPTH, levels. */
void json_pull_limit(struct json_pull *pull);

/**
 * Gives more of the input: up to @p size bytes at @p buffer, and how many they
 * are. Fewer than asked for is no end; 0 is, and nothing is asked after it. A
 * failure to read is an end, too, which @p context may remember. Not asked as
 * long as what came holds the next event.
 */
typedef size_t (*json_pull_read)(void *context, char *buffer, size_t size);

/**
 * As json_pull_new(), for an input that comes piece by piece, of any length. A
 * string or number beyond JSON_PULL_TOKEN_BYTES is a fault (ERROR_LIMIT).
 */
struct json_pull *json_pull_new_feed(json_pull_read read, void *context,
                                     unsigned flags);
void json_pull_free(struct json_pull *pull);
void json_pull_drop(struct json_pull **pull); ///< for SCOPED()

/** The next event; the same object each time. DONE stays DONE. */
const struct json_event *json_pull_next(struct json_pull *pull);

/**
 * Step over the rest of the value whose first event came last: a container to
 * its end, for a name the value that follows; nothing for any other event.
 */
void json_pull_skip(struct json_pull *pull);

/**
 * Begin with the value that follows the one that is done: several documents in
 * one input (JSON Lines, one after the other, JSON text sequences). Blanks,
 * line ends, RS bytes (0x1e) and NUL bytes between them are stepped over; NUL
 * bytes that a value follows are listed as a repair.
 *
 * What is left of a value that is not done is stepped over. Where none was
 * begun yet, the first is found, so that a loop can begin with it: then an
 * input without any value is no error.
 *
 * Until the next event, the last one is a DONE with the place of the value.
 *
 * @return false at the end of the input, or where the last value was at fault
 *         or cut.
 */
bool json_pull_again(struct json_pull *pull);

/**
 * See what follows the last value, or begins the next one: bytes that may be
 * no JSON at all, for a reader that knows what else to expect.
 *
 * @return Up to @p size bytes, fewer only at the end of the input, or where the
 *         window cannot hold more. Valid until the next call. Nothing inside
 *         of a value.
 */
struct text json_pull_peek(struct json_pull *pull, size_t size);

/** Step over bytes that were seen; json_pull_again() goes on after them. */
void json_pull_step(struct json_pull *pull, size_t size);

/** Containers that are open: 0 before the first event and when done. */
size_t json_pull_depth(const struct json_pull *pull);

/**
 * Bytes of the input up to the end of the value so far; at a fault, the place
 * of it.
 */
size_t json_pull_used(const struct json_pull *pull);

/**
 * The line of the last event, from 1. It counts on from where it was asked
 * last, so that all calls together take one look at the input.
 */
size_t json_pull_line(const struct json_pull *pull);

/** The input ended inside the value. */
bool json_pull_truncated(const struct json_pull *pull);

/**
 * The last event was not in the input, nor will any of the next ones be: they
 * end what is open.
 */
bool json_pull_is_closing(const struct json_pull *pull);

/**
 * What is not JSON, or nested too deeply: `line 3, column 7: …`. The caller
 * owns it and the reader forgets it; NULL if there is none. An input that only
 * ends inside a container has none.
 */
struct error *json_pull_take_error(struct json_pull *pull);

/** Repairs in all values so far; further ones than 100 are not listed. */
size_t json_pull_repair_count(const struct json_pull *pull);
struct json_repair json_pull_repair(const struct json_pull *pull, size_t index);
/** List one more, at an offset that is in memory; @p text is constant. */
void json_pull_repair_add(struct json_pull *pull, size_t offset,
                          const char *text);

/** `line 3, column 7: expected …, found …`, for what follows what was read. */
struct error *json_pull_unexpected(const struct json_pull *pull,
                                   const char *expected);

/**
 * Append where the last event is: `threads[3].frames[0]`. The middle of a
 * very deep path is left out.
 */
void json_pull_path(const struct json_pull *pull, struct str *out);

/** json_add_found() for the value that begins with @p event. */
void json_event_add_found(struct str *out, const struct json_event *event);
/** As json_as_u64(): number or text. */
bool json_event_u64(const struct json_event *event, uint64_t *ret);
/** true, false, 0, 1; all of them as text, too. */
bool json_event_bool(const struct json_event *event, bool *ret);

#endif
