// SPDX-License-Identifier: MIT
/**
 * The answer to a frame: a JSON object (`apmtool.answer/1`). It depends on no
 * clock, host, name of an input, or earlier frame.
 */
#ifndef APMTOOL_CMD_FILTER_ANSWER_H
#define APMTOOL_CMD_FILTER_ANSWER_H

#include "cmd/filter/envelope.h"
#include "cmd/run/reports.h"
#include "lib/base/str.h"

/** Choices of `--shape`, in the order of the enum. */
#define ANSWER_SHAPES "event|slim|full|event+full|ips|text|hash|html|any"

/** The kind of the documents of an answer. */
enum answer_shape {
	ANSWER_EVENT, ///< apmtool.event/1
	ANSWER_SLIM,  ///< apmtool.report/1 of the thread that crashed
	ANSWER_FULL,  ///< apmtool.report/1
	ANSWER_BOTH,  ///< events, and the full report of each
	ANSWER_IPS,   ///< Apple's JSON, as a string
	ANSWER_TEXT,  ///< Apple's text, as a string
	ANSWER_HASH,  ///< signature and hashes alone
	ANSWER_HTML,  ///< a page to open offline, as a string
	ANSWER_ANY,   ///< the shape that the envelope names, else an event
};

/** Shapes that an envelope may name, for messages. */
#define ANSWER_ENVELOPE_SHAPES "event, full, ips, text, hash or html"

/**
 * Find the shape that an envelope names.
 *
 * @param name  As in the JSON, with quotes; no data: ANSWER_EVENT.
 * @return false where there is no such shape.
 */
bool answer_shape_find(struct text name, enum answer_shape *ret);

/**
 * The format (formatters/formatter.h) of the documents; for ANSWER_ANY, one
 * that needs everything that the others need.
 */
const char *answer_format(enum answer_shape shape);

/** Documents in an answer: a frame may be an archive with more reports. */
#define ANSWER_DOCUMENTS_MAX 100

enum answer_reason {
	ANSWER_NO_REASON,
	ANSWER_EMPTY,      ///< E-empty: nothing, or blanks
	ANSWER_ENVELOPE,   ///< E-envelope: a wrong envelope
	ANSWER_NOT_REPORT, ///< E-not-report: in no known format
	ANSWER_DAMAGED,    ///< E-damaged: not all of it could be read
	ANSWER_SIZE,       ///< E-size: beyond a limit
	ANSWER_DOCUMENTS,  ///< E-documents: more than ANSWER_DOCUMENTS_MAX
	ANSWER_TIME,       ///< E-time: not done within the time limit
	ANSWER_CRASH,      ///< E-crash: it crashed the reader
	ANSWER_SHORTAGE,   ///< E-shortage: no memory, for example
	ANSWER_FRAMING,    ///< E-framing: no frame where one was expected
	ANSWER_REASONS,
};

/** Such as `E-not-report`; NULL for ANSWER_NO_REASON. */
const char *answer_reason_name(enum answer_reason reason);

/**
 * Append the body of an answer to a frame that was not read: an object with
 * status, reason and message.
 */
void answer_add_refusal(enum answer_reason reason, const char *message,
                        struct str *out);

/**
 * Append the body of an answer to a frame that was read.
 *
 * @return Why the answer is not complete.
 */
enum answer_reason answer_add(const struct report_run *run,
                              enum answer_shape shape,
                              const struct batch_entry *entry, struct str *out);

/** Append the whole answer: a body, and id and meta of the envelope. */
void answer_add_whole(const struct frame_envelope *envelope, struct text body,
                      struct str *out);

#endif
