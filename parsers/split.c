#include "parsers/split.h"

#include <string.h>

/** `Code Type:` is this near to `Process:`, behind two paths. */
#define HEAD_BYTES ((size_t)4 << 10)

/** What the part has been so far. */
enum part_state {
	PART_BLANK,
	PART_TEXT,   ///< Apple's text, or any other
	PART_HEADER, ///< JSON that waits for its body
	PART_DONE,   ///< a whole JSON report; what follows is an appendix
};

/** A part whose end is looked for. */
struct part {
	struct text in; ///< from its beginning to the end of the input
	size_t at;
	enum part_state state;
	struct text header_name;       ///< the first name of a PART_HEADER
	struct json_shape_known value; ///< the last one that is complete
	// What its text has shown:
	bool has_incident;
	bool has_exception;
	bool has_stack; ///< the head of a thread, or a frame
	bool has_images;
	bool has_end;     ///< `EOF`
	bool has_device;  ///< below it, as in texts of MetricKit's reports
	bool has_title;   ///< of an output of `sample`
	bool has_steps;   ///< of a spindump: its images are indented
	bool awaits_json; ///< `Full Report`: the same again, as JSON
};

static bool has_ended(const struct part *part)
{
	return part->has_images || part->has_end;
}

/** What only a report begins with begins another one. */
static bool is_done(const struct part *part)
{
	return part->state == PART_DONE || part->has_steps || has_ended(part);
}

/** `Process:  Demo [123]`: other texts have the label alone. */
static bool is_process_line(struct text line)
{
	size_t open;
	size_t digits = 0;

	if (!text_take(&line, "Process:"))
		return false;
	line = text_trim(line);
	open = text_find_last_char(line, '[');
	if (open == TEXT_NOWHERE || open < 2)
		return false;
	line = text_after(line, open + 1);
	while (digits < line.size && text_is_digit(line.data[digits]))
		digits++;
	return digits && text_is(text_after(line, digits), "]");
}

/**
 * Do the lines at the front of @p rest have this label? Those of a crash report
 * have a `Code Type:`, those of a spindump an `Architecture:` instead.
 */
static bool head_has(struct text rest, const char *label)
{
	struct text line;

	rest = text_first(rest, HEAD_BYTES);
	text_next_line(&rest, &line);
	// Up to the next such line only: nothing is looked at by two of them.
	while (text_next_line(&rest, &line) && line.size &&
	       !text_starts(line, "Process:"))
		if (text_starts(line, label))
			return true;
	return false;
}

/** `Thread 0 Crashed:`, `Thread 3 name:  …`, `Thread 1:`. */
static bool is_thread_line(struct text line)
{
	size_t digits = 0;

	if (!text_take(&line, "Thread "))
		return false;
	while (digits < line.size && text_is_digit(line.data[digits]))
		digits++;
	line = text_after(line, digits);
	return digits &&
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
 * Is it a line of the middle of a report, as who pastes a part of one begins
 * with? Nothing of the sort follows the images of its own.
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

static bool is_sample_title(struct text line)
{
	return text_starts(line, "Analysis of sampling ");
}

/** A line of dashes, and below it what the Console writes above a report. */
static bool is_console_title(struct text rest)
{
	struct text line;

	if (!text_starts(rest, "-----") || !text_next_line(&rest, &line))
		return false;
	for (size_t i = 0; i < line.size; i++)
		if (line.data[i] != '-')
			return false;
	return text_starts(rest, "Translated Report (Full Report Below)");
}

/** Does the text line at the front of @p rest begin another report? */
static bool line_begins_report(const struct part *part, struct text line,
                               struct text rest)
{
	if (part->state == PART_BLANK || part->state == PART_HEADER)
		return false;
	if (text_starts(line, "Incident Identifier:"))
		return part->state == PART_DONE || part->has_incident ||
		       part->has_exception || part->has_stack ||
		       has_ended(part);
	// What `sample` says on the terminal is above its title.
	if (text_starts(line, "Sampling process ") || is_sample_title(line))
		return part->has_exception || is_done(part);
	// A spindump begins with it, others have it further down.
	if (text_starts(line, "Date/Time:"))
		return is_done(part) && head_has(rest, "Architecture:");
	if ((part->state == PART_DONE || has_ended(part)) &&
	    !part->has_device && is_inner_line(line))
		return true;
	if (is_process_line(line))
		return part->state == PART_DONE ||
		       ((part->has_exception || part->has_stack) &&
		        head_has(rest, "Code Type:")) ||
		       (is_done(part) &&
		        (part->has_exception || part->has_title ||
		         head_has(rest, "Code Type:")));
	return is_console_title(rest);
}

static bool value_begins_report(const struct part *part,
                                const struct json_shape *value)
{
	bool is_report = value->is_header || value->is_body;
	size_t end = part->at + value->size;

	// A header line after its body, the two swapped: nothing follows it.
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
	// KSCrash has JSON below `EOF`, and programs print what they like.
	return !part->awaits_json &&
	       (has_ended(part) ? is_report
	                        : value->names & JSON_HAS(BUG_TYPE));
}

static void take_value(struct part *part, const struct json_shape *value)
{
	bool is_first = part->state == PART_BLANK ||
	                (part->state == PART_TEXT && part->awaits_json);

	if (is_first && value->is_header) {
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
	part->state = PART_TEXT;
	part->has_incident |= text_starts(line, "Incident Identifier:");
	part->has_exception |= text_starts(line, "Exception Type:");
	part->has_images |= text_starts(line, "Binary Images:");
	part->has_stack |= is_thread_line(line);
	part->has_device |= has_ended(part) &&
	                    text_starts(line, "Hardware Model:");
	part->has_title |= is_sample_title(line);
	part->has_steps |= text_starts(line, "Steps:");
	part->awaits_json |= text_is(line, "Full Report");
}

static void take_end(struct part *part)
{
	if (part->state != PART_DONE) {
		part->state = PART_TEXT;
		part->has_end = true;
	}
	part->at += strlen("EOF");
}

/** Blanks before a value mean nothing, but in text they do. */
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

/** Frames, images, registers: most lines begin with what no label does. */
static bool may_be_label(struct text line)
{
	return line.size &&
	       (text_is_letter(line.data[0]) || line.data[0] == '-');
}

/** Take a value or a line; false where another report begins. */
static bool step(struct part *part)
{
	struct text rest = text_after(part->in, part->at);
	struct text after = rest;
	struct text line;

	if (rest.data[0] == '{' ||
	    (rest.data[0] == '[' && part->state == PART_BLANK)) {
		struct json_shape value = json_shape_in_line(rest);

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
	// Exports glue the next report to it without a line end. Not taken as a
	// line: its end would be looked for again and again.
	if (text_starts(rest, "EOF")) {
		take_end(part);
		return true;
	}
	text_next_line(&after, &line);
	if (!may_be_label(line)) {
		if (line.size && line.data[0] == '0' &&
		    line_begins_report(part, line, rest))
			return false;
		if (part->state != PART_DONE && text_trim(line).size)
			part->state = PART_TEXT;
		part->has_stack |= part->state == PART_TEXT &&
		                   !part->has_stack &&
		                   is_frame_line(line, false);
	} else if (line_begins_report(part, line, rest)) {
		return false;
	} else {
		take_label(part, line);
	}
	part->at += rest.size - after.size;
	return true;
}

/** The part at the front of @p in. */
static struct part take_part(struct text in)
{
	struct part part = { .in = in };

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
	return (struct split){ .rest = in, .last = TEXT_NONE, .line = 1 };
}

bool split_next(struct split *split, struct split_part *ret)
{
	struct text rest = split->rest;
	struct part part = { .at = rest.size };

	if (!rest.size)
		return false;
	if (++split->count < SPLIT_PARTS_MAX)
		part = take_part(rest);
	// Only now, for most inputs are one part.
	split->line += count_line_ends(split->last);
	split->last = text_first(rest, part.at);
	split->rest = text_after(rest, part.at);
	*ret = (struct split_part){
		.text = split->last,
		.line = split->line,
		.value = part.value,
	};
	return true;
}
