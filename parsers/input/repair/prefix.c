// SPDX-License-Identifier: MIT
#include "parsers/input/repair/prefix.h"

#include "lib/darwin/headline.h"
#include "parsers/input/repair/character.h"
#include "parsers/input/repair/headlines.h"
#include "parsers/input/repair/line_kind.h"
#include "parsers/input/repair/markdown.h"
#include "parsers/input/repair/quote.h"

#include <string.h>

// Lines without a prefix that show a report without one.
#define PLAIN_LINES 8
// Lines needed to determine a prefix.
#define SIGNS  64
#define ENOUGH 3
// Of one broken line.
#define PIECES 8
// A frame's image is padded to some 30 columns.
#define PREFIX_GAP 40
// Of lines that were broken at a column.
#define WIDTH_MIN 40

// Shapes of logs

/** Has it a time, a number or a mark, as logs write and reports do not? */
static bool is_logged(struct text prefix)
{
	for (size_t i = 0; i < prefix.size; i++) {
		char c = prefix.data[i];

		if (text_is_digit(c) || (c && strchr("[]()<>|:", c)))
			return true;
	}
	return false;
}

/** Colors and no-break spaces are another's to undo; quotes are JSON's. */
static bool is_visible(struct text prefix)
{
	bool found = false;

	for (size_t i = 0; i < prefix.size; i++) {
		char c = prefix.data[i];
		struct character other;

		if (c == '\x1b' || c == '"' || c == '{' ||
		    (c & 0x80 && character_read(prefix, i, &other) &&
		     other.kind == CHARACTER_SPACE))
			return false;
		found |= !text_is_blank(c) && !(c & 0x80);
	}
	return found;
}

static bool shape_of(struct text prefix, struct prefix_shape *ret)
{
	size_t at = 0;

	*ret = (struct prefix_shape){ .count = 1 };
	while (prefix.size && text_is_blank(prefix.data[prefix.size - 1])) {
		prefix.size--;
		ret->blanks++;
	}
	while (at < prefix.size) {
		char c = prefix.data[at++];

		if (ret->size == PREFIX_SHAPE_BYTES)
			return false;
		if (text_is_blank(c)) {
			c = ' ';
			while (at < prefix.size &&
			       text_is_blank(prefix.data[at]))
				at++;
		} else if (text_is_alnum(c)) {
			c = 'w';
			while (at < prefix.size &&
			       text_is_alnum(prefix.data[at]))
				at++;
		}
		ret->marks[ret->size++] = c;
	}
	return ret->size > 0;
}

/** @param rest  The line of a report after it. */
static void add_shape(struct prefix *prefix, struct text before,
                      struct text rest)
{
	struct prefix_shape shape;

	if (!is_visible(before) || !shape_of(before, &shape))
		return;
	shape.is_sure = is_logged(before);
	// A member of an object is indented anyway.
	if (text_starts(rest, "\"") && shape.blanks)
		shape.blanks = 1;
	for (size_t i = 0; i < prefix->shape_count; i++) {
		struct prefix_shape *other = &prefix->shapes[i];

		if (other->size != shape.size ||
		    memcmp(other->marks, shape.marks, shape.size) != 0)
			continue;
		other->count++;
		other->is_sure |= shape.is_sure;
		// Lines of a report have blanks of their own.
		if (shape.blanks < other->blanks)
			other->blanks = shape.blanks;
		return;
	}
	if (prefix->shape_count < PREFIX_SHAPES)
		prefix->shapes[prefix->shape_count++] = shape;
}

static bool take_shape(const struct prefix_shape *shape, struct text *line)
{
	struct text rest = *line;
	size_t blanks = 0;

	for (size_t i = 0; i < shape->size; i++) {
		char c = shape->marks[i];
		size_t size = 0;

		if (c == 'w')
			while (size < rest.size &&
			       text_is_alnum(rest.data[size]))
				size++;
		else if (c == ' ')
			size = text_count_blanks(rest);
		else
			size = rest.size && rest.data[0] == c;
		if (!size)
			return false;
		rest = text_after(rest, size);
	}
	while (blanks < shape->blanks && blanks < rest.size &&
	       text_is_blank(rest.data[blanks]))
		blanks++;
	// In an empty line the blanks may be missing.
	if (shape->blanks && !blanks && rest.size)
		return false;
	*line = text_after(rest, blanks);
	return true;
}

// Finding

/** `(`, or `(null)`, the first line of an exception's frames. */
static bool begins_list(struct text line)
{
	line = text_trim(line);
	return text_is(line, "(") || text_is(line, "((") ||
	       text_is(line, "(null)");
}

/** Signs of each kind of prefix. */
struct survey {
	size_t plain; ///< lines of a report without a prefix
	size_t quotes;
	size_t quote_depth;
	size_t indents;
	size_t indent_depth;
	bool seen_object;   ///< of JSON
	bool seen_list;     ///< an open bracket: frames are indented below it
	bool keeps_indents; ///< the format has indents of its own
	/** Between brackets at the edge, as a console sets them. */
	bool is_in_list;
	size_t labels; ///< lines that begin a part of a report, not frames
	size_t logs;
	struct prefix log;
};

/** Does a line of a report begin here, by this line alone? */
static bool is_sign(struct text line)
{
	return line_kind(line) == LINE_LABEL ||
	       line_kind_find(text_first(line, LINE_KIND_HEAD)) == 0;
}

/** Does one begin later in the line, after another prefix? */
static bool holds_sign(struct text line)
{
	char plain[LINE_KIND_HEAD];

	line = characters_plain(line, plain, sizeof(plain));
	line = text_after(line, text_count_blanks(line));
	line = markdown_plain(line);
	return line_kind(line) == LINE_LABEL ||
	       line_kind_find(line) != TEXT_NOWHERE;
}

/** Objects and members of JSON are indented anyway: only the first counts. */
static bool is_sign_of_indent(struct survey *survey, struct text rest,
                              size_t blanks)
{
	char buffer[LINE_KIND_HEAD];
	struct text plain = characters_plain(rest, buffer, sizeof(buffer));
	bool seen = survey->seen_object;

	if (text_starts(plain, "{")) {
		survey->seen_object = true;
		return !seen;
	}
	if (text_starts(plain, "\""))
		return false;
	if (is_sign(rest))
		return true;
	// Numbers of lines are indented themselves: they are a log's.
	return blanks && holds_sign(rest) &&
	       !is_visible(text_first(rest, line_kind_find(rest)));
}

/**
 * The head of a Swift crash log, or of a thread, without blanks: the text is
 * not indented, only its frames.
 */
static bool begins_indented(struct text line)
{
	return line_is_swift_head(line) ||
	       (text_starts(line, "Thread ") &&
	        (text_ends(text_trim(line), " crashed:") ||
	         text_ends(text_trim(line), " Crashed:")));
}

/** A label that only whole reports have, anywhere in the line. */
static bool has_report_label(struct text line)
{
	static const char *const labels[] = {
		"Incident Identifier:", "Exception Type:", "Binary Images:",
		"Hardware Model:",      "Report Version:", "Crashed Thread:",
		"Triggered by Thread:",
	};

	line = text_first(line, LINE_KIND_HEAD);
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (text_find(line, labels[i]) != TEXT_NOWHERE)
			return true;
	return false;
}

/** Frames between unindented `(` and `)` are not quoted. */
static bool is_listed(struct survey *survey, struct text line)
{
	struct text rest = text_trim_right(log_prefix_message(line));
	bool was = survey->is_in_list;

	if (text_is(rest, "("))
		survey->is_in_list = true;
	else if (rest.size && !text_is_blank(rest.data[0]))
		survey->is_in_list = false;
	return was && survey->is_in_list && line_kind(rest) == LINE_FRAME &&
	       rest.data == line.data;
}

static void see_line(struct survey *survey, struct text line)
{
	struct text quoted = line;
	size_t depth = quote_take(&quoted, '>', (size_t)-1);
	size_t blanks = text_count_blanks(line);
	struct text rest = text_after(line, blanks);
	size_t at;

	survey->seen_list |= line.size && line.data[0] == '(' &&
	                     begins_list(line);
	survey->keeps_indents |= begins_indented(line);
	if (is_listed(survey, line))
		return;
	// `panic(cpu 2 caller 0x…): Exception class=…`: its own head.
	if (text_starts(line, "panic(cpu ")) {
		survey->plain += PLAIN_LINES;
		return;
	}
	survey->labels += has_report_label(line);
	if (depth) {
		if (!holds_sign(quoted))
			return;
		survey->quotes++;
		if (depth < survey->quote_depth)
			survey->quote_depth = depth;
	} else if (is_sign_of_indent(survey, rest, blanks)) {
		survey->plain += !blanks;
		survey->indents += blanks > 0;
		if (blanks && blanks < survey->indent_depth)
			survey->indent_depth = blanks;
	} else {
		at = line_kind_find(line);
		if (at == TEXT_NOWHERE)
			return;
		// `at 3  Demo  0x…`: the text before it belongs to the frame.
		if (line_is_trace(line)) {
			survey->plain++;
			return;
		}
		survey->logs++;
		add_shape(&survey->log, text_first(line, at),
		          text_after(line, at));
	}
}

/** One label after a word is no evidence: require several lines. */
static void drop_doubtful(struct prefix *log)
{
	size_t count = 0;

	for (size_t i = 0; i < log->shape_count; i++)
		if (log->shapes[i].is_sure || log->shapes[i].count >= ENOUGH)
			log->shapes[count++] = log->shapes[i];
	log->shape_count = count;
}

static void choose(struct survey *survey, struct prefix *ret)
{
	size_t max = survey->plain * 2;

	if (survey->quotes > max) {
		max = survey->quotes;
		ret->kind = PREFIX_QUOTE;
		ret->depth = survey->quote_depth;
		ret->mark = '>';
	}
	if (survey->indents > max && !survey->seen_list &&
	    !survey->keeps_indents) {
		max = survey->indents;
		ret->kind = PREFIX_INDENT;
		ret->depth = survey->indent_depth;
	}
	drop_doubtful(&survey->log);
	if (survey->logs > max && survey->log.shape_count) {
		*ret = survey->log;
		ret->kind = PREFIX_LOG;
	}
}

/** JSON from the first byte on; brackets are marks of logs, too. */
static bool begins_document(struct text in)
{
	if (text_take(&in, "{"))
		return true;
	return text_take(&in, "[") &&
	       (!in.size || strchr("{[\" \t\r\n", in.data[0]));
}

/**
 * Frames below a headline, and lines of a log: their reader handles both, and
 * keeps the lines around them.
 */
static bool is_console(const struct survey *survey, struct text in)
{
	return !survey->labels && headline_within(in);
}

/**
 * Does each line of lldb have a console's prefix? The reader of lldb's text
 * does not handle prefixes.
 */
static bool is_logged_lldb(struct text in)
{
	struct text line;
	size_t logged = 0;
	size_t loose = 0;
	size_t frames = 0;

	while (text_next_line(&in, &line) && loose <= logged + PLAIN_LINES) {
		struct log_prefix prefix = log_prefix_of(line);

		logged += prefix.size > 0;
		loose += !prefix.size && text_trim(line).size;
		frames += prefix.size &&
		          line_is_lldb(text_after(line, prefix.size));
	}
	return frames && logged > loose;
}

/** Indentation of a trace. */
struct indent {
	size_t of_headline; ///< of headlines
	size_t of_doubtful; ///< of headlines that need frames
	size_t lines;       ///< with blanks
	size_t others;      ///< without
	bool is_trace;
	bool is_plain; ///< a headline begins at the left
};

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void see_indent(struct indent *indent, struct text line)
{
	struct headline headline = { 0 };
	size_t blanks = text_count_blanks(line);

	line = text_after(line, blanks);
	if (!text_trim(line).size)
		return;
	indent->lines += blanks > 0;
	indent->others += !blanks;
	indent->is_trace |= line_is_trace(line) || line_is_script(line) ||
	                    text_starts(line, "goroutine ");
	if (!headline_find(line, &headline))
		return;
	indent->is_plain |= !blanks;
	if (headline.needs_frames)
		indent->of_doubtful = least_of(indent->of_doubtful, blanks);
	else
		indent->of_headline = least_of(indent->of_headline, blanks);
}

/**
 * The indentation of a whole trace in a block of code, by its headline; or 0.
 * Frames alone may be indented.
 */
static size_t find_indent(struct text in)
{
	const size_t none = (size_t)-1;
	struct indent indent = {
		.of_headline = none,
		.of_doubtful = none,
	};
	struct text line;

	while (text_next_line(&in, &line) && !indent.is_plain &&
	       indent.others <= indent.lines + SIGNS)
		see_indent(&indent, line);
	if (indent.is_plain)
		return 0;
	if (indent.of_headline != none)
		return indent.of_headline;
	return indent.is_trace && indent.of_doubtful != none
	               ? indent.of_doubtful
	               : 0;
}

struct prefix prefix_find(struct text in)
{
	const struct text whole = in;
	struct survey survey = {
		.quote_depth = (size_t)-1,
		.indent_depth = (size_t)-1,
	};
	struct prefix ret = { 0 };
	struct quote quote;
	struct text line;
	size_t indent;

	if (begins_document(in))
		return ret;
	while (text_next_line(&in, &line)) {
		size_t signs;

		see_line(&survey, line);
		signs = survey.quotes + survey.indents + survey.logs;
		if (signs == SIGNS || (!signs && survey.plain == PLAIN_LINES))
			break;
	}
	choose(&survey, &ret);
	if ((ret.kind == PREFIX_LOG || ret.kind == PREFIX_INDENT) &&
	    is_console(&survey, whole))
		ret = (struct prefix){ 0 };
	if (!survey.labels && quote_find(whole, &quote))
		ret = (struct prefix){
			.kind = PREFIX_QUOTE,
			.mark = quote.mark,
			.depth = quote.depth,
			.keeps_all = true,
		};
	if (ret.kind == PREFIX_NONE && is_logged_lldb(whole))
		ret = (struct prefix){
			.kind = PREFIX_CONSOLE,
			.keeps_all = true,
		};
	if (ret.kind == PREFIX_NONE && !survey.labels &&
	    !survey.keeps_indents && (indent = find_indent(whole)) > 0)
		ret = (struct prefix){
			.kind = PREFIX_INDENT,
			.depth = indent,
			.keeps_all = true,
		};
	return ret;
}

// Removing

static bool take(const struct prefix *prefix, struct text *line)
{
	struct text after;

	switch (prefix->kind) {
	case PREFIX_NONE:
		break;
	case PREFIX_QUOTE:
		return quote_take(line, prefix->mark, prefix->depth) ==
		       prefix->depth;
	case PREFIX_INDENT:
		if (text_count_blanks(*line) < prefix->depth)
			return false;
		*line = text_after(*line, prefix->depth);
		return true;
	case PREFIX_CONSOLE:
		after = text_after(*line, log_prefix_of(*line).size);
		if (after.size == line->size)
			return false;
		*line = after;
		return true;
	case PREFIX_LOG:
		for (size_t i = 0; i < prefix->shape_count; i++)
			if (take_shape(&prefix->shapes[i], line))
				return true;
		break;
	}
	return false;
}

static bool has_prefix(struct text line, const void *context)
{
	return take(context, &line);
}

/** May a report begin with this line, after removing its prefix? */
static bool begins_report(struct text line)
{
	struct headline headline = { 0 };

	return holds_sign(line) || headline_find(line, &headline) ||
	       line_kind_begins(line_kind_plain(line)) ||
	       text_starts(line, "{") || text_starts(line, "[") ||
	       text_starts(line, "```") || text_starts(line, "<");
}

/** Lines with the prefix right above a report, perhaps its head. */
struct head {
	const char *begin; ///< start of the first line with a label; or NULL
	size_t lines;      ///< from there on
	/** The paragraph above: of a backtrace in brackets, its reason. */
	const char *paragraph;
	size_t paragraph_lines;
};

static void see_paragraph(struct head *head, struct text line,
                          struct text inside)
{
	if (!text_trim(inside).size) {
		head->paragraph = NULL;
		return;
	}
	if (!head->paragraph) {
		head->paragraph = line.data;
		head->paragraph_lines = 0;
	}
	if (begins_list(inside) && !head->begin) {
		head->begin = head->paragraph;
		head->lines = head->paragraph_lines;
	}
	head->paragraph_lines++;
}

/** `Process:` alone is not a report, but may be the head of one below. */
static void see_head(struct head *head, struct text line, struct text inside,
                     bool has_prefix)
{
	char plain[LINE_KIND_HEAD];

	if (!has_prefix)
		*head = (struct head){ 0 };
	else
		see_paragraph(head, line, inside);
	if (has_prefix && !head->begin &&
	    line_holds_label(characters_plain(inside, plain, sizeof(plain))))
		head->begin = line.data;
	head->lines += head->begin != NULL;
}

/** From the first line with the prefix to the last. */
static struct text find_marked(const struct prefix *prefix, struct text in,
                               struct prefix_result *ret)
{
	const char *begin = NULL;
	const char *end = in.data;
	struct text rest = in;
	struct text line;

	while (text_next_line(&rest, &line)) {
		const char *at = line.data;

		if (!take(prefix, &line))
			continue;
		ret->lines++;
		if (!begin)
			begin = at;
		end = rest.data;
	}
	return begin ? (struct text){ .data = begin,
		                      .size = (size_t)(end - begin) }
	             : TEXT_NONE;
}

/** As above, from the first line that can begin a report. */
static struct text find_report(const struct prefix *prefix, struct text in,
                               struct prefix_result *ret)
{
	struct head head = { 0 };
	const char *begin = NULL;
	const char *end = in.data;
	struct text rest = in;
	struct text line;
	size_t below = 0;

	while (text_next_line(&rest, &line)) {
		struct text inside = line;
		bool has = take(prefix, &inside);

		if (!begin && has && begins_report(inside)) {
			begin = head.begin ? head.begin : line.data;
			ret->lines_above -= head.lines;
			ret->lines += head.lines;
		}
		if (!begin) {
			see_head(&head, line, inside, has);
			ret->lines_above++;
			continue;
		}
		ret->lines += has;
		below++;
		// Except blank lines without a prefix, which belong to the text
		// below.
		if (has &&
		    (prefix->kind != PREFIX_INDENT || text_trim(line).size)) {
			end = rest.data;
			below = 0;
		} else if (line_kind_begins(line_kind_plain(line))) {
			end = rest.data;
			below = 0;
		}
	}
	if (!begin)
		return TEXT_NONE;
	// More lines below than with the prefix: not text around a report.
	if (below > ret->lines) {
		end = in.data + in.size;
		below = 0;
	}
	ret->lines_below = below;
	return (struct text){ .data = begin, .size = (size_t)(end - begin) };
}

/** The lines of @p in that the report is in. */
static struct text find_inside(const struct prefix *prefix, struct text in,
                               struct prefix_result *ret)
{
	if (prefix->keeps_all)
		return find_marked(prefix, in, ret);
	return find_report(prefix, in, ret);
}

/** If lines were broken, the last one may continue below the last prefix. */
static struct text with_rest_of_line(struct text in, struct text inside,
                                     struct prefix_result *ret)
{
	size_t end = (size_t)(inside.data - in.data) + inside.size;
	struct text rest = text_after(in, end);
	struct text line;

	for (size_t i = 0;
	     i < PIECES && text_next_line(&rest, &line) && text_trim(line).size;
	     i++) {
		inside.size = (size_t)(rest.data - inside.data);
		// If everything is kept, no line was counted.
		if (ret->lines_below)
			ret->lines_below--;
	}
	return inside;
}

/**
 * Was the last line broken, because it is as long as the longest? Shorter ones
 * may be if others were (@p is_broken).
 */
static bool ends_broken(struct text in, struct text inside, bool is_broken)
{
	size_t end = (size_t)(inside.data - in.data) + inside.size;
	struct text below = text_after(in, end);
	struct text line = TEXT_NONE;
	size_t width = 0;

	while (text_next_line(&inside, &line))
		width = line.size > width ? line.size : width;
	return (is_broken ? line.size + PREFIX_GAP >= width
	                  : line.size == width && width >= WIDTH_MIN) &&
	       !text_starts(below, "-- ");
}

static size_t count_loose(const struct prefix *prefix, struct text inside)
{
	struct text line;
	size_t count = 0;

	while (text_next_line(&inside, &line))
		count += text_trim(line).size && !take(prefix, &line);
	return count;
}

bool prefix_is_everywhere(const struct prefix *prefix, struct text in)
{
	struct prefix_result result = { 0 };
	struct text inside = find_inside(prefix, in, &result);

	return !count_loose(prefix, inside);
}

/** Append the lines above or below that are kept. */
static void add_outside(const struct prefix *prefix, struct text in,
                        struct str *out, size_t *lines)
{
	if (prefix->keeps_all)
		str_add_text(out, in);
	else
		*lines -= headlines_add(in, out);
}

/**
 * Around indented text may be text that is not indented, and was not broken.
 */
static bool may_be_broken(const struct prefix *prefix)
{
	return prefix->kind != PREFIX_INDENT || !prefix->keeps_all;
}

bool prefix_remove(const struct prefix *prefix, struct text in, struct str *out,
                   struct prefix_result *ret)
{
	SCOPED(str_release) struct str whole = { 0 };
	struct wrap wrap = {
		.begins = has_prefix,
		.context = prefix,
		.gap = PREFIX_GAP,
	};
	struct text inside;
	struct text below;
	struct text line;
	bool is_broken = false;

	*ret = (struct prefix_result){ 0 };
	inside = find_inside(prefix, in, ret);
	if (!inside.size)
		return false;
	add_outside(prefix, text_first(in, (size_t)(inside.data - in.data)),
	            out, &ret->lines_above);
	if (may_be_broken(prefix)) {
		is_broken = count_loose(prefix, inside) > 0;
		if (prefix->keeps_all ? ends_broken(in, inside, is_broken)
		                      : is_broken)
			inside = with_rest_of_line(in, inside, ret);
		is_broken |= count_loose(prefix, inside) > 0;
	}
	below = text_after(in, (size_t)(inside.data - in.data) + inside.size);
	if (is_broken && wrap_join(inside, &wrap, &whole, &ret->joined))
		inside = str_text(&whole);
	while (text_next_line(&inside, &line)) {
		take(prefix, &line);
		str_add_text(out, line);
		str_add_char(out, '\n');
	}
	add_outside(prefix, below, out, &ret->lines_below);
	return true;
}
