#include "parsers/parser.h"

#include "lib/base/file.h"
#include "lib/base/number.h"
#include "parsers/archive.h"
#include "parsers/decode.h"
#include "parsers/detect.h"
#include "parsers/foreign.h"
#include "parsers/repair/repair.h"
#include "parsers/shortfall.h"
#include "parsers/split.h"

#include <inttypes.h>

/** Parts that cannot be read, among others that can: so many are listed. */
#define FAILURES_LISTED 20

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
	if (report->next)
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
	       !report->os_version && !report->bug_type &&
	       !report->memory_limit_count;
}

static struct error *read_part(struct text text, struct arena *arena,
                               struct report **ret)
{
	SCOPED(envelope_release)
	struct envelope in = envelope_open(text, arena);
	const struct parser *parser;
	struct report *report = NULL;
	struct error *err = detect_text(&in, &parser);

	if (!err)
		err = parser->parse(&in, arena, &report);
	if (err)
		return err;
	if (is_by_names(parser) && is_empty(report))
		return foreign_text(text);
	if (!report->next)
		shortfall_note(text, report, arena);
	*ret = report;
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
	size_t failed;     ///< parts that cannot be read
	/** Of the first part, if that is none; others may follow it. */
	struct error *error;
	size_t skipped; ///< parts before the first report
};

static void reading_drop(struct reading *reading)
{
	error_free(reading->error);
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

static void move_notes(struct report *report, size_t line, struct arena *arena)
{
	for (; report; report = report->next)
		for (size_t i = 0; i < report->note_count; i++) {
			const char *place = whole_place(report->notes[i].place,
			                                line, arena);

			if (place)
				report->notes[i].place = place;
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
		move_notes(report, line, reading->arena);
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
	struct arena *arena = reading->arena;

	if (!reading->first) {
		reading->skipped++;
		if (reading->error)
			error_free(err);
		else
			reading->error = err;
		return;
	}
	if (reading->failed++ < FAILURES_LISTED)
		report_add_note(reading->last, arena,
		                arena_printf(arena, "line %zu", line),
		                arena_printf(arena, "left out: %s",
		                             error_message(err)));
	else if (reading->failed == FAILURES_LISTED + 1)
		report_add_note(reading->last, arena,
		                arena_printf(arena, "line %zu", line),
		                "more is left out and not listed");
	error_free(err);
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

static void note_skipped(const struct reading *reading)
{
	const char *more = "";

	if (!reading->skipped)
		return;
	if (reading->skipped > 1)
		more = arena_printf(reading->arena, "; and %zu more",
		                    reading->skipped - 1);
	report_add_note(reading->first, reading->arena, "line 1",
	                arena_printf(reading->arena, "left out: %s%s",
	                             error_message(reading->error), more));
}

/** @param line  Where @p text begins in the input, from 1. */
static struct error *read_parts(struct text text, size_t line,
                                struct arena *arena, struct report **ret)
{
	SCOPED(reading_drop) struct reading reading = { .arena = arena };
	struct split split = split_open(text);
	struct error *err;
	struct split_part part;

	split.line = line;
	while (split_next(&split, &part)) {
		struct report *report = NULL;

		if (split.rest.size)
			part.text = without_gap(part.text);
		err = read_part(part.text, arena, &report);
		if (err)
			add_failure(&reading, err, part.line);
		else
			add_reports(&reading, report, part.line);
	}
	if (!reading.first) {
		err = reading.error;
		reading.error = NULL;
		return err ? err : foreign_text(text);
	}
	note_skipped(&reading);
	*ret = reading.first;
	return NULL;
}

/** The reports of a text, after undoing what was done to it. */
static struct error *read_text(struct text text, struct arena *arena,
                               struct report **ret)
{
	SCOPED(repaired_release) struct repaired repaired = { 0 };
	SCOPED(error_drop) struct error *err = NULL;

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

struct error *parser_read(struct bytes in, struct arena *arena,
                          struct report **ret)
{
	SCOPED(decoded_release) struct decoded decoded = { 0 };
	struct error *err = decode(in, FILE_REPORT_LIMIT_BYTES, &decoded);

	if (err)
		return err;
	if (decoded.is_archive)
		return archive_read(in, FILE_REPORT_LIMIT_BYTES, parser_read,
		                    arena, ret);
	err = read_decoded(&decoded, arena, ret);
	if (err)
		return decoded.was_packed ? error_prefix(err, "unpacked") : err;
	if (decoded.note)
		report_add_note(*ret, arena, "encoding", decoded.note);
	if (decoded.fault) {
		report_add_note(*ret, arena, gzip_is(in) ? "gzip" : "zip",
		                decoded.fault);
		(*ret)->truncated = true;
	}
	return NULL;
}
