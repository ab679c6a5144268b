// SPDX-License-Identifier: MIT
/*
 * The text that iOS 8 and before wrote (apmtool-formats(5)): labels and
 * counters, then a table of processes, with columns in the order of its
 * heading.
 */
#include "lib/base/number.h"
#include "lib/base/utf8.h"
#include "parsers/jetsam/jetsam.h"
#include "parsers/reader.h"

#include <string.h>

/** The format is identified near the start. */
#define LOOK_BYTES  ((size_t)64 << 10)
#define LOOK_LINES  200
#define COLUMNS_MAX 8

static bool text_sniff(const struct envelope *envelope)
{
	struct text in = envelope->text;
	struct text line;
	bool has_incident = false;
	bool has_largest = false;

	in = text_first(in, LOOK_BYTES);
	// Almost no other text has it.
	if (text_find(in, "Largest process:") == TEXT_NOWHERE)
		return false;
	for (size_t i = 0; i < LOOK_LINES && text_next_line(&in, &line); i++) {
		has_incident |= text_starts(line, "Incident Identifier:");
		has_largest |= has_incident &&
		               text_starts(line, "Largest process:");
		if (has_largest && text_is(text_trim(line), "Processes"))
			return true;
	}
	return false;
}

// Labels

static const struct {
	const char *label;
	size_t offset; ///< of a text in struct report
} texts[] = {
	{ "Incident Identifier", offsetof(struct report, incident) },
	{ "CrashReporter Key", offsetof(struct report, reporter_key) },
	{ "Hardware Model", offsetof(struct report, hardware_model) },
	{ "OS Version", offsetof(struct report, os_version) },
	{ "Date", offsetof(struct report, date_time) },
	{ "Date/Time", offsetof(struct report, date_time) },
};

#define COUNTER(label_, member_)                                  \
	{                                                         \
		.label = (label_),                                \
		.offset = offsetof(struct jetsam_memory, member_) \
	}

static const struct {
	const char *label;
	size_t offset; ///< of a number in struct jetsam_memory
} counters[] = {
	COUNTER("Free pages", free),
	COUNTER("Active pages", active),
	COUNTER("Inactive pages", inactive),
	COUNTER("Speculative pages", speculative),
	COUNTER("Throttled pages", throttled),
	COUNTER("Purgeable pages", purgeable),
	COUNTER("Wired pages", wired),
	COUNTER("File-backed pages", file_backed),
	COUNTER("Anonymous pages", anonymous),
	COUNTER("Compressions", compressions),
	COUNTER("Decompressions", decompressions),
	COUNTER("Compressor Size", compressor),
	COUNTER("Uncompressed Pages in Compressor", uncompressed),
};

/** State of a log. */
struct reading {
	struct arena *arena;
	struct report *report;
	size_t line_number;
	/** Offsets in struct jetsam_process, in the order of the heading. */
	size_t columns[COLUMNS_MAX];
	size_t column_count;
	size_t note_count;
	bool is_open; ///< the line has no end: its last value may be truncated
	bool is_over; ///< the mark of the end has been read
};

static const char *place(const struct reading *reading)
{
	return report_line_place(reading->arena, reading->line_number);
}

static void note(struct reading *reading, const char *what, struct text about)
{
	struct arena *arena = reading->arena;

	// Other texts have as many faults as lines.
	if (reading->note_count++ >= 100)
		return;
	report_add_note(reading->report, arena, place(reading),
	                arena_printf(arena, "%s%s%.*s", what,
	                             about.size ? " " : "",
	                             TEXT_ARGS(utf8_first(about, 64))));
}

static void unexpected(struct reading *reading, const char *expected,
                       struct text found)
{
	char *what = arena_printf(reading->arena, "expected %s, found '%.*s'",
	                          expected, TEXT_ARGS(utf8_first(found, 64)));

	note(reading, what, TEXT_NONE);
}

/**
 * Note that the log is truncated in this line, so that its last value is
 * incomplete.
 */
static void note_truncated(struct reading *reading, struct text about)
{
	note(reading, "truncated:", text_trim(about));
	reading->report->truncated = true;
}

/** A block that the disk lost: the ends of its line are of different lines. */
static void note_nuls(struct reading *reading)
{
	note(reading,
	     "NUL bytes: the line, and the text in their place, are lost",
	     TEXT_NONE);
	reading->report->truncated = true;
}

static bool read_text(struct reading *reading, struct text label,
                      struct text value)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const char *copy;

		if (!text_is(label, texts[i].label))
			continue;
		copy = arena_text(reading->arena, value);
		memcpy((char *)reading->report + texts[i].offset, &copy,
		       sizeof(copy));
		return true;
	}
	return false;
}

static bool read_counter(struct reading *reading, struct text label,
                         struct text value)
{
	char *memory = (char *)&reading->report->jetsam->memory;
	struct jetsam_number number = { .known = true };

	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		if (!text_is(label, counters[i].label))
			continue;
		if (number_decimal(value, &number.value) &&
		    number.value <= JETSAM_PAGES_MAX)
			memcpy(memory + counters[i].offset, &number,
			       sizeof(number));
		else
			unexpected(reading, "a count", value);
		return true;
	}
	return false;
}

/** `Time since snapshot: 56 ms` */
static void read_delta(struct reading *reading, struct text value)
{
	struct jetsam_number *delta = &reading->report->jetsam->time_delta_ms;
	size_t blank = text_find_char(value, ' ');

	delta->known = text_is(text_after(value, blank), " ms") &&
	               number_decimal(text_first(value, blank), &delta->value);
	if (!delta->known)
		unexpected(reading, "a time in ms", value);
}

static void read_label(struct reading *reading, struct text line)
{
	struct jetsam *jetsam = reading->report->jetsam;
	struct arena *arena = reading->arena;
	size_t colon = text_find_char(line, ':');
	struct text label = text_trim(text_first(line, colon));
	struct text value = text_trim(text_after(line, colon + 1));

	if (colon == TEXT_NOWHERE) {
		note(reading, "not recognized:", text_trim(line));
		return;
	}
	if (read_text(reading, label, value) ||
	    read_counter(reading, label, value))
		return;
	if (text_is(label, "Kernel Version"))
		jetsam->kernel = arena_text(arena, value);
	else if (text_is(label, "Time since snapshot"))
		read_delta(reading, value);
	else if (text_is(label, "Largest process") && !text_is(value, "none"))
		jetsam->largest_name = arena_text(arena, value);
	else
		report_add_field(reading->report, arena,
		                 arena_text(arena, label),
		                 arena_text(arena, value));
}

// Processes

/** The next word of @p rest; empty at the end. */
static struct text next_word(struct text *rest)
{
	struct text word = text_trim_left(*rest);
	size_t size = 0;

	while (size < word.size && !text_is_space(word.data[size]))
		size++;
	*rest = text_after(word, size);
	return text_first(word, size);
}

/**
 * Read the column heading: `Name <UUID> rpages recent_max fds [reason]
 * (state)`.
 */
static bool read_heading(struct reading *reading, struct text line)
{
	static const struct {
		const char *word;
		size_t offset;
	} words[] = {
		{ "rpages", offsetof(struct jetsam_process, pages) },
		// iOS 4 and 5: `Count resident pages`.
		{ "Count", offsetof(struct jetsam_process, pages) },
		{ "recent_max",
		  offsetof(struct jetsam_process, lifetime_pages) },
		{ "lifetime_max",
		  offsetof(struct jetsam_process, lifetime_pages) },
		{ "fds", offsetof(struct jetsam_process, fds) },
	};
	struct text word;

	if (text_find(line, "UUID") == TEXT_NOWHERE)
		return false;
	reading->column_count = 0;
	while ((word = next_word(&line)).size) {
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (text_is(word, words[i].word) &&
			    reading->column_count < COLUMNS_MAX)
				reading->columns[reading->column_count++] =
				        words[i].offset;
	}
	return true;
}

static void read_column(struct reading *reading, struct text word,
                        size_t column, struct jetsam_process *process)
{
	struct jetsam_number number = { .known = true };

	if (!number_decimal(word, &number.value) ||
	    number.value > JETSAM_PAGES_MAX)
		unexpected(reading, "a count", word);
	else if (column < reading->column_count)
		memcpy((char *)process + reading->columns[column], &number,
		       sizeof(number));
}

/** The text in brackets, or after the numbers. */
static void read_tail(struct reading *reading, struct text rest,
                      struct jetsam_process *process)
{
	struct arena *arena = reading->arena;
	size_t column = 0;

	for (;;) {
		struct text word;
		size_t end;

		rest = text_trim_left(rest);
		if (!rest.size)
			return;
		if (rest.data[0] != '[' && rest.data[0] != '(') {
			word = next_word(&rest);
			if (reading->is_open && !rest.size &&
			    column + 1 < reading->column_count) {
				note_truncated(reading, word);
				return;
			}
			read_column(reading, word, column++, process);
			continue;
		}
		end = text_find_char(rest, rest.data[0] == '[' ? ']' : ')');
		if (reading->is_open && end == TEXT_NOWHERE) {
			note_truncated(reading, rest);
			return;
		}
		word = text_trim(text_after(text_first(rest, end), 1));
		// iOS 4 and 5 have no column for the reason.
		if (rest.data[0] == '[' || text_is(word, "jettisoned"))
			process->reason = arena_text(arena, word);
		else
			jetsam_add_state(process, arena, word);
		rest = text_after(rest, end == TEXT_NOWHERE ? end : end + 1);
	}
}

/** A name is right-aligned and may contain blanks: everything before `<`. */
static void read_process(struct reading *reading, struct text line)
{
	struct jetsam_process *process;
	size_t open = text_find_char(line, '<');
	size_t close = text_find_char(line, '>');
	struct text uuid;

	if (open == TEXT_NOWHERE || close == TEXT_NOWHERE || close < open) {
		if (reading->is_open) {
			note_truncated(reading, line);
			return;
		}
		note(reading, "not recognized:", text_trim(line));
		return;
	}
	if (!report_may_read(reading->arena, JETSAM_PROCESS_LINES)) {
		report_end_reading(reading->report, reading->arena,
		                   place(reading));
		reading->is_over = true;
		return;
	}
	process = jetsam_add_process(reading->report->jetsam, reading->arena);
	process->name =
	        arena_text(reading->arena, text_trim(text_first(line, open)));
	uuid = text_after(text_first(line, close), open + 1);
	if (!uuid_parse(uuid, &process->uuid))
		unexpected(reading, "a UUID", uuid);
	read_tail(reading, text_after(line, close + 1), process);
	if (process->reason && !*process->reason)
		process->reason = NULL;
}

static void read_line(struct reading *reading, struct text line)
{
	struct jetsam *jetsam = reading->report->jetsam;

	if (text_starts(line, "**End**"))
		reading->is_over = true;
	if (!text_trim(line).size || reading->is_over)
		return;
	if (text_find_char(line, '\0') != TEXT_NOWHERE) {
		note_nuls(reading);
		return;
	}
	if (text_is(text_trim(line), "Processes"))
		jetsam->has_process_list = true;
	else if (!jetsam->has_process_list && reading->is_open)
		note_truncated(reading, line);
	else if (!jetsam->has_process_list)
		read_label(reading, line);
	else if (!read_heading(reading, line))
		read_process(reading, line);
}

static struct error *text_read(const struct envelope *envelope,
                               struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct text in = envelope->text;
	struct reading reading = {
		.arena = arena,
		.columns = { offsetof(struct jetsam_process, pages),
		             offsetof(struct jetsam_process, lifetime_pages),
		             offsetof(struct jetsam_process, fds) },
		.column_count = 3,
	};
	bool has_end = text_ends(in, "\n") || text_ends(in, "\r");
	struct text line;

	if (text_find(text_first(in, LOOK_BYTES), "Largest process:") ==
	    TEXT_NOWHERE)
		return error_new(ERROR_FORMAT,
		                 "the text below the header line is not a "
		                 "jetsam log");
	reading.report = jetsam_report_new(arena, jetsam_text_reader.name);
	while (text_next_line(&in, &line)) {
		reading.line_number++;
		reading.is_open = !has_end && !in.size;
		read_line(&reading, line);
	}
	if (!reading.report->jetsam->process_count)
		reading.report->truncated = true;
	if (reading.report->truncated)
		jetsam_note_missing(reading.report, arena);
	sink_report(sink, reading.report);
	return NULL;
}

const struct reader jetsam_text_reader = {
	.name = "jetsam-text",
	.summary = "jetsam logs in text (iOS 8 and before)",
	.yields = YIELDS_JETSAM,
	.sniff = text_sniff,
	.read = text_read,
};
