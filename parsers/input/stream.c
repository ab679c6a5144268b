// SPDX-License-Identifier: MIT
#include "parsers/input/stream.h"

#include "parsers/envelope/header.h"
#include "parsers/input/start_line.h"
#include "parsers/json/shape.h"

static bool is_between(struct text line, const char *first, const char *last)
{
	return text_starts(line, first) && text_ends(line, last);
}

/**
 * Does @p line end the piece above? Such lines are also in texts and inside of
 * JSON: only an object at the left margin does.
 */
static bool is_next(struct text line)
{
	return is_between(line, "{", "}");
}

/** Does @p line, trimmed, look like a whole JSON value? */
static bool is_value(struct text line)
{
	return is_next(line) || is_between(line, "[", "]") ||
	       (line.size > 1 && is_between(line, "\"", "\""));
}

static bool is_header(struct text line)
{
	return line.size <= IPS_HEADER_LINE_MAX && json_shape(line).is_header;
}

/** The Console's copy has the `.ips` file below this line. */
static bool is_title(struct text line)
{
	return text_starts(line, "Full Report");
}

struct text stream_piece(struct text rest, bool is_end)
{
	struct text above = TEXT_NONE; // last non-blank line
	bool has_header = false;       // it is one, and its body is to come
	bool in_array = false;         // its elements may be lines

	for (size_t at = 0, end; at < rest.size; at = end) {
		struct text in = text_after(rest, at);
		struct text line = text_first(in, text_find_char(in, '\n'));

		end = at + line.size + (line.size < in.size);
		line = text_trim_right(line);
		if (!line.size || (above.size && start_line_is_rule(line)))
			continue;
		if (!above.size && is_value(text_trim_left(line))) {
			has_header = is_header(line);
			if (!has_header)
				return text_first(rest, end);
		} else if (is_title(above)) {
			has_header = is_header(line);
		} else if (above.size && !in_array && is_next(line)) {
			// The body of an `.ips` file may be one line, too.
			return text_first(rest, has_header && !is_header(line)
			                                ? end
			                                : at);
		} else {
			has_header = false;
			in_array = above.size ? in_array && !text_is(line, "]")
			                      : text_is(line, "[");
		}
		above = line;
	}
	return is_end ? rest : TEXT_NONE;
}
