// SPDX-License-Identifier: MIT
#include "parsers/input/repair/line_kind.h"

#include "lib/base/str.h"
#include "parsers/input/repair/character.h"

#include <string.h>

// Prefixes of logs are shorter, and frames have their address within this.
#define PREFIX_BYTES ((size_t)256)
#define FRAME_BYTES  ((size_t)512)
// Of an address in a frame or an image.
#define ADDRESS_DIGITS 5
#define INDEX_DIGITS   5

// Before Swift's own crash logs with colors.
#define BOMB "\xf0\x9f\x92\xa3 "

static const struct {
	const char *text;
	/** only this text has it, and no other label ends like it */
	bool is_unique;
} labels[] = {
	{ "Incident Identifier:", true },
	{ "CrashReporter Key:", true },
	{ "Hardware Model:", true },
	{ "Process:", false },
	{ "Path:", false },
	{ "Identifier:", false },
	{ "Version:", false },
	{ "Build Info:", false },
	{ "AppStoreTools:", false },
	{ "AppVariant:", false },
	{ "Beta Identifier:", false },
	{ "Code Type:", true },
	{ "Role:", false },
	{ "Parent Process:", true },
	{ "Coalition:", false },
	{ "User ID:", false },
	{ "Date/Time:", true },
	{ "Launch Time:", true },
	{ "OS Version:", true },
	{ "Release Type:", true },
	{ "Baseband Version:", false },
	{ "Report Version:", true },
	{ "Anonymous UUID:", true },
	{ "Sleep/Wake UUID:", false },
	{ "Time Awake Since Boot:", false },
	{ "System Integrity Protection:", false },
	{ "Crashed Thread:", true },
	{ "Exception Type:", true },
	{ "Exception Subtype:", true },
	{ "Exception Codes:", true },
	{ "Exception Note:", true },
	{ "Exception Message:", true },
	{ "Exception Reason:", false },
	{ "Termination Reason:", true },
	{ "Termination Signal:", true },
	{ "Termination Description:", true },
	{ "Terminating Process:", true },
	{ "Triggered by Thread:", true },
	{ "Highlighted by Thread:", true },
	{ "Highlighted Thread:", false },
	{ "Last Exception Backtrace:", true },
	{ "Application Specific ", false },
	{ "*** Terminating app due to", false },
	{ "*** First throw call stack:", false },
	{ "Binary Images", true },
	{ "VM Region", false },
	{ "Report Kind:", true },
	{ "Translated Report", false },
	{ "Full Report", false },
	{ "Analysis of sampling ", true },
	{ "Call graph:", true },
	{ "Heaviest stack", true },
	{ "Backtrace of Thread ", false },
	// Of Umeng.
	{ "dSYM UUID:", true },
	{ "CPU Type:", false },
	{ "Slide Address:", true },
	{ "Binary Image:", false },
	{ "Base Address:", false },
	// Of Crashlytics.
	{ "# Crashlytics - ", true },
	{ "Fatal Exception:", true },
	{ "Crashed:", false },
	{ "*** Signal ", false },
	{ "*** Program crashed:", true },
	{ "*** Swift runtime failure:", true },
	{ BOMB "Program crashed:", true },
	{ BOMB "Swift runtime failure:", true },
	{ "EOF", false },
	{ "----------", false },
	// The first line of an `.ips` file.
	{ "{\"", true },
};

/** `Thread 3`, followed by its name or the end. */
static bool is_thread(struct text line)
{
	size_t digits;

	if (!text_take(&line, "Thread "))
		return false;
	digits = text_count_digits(line);
	line = text_after(line, digits);
	return digits &&
	       (!line.size || line.data[0] == ':' ||
	        text_starts(line, " name:") || text_starts(line, " Crashed") ||
	        text_starts(line, " crashed with ") ||
	        text_starts(line, " crashed:") || text_starts(line, " \"") ||
	        text_starts(line, " Highlighted") ||
	        text_starts(line, " Attributed"));
}

static bool is_label(struct text line)
{
	if (line.data[0] == 'T' && is_thread(line))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (labels[i].text[0] == line.data[0] &&
		    text_starts(line, labels[i].text))
			return true;
	return false;
}

/** ` + 123` at the end, as after a symbol. */
static bool ends_in_offset(struct text line)
{
	size_t digits = 0;

	line = text_trim_right(line);
	while (digits < line.size &&
	       text_is_digit(line.data[line.size - 1 - digits]))
		digits++;
	return digits && text_ends(text_first(line, line.size - digits), " + ");
}

/** ` + 123 (`, as between a symbol and its image. */
static bool holds_offset(struct text line)
{
	size_t at = text_find(text_first(line, FRAME_BYTES), " + ");
	size_t digits;

	if (at == TEXT_NOWHERE)
		return false;
	line = text_after(line, at + strlen(" + "));
	digits = text_count_digits(line);
	return digits && text_starts(text_after(line, digits), " (");
}

/** Offset of the first address of a frame, after a blank. */
static size_t find_address(struct text line)
{
	size_t at = 0;

	line = text_first(line, FRAME_BYTES);
	for (;;) {
		size_t step = text_find(text_after(line, at), "0x");

		if (step == TEXT_NOWHERE)
			return TEXT_NOWHERE;
		at += step;
		if (at && text_count_hex_digits(text_after(line, at + 2)) >=
		                  ADDRESS_DIGITS)
			return at;
		at += 2;
	}
}

/** `    x0: 0x0000000000000000   x1: …` */
static bool is_registers(struct text line)
{
	size_t colon = text_find(text_first(line, 8), ": 0x");

	return colon != TEXT_NOWHERE && colon;
}

/** ` 0xab4 (Missing UUID …)`: an offset, perhaps short. */
static bool is_missing(struct text line)
{
	size_t at = text_find(text_first(line, FRAME_BYTES), " (Missing");

	return at != TEXT_NOWHERE &&
	       text_find(text_first(line, at), " 0x") != TEXT_NOWHERE;
}

/** `3   Demo   0x0000000100e80a9c main + 12`, from its index on. */
static bool is_frame(struct text line)
{
	size_t digits = text_count_digits(line);
	struct text rest = text_after(line, digits);
	size_t blanks = text_count_blanks(rest);

	if (!digits || digits > INDEX_DIGITS || !blanks || blanks == rest.size)
		return false;
	rest = text_after(rest, blanks);
	// The rest of a register's value, and the next register.
	if (is_registers(rest) || rest.data[0] == '|' ||
	    (digits > 1 && line.data[0] == '0'))
		return false;
	if (find_address(line) != TEXT_NOWHERE || is_missing(rest))
		return true;
	// Hangs and samples have the offset after the image, and it may be
	// broken off.
	if (holds_offset(rest))
		return true;
	// Symbolicated copies may have no addresses.
	return text_is_letter(rest.data[0]) &&
	       (text_find(rest, "  ") != TEXT_NOWHERE ||
	        text_find_char(rest, '\t') != TEXT_NOWHERE) &&
	       ends_in_offset(rest);
}

/** `Demo   0x100e80a9c main + 12`: a frame that has no index. */
static bool is_bare_frame(struct text line)
{
	size_t at = text_find(text_first(line, FRAME_BYTES), "  0x");
	size_t digits;

	if (at == TEXT_NOWHERE)
		return false;
	line = text_after(line, at + strlen("  0x"));
	digits = text_count_hex_digits(line);
	line = text_after(line, digits);
	return digits >= ADDRESS_DIGITS && line.size &&
	       text_is_blank(line.data[0]) && ends_in_offset(line);
}

/** `0x100e80000 - 0x100e87fff Demo`, or its first part if it was broken. */
static bool is_image(struct text line)
{
	struct text rest = line;
	size_t digits;

	text_take(&rest, "*");
	if (!text_take(&rest, "0x"))
		return false;
	digits = text_count_hex_digits(rest);
	rest = text_after(rest, digits);
	rest = text_after(rest, text_count_blanks(rest));
	return digits >= ADDRESS_DIGITS && text_take(&rest, "-") &&
	       (!rest.size || text_is_blank(rest.data[0]));
}

bool line_is_swift_head(struct text line)
{
	if (text_take(&line, "*** Signal ") ||
	    text_take(&line, "*** Exception "))
		return text_find(text_first(line, PREFIX_BYTES),
		                 ": Backtracing from 0x") != TEXT_NOWHERE;
	if (!text_take(&line, "*** ") && !text_take(&line, BOMB))
		return false;
	return text_starts(line, "Program crashed: ") ||
	       text_starts(line, "Swift runtime failure: ");
}

enum line_kind line_kind(struct text line)
{
	size_t indent = text_count_blanks(line);
	struct text rest = text_after(line, indent);

	if (!text_trim(rest).size)
		return LINE_BLANK;
	if (text_is_digit(rest.data[0]) || rest.data[0] == '*') {
		if (is_image(rest))
			return LINE_IMAGE;
		if (is_frame(rest))
			return LINE_FRAME;
	}
	if (!indent && is_label(line))
		return LINE_LABEL;
	if (!indent)
		return text_is_letter(line.data[0]) && is_bare_frame(line)
		               ? LINE_FRAME
		               : LINE_OTHER;
	return text_is_letter(rest.data[0]) && is_registers(rest)
	               ? LINE_REGISTERS
	               : LINE_OTHER;
}

/** `[  0] 4C4C44BD-5555-3144-A18B-1D7A14ACC538 0x…`, of `image list`. */
static bool is_listed(struct text line)
{
	size_t digits;

	if (!text_take(&line, "["))
		return false;
	line = text_trim_left(line);
	digits = text_count_digits(line);
	line = text_after(line, digits);
	return digits && text_take(&line, "] ") &&
	       text_count_hex_digits(line) == 8 &&
	       text_starts(text_after(line, 8), "-");
}

/** `frame #3: 0x…`, `thread #1, …`, with the mark of what is selected. */
static bool is_lldb(struct text line)
{
	if (text_take(&line, "(lldb) "))
		return true;
	text_take(&line, "* ");
	if (!text_take(&line, "frame #") && !text_take(&line, "thread #"))
		return false;
	line = text_after(line, text_count_digits(line));
	return text_starts(line, ":") || text_starts(line, ",");
}

/** `#3 0x000102add258 in main`, `#03 abs 0000000102add258`. */
static bool is_hashed(struct text line)
{
	size_t digits;

	if (!text_take(&line, "#"))
		return false;
	digits = text_count_digits(line);
	line = text_trim_left(text_after(line, digits));
	return digits && digits <= INDEX_DIGITS &&
	       (text_starts(line, "0x") || text_starts(line, "abs "));
}

/** `at 3  Demo  0x…` of Kotlin, `at Demo.Load ()`, `at /a/main.rs:4`. */
static bool is_at(struct text line)
{
	size_t blanks;

	// The place may be on the next line.
	if (text_is(line, "at"))
		return true;
	if (!text_take(&line, "at "))
		return false;
	line = text_trim_left(line);
	if (is_frame(line) || text_starts(line, "/"))
		return true;
	blanks = text_find_char(line, ' ');
	return text_find_char(text_first(line, blanks), '(') != TEXT_NOWHERE ||
	       text_starts(text_after(line, blanks), " (");
}

/** The text after the index of a frame; or empty. */
static struct text after_index(struct text line)
{
	size_t digits = text_count_digits(line);

	// `09:08:07` is a time.
	if (!digits || digits > INDEX_DIGITS ||
	    (digits > 1 && line.data[0] == '0'))
		return TEXT_NONE;
	return text_after(line, digits);
}

/** `3: core::panicking::panic_fmt` of Rust, `3  Demo` of a broken frame. */
static bool is_numbered(struct text line)
{
	struct text rest = after_index(line);
	struct text name = text_trim_left(rest);

	// `3: 0x…` is the rest of a register.
	if (text_starts(rest, ": "))
		return !text_starts(rest, ": 0x");
	return text_starts(rest, "  ") && name.size && !is_registers(name) &&
	       (text_is_letter(name.data[0]) || name.data[0] == '_');
}

/** `3  Demo   0xa0c main`: an offset in its image, in Crashlytics. */
static bool is_offset(struct text line)
{
	size_t at = text_find(text_first(line, FRAME_BYTES), "  0x");
	struct text rest = after_index(line);
	struct text name = text_trim_left(rest);

	return at != TEXT_NOWHERE && text_starts(rest, " ") && name.size &&
	       text_is_letter(name.data[0]) && !is_registers(name) &&
	       text_count_hex_digits(text_after(line, at + strlen("  0x")));
}

/** An image of Swift's own logs: en dash between its addresses. */
static bool is_swift_image(struct text line)
{
	size_t digits;

	if (!text_take(&line, "0x"))
		return false;
	digits = text_count_hex_digits(line);
	return digits >= ADDRESS_DIGITS &&
	       text_starts(text_after(line, digits), "\xe2\x80\x93");
}

/** `onPress@main.jsbundle:1:912312`. */
static bool is_script(struct text line)
{
	size_t at = text_find_char(line, '@');
	size_t colon = text_find_last_char(line, ':');

	return at != TEXT_NOWHERE && colon != TEXT_NOWHERE && at < colon &&
	       text_find_char(line, ' ') == TEXT_NOWHERE &&
	       text_count_digits(text_after(line, colon + 1)) ==
	               line.size - colon - 1;
}

bool line_is_trace(struct text line)
{
	struct text rest = text_trim(text_first(line, FRAME_BYTES));

	if (!rest.size)
		return false;
	switch (rest.data[0]) {
	case '[':
		return is_listed(rest);
	case '(':
	case '*':
	case 'f':
	case 't':
		return is_lldb(rest);
	case '#':
		return is_hashed(rest);
	case 'a':
		return is_at(rest);
	case '0':
		return is_swift_image(rest) || is_offset(rest) ||
		       is_numbered(rest);
	default:
		return is_offset(rest) || is_numbered(rest);
	}
}

bool line_is_script(struct text line)
{
	return is_script(text_trim(text_first(line, FRAME_BYTES)));
}

bool line_is_code(struct text line)
{
	struct text rest = text_trim(text_first(line, FRAME_BYTES));
	size_t digits;

	if (text_starts(rest, "->  ") ||
	    (text_ends(rest, ":") && text_find_char(rest, '`') != TEXT_NOWHERE))
		return true;
	if (!text_take(&rest, "0x"))
		return false;
	digits = text_count_hex_digits(rest);
	rest = text_after(rest, digits);
	return digits >= ADDRESS_DIGITS &&
	       (text_starts(rest, " <+") || text_starts(rest, ":"));
}

bool line_is_lldb(struct text line)
{
	return is_lldb(text_trim_left(line));
}

enum line_kind line_kind_plain(struct text line)
{
	char plain[LINE_KIND_HEAD];
	enum line_kind kind = line_kind(line);

	if (kind != LINE_OTHER)
		return kind;
	return line_kind(characters_plain(line, plain, sizeof(plain)));
}

/** A log's prefix ends in a blank or a mark, not in a word. */
static bool may_follow(struct text line, size_t at)
{
	char before;

	if (!at)
		return true;
	before = line.data[at - 1];
	return text_is_blank(before) || before & 0x80 ||
	       (before && strchr("]:|>)-=", before));
}

/** Offset of `3   Demo   0x…` in a line. */
static size_t find_frame(struct text line)
{
	size_t address = find_address(line);
	size_t at = address;
	size_t end;

	if (address == TEXT_NOWHERE)
		return TEXT_NOWHERE;
	while (at && text_is_blank(line.data[at - 1]))
		at--;
	end = at;
	while (at && !text_is_blank(line.data[at - 1]))
		at--;
	// `218 | 0x…` is a numbered line.
	if (end == address || at == end || line.data[at] == '|')
		return TEXT_NOWHERE;
	end = at;
	while (at && text_is_blank(line.data[at - 1]))
		at--;
	if (at == end)
		return TEXT_NOWHERE;
	end = at;
	while (at && text_is_digit(line.data[at - 1]))
		at--;
	if (at == end || end - at > INDEX_DIGITS ||
	    (at && !may_follow(line, at)))
		return TEXT_NOWHERE;
	return at;
}

bool line_shows_frame(struct text line)
{
	return find_frame(line) != TEXT_NOWHERE;
}

bool line_shows_image(struct text line)
{
	size_t at = find_address(line);

	if (text_starts(line, "0x"))
		at = 0;
	return at != TEXT_NOWHERE && is_image(text_after(line, at));
}

/** Offset of the label that ends with the colon at @p colon. */
static size_t find_label(struct text line, size_t colon, bool needs_unique)
{
	struct text head = text_first(line, colon + 1);

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		size_t at;

		if ((needs_unique && !labels[i].is_unique) ||
		    !text_ends(head, labels[i].text))
			continue;
		at = head.size - strlen(labels[i].text);
		if (may_follow(line, at))
			return at;
	}
	return TEXT_NOWHERE;
}

/** Offset of the first label with a colon in @p line. */
static size_t find_colon_label(struct text line, bool needs_unique)
{
	for (size_t at = 0; at < line.size; at++) {
		size_t step = text_find_char(text_after(line, at), ':');
		size_t label;

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		label = find_label(line, at, needs_unique);
		if (label != TEXT_NOWHERE)
			return label;
	}
	return TEXT_NOWHERE;
}

bool line_holds_label(struct text line)
{
	return find_colon_label(text_first(line, PREFIX_BYTES), false) !=
	       TEXT_NOWHERE;
}

/** Offset of a unique label in @p line. */
static size_t find_any_label(struct text line)
{
	static const char *const others[] = { "Binary Images",
		                              "Analysis of sampling ", "{\"" };
	size_t label = find_colon_label(line, true);

	if (label != TEXT_NOWHERE)
		return label;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		size_t at = text_find(line, others[i]);

		if (at != TEXT_NOWHERE && may_follow(line, at))
			return at;
	}
	return TEXT_NOWHERE;
}

static size_t find_thread(struct text line)
{
	for (size_t at = 0; at < line.size; at++) {
		size_t step = text_find(text_after(line, at), "Thread ");

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		if (may_follow(line, at) && is_thread(text_after(line, at)))
			return at;
	}
	return TEXT_NOWHERE;
}

/** `"name" : `, a member of an object. */
static bool is_member(struct text text)
{
	size_t end;

	if (!text_take(&text, "\""))
		return false;
	end = text_find_char(text, '"');
	return end != TEXT_NOWHERE && end &&
	       text_starts(text_trim_left(text_after(text, end + 1)), ":");
}

size_t line_kind_find(struct text line)
{
	struct text head = text_first(line, PREFIX_BYTES);
	size_t at = find_any_label(head);

	if (at == TEXT_NOWHERE)
		at = find_thread(head);
	if (at == TEXT_NOWHERE)
		at = find_frame(line);
	if (at != TEXT_NOWHERE)
		return at;
	at = text_find_char(head, '"');
	return at != TEXT_NOWHERE && may_follow(line, at) &&
	                       is_member(text_after(head, at))
	               ? at
	               : TEXT_NOWHERE;
}

bool line_begins_json(struct text line)
{
	char plain[LINE_KIND_HEAD];
	struct text rest = text_after(line, text_count_blanks(line));
	char c;

	if (!rest.size || rest.data[0] == '"' || rest.data[0] == '{' ||
	    rest.data[0] == '}')
		return true;
	rest = text_trim_left(characters_plain(rest, plain, sizeof(plain)));
	if (!rest.size)
		return true;
	c = rest.data[0];
	if (text_is_digit(c) || c == '-') {
		// An element of an array has its line alone.
		size_t digits = text_count_digits(text_after(rest, c == '-'));

		rest = text_trim(text_after(rest, digits + (c == '-')));
		return !rest.size || text_is(rest, ",") ||
		       rest.data[0] == '.' || rest.data[0] == 'e';
	}
	return (c && strchr("{}[]\"", c)) || text_starts(rest, "true") ||
	       text_starts(rest, "false") || text_starts(rest, "null");
}

bool line_ends_json(struct text line)
{
	struct text rest = line;
	char c;

	// Most lines end like this.
	if (rest.size && rest.data[rest.size - 1] == ',')
		return true;
	rest = text_trim_right(rest);
	if (!rest.size)
		return true;
	c = rest.data[rest.size - 1];
	return c == ',' || c == '{' || c == '}' || c == '[' || c == ']' ||
	       c == '"' || c == ':' || text_is_digit(c) ||
	       text_ends(rest, "true") || text_ends(rest, "false") ||
	       text_ends(rest, "null") || text_ends(rest, "&quot;") ||
	       text_ends(rest, "\xe2\x80\x9c") ||
	       text_ends(rest, "\xe2\x80\x9d");
}
