// SPDX-License-Identifier: MIT
#include "parsers/unwrap.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "parsers/input/wrapping.h"

/** Samples are streamed: facts of the envelope are inserted at the front. */
static struct bytes with_facts(const struct wrapped *inside,
                               const struct wrapping *wrapping,
                               const struct sink *sink)
{
	struct text text = bytes_text(inside->bytes);
	const struct reader *reader = reader_of_head(text, sink->takes);

	return reader == &lag_reader || reader == &lag_nodes_reader
	               ? bytes_from_text(
	                         wrapping_compose(wrapping, text, sink->arena))
	               : inside->bytes;
}

/** @return Why it was not read completely, if no report has a note. */
static struct error *note_inside(const struct wrapped *inside,
                                 struct sink *sink)
{
	struct report *first = sink->first;

	if (first && inside->is_text)
		report_add_note(first, sink->arena, "the input",
		                "the report was the text of a JSON value: the "
		                "JSON around it was left out");
	if (!inside->damage)
		return NULL;
	if (!first)
		return error_new(ERROR_FORMAT, "%s: %s", inside->place,
		                 inside->damage);
	report_add_failure(first, sink->arena, inside->place, inside->damage);
	first->truncated = true;
	return NULL;
}

static struct error *read_inside(const struct wrapped *inside,
                                 const struct wrapping *wrapping,
                                 member_read read, struct sink *sink,
                                 bool *ret_found)
{
	struct sink one = sink_part(sink);
	struct error *err;

	if (wrapping->layer > WRAPPING_LAYERS_MAX)
		return error_new(ERROR_FORMAT,
		                 "%s: in more than %d envelopes: take it out "
		                 "of the outermost first",
		                 inside->place, WRAPPING_LAYERS_MAX);
	one.wrapping = wrapping;
	err = read(with_facts(inside, wrapping, sink), sink->left_bytes, &one);
	if (err)
		return error_prefix(err, "%s", inside->place);
	wrapping_fill(wrapping, one.first, sink->arena);
	*ret_found = true;
	sink_report(sink, one.first);
	return note_inside(inside, &one);
}

/**
 * Min cost of an inner document in decompressed bytes: there may be millions.
 */
#define INSIDE_BYTES 1024

/** Results of a text's envelopes. */
struct unwrapping {
	struct sink *sink;
	member_read read;
	bool is_over;         ///< the limit of decompressed bytes is reached
	bool found;           ///< something was read
	struct error *failed; ///< error of the first unreadable one
};

static void stop(struct unwrapping *u)
{
	u->is_over = true;
	error_keep_first(
	        &u->failed,
	        limit_error(LIMIT_UNPACKED,
	                    "the contents decompress to more than %s",
	                    limit_size(limit_get(LIMIT_UNPACKED)).text));
}

/** Read one value; returns its size, 0 if it is not JSON. */
static size_t unwrap(struct unwrapping *u, struct text in)
{
	const struct wrapping *outer = u->sink->wrapping;
	size_t *left_bytes = u->sink->left_bytes;
	struct wrapping wrapping = {
		.layer = outer ? outer->layer + 1 : 1,
		.outer = outer,
	};
	size_t used = wrapping_find(in, *left_bytes, u->sink->arena, &wrapping);

	*left_bytes = number_difference(*left_bytes, wrapping.made_bytes);
	for (size_t i = 0; i < wrapping.count && !u->is_over; i++) {
		struct error *err;

		if (*left_bytes < INSIDE_BYTES) {
			stop(u);
			break;
		}
		*left_bytes -= INSIDE_BYTES;
		err = read_inside(&wrapping.items[i], &wrapping, u->read,
		                  u->sink, &u->found);
		error_keep_first(&u->failed, err);
	}
	if (wrapping.is_too_large)
		stop(u);
	return used;
}

/** Each element is an envelope; how far the array reaches, 0: it is not an
 * array. */
static size_t unwrap_elements(struct unwrapping *u, struct text in)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(in, 0);
	SCOPED(error_drop) struct error *err = NULL;
	const struct json_event *event;

	json_pull_next(pull);
	while (!u->is_over &&
	       (event = json_pull_next(pull))->type != JSON_EVENT_DONE &&
	       report_left_to_read(u->sink->arena)) {
		size_t start = event->offset;
		bool is_value = event->type == JSON_EVENT_OBJECT ||
		                event->type == JSON_EVENT_ARRAY ||
		                event->type == JSON_EVENT_TEXT;

		json_pull_skip(pull);
		if (is_value)
			unwrap(u, text_first(text_after(in, start),
			                     json_pull_used(pull) - start));
	}
	err = json_pull_take_error(pull);
	return err ? 0 : json_pull_used(pull);
}

struct error *unwrap_read(struct text text, member_read read, struct sink *sink,
                          struct error *err)
{
	struct unwrapping u = { .sink = sink, .read = read };
	size_t used = 1;

	while (used && !u.is_over && (text = text_trim_left(text)).size &&
	       (text_starts(text, "{") || text_starts(text, "[") ||
	        text_starts(text, "\""))) {
		used = text_starts(text, "[") ? unwrap_elements(&u, text)
		                              : unwrap(&u, text);
		text = text_after(text, used);
	}
	if (u.found && u.failed && sink->first)
		report_add_note(sink->first, sink->arena, "the input",
		                arena_printf(sink->arena, "left out: %s",
		                             error_message(u.failed)));
	// Samples have no report for a note.
	if ((!u.found || !sink->first) && u.failed) {
		error_free(err);
		return u.failed;
	}
	error_free(u.failed);
	if (!u.found)
		return err;
	error_free(err);
	return NULL;
}
