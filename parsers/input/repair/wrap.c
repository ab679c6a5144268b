// SPDX-License-Identifier: MIT
#include "parsers/input/repair/wrap.h"

#include "lib/darwin/headline.h"
#include "parsers/input/repair/broken_word.h"
#include "parsers/input/repair/json_lines.h"
#include "parsers/input/repair/line_kind.h"

#include <string.h>

// Min width: shorter lines are no evidence.
#define WIDTH_MIN 10
// Nor that late inside of words.
#define WIDTH_MAX 200
// Columns are padded; strings of JSON may contain tables.
#define TEXT_GAP 8
#define JSON_GAP 32

// Width of a tab for fold(1) and terminals.
#define TAB_COLUMNS 8

/** Statistics about pairs of adjacent lines. */
struct measure {
	bool has_tabs; ///< a tab is as wide as a terminal shows it
	size_t width;  ///< of the longest line
	size_t lines;  ///< lines that may be broken
	/** lines that begin nothing, after one that may be broken */
	size_t loose;
	size_t exact;   ///< of these, after a line of that width
	size_t fitting; ///< after one without room for their first word
	size_t frames;  ///< part of the exact ones: frames
	size_t open; ///< of both, after one that a word or a bracket is missing
	             ///< from
};

/** Lines that end with LF, or CR LF: all texts pass here. */
static bool next_line(struct text *rest, struct text *line)
{
	if (!rest->size)
		return false;
	*line = text_first(*rest, text_find_char(*rest, '\n'));
	*rest = text_after(*rest, line->size + 1);
	if (text_ends(*line, "\r"))
		line->size--;
	return true;
}

static size_t count_characters(struct text text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += (text.data[i] & 0xc0) != 0x80;
	return count;
}

/** Width of @p line for the program that broke it: characters or columns. */
static size_t line_width(struct text line, bool has_tabs)
{
	size_t width = 0;

	if (!has_tabs)
		return count_characters(line);
	for (size_t i = 0; i < line.size; i++) {
		if (line.data[i] == '\t')
			width += TAB_COLUMNS - width % TAB_COLUMNS;
		else
			width += (line.data[i] & 0xc0) != 0x80;
	}
	return width;
}

static struct text first_word(struct text line)
{
	size_t end = 0;

	line = text_trim_left(line);
	while (end < line.size && !text_is_space(line.data[end]))
		end++;
	return text_first(line, end);
}

static bool is_blank(struct text line)
{
	return !text_trim(line).size;
}

/** The end of a line of `fold -s` that continues. */
static bool ends_open(struct text line)
{
	return line.size && word_ends_in_blank(line);
}

/** Was @p next's first word too long for a line of @p size? */
static bool had_no_room(const struct wrap *wrap, size_t size, struct text next,
                        size_t width)
{
	return size + wrap->gap + count_characters(first_word(next)) > width;
}

static bool lacks_bracket(struct text line)
{
	size_t open = text_find_last_char(line, '(');

	return open != TEXT_NOWHERE &&
	       text_find_char(text_after(line, open), ')') == TEXT_NOWHERE;
}

/** Is @p next the bracket that @p line lacks? */
static bool closes(struct text line, struct text next)
{
	return text_is(text_trim_right(next), ")") && lacks_bracket(line);
}

/** A cheap test of the first character. */
static bool may_be_frame(struct text line)
{
	line = text_trim_left(line);
	return line.size && (text_is_digit(line.data[0]) ||
	                     line.data[0] == '*' || line.data[0] & 0x80 ||
	                     line.data[0] == '&' || line.data[0] == '\x1b');
}

/** As may_be_frame(), for frames of other tools. */
static bool may_be_trace(struct text line)
{
	line = text_trim_left(line);
	return line.size && line.data[0] && strchr("[(aft#", line.data[0]);
}

/** Lines of runtimes around their frames. */
static bool begins_in_trace(struct text line)
{
	static const char *const begins[] = {
		"*** Terminating app due to ",
		"... and ",
		"Backtrace:",
		"Uncaught Kotlin exception:",
		"Unhandled Exception:",
		"Unhandled exception.",
		"<asynchronous suspension>",
		"Caused by: ",
		"build_id: '",
		"goroutine ",
		"isolate_dso_base: ",
		"isolate_instructions: ",
		"PID: ",
		"os: ",
		"pid: ",
		"stack backtrace:",
	};

	line = text_trim_left(line);
	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (text_starts(line, begins[i]))
			return true;
	return line_is_trace(line) || line_is_script(line) ||
	       line_is_code(line);
}

/** `====`, `*** *** ***`: not broken, and not a continuation. */
static bool is_rule(struct text line)
{
	line = text_trim(line);
	for (size_t i = 0; i < line.size; i++)
		if (line.data[i] != '=' && line.data[i] != '*' &&
		    line.data[i] != '-' && line.data[i] != ' ')
			return false;
	return line.size > 2;
}

/** Rust writes the message below `thread 'main' panicked at a.rs:4:5:`. */
static bool is_whole_line(struct text line)
{
	return is_rule(line) ||
	       (text_starts(line, "thread '") && text_ends(line, ":"));
}

/** Brackets around a list of frames, and lines of logs and runtimes. */
static bool begins_in_console(struct text line)
{
	struct text rest = text_trim(line);
	struct headline headline = { 0 };

	return text_is(rest, "(") || text_is(rest, ")") ||
	       text_starts(line, "*** ") || text_starts(line, "libc++abi") ||
	       text_starts(line, "-------- RECURSION LEVEL ") ||
	       begins_in_trace(line) || is_rule(line) ||
	       log_prefix_of(line).size || headline_find(line, &headline);
}

static bool may_break(const struct wrap *wrap, struct text line)
{
	enum line_kind kind;

	if (!wrap->needs_frames)
		return true;
	kind = line_kind_plain(line);
	// Other lines only if they end in a blank and continue.
	return kind == LINE_FRAME || kind == LINE_IMAGE ||
	       line_is_trace(line) ||
	       ((ends_open(line) ||
	         (line.size <= WIDTH_MAX && lacks_bracket(line))) &&
	        begins_in_console(line));
}

/**
 * Does @p next begin something? The rest of a headline cut between two words
 * may look like another headline: `Unhandled JS Exception: …` in a reason.
 */
static bool begins(const struct wrap *wrap, struct text whole, struct text line,
                   struct text next)
{
	struct headline headline = { 0 };

	if (!wrap->begins(next, wrap->context))
		return false;
	return !wrap->needs_frames || !ends_open(line) ||
	       !begins_in_console(whole) || log_prefix_of(next).size ||
	       line_kind_begins(line_kind_plain(next)) ||
	       begins_in_trace(next) || !headline_find(next, &headline);
}

/** `12  Demo`: columns of a frame, as in most lines of a report. */
static bool has_columns(struct text line)
{
	size_t at = text_count_digits(line);

	return at && at + 1 < line.size && line.data[at] == ' ' &&
	       line.data[at + 1] == ' ';
}

/** `main + 12`: only the number, or a place after it, can continue. */
static bool is_whole_frame(struct text line, struct text next)
{
	size_t plus;
	struct text offset;

	next = text_trim_left(next);
	if (!next.size || text_is_digit(next.data[0]) ||
	    text_starts(next, "(") || text_starts(next, "[") ||
	    text_starts(next, "at "))
		return false;
	plus = text_find_last(line, " + ");
	if (plus == TEXT_NOWHERE)
		return false;
	offset = text_after(line, plus + strlen(" + "));
	return offset.size && text_count_digits(offset) == offset.size;
}

/** `(Demo+0xc8)` below `#1 0x… in free`, `[A b] + 12` below `3  Demo  0x…`. */
static bool completes(struct text line, struct text next)
{
	size_t plus = text_find_last(next, " + ");
	struct text offset;

	line = text_trim_right(line);
	next = text_trim(next);
	if (text_starts(next, "(") && text_ends(next, ")"))
		return text_starts(text_trim_left(line), "#") &&
		       !text_ends(line, ")") &&
		       text_find(next, "+0x") != TEXT_NOWHERE;
	if (plus == TEXT_NOWHERE || line_kind_plain(line) != LINE_FRAME ||
	    text_find(line, " + ") != TEXT_NOWHERE)
		return false;
	offset = text_trim(text_after(next, text_find_last(next, " + ") + 3));
	return offset.size && text_count_digits(offset) == offset.size;
}

/**
 * Is it a headline only together with @p next, for example after a long log
 * prefix?
 */
static bool makes_headline(struct text line, struct text next)
{
	SCOPED(str_release) struct str both = { 0 };
	struct headline headline = { 0 };

	// Nearly all logs have a number of a process in brackets.
	if (line.size > WIDTH_MAX || next.size > WIDTH_MAX ||
	    text_find_char(line, '[') == TEXT_NOWHERE ||
	    !log_prefix_of(line).size || headline_find(line, &headline) ||
	    headline_find(next, &headline))
		return false;
	str_add_text(&both, text_trim_right(line));
	str_add_char(&both, ' ');
	str_add_text(&both, text_trim_left(next));
	return headline_find(str_text(&both), &headline) &&
	       !headline.needs_frames;
}

/** Does @p next show that @p line was broken? */
static bool is_loose(const struct wrap *wrap, struct text line,
                     struct text next, size_t *lines)
{
	if (wrap->is_json)
		return !(line_ends_json(line) && line_begins_json(next));
	if (wrap->needs_frames && !may_be_frame(line) && !may_be_trace(line) &&
	    !ends_open(line) && !makes_headline(line, next))
		return false;
	*lines += !wrap->needs_frames || may_be_frame(line) ||
	          line_is_trace(line);
	if (wrap->needs_frames &&
	    (has_columns(next) || is_whole_frame(line, next)))
		return false;
	return !begins(wrap, line, line, next) && !is_blank(line) &&
	       !is_blank(next) &&
	       (may_break(wrap, line) || makes_headline(line, next));
}

/** Most texts have no such line: skip measuring. */
static bool has_loose(const struct wrap *wrap, struct text in)
{
	struct text line = TEXT_NONE;
	struct text next;
	size_t lines = 0;

	while (next_line(&in, &next)) {
		if (is_loose(wrap, line, next, &lines))
			return true;
		line = next;
		if (!wrap->is_json)
			continue;
		in.size += (size_t)(in.data - line.data);
		in.data = line.data;
		in = json_lines_pass(in);
		next_line(&in, &line);
	}
	return false;
}

/** A word longer than a line, such as a path, has its own line. */
static void measure_width(struct text in, bool with_words,
                          struct measure *measure)
{
	struct text line;

	while (next_line(&in, &line)) {
		size_t size = 0;

		if (!with_words &&
		    first_word(line).size == text_trim(line).size)
			continue;
		if (measure->has_tabs || line.size > measure->width)
			size = line_width(line, measure->has_tabs);
		if (size > measure->width)
			measure->width = size;
	}
}

static struct measure measure_as(const struct wrap *wrap, struct text in,
                                 bool has_tabs)
{
	struct measure ret = { .has_tabs = has_tabs };
	struct text line = TEXT_NONE;
	struct text next;

	measure_width(in, wrap->is_json || !wrap->needs_frames, &ret);
	if (!ret.width)
		measure_width(in, true, &ret);
	while (next_line(&in, &next)) {
		if (is_loose(wrap, line, next, &ret.lines)) {
			size_t size = line_width(line, has_tabs);

			ret.loose++;
			bool has_no_room =
			        had_no_room(wrap, size, next, ret.width);

			ret.exact += size == ret.width;
			ret.frames += size == ret.width && may_be_frame(line);
			ret.fitting += size != ret.width && has_no_room;
			ret.open += has_no_room &&
			            (ends_open(line) || lacks_bracket(line) ||
			             (wrap->needs_frames &&
			              (completes(line, next) ||
			               makes_headline(line, next))));
		}
		line = next;
	}
	return ret;
}

/** Count with the unit that gives more lines of equal width. */
static struct measure measure(const struct wrap *wrap, struct text in)
{
	struct measure characters = measure_as(wrap, in, false);
	struct measure columns;

	if (text_find_char(in, '\t') == TEXT_NOWHERE)
		return characters;
	columns = measure_as(wrap, in, true);
	return columns.exact > characters.exact ? columns : characters;
}

/** A single case may be chance, except in a text of a few lines. */
static bool is_broken(const struct wrap *wrap, const struct measure *measure)
{
	size_t good = measure->exact + measure->fitting;
	size_t enough = wrap->needs_frames && measure->lines > 2 ? 2 : 1;

	return measure->width >= WIDTH_MIN && good + measure->open >= enough &&
	       good * 5 >= measure->loose * 4;
}

// Joining

/** The output so far. */
struct joint {
	const struct wrap *wrap;
	struct measure measure;
	bool is_hard; ///< broken anywhere, not between words
	struct str *out;
	size_t tail; ///< characters of the last word of the line
	size_t word; ///< its position in the output
	size_t line; ///< start of the line in the output
	// For JSON, the state at the end of the examined text:
	size_t at;
	bool in_string;
	size_t depth;
};

/** Is the end of the output inside a string? */
static void look_at_json(struct joint *joint)
{
	struct text in = str_text(joint->out);

	while (joint->at < in.size) {
		struct text rest = text_after(in, joint->at);
		char c = rest.data[0];
		size_t quote = word_quote_size(rest);

		// The next line may complete it.
		if (c == '&' && !quote && rest.size < strlen("&quot;"))
			return;
		if (quote)
			joint->in_string = !joint->in_string;
		else if (joint->in_string && c == '\\' && rest.size > 1)
			quote = 1 +
			        (word_quote_size(text_after(rest, 1))
			                 ? word_quote_size(text_after(rest, 1))
			                 : 1);
		else if (!joint->in_string && (c == '{' || c == '['))
			joint->depth++;
		else if (!joint->in_string && (c == '}' || c == ']') &&
		         joint->depth)
			joint->depth--;
		joint->at += quote ? quote : 1;
	}
}

enum join {
	JOIN_NOT,
	JOIN_WORD, ///< a blank was removed
	JOIN_DIRECTLY,
};

/** How to join @p next to @p line, which has the full width. */
static enum join join_full(const struct joint *joint, struct text line,
                           struct text next)
{
	size_t word = count_characters(first_word(next));
	struct text last = text_after(str_text(joint->out), joint->word);

	if (word_begins_in_blank(next))
		return JOIN_DIRECTLY;
	if (word_is_whole_address(last, next) ||
	    (word_is_class(last) && word_is_selector(first_word(next))))
		return JOIN_WORD;
	if (joint->is_hard || word_ends_in_blank(line) ||
	    word_is_hyphenated(line, next))
		return JOIN_DIRECTLY;
	if (word_is_path(last))
		return JOIN_DIRECTLY;
	// A symbol has a blank before its offset.
	if (text_starts(next, "+ "))
		return JOIN_WORD;
	if (text_ends(last, ">"))
		return JOIN_WORD;
	// A word longer than a line is broken itself; if it fills the next
	// line, it continues after that.
	return joint->tail + word > joint->measure.width ||
	                       (word == count_characters(next) &&
	                        word * 2 >= joint->measure.width)
	               ? JOIN_DIRECTLY
	               : JOIN_WORD;
}

static enum join join_short(struct text line, struct text next)
{
	return word_ends_in_blank(line) || word_begins_in_blank(next) ||
	                       word_is_hyphenated(line, next)
	               ? JOIN_DIRECTLY
	               : JOIN_WORD;
}

static enum join how_to_join(struct joint *joint, struct text line,
                             struct text next)
{
	size_t size;
	bool is_full;

	if (is_blank(line) || is_blank(next) || is_whole_line(line) ||
	    (joint->wrap->needs_frames && is_whole_frame(line, next)))
		return JOIN_NOT;
	size = line_width(line, joint->measure.has_tabs);
	is_full = size == joint->measure.width;
	if (joint->wrap->is_json) {
		look_at_json(joint);
		if (is_full && joint->is_hard &&
		    (joint->depth || joint->in_string))
			return join_full(joint, line, next);
		if (!joint->in_string &&
		    (!joint->depth || !had_no_room(joint->wrap, size, next,
		                                   joint->measure.width)))
			return JOIN_NOT;
		return is_full ? join_full(joint, line, next)
		               : join_short(line, next);
	}
	if (begins(joint->wrap, text_after(str_text(joint->out), joint->line),
	           line, next) &&
	    !(is_full && joint->is_hard && closes(line, next)))
		return JOIN_NOT;
	if (is_full)
		return join_full(joint, line, next);
	return had_no_room(joint->wrap, size, next, joint->measure.width)
	               ? join_short(line, next)
	               : JOIN_NOT;
}

static void add_line(struct joint *joint, struct text line, enum join join)
{
	size_t word = 0;

	while (word < line.size &&
	       !text_is_space(line.data[line.size - word - 1]))
		word++;
	if (join == JOIN_WORD)
		str_add_char(joint->out, ' ');
	str_add_text(joint->out, line);
	if (word < line.size || join != JOIN_DIRECTLY) {
		joint->tail = 0;
		joint->word = joint->out->size - word;
	}
	joint->tail += count_characters(text_after(line, line.size - word));
}

static size_t join_lines(struct joint *joint, struct text in)
{
	struct text line = TEXT_NONE;
	struct text next;
	size_t count = 0;
	bool is_first = true;

	while (next_line(&in, &next)) {
		enum join join = how_to_join(joint, line, next);

		if (join == JOIN_NOT && !is_first)
			str_add_char(joint->out, '\n');
		if (join == JOIN_NOT)
			joint->line = joint->out->size;
		add_line(joint, next, join);
		count += join != JOIN_NOT;
		is_first = false;
		line = next;
	}
	str_add_char(joint->out, '\n');
	return count;
}

bool wrap_join(struct text in, const struct wrap *wrap, struct str *out,
               struct wrap_result *ret)
{
	struct joint joint = { .wrap = wrap, .out = out, .at = out->size };
	size_t good;

	if (!has_loose(wrap, in))
		return false;
	joint.measure = measure(wrap, in);
	if (!is_broken(wrap, &joint.measure))
		return false;
	good = joint.measure.exact + joint.measure.fitting;
	// The longest line alone is no evidence, unless it is a frame.
	joint.is_hard = joint.measure.exact * 5 >= good * 4 &&
	                (joint.measure.exact > 1 || joint.measure.frames ||
	                 !wrap->needs_frames);
	if (wrap->needs_hard && !joint.is_hard)
		return false;
	ret->width = joint.measure.width;
	ret->joined = join_lines(&joint, in);
	return ret->joined > 0;
}

// A report

/** `   *15  ??? (kernel + 753352) [0xfffffe00088d3ec8]` of a call tree. */
static bool begins_call(struct text line)
{
	struct text rest = text_trim_left(line);

	if (rest.size == line.size)
		return false;
	text_take(&rest, "*");
	return text_take_digits(&rest).size && text_starts(rest, "  ") &&
	       text_find(rest, ") [0x") != TEXT_NOWHERE;
}

static bool begins_in_report(struct text line, const void *context UNUSED)
{
	return line_kind_begins(line_kind_plain(line)) || begins_call(line) ||
	       begins_in_console(line);
}

static bool is_json(struct text in)
{
	struct text line;
	size_t frames = 0;

	in = text_trim_left(in);
	text_take(&in, "<pre>");
	if (!text_starts(text_trim_left(in), "{"))
		return false;
	// Old `.ips` files have Apple's text below the header line.
	for (size_t i = 0; i < 200 && next_line(&in, &line); i++) {
		enum line_kind kind = line_kind(line);

		frames += kind == LINE_FRAME || kind == LINE_IMAGE ||
		          (kind == LINE_LABEL && line.data[0] != '{');
	}
	return frames < 2;
}

bool wrap_join_report(struct text whole, bool needs_hard, struct str *out,
                      struct wrap_result *ret)
{
	struct text in = whole;
	struct wrap wrap = {
		.begins = begins_in_report,
		.is_json = is_json(whole),
		.needs_hard = needs_hard,
	};
	struct text rest = in;
	struct text line;

	wrap.needs_frames = !wrap.is_json;
	wrap.gap = wrap.is_json ? JSON_GAP : TEXT_GAP;
	// Text above a report has lines of any width.
	while (!wrap.is_json && next_line(&rest, &line) &&
	       !begins_in_report(line, NULL))
		in = rest;
	str_add_text(out, text_first(whole, whole.size - in.size));
	return wrap_join(in, &wrap, out, ret);
}
