// SPDX-License-Identifier: MIT
/**
 * The input of a reader: the shape of its first object, and the header line of
 * an `.ips` file, parsed once for all readers.
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
#include "parsers/text/kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct envelope {
	struct text text; ///< the whole input
	/** JSON_HAS() of the first object (parsers/json/shape.h); or 0. */
	uint64_t names;
	/** The first object is one line and has the names of a header. */
	bool has_header;
	struct ips_header header; ///< zeros without a header
	struct json_doc *doc;     ///< of the header; NULL without one
	/** Lines of the header, and the blank lines above it. */
	size_t header_lines;
	/** The text after the header; without one, the whole input. */
	struct text body;
	uint64_t body_names; ///< of the object that begins the body; or 0
	/** A header and one complete object, and nothing after it. */
	bool is_whole_ips;
	/** Of the body, if it is a text other than a crash report; or NULL. */
	const struct text_kind *kind;

	// Set for readers that stream (parsers/reader.h):
	struct json_pull *pull; ///< JSON documents; replaces the text
	size_t line;            ///< number of the block's first line, from 1
	bool goes_on;           ///< more blocks may follow
};

/** Strings of the header are copied into @p arena. @p in must outlive it. */
struct envelope envelope_open(struct text in, struct arena *arena);
/** As envelope_open(), with a value of @p in whose shape is known. */
struct envelope envelope_open_known(struct text in,
                                    const struct json_shape_known *known,
                                    struct arena *arena);
void envelope_release(struct envelope *envelope);

#endif
