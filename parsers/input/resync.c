// SPDX-License-Identifier: MIT
#include "parsers/input/resync.h"

#include "parsers/input/start_line.h"
#include "parsers/json/shape.h"

#include <string.h>

/** Limit of searches inside of a value, as a multiple of its size. */
#define LOOK_TIMES 8
#define LOOK_BYTES ((size_t)64 << 10)

/** No line that begins a report is as long. */
#define LINE_BYTES 512

#define NAME_BYTES 64

/** A value that may contain another report. */
struct search {
	struct text value;
	size_t left;   ///< bytes that may still be searched
	size_t line;   ///< start of the current line
	size_t indent; ///< of the current line
};

/** The first name of an object with its colon; or empty. */
static struct text first_name(struct text object)
{
	struct text rest = text_trim_left(text_after(object, 1));
	struct text name = TEXT_NONE;
	size_t size = 0;

	if (!text_take(&rest, "\""))
		return name;
	while (size < rest.size && size < NAME_BYTES &&
	       (text_is_letter(rest.data[size]) || rest.data[size] == '_' ||
	        rest.data[size] == '$' ||
	        (size && text_is_alnum(rest.data[size]))))
		size++;
	name = text_first(rest, size);
	rest = text_after(rest, size);
	if (!text_take(&rest, "\"") || !text_starts(text_trim_left(rest), ":"))
		return TEXT_NONE;
	return name;
}

/** The comma, colon or bracket before @p at; or 0. */
static char before_value(const struct search *search, size_t at)
{
	struct text before = text_trim_right(text_first(search->value, at));
	char c = before.size ? before.data[before.size - 1] : '\0';

	return c == ',' || c == ':' || c == '[' ? c : '\0';
}

/**
 * Is an object in the middle of a line printed like an outermost one, with its
 * first member no deeper than the line?
 */
static bool is_outermost(const struct search *search, struct text object)
{
	struct text inside = text_after(object, 1);
	struct text blanks =
	        text_first(inside, inside.size - text_trim_left(inside).size);
	size_t at = text_find_last_char(blanks, '\n');

	return search->indent && at != TEXT_NOWHERE &&
	       blanks.size - at - 1 <= search->indent;
}

/**
 * Is it outside of the places for objects in a report, so that it is another
 * file?
 */
static bool stands_alone(const struct search *search, struct text object)
{
	return object.data == search->value.data + search->line ||
	       is_outermost(search, object);
}

/** After @p before, where a value is allowed: can it be a report? */
static bool may_be_report(const struct search *search, struct text object,
                          struct text name, char before)
{
	const char *first = search->value.data;
	size_t size = (size_t)(name.data + name.size + 1 - object.data);
	size_t at = (size_t)(object.data - first);

	if (stands_alone(search, object))
		return true;
	// Elements printed on lines are skipped one by one.
	if (before != ':' && at == search->line + search->indent)
		return true;
	// A report is not a member of another, but may be an element of a list.
	// Values of JSON Lines begin alike.
	return before != ':' && (json_name_is_of_report(name) ||
	                         (search->value.size > size &&
	                          !memcmp(object.data, first, size)));
}

/** Is it one of the many diagnostics of a MetricKit payload? */
static bool is_diagnostic(const struct json_shape *shape)
{
	const uint64_t names = JSON_HAS(CALL_STACK_TREE) |
	                       JSON_HAS(CALL_STACKS) |
	                       JSON_HAS(DIAGNOSTIC_META_DATA);

	return shape->is_body && !(shape->names & ~names);
}

/**
 * Is @p object an element or member, by what follows it? It may be if it is
 * incomplete at the end of the input.
 */
static bool belongs_there(const struct search *search, struct text object,
                          const struct json_shape *shape)
{
	struct text rest = text_after(object, shape->size);

	if (!shape->complete)
		return !rest.size && !stands_alone(search, object);
	rest = text_trim_left(rest);
	return text_starts(rest, ",") || text_starts(rest, "]") ||
	       text_starts(rest, "}");
}

static void charge(struct search *search, size_t bytes)
{
	search->left -= bytes < search->left ? bytes : search->left;
}

/** @param ret_size  Size of the object, if it can be skipped. */
static bool object_is_report(struct search *search, size_t at, size_t *ret_size)
{
	struct text object = text_after(search->value, at);
	struct text name = first_name(object);
	char before = before_value(search, at);
	struct json_shape shape;

	if (!name.size || !search->left ||
	    (before && (search->value.data[0] == '[' ||
	                !may_be_report(search, object, name, before))))
		return false;
	shape = json_shape_in_line(object);
	charge(search, shape.size);
	if ((shape.is_header || shape.is_body) &&
	    (!before || (!is_diagnostic(&shape) &&
	                 !belongs_there(search, object, &shape))))
		return true;
	if (shape.complete)
		*ret_size = shape.size;
	return false;
}

/** Does a member with a text begin at @p at? */
static bool begins_string(const struct search *search, size_t at)
{
	return search->value.data[at - 1] == '"' &&
	       before_value(search, at - 1) == ':';
}

/** start_line_has() within the budget, since many lines call it. */
static bool has_below(struct search *search, struct text rest,
                      const char *label)
{
	if (!search->left)
		return false;
	charge(search, START_LINE_HEAD_BYTES);
	return start_line_has(rest, label);
}

/** Does a text report begin with the rest of the line at @p at? */
static bool line_is_report(struct search *search, size_t at)
{
	struct text rest = text_after(search->value, at);
	struct text after = text_first(rest, LINE_BYTES);
	struct text line;

	text_next_line(&after, &line);
	// In a string, line ends are escaped; in a string with unescaped ones,
	// its reader finds the report.
	if (line.size == LINE_BYTES ||
	    text_find_char(line, '\\') != TEXT_NOWHERE ||
	    text_find_char(line, '"') != TEXT_NOWHERE ||
	    begins_string(search, at))
		return false;
	if (text_starts(line, "Incident Identifier:"))
		return true;
	if (text_starts(line, "Date/Time:"))
		return has_below(search, rest, "Architecture:");
	if (text_starts(line, "Process:"))
		return start_line_is_process(line) &&
		       has_below(search, rest, "Code Type:");
	return start_line_is_sample(line) ||
	       (at == search->line && text_starts(line, "Sampling process "));
}

/** Start of the dashes above the Console's title at @p at. */
static bool find_console(const struct search *search, size_t at, size_t *ret)
{
	size_t start = text_trim_right(text_first(search->value, at)).size;

	if (at != search->line)
		return false;
	while (start && search->value.data[start - 1] == '-')
		start--;
	if (!start || !start_line_is_console(text_after(search->value, start)))
		return false;
	*ret = start;
	return true;
}

static void begin_line(struct search *search, size_t at)
{
	search->line = at;
	search->indent = text_count_blanks(text_after(search->value, at));
}

/** Skip a part without another report. */
static size_t pass(struct search *search, size_t at, size_t size)
{
	struct text passed = text_first(text_after(search->value, at), size);
	size_t line = text_find_last_char(passed, '\n');

	if (line != TEXT_NOWHERE)
		begin_line(search, at + line + 1);
	return at + size;
}

size_t resync_find(struct text value)
{
	struct search search = {
		.value = value,
		.left = LOOK_BYTES + value.size * LOOK_TIMES,
	};
	size_t at = 1;

	while (at < value.size) {
		size_t size = 1;

		switch (value.data[at]) {
		case '{':
			if (object_is_report(&search, at, &size))
				return at;
			break;
		case 'T':
			if (find_console(&search, at, &at))
				return at;
			break;
		case 'A':
		case 'D':
		case 'I':
		case 'P':
		case 'S':
			if (line_is_report(&search, at))
				return at;
			break;
		default:
			break;
		}
		at = pass(&search, at, size);
	}
	return value.size;
}
