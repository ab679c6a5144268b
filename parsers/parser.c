#include "parsers/parser.h"

#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/base/utf8.h"
#include "lib/text/gzip.h"
#include "parsers/foreign.h"
#include "parsers/split.h"

#include <inttypes.h>
#include <string.h>

/** Parts that cannot be read, among others that can: so many are listed. */
#define FAILURES_LISTED 20

// Binary forms first.
// Those that look at the names of one object first: they take nobody else's.
// Text before `.ips`: an `.ips` header line above it is a line of its report.
// Logs before crashes: they share most labels.
const struct parser *const parsers[] = {
	&plcrash_parser,
	&kscrash_parser,
	&metrickit_parser,
	&ips_jetsam_parser,
	&jetsam_text_parser,
	&sample_parser,
	&spindump_parser,
	&text_log_parser,
	&crash_text_parser,
	&ips_parser,
	NULL,
};

static bool is_all_nul(struct bytes in)
{
	return !in.data[0] && !memcmp(in.data, in.data + 1, in.size - 1);
}

/** The next character; U+FFFD, and @p damaged, for half a surrogate pair. */
static uint32_t take_utf16(struct cursor *cursor, bool *damaged)
{
	uint32_t high = cursor_u16(cursor);
	struct cursor ahead = *cursor;
	uint32_t low;

	if (high < 0xd800 || high > 0xdfff)
		return high;
	low = cursor_left(cursor) < 2 ? 0 : cursor_u16(&ahead);
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff) {
		*damaged = true;
		return 0xfffd;
	}
	*cursor = ahead;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/** The text behind a UTF-16 byte order mark, as UTF-8 in the arena. */
static struct text transcode(struct bytes in, enum cursor_order order,
                             struct arena *arena, const char **note)
{
	struct cursor cursor = cursor_at(in, 2, order);
	// Two bytes become three at most.
	char *data = arena_array(arena, in.size / 2 + 1, 3);
	char *to = data;
	bool damaged = in.size % 2;

	while (cursor_left(&cursor) >= 2)
		to += utf8_encode(take_utf16(&cursor, &damaged), to);
	*note = damaged ? "UTF-16 with invalid characters; converted to UTF-8"
	                : "UTF-16; converted to UTF-8";
	return (struct text){ .data = data, .size = (size_t)(to - data) };
}

struct text parser_decode(struct bytes in, struct arena *arena,
                          const char **note)
{
	struct text text = bytes_text(in);

	if (text_starts(text, "\xff\xfe"))
		return transcode(in, CURSOR_LITTLE, arena, note);
	if (text_starts(text, "\xfe\xff"))
		return transcode(in, CURSOR_BIG, arena, note);
	text_take(&text, "\xef\xbb\xbf");
	return text;
}

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

/** Parsers of binary formats, or of text. */
static const struct parser *find_parser(const struct envelope *in,
                                        bool is_binary)
{
	for (size_t i = 0; parsers[i]; i++)
		if (parsers[i]->is_binary == is_binary && parsers[i]->sniff(in))
			return parsers[i];
	return NULL;
}

static struct error *read_part(struct text text, struct arena *arena,
                               struct report **ret)
{
	SCOPED(envelope_release)
	struct envelope in = envelope_open(text, arena);
	const struct parser *parser = find_parser(&in, false);

	return parser ? parser->parse(&in, arena, ret) : foreign_text(text);
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
			struct report_note *note = &report->notes[i];

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

/** A part that is no report is told of by the report before it. */
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

static struct error *read_parts(struct text text, struct arena *arena,
                                struct report **ret)
{
	SCOPED(reading_drop) struct reading reading = { .arena = arena };
	struct split split = split_open(text);
	struct error *err;
	struct split_part part;

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

static struct error *read_plain(struct bytes in, struct arena *arena,
                                struct report **ret)
{
	const struct envelope raw = { .text = bytes_text(in) };
	const struct parser *parser;
	const char *note = NULL;
	struct error *err;
	struct text text;

	// A folder may hold such files: `.gitkeep` is one.
	if (!in.size)
		return error_new(ERROR_UNSUPPORTED, "empty file");
	if (is_all_nul(in))
		return error_new(ERROR_FORMAT,
		                 "not a crash report, but NUL bytes only");
	parser = find_parser(&raw, true);
	if (parser)
		return parser->parse(&raw, arena, ret);
	err = foreign_binary(in);
	if (err)
		return err;
	text = parser_decode(in, arena, &note);
	err = read_parts(text, arena, ret);
	if (!err && note)
		report_add_note(*ret, arena, "all lines", note);
	return err;
}

static struct error *read_gzip(struct bytes in, struct arena *arena,
                               struct report **ret)
{
	SCOPED(gzip_release) struct gzip gzip = { 0 };
	struct error *err;

	err = gzip_inflate(in, FILE_REPORT_LIMIT_BYTES, &gzip);
	if (err)
		return err;
	if (gzip_is(gzip.bytes))
		return error_new(ERROR_UNSUPPORTED,
		                 "gzip data inside gzip data: unpack it first");
	err = read_plain(gzip.bytes, arena, ret);
	if (err)
		return error_prefix(err, "unpacked");
	if (gzip.fault) {
		report_add_note(*ret, arena, "gzip", gzip.fault);
		(*ret)->truncated = true;
	}
	return NULL;
}

struct error *parser_read(struct bytes in, struct arena *arena,
                          struct report **ret)
{
	return gzip_is(in) ? read_gzip(in, arena, ret)
	                   : read_plain(in, arena, ret);
}
