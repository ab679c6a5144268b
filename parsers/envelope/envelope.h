// SPDX-License-Identifier: MIT
/**
 * An input as its readers get it: what its first object looks like, and the
 * header line of an `.ips` file, which is read once, here, for all of them.
 *
 *     SCOPED(envelope_release)
 *     struct envelope in = envelope_open(text, &arena);
 */
#ifndef APMTOOL_PARSERS_ENVELOPE_ENVELOPE_H
#define APMTOOL_PARSERS_ENVELOPE_ENVELOPE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/text/json/json.h"
#include "lib/text/json/pull.h"
#include "parsers/envelope/header.h"
#include "parsers/json/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct envelope {
	struct text text; ///< all of it
	/** JSON_HAS() of the first object (parsers/json/shape.h); or 0. */
	uint64_t names;
	/** The first object ends in its line and has the names of a header. */
	bool has_header;
	struct ips_header header; ///< zeros where there is none
	struct json_doc *doc;     ///< of the header; NULL where there is none
	/** Lines of the header, and blank ones above it. */
	size_t header_lines;
	/** What follows the header object; without one, all of the input. */
	struct text body;
	uint64_t body_names; ///< of the object that the body begins with; or 0
	/** A header, a complete object, and nothing else: no text of a report.
	 */
	bool is_whole_ips;

	// Of readers that stream (parsers/reader.h):
	struct json_pull *pull; ///< documents, in place of the text
	size_t line;            ///< where a block of lines begins, from 1
	bool goes_on;           ///< other blocks may follow
};

/** Strings of the header are put in @p arena. @p in must outlive it. */
struct envelope envelope_open(struct text in, struct arena *arena);
/** The same, where a value of @p in was looked at before. */
struct envelope envelope_open_known(struct text in,
                                    const struct json_shape_known *known,
                                    struct arena *arena);
void envelope_release(struct envelope *envelope);

#endif
