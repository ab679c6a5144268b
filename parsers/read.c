#include "parsers/parser.h"

#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "parsers/archive.h"
#include "parsers/detect.h"
#include "parsers/foreign.h"
#include "parsers/input/completeness.h"
#include "parsers/input/decode.h"
#include "parsers/input/embedded.h"
#include "parsers/input/placeholder.h"
#include "parsers/input/repair/repair.h"
#include "parsers/input/skipped.h"
#include "parsers/input/split.h"
#include "parsers/lag/lag.h"

#include <inttypes.h>

bool parser_sniff(const struct parser *parser, struct text in)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(envelope_release)
	struct envelope envelope = envelope_open(in, &arena);

	return parser->sniff(&envelope);
}

struct error *parser_parse(const struct parser *parser, struct text in,
                           struct arena *arena, struct report **ret)
{
	SCOPED(envelope_release)
	struct envelope envelope = envelope_open(in, arena);

	return parser->parse(&envelope, arena, ret);
}

/** What KSCrash's reader keeps of anything that it finds. */
static bool is_extra(const struct report_section *section)
{
	return text_starts(text_from(section->label), "Extra Information");
}

/** Formats that are identified by nothing but names of members. */
static bool is_by_names(const struct parser *parser)
{
	return parser == &kscrash_parser || parser == &metrickit_parser ||
	       parser == &ips_parser;
}

/**
 * Does nothing of it belong to a report? Other tools write JSON about crashes,
 * whose members have the names that identify a report.
 */
static bool is_empty(const struct report *report)
{
	if (report->next || report->truncated)
		return false;
	for (size_t i = 0; i < report->section_count; i++)
		if (!is_extra(&report->sections[i]))
			return false;
	return !report->thread_count && !report->image_count &&
	       !report->tree_count && !report->jetsam &&
	       !report->memory_limit_count && !report->line_count &&
	       !report->exception_backtrace.count && !report->exception.type &&
	       !report->exception.signal && !report->thrown.name &&
	       !report->termination.namespace_name && !report->process.name &&
	       !report->process.has_pid && !report->incident &&
	       !report->os_version && !report->bug_type;
}

static struct error *read_one(struct text text,
                              const struct json_shape_known *known,
                              struct arena *arena, struct report **ret)
{
	SCOPED(envelope_release)
	struct envelope in = envelope_open_known(text, known, arena);
	const struct parser *parser;
	struct report *report = NULL;
	size_t charged = arena->charged;
	struct error *err = detect_text(&in, &parser);

	if (!err)
		err = parser->parse(&in, arena, &report);
	if (err) {
		// What it was read as is no more.
		arena->charged = charged;
		return err;
	}
	if (is_by_names(parser) && is_empty(report))
		return foreign_text(text);
	for (const struct report *at = report; at; at = at->next)
		report_charge(at, arena);
	if (!report->next)
		completeness_check(text, report, arena);
	*ret = report;
	return NULL;
}

/** Reports that are texts of JSON values, as one after the other. */
static struct report *read_embedded(struct text text, struct arena *arena)
{
	struct embedded embedded = embedded_find(text, arena);
	struct report *first = NULL;
	struct report **end = &first;

	for (size_t i = 0; i < embedded.count; i++) {
		SCOPED(error_drop)
		struct error *err = read_one(embedded.texts[i],
		                             &(struct json_shape_known){ 0 },
		                             arena, end);

		if (err)
			continue;
		report_add_note(*end, arena, "the input",
		                "the report was the text of a JSON value: "
		                "what is around it was left out");
		while (*end)
			end = &(*end)->next;
	}
	return first;
}

static struct error *read_part(const struct split_part *part,
                               struct arena *arena, struct report **ret)
{
	struct error *err = read_one(part->text, &part->value, arena, ret);
	struct report *embedded;

	if (!err || error_code(err) != ERROR_UNSUPPORTED)
		return err;
	embedded = read_embedded(part->text, arena);
	if (!embedded)
		return err;
	error_free(err);
	*ret = embedded;
	return NULL;
}

// Several reports in one input

/** The reports read so far. */
struct reading {
	struct arena *arena;
	struct report *first;
	struct report *last;
	size_t first_line; ///< of the part that the first report came from
	size_t count;      ///< reports that have their origin
	struct skipped skipped;
};

static void reading_drop(struct reading *reading)
{
	skipped_release(&reading->skipped);
}

/** A note's place in its part, as one in the whole input. */
static const char *whole_place(const char *place, size_t line,
                               struct arena *arena)
{
	struct text text = text_from(place);
	uint64_t number;

	if (!text_take(&text, "line ") || !number_decimal(text, &number))
		return NULL;
	return arena_printf(arena, "line %" PRIu64, number + line - 1);
}

/** What says where it is in its part says so of the whole input. */
static void move_places(struct report *report, size_t line, struct arena *arena)
{
	for (; report; report = report->next) {
		report->lines_before = line - 1;
		for (size_t i = 0; i < report->note_count; i++) {
			const char *place = whole_place(report->notes[i].place,
			                                line, arena);

			if (place)
				report->notes[i].place = place;
		}
	}
}

/** Say which of several reports these are, in their notes too. */
static void set_origin(struct reading *reading, struct report *report,
                       size_t line)
{
	for (; report; report = report->next) {
		size_t number = ++reading->count;

		report->origin = arena_printf(
		        reading->arena, "report %zu (line %zu)", number, line);
		for (size_t i = 0; i < report->note_count; i++) {
			struct note *note = &report->notes[i];

			if (!text_starts(text_from(note->place), "line "))
				note->place = arena_printf(reading->arena,
				                           "report %zu, %s",
				                           number, note->place);
		}
	}
}

static void add_reports(struct reading *reading, struct report *report,
                        size_t line)
{
	if (line > 1)
		move_places(report, line, reading->arena);
	if (reading->first) {
		if (!reading->count)
			set_origin(reading, reading->first,
			           reading->first_line);
		set_origin(reading, report, line);
		reading->last->next = report;
	} else {
		reading->first = report;
		reading->first_line = line;
	}
	while (report->next)
		report = report->next;
	reading->last = report;
}

/** A part that is no report becomes a note of the report before it. */
static void add_failure(struct reading *reading, struct error *err, size_t line)
{
	skipped_add(&reading->skipped, reading->last,
	            report_line_place(reading->arena, line), err,
	            SKIPPED_NOTED);
}

/**
 * The empty line between two reports is no line of the first one: whoever
 * prints them puts it there, once more every time otherwise.
 */
static struct text without_gap(struct text part)
{
	if (text_ends(part, "\n\n"))
		return text_first(part, part.size - 1);
	if (text_ends(part, "\r\n\r\n"))
		return text_first(part, part.size - 2);
	return part;
}

/** @param line  Where @p text begins in the input, from 1. */
static struct error *read_parts(struct text text, size_t line,
                                struct arena *arena, struct report **ret)
{
	SCOPED(reading_drop)
	struct reading reading = {
		.arena = arena,
		.skipped = { .arena = arena },
	};
	struct split split = split_open(text);
	struct error *err;
	struct split_part part;

	split.line = line;
	while (split_next(&split, &part)) {
		struct report *report = NULL;

		if (reading.last && !report_left_to_read(arena)) {
			report_end_reading(reading.last, arena,
			                   report_line_place(arena, part.line));
			break;
		}
		if (split.rest.size)
			part.text = without_gap(part.text);
		err = read_part(&part, arena, &report);
		if (err)
			add_failure(&reading, err, part.line);
		else
			add_reports(&reading, report, part.line);
		if (part.is_unsearched && reading.last)
			report_add_note(reading.last, arena,
			                report_line_place(arena, part.line),
			                "truncated, and the rest of the input "
			                "was not searched for other reports");
	}
	if (!reading.first) {
		err = skipped_take(&reading.skipped);
		return err ? err : foreign_text(text);
	}
	skipped_note(&reading.skipped, reading.first, "line 1");
	*ret = reading.first;
	return NULL;
}

/** The reports of a text, after undoing what was done to it. */
static struct error *read_text(struct text text, struct arena *arena,
                               struct report **ret)
{
	SCOPED(repaired_release) struct repaired repaired = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct error *source = foreign_source(text);

	if (source)
		return source;
	if (!repair(text, &repaired))
		return read_parts(text, 1, arena, ret);
	err = read_parts(repaired.text, 1 + repaired.lines_gone, arena, ret);
	// What looked like damage was none: say what the text itself is.
	if (err)
		return read_parts(text, 1, arena, ret);
	for (size_t i = 0; i < repaired.count; i++)
		report_add_note(
		        *ret, arena, "repaired",
		        arena_text(arena, str_text(&repaired.notes[i])));
	return NULL;
}

/** Bytes with a byte order mark are text, whatever follows it. */
static struct error *read_decoded(const struct decoded *in, struct arena *arena,
                                  struct report **ret)
{
	const struct envelope raw = { .text = bytes_text(in->bytes) };
	const struct parser *parser = NULL;
	struct error *err = NULL;

	if (!in->had_mark)
		err = detect_binary(&raw, &parser);
	if (err)
		return err;
	return parser ? parser->parse(&raw, arena, ret)
	              : read_text(raw.text, arena, ret);
}

/** How its text was changed, and what of it could not be unpacked. */
static void note_decoding(const struct decoded *decoded, struct arena *arena,
                          struct report *report)
{
	if (decoded->note)
		report_add_note(report, arena, "encoding", decoded->note);
	if (!decoded->fault)
		return;
	report_add_failure(report, arena, decoded->packing,
	                   arena_strdup(arena, decoded->fault));
	report->truncated |= !decoded->is_whole;
}

/** Hang reports, whose format is no parser's. */
static bool has_samples(const struct decoded *in)
{
	struct text head = text_first(bytes_text(in->bytes), LAG_HEAD_BYTES);

	return lag_format_has_images(lag_format_of(head));
}

static struct error *take_decoded(const struct decoded *decoded,
                                  bool with_samples, struct arena *arena,
                                  struct report **ret)
{
	struct error *err;

	if (with_samples && has_samples(decoded))
		err = lag_read_reports(bytes_text(decoded->bytes), arena, ret);
	else
		err = read_decoded(decoded, arena, ret);
	if (err && decoded->fault)
		return error_prefix(err, "%s", decoded->fault);
	if (err)
		return decoded->packing ? error_prefix(err, "unpacked") : err;
	note_decoding(decoded, arena, *ret);
	return NULL;
}

static struct error *read_within(struct bytes in, size_t *left_bytes,
                                 struct arena *arena, struct report **ret);
static struct error *read_samples_within(struct bytes in, size_t *left_bytes,
                                         struct arena *arena,
                                         struct report **ret);

/** @param left_bytes  May be unpacked; what was is taken off. */
static struct error *decode_and_read(struct bytes in, bool with_samples,
                                     size_t *left_bytes, struct arena *arena,
                                     struct report **ret)
{
	SCOPED(decoded_release) struct decoded decoded = { 0 };
	struct error *err = decode(in, *left_bytes, &decoded);

	*left_bytes = number_difference(*left_bytes, decoded.made_bytes);
	if (err)
		return err;
	if (decoded.is_archive)
		return archive_read(in, *left_bytes,
		                    with_samples ? read_samples_within
		                                 : read_within,
		                    arena, ret);
	return take_decoded(&decoded, with_samples, arena, ret);
}

static struct error *read_within(struct bytes in, size_t *left_bytes,
                                 struct arena *arena, struct report **ret)
{
	return decode_and_read(in, false, left_bytes, arena, ret);
}

static struct error *read_samples_within(struct bytes in, size_t *left_bytes,
                                         struct arena *arena,
                                         struct report **ret)
{
	return decode_and_read(in, true, left_bytes, arena, ret);
}

static struct error *read_whole(struct bytes in, archive_read_file read,
                                struct arena *arena, struct report **ret)
{
	size_t left_bytes = limit_get(LIMIT_UNPACKED);
	struct error *err = read(in, &left_bytes, arena, ret);

	if (err && error_code(err) == ERROR_LIMIT && !left_bytes)
		return limit_error_of(LIMIT_UNPACKED, err);
	if (!err)
		placeholder_drop(*ret);
	return err;
}

struct error *parser_read(struct bytes in, struct arena *arena,
                          struct report **ret)
{
	return read_whole(in, read_within, arena, ret);
}

struct error *parser_read_with_samples(struct bytes in, struct arena *arena,
                                       struct report **ret)
{
	return read_whole(in, read_samples_within, arena, ret);
}
