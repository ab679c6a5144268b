// SPDX-License-Identifier: MIT
/**
 * An envelope: a frame that brings an id and what belongs to it beside the
 * report.
 *
 *     {"apm":1,"id":"7f","meta":{"topic":"apm.raw"},"report":{…}}
 *     {"apm":1,"id":8,"report":"Incident Identifier: …"}
 *     {"apm":1,"id":9,"report":{"base64":"UEsDBB…"}}
 *
 * Without `"apm"`, the frame is the report. A `"shape"` names what the answer
 * is to hold of it (ANSWER_ANY).
 */
#ifndef APMTOOL_CMD_FILTER_ENVELOPE_H
#define APMTOOL_CMD_FILTER_ENVELOPE_H

#include "lib/base/error.h"
#include "lib/base/text.h"

/** A longer id is refused. */
#define ENVELOPE_ID_BYTES_MAX 1024

/** How the report is in the frame. */
enum envelope_content {
	ENVELOPE_BYTES,  ///< as it is
	ENVELOPE_STRING, ///< as a JSON string
	ENVELOPE_BASE64, ///< the same, in Base64
};

struct frame_envelope {
	struct text id;    ///< as it is written; no data: there is none
	struct text meta;  ///< the same way
	struct text shape; ///< the same way, of any type
	enum envelope_content content;
	struct text report; ///< parts of the frame
};

/**
 * Find the parts of a frame, which must outlive @p ret.
 *
 * @param ret  What was found of it also where an error is returned: the
 *             answer has its id.
 * @return An ERROR_FORMAT where it is an envelope, but not a valid one.
 */
MUST_CHECK struct error *envelope_find(struct text frame,
                                       struct frame_envelope *ret);

#endif
