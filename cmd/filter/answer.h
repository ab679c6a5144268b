// SPDX-License-Identifier: MIT
/**
 * Answers: what a frame came to, one JSON object (`apmtool.answer/1`).
 *
 * Nothing in it depends on the clock, the host, the name of an input, or the
 * frames before it.
 */
#ifndef APMTOOL_CMD_FILTER_ANSWER_H
#define APMTOOL_CMD_FILTER_ANSWER_H

#include "cmd/filter/envelope.h"
#include "cmd/run/reports.h"
#include "lib/base/str.h"

/** Choices of `--shape`, in the order of the enum. */
#define ANSWER_SHAPES "event|slim|full|event+full|ips|text|hash|html|any"

/** What the documents of an answer are. */
enum answer_shape {
	ANSWER_EVENT, ///< apmtool.event/1
	ANSWER_SLIM,  ///< apmtool.report/1 of the thread that crashed
	ANSWER_FULL,  ///< apmtool.report/1
	ANSWER_BOTH,  ///< events, and the reports next to them
	ANSWER_IPS,   ///< Apple's JSON, as a string
	ANSWER_TEXT,  ///< Apple's text, as a string
	ANSWER_HASH,  ///< signature and hashes alone
	ANSWER_HTML,  ///< a page to open offline, as a string
	ANSWER_ANY,   ///< the shape that the envelope names, else an event
};

/** Those of them that an envelope may name. */
#define ANSWER_ENVELOPE_SHAPES "event, full, ips, text, hash or html"

/**
 * Find the shape that an envelope names.
 *
 * @param name  As it is written, with its quotes; no data: ANSWER_EVENT.
 * @return false where there is no such shape.
 */
bool answer_shape_find(struct text name, enum answer_shape *ret);

/**
 * The format (formatters/formatter.h) that makes them; of ANSWER_ANY one that
 * needs all that the others do.
 */
const char *answer_format(enum answer_shape shape);

/** More documents of a frame, which may be an archive, are not given. */
#define ANSWER_DOCUMENTS_MAX 100

enum answer_reason {
	ANSWER_NO_REASON,
	ANSWER_EMPTY,      ///< E-empty: nothing, or blanks
	ANSWER_ENVELOPE,   ///< E-envelope: a wrong envelope
	ANSWER_NOT_REPORT, ///< E-not-report: nothing that is read
	ANSWER_DAMAGED,    ///< E-damaged: not all of it could be read
	ANSWER_SIZE,       ///< E-size: beyond a limit
	ANSWER_DOCUMENTS,  ///< E-documents: more than ANSWER_DOCUMENTS_MAX
	ANSWER_TIME,       ///< E-time: not done within the time limit
	ANSWER_CRASH,      ///< E-crash: the reader died of it
	ANSWER_SHORTAGE,   ///< E-shortage: the system had no memory, say
	ANSWER_FRAMING,    ///< E-framing: no frame where one was expected
	ANSWER_REASONS,
};

/** `E-not-report` and so on; NULL of ANSWER_NO_REASON. */
const char *answer_reason_name(enum answer_reason reason);

/**
 * Append the body of an answer to a frame that was not read: status, reason
 * and message, as an object.
 */
void answer_add_refusal(enum answer_reason reason, const char *message,
                        struct str *out);

/**
 * Append the body of an answer to a frame that was worked on.
 *
 * @return Why it is not answered in full, or at all.
 */
enum answer_reason answer_add(const struct report_run *run,
                              enum answer_shape shape,
                              const struct batch_entry *entry, struct str *out);

/** Append the whole answer: a body, and what the frame brought along. */
void answer_add_whole(const struct frame_envelope *envelope, struct text body,
                      struct str *out);

#endif
