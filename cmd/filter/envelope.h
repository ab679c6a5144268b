// SPDX-License-Identifier: MIT
/**
 * An envelope: a frame with a report, an id, and metadata of the client.
 *
 *     {"apm":1,"id":"7f","meta":{"topic":"apm.raw"},"report":{…}}
 *     {"apm":1,"id":8,"report":"Incident Identifier: …"}
 *     {"apm":1,"id":9,"report":{"base64":"UEsDBB…"}}
 *
 * Without `"apm"`, the frame is the report. `"shape"` chooses the documents of
 * the answer (ANSWER_ANY).
 */
#ifndef APMTOOL_CMD_FILTER_ENVELOPE_H
#define APMTOOL_CMD_FILTER_ENVELOPE_H

#include "lib/base/error.h"
#include "lib/base/text.h"

/** A longer id is refused. */
#define ENVELOPE_ID_BYTES_MAX 1024

/** How the frame encodes the report. */
enum envelope_content {
	ENVELOPE_BYTES,  ///< unchanged
	ENVELOPE_STRING, ///< a JSON string
	ENVELOPE_BASE64, ///< a JSON string in Base64
};

struct frame_envelope {
	struct text id;    ///< as in the JSON; no data: missing
	struct text meta;  ///< likewise
	struct text shape; ///< likewise, of any type
	enum envelope_content content;
	struct text report; ///< part of the frame
};

/**
 * Find the parts of a frame, which must outlive @p ret.
 *
 * @param ret  After an error, the parts found so far: the answer needs the id.
 * @return ERROR_FORMAT for an invalid envelope.
 */
MUST_CHECK struct error *envelope_find(struct text frame,
                                       struct frame_envelope *ret);

#endif
