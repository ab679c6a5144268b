// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/number.h"
#include "lib/base/utf8.h"
#include "parsers/json/shape.h"

#include <string.h>

/** Lines that are examined to detect a format. */
#define LINES 16

/** No code of a program is at lower addresses. */
#define FIRST_PAGE_BYTES 4096

/** No lag report has one of these. */
#define OTHER_NAMES                                                        \
	(JSON_HAS(CRASH) | JSON_HAS(REPORT) | JSON_HAS(RECRASH_REPORT) |   \
	 JSON_HAS(BINARY_IMAGES) | JSON_HAS(BUG_TYPE) |                    \
	 JSON_HAS(CALL_STACK_TREES) | JSON_HAS(CALL_STACK_TREE) |          \
	 JSON_HAS(DIAGNOSTIC_META_DATA) | JSON_HAS(HEAD) |                 \
	 JSON_HAS(STACK_STRING) | JSON_HAS(APPLE_REPORT) |                 \
	 JSON_HAS(USED_IMAGES) | JSON_HAS(THREADS) | JSON_HAS(PROCESSES) | \
	 JSON_HAS(PROCESS_BY_PID) | JSON_HAS(CRASH_DIAGNOSTICS) |          \
	 JSON_HAS(HANG_DIAGNOSTICS) | JSON_HAS(CPU_DIAGNOSTICS) |          \
	 JSON_HAS(SCHEMA) | JSON_HAS(TRACE_EVENTS))

static uint64_t names_of(struct text object)
{
	object = text_trim_left(object);
	return text_starts(object, "{") ? json_shape(object).names : 0;
}

static bool is_node(uint64_t names)
{
	return names & JSON_HAS(DEPTH) &&
	       names & (JSON_HAS(COUNT) | JSON_HAS(COST_TIME) |
	                JSON_HAS(METHOD_ADDRESS) | JSON_HAS(METHOD_ID));
}

/** A container that closes at the end of @p line, and not before. */
static bool closes_at_end(struct text line)
{
	size_t depth = 0;

	for (size_t at = 0; at < line.size; at++) {
		char c = line.data[at];

		if (c == '"') {
			for (at++; at < line.size && line.data[at] != '"'; at++)
				at += line.data[at] == '\\';
		} else if (c == '{' || c == '[') {
			depth++;
		} else if ((c == '}' || c == ']') && !--depth) {
			return at + 1 == line.size;
		}
	}
	return false;
}

/** An object that fills @p line. */
static bool is_whole(struct text line)
{
	return text_starts(line, "{") && text_ends(line, "}") &&
	       closes_at_end(line);
}

/** The next complete line, trimmed; or false. */
static bool next_line(struct text *rest, struct text *line)
{
	while (rest->size) {
		size_t end = text_find_char(*rest, '\n');

		*line = text_trim(text_first(
		        *rest, end == TEXT_NOWHERE ? rest->size : end));
		*rest = text_after(*rest,
		                   end == TEXT_NOWHERE ? rest->size : end + 1);
		if (line->size)
			return true;
	}
	return false;
}

/** A lag report that has a line for itself. */
static bool is_report_line(struct text line)
{
	uint64_t names = is_whole(line) ? names_of(line) : 0;

	return names & JSON_HAS(SAMPLES) && !(names & OTHER_NAMES);
}

/** Is there such a line after the first one? */
static bool has_report_line(struct text head)
{
	struct text line;

	next_line(&head, &line);
	for (size_t i = 1; i < LINES && next_line(&head, &line); i++)
		if (is_report_line(line))
			return true;
	return false;
}

/**
 * Can the first line be a damaged one of many? One bad line must not affect
 * others. A document over several lines opens a container at the end of its
 * first line, and may contain what looks like such a line.
 */
static bool may_be_bad_line(struct text first)
{
	size_t open = 0;

	while (open < first.size &&
	       (first.data[open] == '[' || first.data[open] == '{'))
		open++;
	return closes_at_end(first) || open > JSON_PULL_DEPTH ||
	       (first.data[0] == '{' && open < first.size);
}

/** The head of a Firefox profile: each of its threads may have a line. */
static bool is_profile_head(struct text line)
{
	text_take(&line, "{");
	line = text_trim_left(line);
	return text_starts(line, "\"meta\"") &&
	       (text_find(line, "\"preprocessedProfileVersion\"") !=
	                TEXT_NOWHERE ||
	        text_find(line, "\"stackwalk\"") != TEXT_NOWHERE);
}

/** Members that may be a list of nodes; different in envelopes. */
#define LIST_NAMES                                              \
	(JSON_HAS(STACK) | JSON_HAS(NODES) | JSON_HAS(STACKS) | \
	 JSON_HAS(STACK_TRACE) | JSON_HAS(PAYLOAD))

static bool is_list_name(struct text name)
{
	static const char *const names[] = { "stack", "nodes", "stacks",
		                             "STACK_TRACE", "payload" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(name, names[i]))
			return true;
	return false;
}

/** Is one of these members of the outermost object a list of nodes? */
static bool has_node_list(struct text head)
{
	SCOPED(json_pull_drop) struct json_pull *pull = json_pull_new(head, 0);
	const struct json_event *event;

	while ((event = json_pull_next(pull))->type != JSON_EVENT_DONE) {
		if (event->type != JSON_EVENT_NAME)
			continue;
		if (json_pull_depth(pull) > 1 || !is_list_name(event->text)) {
			json_pull_skip(pull);
			continue;
		}
		if (json_pull_next(pull)->type != JSON_EVENT_ARRAY)
			continue;
		event = json_pull_next(pull);
		if (event->type == JSON_EVENT_OBJECT &&
		    is_node(names_of(text_after(head, event->offset))))
			return true;
	}
	return false;
}

static enum lag_format format_of_object(struct text head)
{
	struct text rest = head;
	struct text first = TEXT_NONE;
	struct text second = TEXT_NONE;
	uint64_t names = names_of(head);
	bool has_second;

	next_line(&rest, &first);
	if (is_profile_head(first))
		return LAG_FORMAT_NONE;
	has_second = next_line(&rest, &second) && is_whole(second);
	if (!(names & JSON_HAS(DYLD_IMAGES) && !(names & JSON_HAS(SAMPLES))) &&
	    may_be_bad_line(first) && has_report_line(head))
		return LAG_FORMAT_LINES;
	if (names & OTHER_NAMES)
		return LAG_FORMAT_NONE;
	// Members with these names may be or contain a report.
	if (names & LIST_NAMES && !(names & JSON_HAS(SAMPLES)))
		return has_node_list(head) ? LAG_FORMAT_DOCUMENTS
		                           : LAG_FORMAT_NONE;
	if (!(names & (JSON_HAS(SAMPLES) | JSON_HAS(DYLD_IMAGES))))
		return LAG_FORMAT_NONE;
	// A list of images belongs to its neighbour.
	if (!is_whole(first) || !(names & JSON_HAS(SAMPLES)) || !second.size ||
	    (has_second && names_of(second) & JSON_HAS(DYLD_IMAGES)) ||
	    lag_is_image_text(
	            text_after(head, (size_t)(second.data - head.data))))
		return LAG_FORMAT_DOCUMENTS;
	return LAG_FORMAT_LINES;
}

/** Remove a string of JSON, perhaps truncated, from the front. */
static bool take_string(struct text *in)
{
	size_t at = 1;

	if (!text_starts(*in, "\""))
		return false;
	while (at < in->size && in->data[at] != '"')
		at += in->data[at] == '\\' ? 2 : 1;
	*in = text_trim_left(text_after(*in, at + 1));
	return true;
}

/** `"f", "g"]`: symbols alone, as far as the head shows them. */
static bool is_symbol_stack(struct text in)
{
	while (in.size) {
		if (!take_string(&in))
			return false;
		if (text_starts(in, "]") || !in.size)
			return true;
		if (!text_take(&in, ","))
			return false;
		in = text_trim_left(in);
	}
	return false;
}

/**
 * `[[4294967312, …`, `[["main", …`: stacks of addresses or symbols, and not any
 * array of arrays.
 */
static bool is_bare_stack(struct text in)
{
	uint64_t address;
	size_t size = 0;

	if (!text_take(&in, "["))
		return false;
	in = text_trim_left(in);
	if (text_starts(in, "\""))
		return is_symbol_stack(in);
	while (size < in.size && in.data[size] >= '0' && in.data[size] <= '9')
		size++;
	return number_decimal(text_first(in, size), &address) &&
	       address >= FIRST_PAGE_BYTES;
}

bool lag_is_nodes(struct text head)
{
	uint64_t names;

	text_take(&head, UTF8_MARK);
	head = text_trim_left(head);
	if (!text_take(&head, "["))
		return false;
	names = names_of(text_first(head, LAG_HEAD_BYTES));
	return is_node(names) && !(names & OTHER_NAMES);
}

static enum lag_format format_of_array(struct text head)
{
	struct text inside = text_trim_left(text_after(head, 1));
	uint64_t names = names_of(inside);
	struct text rest = head;
	struct text first = TEXT_NONE;

	if (is_bare_stack(inside))
		return LAG_FORMAT_DOCUMENTS;
	// No samples, but an array for them.
	if (text_starts(inside, "]"))
		return LAG_FORMAT_DOCUMENTS;
	if (!(names & OTHER_NAMES) &&
	    (names & (JSON_HAS(SAMPLES) | JSON_HAS(STACK)) || is_node(names)))
		return LAG_FORMAT_DOCUMENTS;
	next_line(&rest, &first);
	return may_be_bad_line(first) && has_report_line(head)
	               ? LAG_FORMAT_LINES
	               : LAG_FORMAT_NONE;
}

/** `stack count`; the stack is cut from it. */
static bool has_count(struct text line, struct text *ret_stack)
{
	size_t blank = text_find_last_char(line, ' ');
	size_t tab = text_find_last_char(line, '\t');
	struct text count;
	uint64_t number;
	size_t point;

	if (blank == TEXT_NOWHERE || (tab != TEXT_NOWHERE && tab > blank))
		blank = tab;
	if (blank == TEXT_NOWHERE)
		return false;
	count = text_after(line, blank + 1);
	point = text_find_char(count, '.');
	if (point != TEXT_NOWHERE && point + 1 < count.size)
		count = text_first(count, point);
	*ret_stack = text_trim(text_first(line, blank));
	return ret_stack->size && number_decimal(count, &number);
}

bool lag_is_difference(struct text head)
{
	bool is_cut = head.size >= LAG_HEAD_BYTES;
	bool has_frames = false;
	bool has_gone = false;
	struct text line;

	while (text_next_line(&head, &line)) {
		struct text stack;

		line = text_trim(line);
		if ((is_cut && !head.size) || !line.size)
			continue;
		// The first of two numbers may belong to a name.
		if (!has_count(line, &stack) || !has_count(stack, &stack) ||
		    text_ends(stack, " +"))
			return false;
		has_frames |= text_find_char(stack, ';') != TEXT_NOWHERE;
		has_gone |= text_ends(line, " 0") || text_ends(line, "\t0");
	}
	return has_frames && has_gone;
}

/** `version: 1`, `depth = 3`: a number, but no count of a stack. */
static bool is_setting(struct text stack)
{
	return text_ends(stack, ":") || text_ends(stack, "=");
}

static enum lag_format format_of_lines(struct text head)
{
	bool is_cut = head.size >= LAG_HEAD_BYTES;
	struct text rest = head;
	struct text line;
	struct text stack;
	size_t good = 0;
	size_t bad = 0;
	bool has_frames = false;
	bool has_settings = false;

	// For stacks of one frame, all lines must match.
	while ((good + bad < LINES || (!has_frames && !bad && !has_settings)) &&
	       text_next_line(&rest, &line)) {
		// The head ends inside of this one.
		if (is_cut && !rest.size)
			break;
		line = text_trim(line);
		if (!line.size)
			continue;
		if (memchr(line.data, 0, line.size) ||
		    !has_count(line, &stack)) {
			bad++;
			continue;
		}
		good++;
		has_frames |= text_find_char(stack, ';') != TEXT_NOWHERE;
		has_settings |= is_setting(stack);
	}
	// A stack of a million frames fills the head with its first line.
	if (!good && !bad)
		has_frames = is_cut &&
		             text_find_char(head, ';') != TEXT_NOWHERE;
	if (has_frames ? good >= bad : good && !bad && !has_settings)
		return LAG_FORMAT_COLLAPSED;
	return has_report_line(head) ? LAG_FORMAT_LINES : LAG_FORMAT_NONE;
}

enum lag_format lag_format_of(struct text head)
{
	text_take(&head, UTF8_MARK);
	head = text_trim_left(head);
	// Output from samples is no input.
	if (json_is_own(head))
		return LAG_FORMAT_NONE;
	if (text_starts(head, "["))
		return format_of_array(head);
	if (lag_is_image_text(head))
		return text_starts(head, "(") ||
		                       text_find(head, "dyld_images") !=
		                               TEXT_NOWHERE
		               ? LAG_FORMAT_IMAGES
		               : LAG_FORMAT_NONE;
	// `{}`, or a line truncated in its first name: others may follow.
	return text_starts(head, "{") ? format_of_object(head)
	                              : format_of_lines(head);
}
