// SPDX-License-Identifier: MIT
#include "parsers/reader.h"

#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "parsers/input/completeness.h"
#include "parsers/input/decode.h"
#include "parsers/input/far_start.h"
#include "parsers/input/placeholder.h"
#include "parsers/input/repair/repair.h"
#include "parsers/input/skipped.h"
#include "parsers/input/split.h"
#include "parsers/members.h"
#include "parsers/unwrap.h"

#include <inttypes.h>
#include <string.h>

/** Sections that KSCrash's reader makes of unknown members. */
static bool is_extra(const struct report_section *section)
{
	return text_starts(text_from(section->label), "Extra Information");
}

/** Formats that are only identified by names of members. */
static bool is_by_names(const struct reader *reader)
{
	return reader == &kscrash_reader || reader == &metrickit_reader ||
	       reader == &ips_reader;
}

/**
 * Is there no content of a report? Other tools write JSON about crashes with
 * the same names.
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

/** A text without its line ends is one value, of the first label. */
static void bound_incident(struct report *report, struct arena *arena)
{
	if (!report->incident ||
	    strlen(report->incident) <= REPORT_INCIDENT_BYTES_MAX)
		return;
	report->incident = NULL;
	report_add_note(report, arena, "incident",
	                "too long for an identifier: ignored; if the text lost "
	                "its line ends, send it as it is (curl --data-binary)");
}

/** Error for a text without a matching reader. */
static struct error *refuse(const struct envelope *in, const struct sink *sink)
{
	struct found found = found_text(in->text, sink->arena);
	const struct reader *other = NULL;

	if (!found_is_known(&found))
		other = reader_find(in, false, ~sink->takes);
	if (other)
		found = (struct found){ .name = other->noun,
			                .yields = other->yields };
	if (!found_is_known(&found))
		found = found_unknown(in->text, sink->arena);
	return found_refuse(&found, sink->wants);
}

static struct error *refuse_text(struct text text, const struct sink *sink)
{
	SCOPED(envelope_release)
	struct envelope in = envelope_open(text, sink->arena);

	return refuse(&in, sink);
}

/**
 * Several readers may match: a log with the kernel's messages about memory may
 * have a crash, too. The command's wishes decide.
 */
static const struct reader *find_reader(const struct envelope *in,
                                        const struct sink *sink)
{
	unsigned takes = sink->takes & YIELDS_ANY_REPORT;
	const struct reader *found = NULL;

	if (!(sink->wants & YIELDS_REPORTS))
		found = reader_find(in, false, takes & sink->wants);
	return found ? found : reader_find(in, false, takes);
}

static struct error *read_one(struct text text,
                              const struct json_shape_known *known,
                              struct sink *sink)
{
	struct arena *arena = sink->arena;
	SCOPED(envelope_release)
	struct envelope in = envelope_open_known(text, known, arena);
	size_t charged = arena->charged;
	struct sink one = sink_part(sink);
	const struct reader *reader = find_reader(&in, sink);
	struct error *err;

	if (!reader)
		return refuse(&in, sink);
	err = reader->read(&in, &one);
	if (err) {
		// The rejected result does not count.
		arena->charged = charged;
		return err;
	}
	if (!one.first || (is_by_names(reader) && is_empty(one.first)))
		return refuse(&in, sink);
	for (struct report *at = one.first; at; at = at->next) {
		bound_incident(at, arena);
		report_charge(at, arena);
	}
	if (!one.first->next)
		completeness_check(text, one.first, arena);
	sink_report(sink, one.first);
	return NULL;
}

static struct error *read_within(struct bytes in, size_t *left_bytes,
                                 struct sink *sink);

static struct error *read_part(const struct split_part *part, struct sink *sink)
{
	struct error *err = read_one(part->text, &part->value, sink);

	return err && error_code(err) == ERROR_UNSUPPORTED
	               ? unwrap_read(part->text, read_within, sink, err)
	               : err;
}

// Several reports in one input

/** The reports read so far. */
struct reading {
	struct arena *arena;
	struct report *first;
	struct report *last;
	size_t first_line; ///< of the part with the first report
	size_t count;      ///< reports that have their origin
	bool has_samples;  ///< that were inside of something
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

/** Convert places in a part to places in the input. */
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

/** Set which of several reports these are, also in their notes. */
static void set_origin(struct reading *reading, struct report *report,
                       size_t line)
{
	for (; report; report = report->next) {
		size_t number = ++reading->count;

		report->origin = arena_printf(
		        reading->arena, "report %zu (line %zu)", number, line);
		for (size_t i = 0; i < report->note_count; i++) {
			struct notice *note = &report->notes[i];

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

/** An unreadable part becomes a note of the report before it. */
static void add_failure(struct reading *reading, struct error *err, size_t line)
{
	skipped_add(&reading->skipped, reading->last,
	            report_line_place(reading->arena, line), err,
	            SKIPPED_NOTED);
}

/**
 * Leave out the empty line between two reports: printing puts it there, and
 * would add one each time.
 */
static struct text without_gap(struct text part)
{
	if (text_ends(part, "\n\n"))
		return text_first(part, part.size - 1);
	if (text_ends(part, "\r\n\r\n"))
		return text_first(part, part.size - 2);
	return part;
}

/** @param line  First line of @p text in the input, from 1. */
static struct error *read_parts(struct text text, size_t line,
                                struct sink *sink)
{
	struct arena *arena = sink->arena;
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
		struct sink one = sink_part(sink);

		if (reading.last && !report_left_to_read(arena)) {
			report_end_reading(reading.last, arena,
			                   report_line_place(arena, part.line));
			break;
		}
		if (split.rest.size)
			part.text = without_gap(part.text);
		err = read_part(&part, &one);
		reading.has_samples |= !err && !one.first;
		if (err)
			add_failure(&reading, err, part.line);
		else if (one.first)
			add_reports(&reading, one.first, part.line);
		if (part.is_unsearched && reading.last)
			report_add_note(reading.last, arena,
			                report_line_place(arena, part.line),
			                "truncated, and the rest of the input "
			                "was not searched for other reports");
	}
	if (!reading.first && reading.has_samples)
		return skipped_take(&reading.skipped);
	if (!reading.first) {
		err = skipped_take(&reading.skipped);
		return err ? err : refuse_text(text, sink);
	}
	skipped_note(&reading.skipped, reading.first, "line 1");
	sink_report(sink, reading.first);
	return NULL;
}

/**
 * Read the reports of a text after repairing it.
 *
 * @param line  First line of @p text in the input, from 1.
 */
static struct error *read_repaired(struct text text, size_t line,
                                   struct sink *sink)
{
	SCOPED(repaired_release) struct repaired repaired = { 0 };
	SCOPED(error_drop) struct error *err = NULL;

	if (!repair(text, &repaired))
		return read_parts(text, line, sink);
	err = read_parts(repaired.text, line + repaired.lines_gone, sink);
	// The repair was wrong: describe the original text.
	if (err)
		return read_parts(text, line, sink);
	for (size_t i = 0; i < repaired.count && sink->first; i++)
		report_add_note(
		        sink->first, sink->arena, "repaired",
		        arena_text(sink->arena, str_text(&repaired.notes[i])));
	return NULL;
}

/**
 * Read an unknown text from a line on where a report may begin.
 *
 * @param err  The original error; returned if there is no report.
 */
static struct error *read_far(struct text text, struct sink *sink,
                              struct error *err)
{
	struct far_start start = far_start_open(text);

	while (far_start_next(&start)) {
		SCOPED(error_drop) struct error *failure = NULL;

		failure = read_repaired(start.text, start.line, sink);
		if (failure || !sink->first)
			continue;
		if (start.line > 1)
			report_add_note(
			        sink->first, sink->arena, "line 1",
			        arena_printf(sink->arena,
			                     "left out %zu line%s "
			                     "above the report",
			                     start.line - 1,
			                     text_plural(start.line - 1)));
		error_free(err);
		return NULL;
	}
	return err;
}

static struct error *read_text(struct text text, struct sink *sink)
{
	struct found source = found_source(text);
	struct error *err;

	if (found_is_known(&source))
		return found_refuse(&source, sink->wants);
	err = read_repaired(text, 1, sink);
	return err && error_code(err) != ERROR_LIMIT ? read_far(text, sink, err)
	                                             : err;
}

/** With a reader of whole inputs. */
static struct error *read_all(const struct reader *reader, struct text text,
                              struct sink *sink)
{
	bool has_pull = reader->streams == STREAMS_DOCUMENTS;
	SCOPED(json_pull_drop)
	struct json_pull *pull = has_pull ? json_pull_new(text, 0) : NULL;
	const struct envelope in = { .text = text, .pull = pull, .line = 1 };

	return reader->read(&in, sink);
}

/** Bytes with a byte order mark are always text. */
static struct error *read_decoded(const struct decoded *in, struct sink *sink)
{
	const struct envelope raw = { .text = bytes_text(in->bytes) };
	const struct reader *reader = NULL;
	struct found found = { 0 };

	// A directory may contain empty files: `.gitkeep`.
	if (!raw.text.size && !in->had_mark)
		return error_new(ERROR_UNSUPPORTED, "empty file");
	reader = reader_of_head(raw.text, sink->takes);
	if (reader)
		return read_all(reader, raw.text, sink);
	if (!in->had_mark)
		reader = reader_find(&raw, true, sink->takes);
	if (reader)
		return reader->read(&raw, sink);
	if (!in->had_mark)
		found = found_binary(in->bytes);
	return found_is_known(&found) ? found_refuse(&found, sink->wants)
	                              : read_text(raw.text, sink);
}

/** Note conversions of the text, and parts that could not be decompressed. */
static void note_decoding(const struct decoded *decoded,
                          const struct sink *sink)
{
	struct report *report = sink->first;

	if (decoded->note && report)
		report_add_note(report, sink->arena, "encoding", decoded->note);
	else if (decoded->note)
		sink_notice(sink, NOTICE_WARNING, "encoding", decoded->note);
	if (decoded->fault && report) {
		report_add_failure(report, sink->arena, decoded->packing,
		                   arena_strdup(sink->arena, decoded->fault));
		report->truncated |= !decoded->is_whole;
	} else if (decoded->fault) {
		sink_notice(sink, NOTICE_FAILURE, decoded->packing,
		            decoded->fault);
	}
}

static struct error *take_decoded(const struct decoded *decoded,
                                  struct sink *sink)
{
	struct sink one = sink_part(sink);
	struct error *err = read_decoded(decoded, &one);

	// A damaged end does not discard what was read.
	if (err && one.last) {
		one.last->truncated = true;
		report_add_failure(
		        one.last, sink->arena, "report",
		        arena_strdup(sink->arena, error_message(err)));
		error_free(err);
		err = NULL;
	}
	if (!err)
		note_decoding(decoded, &one);
	sink_report(sink, one.first);
	if (err && decoded->fault)
		return error_prefix(err, "%s", decoded->fault);
	if (err)
		return decoded->packing ? error_prefix(err, "unpacked") : err;
	return NULL;
}

static struct error *read_bytes(struct bytes in, size_t *left_bytes,
                                struct sink *sink)
{
	SCOPED(decoded_release) struct decoded decoded = { 0 };
	struct error *err = decode(in, *left_bytes, &decoded);

	*left_bytes = number_difference(*left_bytes, decoded.made_bytes);
	if (err)
		return err;
	if (decoded.is_archive)
		return members_read(in, *left_bytes, read_within, sink);
	return take_decoded(&decoded, sink);
}

/** @param left_bytes  May be decompressed; reduced by what was. */
static struct error *read_within(struct bytes in, size_t *left_bytes,
                                 struct sink *sink)
{
	size_t *outer = sink->left_bytes;
	struct error *err;

	sink->left_bytes = left_bytes;
	err = read_bytes(in, left_bytes, sink);
	sink->left_bytes = outer;
	return err;
}

struct error *read_input(struct bytes in, struct sink *sink)
{
	size_t left_bytes = limit_get(LIMIT_UNPACKED);
	struct error *err = read_within(in, &left_bytes, sink);

	if (err && error_code(err) == ERROR_LIMIT && !left_bytes)
		return limit_error_of(LIMIT_UNPACKED, err);
	if (sink->first)
		placeholder_drop(sink->first);
	return err;
}
