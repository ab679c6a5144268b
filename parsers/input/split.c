// SPDX-License-Identifier: MIT
#include "parsers/input/split.h"

#include "lib/darwin/headline.h"
#include "parsers/input/repair/line_kind.h"
#include "parsers/input/resync.h"
#include "parsers/input/start_line.h"
#include "parsers/text/backtrace_title.h"

#include <string.h>

/** Limit of repeated passes over incomplete values in an input. */
#define AGAIN_TIMES 8
#define AGAIN_BYTES ((size_t)64 << 20)

/** Max size of Go's text between a panic and its first goroutine. */
#define GO_BYTES 512

/** Max size of a text of Umeng up to its final block. */
#define UMENG_BYTES ((size_t)16 << 10)
/** So often it is looked for. */
#define UMENG_LOOKS 64

/** The kind of a part so far. */
enum part_state {
	PART_BLANK,
	PART_TEXT,   ///< Apple's text, or any other
	PART_HEADER, ///< JSON that waits for its body
	PART_DONE,   ///< a whole JSON report; only an appendix may follow
};

/** Headings of Crashlytics' lists of frames, in the order of its text. */
enum heading {
	HEADING_NONE,
	HEADING_EXCEPTION, ///< `Fatal Exception: NAME`
	HEADING_CRASHED,   ///< `Crashed: THREAD`
};

static enum heading heading_of(struct text line)
{
	if (text_starts(line, "Fatal Exception: "))
		return HEADING_EXCEPTION;
	return text_starts(line, "Crashed: ") ? HEADING_CRASHED : HEADING_NONE;
}

/** A part whose end is not found yet. */
struct part {
	struct text in; ///< from its beginning to the end of the input
	size_t at;
	enum part_state state;
	struct text header_name;       ///< the first name of a PART_HEADER
	struct json_shape_known value; ///< the last complete value
	// Seen in its text:
	bool has_incident;
	bool has_process; ///< `Process:  Demo [123]`
	bool has_exception;
	bool has_stack; ///< the head of a thread, or a frame
	bool has_images;
	bool has_end;         ///< `EOF`
	bool has_device;      ///< below it, as in texts of MetricKit's reports
	bool is_device_first; ///< as in apmtool's output
	bool has_title;       ///< of an output of `sample`
	bool has_steps;       ///< of a spindump: its images are indented
	bool has_swift;       ///< the headline of a Swift crash log
	bool awaits_json; ///< after `Full Report`: the report follows as JSON
	/**
	 * Heading of the next frames in Crashlytics' text; headings with
	 * frames.
	 */
	enum heading heading;
	unsigned headings_done; ///< a bit each
	/** Of a list of backtraces, the first thread. */
	uint64_t first_thread;
	bool has_first_thread;
	/** Of a console, the last that ended a process, and frames below it. */
	bool has_headline;
	struct headline headline;
	bool has_frames;
	bool has_base; ///< `Base Address:`, the end of a text of Umeng
	unsigned umeng_looks;
	/** For incomplete values: bytes that may be read again. */
	size_t again;
	bool is_unsearched; ///< one of them may contain other reports
};

static bool has_ended(const struct part *part)
{
	return part->has_images || part->has_end;
}

/** Only the start of a report begins another one. */
static bool is_done(const struct part *part)
{
	return part->state == PART_DONE || part->has_steps || has_ended(part);
}

/** `Thread 0 Crashed:`, `Thread 3 name:  …`, `Thread 1:`. */
static bool is_thread_line(struct text line)
{
	return text_take(&line, "Thread ") && text_take_digits(&line).size &&
	       (text_starts(line, ":") || text_starts(line, " Crashed") ||
	        text_starts(line, " name:"));
}

/** `0   Demo   0x0000000100e80a0c …`: the first frame, or any. */
static bool is_frame_line(struct text line, bool is_first)
{
	return line.size > 1 && text_is_digit(line.data[0]) &&
	       (!is_first || text_starts(line, "0 ")) &&
	       text_find(line, " 0x") != TEXT_NOWHERE;
}

/**
 * Is it a line from the middle of a report, which a partial copy may begin
 * with? Such lines never follow a report's own images.
 */
static bool is_inner_line(struct text line)
{
	static const char *const labels[] = {
		"Code Type:",           "Crashed Thread:",
		"Exception Codes:",     "Exception Type:",
		"Termination Reason:",  "Last Exception Backtrace:",
		"Triggered by Thread:",
	};

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (text_starts(line, labels[i]))
			return true;
	return is_thread_line(line) || is_frame_line(line, true);
}

/** Does the line at the front of @p rest begin another report? */
static bool line_begins_report(const struct part *part, struct text line,
                               struct text rest)
{
	if (part->state == PART_BLANK || part->state == PART_HEADER)
		return false;
	if (part->has_swift && start_line_is_swift(rest))
		return true;
	if (text_starts(line, "Incident Identifier:"))
		return part->state == PART_DONE || part->has_incident ||
		       part->has_exception || part->has_stack ||
		       part->has_frames || part->has_swift || has_ended(part);
	if (start_line_is_crashlytics(line))
		return part->has_stack || is_done(part);
	// A crash has each of them once, in this order.
	if (part->headings_done && heading_of(line))
		return part->headings_done >> heading_of(line);
	if (part->is_device_first && text_starts(line, "Hardware Model:"))
		return has_ended(part);
	// `sample` prints this on the terminal above its title.
	if (text_starts(line, "Sampling process ") ||
	    start_line_is_sample(line))
		return part->has_exception || is_done(part);
	// A spindump begins with it; other formats have it later.
	if (text_starts(line, "Date/Time:"))
		return is_done(part) && start_line_has(rest, "Architecture:");
	if ((part->state == PART_DONE || has_ended(part)) &&
	    !part->has_device && is_inner_line(line))
		return true;
	if (start_line_is_process(line))
		return part->state == PART_DONE ||
		       ((part->has_process || part->has_exception ||
		         part->has_stack || part->has_frames) &&
		        start_line_has(rest, "Code Type:")) ||
		       (is_done(part) &&
		        (part->has_exception || part->has_title ||
		         start_line_has(rest, "Code Type:")));
	return start_line_is_console(rest);
}

static bool value_begins_report(const struct part *part,
                                const struct json_shape *value)
{
	bool is_report = value->is_header || value->is_body;
	size_t end = part->at + value->size;

	// A header line after its body: they were swapped if nothing follows.
	if (value->is_header && part->state == PART_DONE &&
	    !text_trim_left(text_after(part->in, end)).size)
		return false;
	switch (part->state) {
	case PART_BLANK:
		return false;
	case PART_HEADER:
		// A header after its like: the first has lost its body.
		return value->is_header && part->header_name.size &&
		       text_equal(value->first_name, part->header_name);
	case PART_DONE:
		return is_report;
	case PART_TEXT:
		break;
	}
	// KSCrash has JSON below `EOF`, and programs print any JSON.
	return !part->awaits_json &&
	       (is_done(part) ? is_report : json_shape_is_report(value));
}

/** Shape of the value at the front of @p rest, up to another report in it. */
static struct json_shape measure_value(struct part *part, struct text rest)
{
	struct json_shape value = json_shape_in_line(rest);
	size_t size = value.size;

	if (value.complete || !size)
		return value;
	// Measure the text after it once more.
	if (size > part->again) {
		part->is_unsearched = true;
		return value;
	}
	value.size = resync_find(text_first(rest, size));
	part->again -= size - value.size;
	return value;
}

/** A damaged header is one line; otherwise it is the rest of a report. */
static bool is_header(const struct part *part, const struct json_shape *value)
{
	struct text text =
	        text_first(text_after(part->in, part->at), value->size);

	return value->is_header &&
	       (value->complete ||
	        text_find_char(text_trim(text), '\n') == TEXT_NOWHERE);
}

static void take_value(struct part *part, const struct json_shape *value)
{
	bool is_first = part->state == PART_BLANK ||
	                (part->state == PART_TEXT && part->awaits_json);

	if (is_first && is_header(part, value)) {
		part->state = PART_HEADER;
		part->header_name = value->first_name;
	} else if (is_first || part->state == PART_HEADER) {
		part->state = PART_DONE;
	}
	part->at += value->size;
}

static void take_label(struct part *part, struct text line)
{
	if (part->state == PART_DONE)
		return;
	part->is_device_first |= part->state == PART_BLANK &&
	                         text_starts(line, "Hardware Model:");
	part->state = PART_TEXT;
	if (heading_of(line))
		part->heading = heading_of(line);
	part->has_incident |= text_starts(line, "Incident Identifier:");
	part->has_process |= start_line_is_process(line);
	part->has_exception |= text_starts(line, "Exception Type:");
	part->has_images |= text_starts(line, "Binary Images:") ||
	                    text_starts(line, "Binary Images (");
	part->has_stack |= is_thread_line(line);
	part->has_device |= has_ended(part) &&
	                    text_starts(line, "Hardware Model:");
	part->has_title |= start_line_is_sample(line);
	part->has_steps |= text_starts(line, "Steps:");
	part->awaits_json |= text_is(line, "Full Report");
	part->has_end |= part->has_swift &&
	                 text_starts(line, "Backtrace took ");
}

static void take_end(struct part *part)
{
	if (part->state != PART_DONE) {
		part->state = PART_TEXT;
		part->has_end = true;
	}
	part->at += strlen("EOF");
}

/** Blanks before a value are insignificant, but not in text. */
static void skip_blanks(struct part *part)
{
	size_t line = part->at;
	size_t at = part->at;

	if (part->state == PART_TEXT)
		return;
	for (; at < part->in.size && text_is_space(part->in.data[at]); at++)
		if (part->in.data[at] == '\n' || part->in.data[at] == '\r')
			line = at + 1;
	if (at < part->in.size && part->in.data[at] != '{' &&
	    part->in.data[at] != '[')
		at = line;
	part->at = at;
}

/** Can it be a label? Frames, images and registers begin differently. */
static bool may_be_label(struct text line)
{
	return line.size && (text_is_letter(line.data[0]) ||
	                     line.data[0] == '-' || line.data[0] == '#');
}

/** Note lines that may be frames: the text has stacks. */
static void see_frame(struct part *part, struct text line)
{
	if (part->state != PART_TEXT || (part->has_stack && !part->heading) ||
	    !is_frame_line(line, false))
		return;
	part->has_stack = true;
	if (part->heading)
		part->headings_done |= 1u << part->heading;
	part->heading = HEADING_NONE;
}

/** Does another text of Umeng begin below this one? */
static bool begins_umeng(struct part *part, struct text line, struct text rest)
{
	bool has_base = part->has_base;

	if (text_starts(line, "Base Address: 0x"))
		part->has_base = part->state == PART_TEXT;
	if (!has_base || !text_trim(line).size ||
	    part->umeng_looks >= UMENG_LOOKS)
		return false;
	part->umeng_looks++;
	// Reset: the next search is about later text.
	part->has_base = false;
	return text_find(text_first(rest, UMENG_BYTES), "\ndSYM UUID:") !=
	       TEXT_NOWHERE;
}

/** Does it occur once, above its frames? */
static bool begins_frames(const struct headline *headline)
{
	switch (headline->kind) {
	case HEADLINE_OBJC:
	case HEADLINE_KOTLIN:
	case HEADLINE_RUST:
	case HEADLINE_GO:
	case HEADLINE_DOTNET:
	case HEADLINE_MAIN_THREAD:
		return true;
	case HEADLINE_SANITIZER:
		// `SUMMARY: AddressSanitizer: …` is below them.
		return text_find(headline->message, "ERROR: ") != TEXT_NOWHERE;
	default:
		return false;
	}
}

/** A frame of any runtime; Go's have no number. */
static bool is_console_frame(const struct part *part, struct text line)
{
	return line_kind(line) == LINE_FRAME || line_is_trace(line) ||
	       (part->headline.kind == HEADLINE_GO &&
	        text_starts(line, "goroutine "));
}

/**
 * Does it end the process, or is it a separate finding of a checker? For Go
 * only goroutines below are certain.
 */
static bool is_failure(const struct headline *headline, struct text rest)
{
	if (!begins_frames(headline) ||
	    (!headline->ends_process && headline->kind != HEADLINE_MAIN_THREAD))
		return false;
	return !headline->needs_frames ||
	       (headline->kind == HEADLINE_GO &&
	        text_find(text_first(rest, GO_BYTES), "\ngoroutine ") !=
	                TEXT_NOWHERE);
}

/** Xamarin throws the exception of .NET again, as one of Objective-C. */
static bool is_said_again(const struct part *part,
                          const struct headline *headline)
{
	return text_equal(headline->message, part->headline.message) ||
	       (part->headline.kind == HEADLINE_DOTNET &&
	        headline->kind == HEADLINE_OBJC);
}

/**
 * Does a headline of a console begin another failure, below the frames of one?
 * Some are printed twice, and a report includes the console's lines above it.
 */
static bool begins_failure(struct part *part, struct text line,
                           struct text rest)
{
	struct headline headline = { 0 };

	if (part->state == PART_DONE || part->has_process ||
	    part->has_incident || part->has_exception || part->has_images)
		return false;
	if (!headline_find(line, &headline) || !is_failure(&headline, rest)) {
		part->has_frames |= part->has_headline &&
		                    is_console_frame(part, line);
		return false;
	}
	if (part->has_frames && !is_said_again(part, &headline))
		return true;
	part->has_headline = true;
	part->headline = headline;
	return false;
}

/** A list of backtraces has each thread once: a second list begins here. */
static bool is_first_thread_again(struct part *part, struct text line)
{
	struct backtrace_title title;

	if (part->state == PART_DONE || !text_ends(line, ":") ||
	    !backtrace_title_parse(line, &title))
		return false;
	if (part->has_first_thread)
		return title.number == part->first_thread;
	part->has_first_thread = true;
	part->first_thread = title.number;
	return false;
}

/** A crash log of Swift's own begins with no label. */
static bool take_swift_head(struct part *part, struct text line)
{
	if (!line_is_swift_head(line))
		return true;
	if (part->has_swift || part->has_frames ||
	    (part->state != PART_BLANK && is_done(part)))
		return false;
	// A line about the signal may precede the headline.
	part->has_swift |= text_find(line, ": Backtracing from ") ==
	                   TEXT_NOWHERE;
	return true;
}

/** Read a value or a line; false if another report begins. */
static bool step(struct part *part)
{
	struct text rest = text_after(part->in, part->at);
	struct text after = rest;
	struct text line;

	if (rest.data[0] == '{' ||
	    (rest.data[0] == '[' && part->state == PART_BLANK)) {
		struct json_shape value = measure_value(part, rest);

		if (value_begins_report(part, &value))
			return false;
		if (value.complete)
			part->value = (struct json_shape_known){
				.data = rest.data,
				.shape = value,
			};
		take_value(part, &value);
		return true;
	}
	// Exports append the next report without a line end. Not read as a
	// line, which would be searched for its end repeatedly.
	if (text_starts(rest, "EOF")) {
		take_end(part);
		return true;
	}
	text_next_line(&after, &line);
	if (is_first_thread_again(part, line) ||
	    begins_umeng(part, line, rest) || begins_failure(part, line, rest))
		return false;
	if (!may_be_label(line)) {
		if ((line.size && line.data[0] == '0' &&
		     line_begins_report(part, line, rest)) ||
		    !take_swift_head(part, line))
			return false;
		if (part->state != PART_DONE && text_trim(line).size)
			part->state = PART_TEXT;
		see_frame(part, line);
	} else if (line_begins_report(part, line, rest)) {
		return false;
	} else {
		take_label(part, line);
	}
	part->at += rest.size - after.size;
	return true;
}

/** The part at the front of @p in. */
static struct part take_part(struct text in, size_t again)
{
	struct part part = { .in = in, .again = again };

	for (;;) {
		skip_blanks(&part);
		if (part.at >= in.size || !step(&part))
			return part;
	}
}

static size_t count_line_ends(struct text text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == '\n' ||
		         (text.data[i] == '\r' &&
		          !(i + 1 < text.size && text.data[i + 1] == '\n'));
	return count;
}

struct split split_open(struct text in)
{
	return (struct split){
		.rest = in,
		.last = TEXT_NONE,
		.line = 1,
		.again = AGAIN_BYTES + in.size * AGAIN_TIMES,
	};
}

bool split_next(struct split *split, struct split_part *ret)
{
	struct text rest = split->rest;
	struct part part = { .at = rest.size, .again = split->again };

	if (!rest.size)
		return false;
	if (++split->count < SPLIT_PARTS_MAX)
		part = take_part(rest, split->again);
	split->again = part.again;
	// Deferred, since most inputs are one part.
	split->line += count_line_ends(split->last);
	split->last = text_first(rest, part.at);
	split->rest = text_after(rest, part.at);
	*ret = (struct split_part){
		.text = split->last,
		.line = split->line,
		.value = part.value,
		.is_unsearched = part.is_unsearched,
	};
	return true;
}
