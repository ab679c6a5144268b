// SPDX-License-Identifier: MIT
/**
 * Inputs in pieces, and all that a pull reader says of one, for comparing what
 * comes of the same input in either format.
 */
#ifndef APMTOOL_TESTS_UNIT_JSON_PULL_TRACE_H
#define APMTOOL_TESTS_UNIT_JSON_PULL_TRACE_H

#include "lib/text/json/pull.h"

#include <stdlib.h>
#include <string.h>

/** For json_pull_new_feed(). */
struct pieces {
	struct text left;
	size_t size;     ///< of each; 0: random ones of up to 16 bytes
	uint32_t random; ///< seed
	size_t count;    ///< that were asked for
	bool ended;
};

static inline size_t read_pieces(void *context, char *buffer, size_t size)
{
	struct pieces *pieces = context;
	size_t most = pieces->size;
	struct text piece;

	// Neither without room nor after the end.
	if (!size || pieces->ended)
		abort();
	if (!most) {
		pieces->random = pieces->random * 1664525 + 1013904223;
		most = 1 + (pieces->random >> 28);
	}
	piece = text_first(pieces->left, most < size ? most : size);
	if (piece.size)
		memcpy(buffer, piece.data, piece.size);
	pieces->left = text_after(pieces->left, piece.size);
	pieces->count++;
	pieces->ended = !piece.size;
	return piece.size;
}

static inline void trace_event(const struct json_pull *pull,
                               const struct json_event *event, struct str *out)
{
	str_addf(out, "%d %d at %zu, used %zu, depth %zu, ", (int)event->type,
	         event->type == JSON_EVENT_BOOL && event->truth, event->offset,
	         json_pull_used(pull), json_pull_depth(pull));
	json_pull_path(pull, out);
	if (event->type == JSON_EVENT_NAME || event->type == JSON_EVENT_TEXT ||
	    event->type == JSON_EVENT_NUMBER ||
	    event->type == JSON_EVENT_NULL) {
		str_add(out, " = ");
		str_add_text(out, event->text);
	}
	str_add_char(out, '\n');
}

/** Read all values to the end, and append all that can be known of them. */
static inline void trace_values(struct json_pull *pull, struct str *out)
{
	struct error *err;

	do {
		const struct json_event *event;

		do {
			event = json_pull_next(pull);
			trace_event(pull, event, out);
		} while (event->type != JSON_EVENT_DONE);
		str_addf(out, "line %zu\n", json_pull_line(pull));
	} while (json_pull_again(pull));
	str_addf(out, "used %zu, truncated %d\n", json_pull_used(pull),
	         json_pull_truncated(pull));
	for (size_t i = 0; i < json_pull_repair_count(pull); i++)
		str_addf(out, "%zu: %s\n", json_pull_repair(pull, i).offset,
		         json_pull_repair(pull, i).text);
	err = json_pull_take_error(pull);
	if (err)
		str_addf(out, "%d: %s\n", (int)error_code(err),
		         error_message(err));
	error_free(err);
}

#endif
