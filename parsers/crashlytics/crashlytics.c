// SPDX-License-Identifier: MIT
/*
 * The text of Crashlytics (apmtool-formats(5)): facts after `#`, lists of
 * frames below the names of their threads. The number of a frame is its offset
 * in the image; a frame without a name has the UUID of its image.
 */
#include "lib/base/limit.h"
#include "lib/darwin/system_images.h"
#include "parsers/crashlytics/reader.h"
#include "parsers/reader.h"
#include "parsers/text/frame_line.h"
#include "parsers/text/stack_line.h"

#include <string.h>

#define SNIFF_BYTES ((size_t)64 << 10)
#define SNIFF_LINES 200
// Max lines of a reason between the name of an exception and its frames.
#define HEADING_LINES 8

// Frames

/** `(Missing UUID 4c4c44…)`, `(Missing)`: there is no name. */
static bool is_missing(struct text symbol, struct uuid *ret, bool *ret_bad)
{
	if (!text_take(&symbol, "(Missing"))
		return false;
	*ret_bad = text_take(&symbol, " UUID") &&
	           !uuid_parse(text_first(symbol, text_find_char(symbol, ')')),
	                       ret);
	return true;
}

/**
 * If the file is known, Crashlytics prints the line in place of the offset;
 * older versions an address. Neither is an offset.
 */
static bool is_no_offset(const struct frame_line *frame)
{
	return (frame->file.size && frame->symbol_offset == frame->line) ||
	       (frame->has_address && frame->symbol_offset > frame->address);
}

/** The page in the browser shows no place in the image. */
static bool is_of_page(const struct frame_line *frame)
{
	return frame->symbol.size &&
	       (frame->has_symbol_offset || frame->file.size);
}

/** Parse a frame and its UUID; @p uuid is unchanged without one. */
static bool parse_frame(struct text line, struct frame_line *ret,
                        struct uuid *uuid, bool *ret_bad)
{
	line = text_trim(line);
	if (!line.size || !text_is_digit(line.data[0]) ||
	    !frame_line_parse(line, ret) || !ret->image.size || ret->has_base ||
	    (!ret->has_address && !is_of_page(ret)))
		return false;
	// A mail broke the line there.
	if (text_ends(ret->symbol, " +"))
		ret->symbol.size -= strlen(" +");
	if (is_missing(ret->symbol, uuid, ret_bad)) {
		ret->symbol = TEXT_NONE;
		ret->has_symbol_offset = false;
	} else if (ret->has_symbol_offset && is_no_offset(ret)) {
		ret->has_symbol_offset = false;
		ret->symbol_offset = 0;
	}
	return true;
}

/**
 * Note that the first frames are missing: the list begins with another number.
 */
static void note_cut(struct crashlytics_reader *reader, uint64_t index)
{
	if (!index)
		return;
	reader->text.report->truncated = true;
	line_reader_note(
	        &reader->text,
	        "the list begins with frame %zu: earlier ones are missing",
	        (size_t)index);
}

/** Without a place in its image, a frame is the app's if it has a file. */
static void place_frame(struct crashlytics_reader *reader,
                        struct report_frame *frame,
                        const struct frame_line *line, const struct uuid *uuid)
{
	frame->is_own = line->file.size &&
	                !darwin_image_is_system(frame->image_name);
	if (line->has_address)
		crashlytics_place(reader, frame, uuid);
}

static bool read_frame(struct crashlytics_reader *reader, struct text line)
{
	struct uuid uuid = { 0 };
	struct frame_line frame;
	bool is_bad = false;
	size_t count;

	if (!parse_frame(line, &frame, &uuid, &is_bad))
		return false;
	reader->bad_uuids += is_bad;
	reader->seen_frames = true;
	if (!frame.index || !reader->stack || reader->has_heading) {
		crashlytics_begin_list(reader);
		note_cut(reader, frame.index);
	}
	reader->title = NULL;
	if (!reader->stack || reader->stack->count >= limit_get(LIMIT_FRAMES)) {
		reader->too_deep += reader->stack != NULL;
		line_reader_keep_unread(&reader->text, line.data);
		return true;
	}
	count = reader->stack->count;
	stack_add_line(reader->stack, &frame, reader->text.arena);
	if (reader->stack->count > count)
		place_frame(reader, &reader->stack->frames[count], &frame,
		            &uuid);
	line_reader_keep_frames(&reader->text, reader->stack, count);
	return true;
}

// Lines

static void read_blank(struct crashlytics_reader *reader, struct text line)
{
	if (reader->reason.size)
		reader->in_reason = false;
	line_reader_keep(&reader->text, line.data);
}

/** Note a text that is truncated in its last line, inside of a UUID. */
static void note_end(struct crashlytics_reader *reader)
{
	const struct report_stack *stack = reader->stack;
	const struct report_frame *last;
	struct text what;

	if (!stack || !stack->count)
		return;
	last = &stack->frames[stack->count - 1];
	what = text_from(last->verbatim ? last->verbatim : ")");
	if (text_find_char(what, ')') != TEXT_NOWHERE)
		return;
	reader->text.report->truncated = true;
	line_reader_note(&reader->text, "the text ends in a frame");
}

/** A line of the reason; else the name of a thread, if frames follow. */
static void read_other(struct crashlytics_reader *reader, struct text line)
{
	if (reader->in_reason) {
		if (reader->reason.size)
			str_add_char(&reader->reason, '\n');
		str_add_text(&reader->reason, text_trim(line));
		line_reader_keep(&reader->text, line.data);
		return;
	}
	line_reader_keep_unread(&reader->text, line.data);
	reader->title = line.data;
	reader->title_line = reader->text.report->line_count - 1;
}

static void read_line(struct text line, void *context)
{
	struct crashlytics_reader *reader = context;

	if (!text_trim(line).size)
		read_blank(reader, line);
	else if (!read_frame(reader, line) &&
	         !crashlytics_heading(reader, line) &&
	         !crashlytics_exception(reader, line) &&
	         (reader->seen_frames || !crashlytics_fact(reader, line)))
		read_other(reader, line);
}

// Sniffing

static bool is_first_frame(struct text line)
{
	struct uuid uuid = { 0 };
	struct frame_line frame;
	bool is_bad;

	return parse_frame(line, &frame, &uuid, &is_bad) && !frame.index;
}

/** Is it Apple's text, or of another system, with similar headings? */
static bool is_other(struct text in)
{
	static const char *const marks[] = {
		"Incident Identifier:", "Exception Type:", "Binary Images:",
		"Platform: android"
	};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (text_find(in, marks[i]) != TEXT_NOWHERE)
			return true;
	return false;
}

static bool crashlytics_sniff(const struct envelope *envelope)
{
	struct text rest = text_first(envelope->text, SNIFF_BYTES);
	struct text line;
	size_t since = HEADING_LINES;
	bool found = false;

	if (is_other(rest))
		return false;
	for (size_t i = 0;
	     i < SNIFF_LINES && !found && text_next_line(&rest, &line); i++) {
		if (!text_trim(line).size)
			continue;
		if (crashlytics_is_heading(line))
			since = 0;
		found = crashlytics_is_title(line) ||
		        (since++ < HEADING_LINES && is_first_frame(line));
	}
	return found;
}

// Reader

static void note_limits(struct crashlytics_reader *reader)
{
	if (reader->too_deep)
		line_reader_note(&reader->text,
		                 "more than %zu frames in a thread%s; %zu "
		                 "frames are kept as text",
		                 limit_get(LIMIT_FRAMES),
		                 limit_hint(LIMIT_FRAMES), reader->too_deep);
	if (reader->bad_uuids)
		line_reader_note(
		        &reader->text,
		        "%zu frame%s an invalid UUID: expected 32 hex digits",
		        reader->bad_uuids,
		        reader->bad_uuids == 1 ? " has" : "s have");
	if (reader->many_images)
		line_reader_note(&reader->text,
		                 "more than %zu images%s; %zu frames have none",
		                 limit_get(LIMIT_IMAGES),
		                 limit_hint(LIMIT_IMAGES), reader->many_images);
	line_reader_note_flaws(&reader->text);
}

static void reader_release(struct crashlytics_reader *reader)
{
	str_release(&reader->reason);
	map_release(&reader->images);
}

static bool is_empty(const struct report *report)
{
	return !report->thread_count && !report->thrown.name &&
	       !report->exception_backtrace.count;
}

static struct error *crashlytics_read(const struct envelope *in,
                                      struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct report *report = report_new(arena);
	SCOPED(reader_release)
	struct crashlytics_reader reader = {
		.text = { .arena = arena, .report = report },
	};
	struct line_source source = line_source_open(in->text, arena, report);

	report->format = crashlytics_reader.name;
	line_reader_each(&reader.text, &source, read_line, &reader);
	if (source.ends_in_line)
		note_end(&reader);
	crashlytics_finish_exception(&reader);
	crashlytics_finish_places(&reader);
	note_limits(&reader);
	if (is_empty(report))
		return error_new(ERROR_FORMAT,
		                 "a text of Crashlytics without a stack");
	sink_report(sink, report);
	return NULL;
}

const struct reader crashlytics_reader = {
	.name = "crashlytics",
	.summary = "the text that Crashlytics exports",
	.yields = YIELDS_REPORTS,
	.sniff = crashlytics_sniff,
	.read = crashlytics_read,
};
