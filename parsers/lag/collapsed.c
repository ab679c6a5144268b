// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/fingerprint.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/**
 * Frames of the previous line: end and node of each. The common part of two
 * lines, up to a `;`, needs no lookup: sorted stacks share most of it.
 */
struct lag_prefix {
	size_t count;
	size_t end[LAG_STACK_FRAMES]; ///< offset of the `;`, or of the stack's
	uint32_t node[LAG_STACK_FRAMES];
	/** Last nodes of whole stacks, by text, in a large tree. */
	struct fingerprints known;
};

// A tree of more nodes is larger than the caches: walking it waits for memory.
#define KNOWN_NODES 4096

void lag_prefix_free(struct lag_prefix *prefix)
{
	if (prefix)
		fingerprints_release(&prefix->known);
	free(prefix);
}

/** State of a line. */
struct collapsed {
	struct lag_reader *reader;
	struct lag_report *report;
	struct lag_prefix *prefix;
	size_t number;      ///< of the line
	struct text line;   ///< without its end
	struct text before; ///< the stack of the line before
	struct str name;    ///< for frames with invalid UTF-8
	bool is_flawed;     ///< a fault of the stack was noted
	bool has_nuls;      ///< some of the lines do
};

// No node: the stack is walked each time, and its flaws noted.
#define NODE_FLAWED UINT32_MAX

static void note(struct collapsed *c, const char *format, ...)
        PRINTF_LIKE(2, 3);
static void note(struct collapsed *c, const char *format, ...)
{
	SCOPED(str_release) struct str place = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	va_list args;

	c->is_flawed = true;
	if (c->report->note_count < LAG_NOTES) {
		str_addf(&place, "line %zu", c->number);
		va_start(args, format);
		str_addv(&text, format, args);
		va_end(args);
	}
	lag_report_note(c->report, str_cstr(&place), str_cstr(&text));
}

/** Max bytes quoted in a message. */
#define SHOWN_BYTES 40

// Frames

/** Only ASCII without NUL: eight bytes at a time. */
static bool is_plain(struct text text)
{
	const uint64_t low = UINT64_C(0x0101010101010101);
	const uint64_t high = UINT64_C(0x8080808080808080);
	size_t at = 0;

	for (; text.size - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, text.data + at, sizeof(word));
		if ((word | (word - low)) & high)
			return false;
	}
	for (; at < text.size; at++)
		if (!text.data[at] || (unsigned char)text.data[at] >= 0x80)
			return false;
	return true;
}

/** Make it valid UTF-8, like all other readers. */
static struct text make_valid(struct collapsed *c, struct text name)
{
	str_clear(&c->name);
	utf8_add_valid(&c->name, name);
	return str_text(&c->name);
}

static uint32_t frame_of(struct collapsed *c, struct text name)
{
	bool is_cut;
	uint32_t frame;

	if (!is_plain(name))
		name = make_valid(c, name);
	frame = lag_reader_symbol(c->reader, name, &is_cut);
	if (is_cut)
		note(c, "expected at most %zu bytes, found %zu: truncated",
		     LAG_SYMBOL_BYTES, name.size);
	return frame;
}

// Stacks

/** Length of the common prefix of @p a and @p b. */
static size_t shared_size(struct text a, struct text b)
{
	size_t min = a.size < b.size ? a.size : b.size;
	size_t at = 0;

	for (; min - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
		uint64_t left;
		uint64_t right;

		memcpy(&left, a.data + at, sizeof(left));
		memcpy(&right, b.data + at, sizeof(right));
		// The loop below finds the differing byte.
		if (left != right)
			break;
	}
	while (at < min && a.data[at] == b.data[at])
		at++;
	return at;
}

/** Keep the nodes of frames that both stacks share. */
static void keep_prefix(struct collapsed *c, struct text stack)
{
	struct lag_prefix *prefix = c->prefix;
	size_t shared = shared_size(stack, c->before);

	// A frame is equal only if a `;`, or the end of both stacks, follows.
	if (shared == stack.size && shared == c->before.size)
		return;
	if (shared == c->before.size && stack.data[shared] == ';')
		return;
	while (prefix->count && prefix->end[prefix->count - 1] >= shared)
		prefix->count--;
}

/** Add the frames of @p stack from @p at on, keeping up to @p max. */
static uint32_t add_frames(struct collapsed *c, struct text stack, size_t max)
{
	struct lag_prefix *prefix = c->prefix;
	size_t count = prefix->count;
	size_t at = count ? prefix->end[count - 1] + 1 : 0;
	uint32_t node = count ? prefix->node[count - 1] : CALLTREE_ROOT;

	for (; at <= stack.size && count < max; count++) {
		const char *data = stack.data + at;
		const char *sign = memchr(data, ';', stack.size - at);
		size_t size = sign ? (size_t)(sign - data) : stack.size - at;

		if (size)
			node = calltree_child(
			        &c->report->profile.stacks, node,
			        frame_of(c, (struct text){ data, size }));
		else
			note(c, "expected a frame, found none: left out");
		prefix->end[count] = at + size;
		prefix->node[count] = node;
		at += size + 1;
	}
	prefix->count = count;
	return node;
}

/** Number of frames, if it may exceed the limit; else 0. */
static size_t deep_count(struct text stack)
{
	size_t count = 1;

	if (stack.size < LAG_STACK_FRAMES)
		return 0;
	for (size_t i = 0; i < stack.size; i++)
		count += stack.data[i] == ';';
	return count > LAG_STACK_FRAMES ? count : 0;
}

/** A stack with more frames than are kept: without its middle. */
static uint32_t add_deep(struct collapsed *c, struct text stack, size_t count)
{
	const size_t half = LAG_STACK_FRAMES / 2;
	size_t sign = stack.size;
	uint32_t node;

	note(c, "expected at most %d frames, found %zu: the middle is left out",
	     LAG_STACK_FRAMES, count);
	if (c->prefix->count > half)
		c->prefix->count = half;
	node = add_frames(c, stack, half);
	for (size_t left = half; left; left--)
		sign = text_find_last_char(text_first(stack, sign), ';');
	for (stack = text_after(stack, sign + 1); stack.size;
	     stack = text_after(stack, sign + 1)) {
		sign = text_find_char(stack, ';');
		if (sign == TEXT_NOWHERE)
			sign = stack.size;
		if (sign)
			node = calltree_child(
			        &c->report->profile.stacks, node,
			        frame_of(c, text_first(stack, sign)));
	}
	return node;
}

/**
 * Find or add a stack, which becomes the previous line. Notes must not depend
 * on the previous line, which another job may have read: stacks with faults
 * share nothing.
 */
static uint32_t walk_stack(struct collapsed *c, struct text stack)
{
	size_t deep = deep_count(stack);
	uint32_t node;

	keep_prefix(c, stack);
	c->before = stack;
	c->is_flawed = false;
	node = deep ? add_deep(c, stack, deep)
	            : add_frames(c, stack, LAG_STACK_FRAMES);
	if (c->is_flawed)
		c->prefix->count = 0;
	return node;
}

static uint32_t find_stack(struct collapsed *c, struct text stack)
{
	struct fingerprints *known = &c->prefix->known;
	struct fingerprint print;
	uint32_t *node;
	uint32_t found;
	bool is_new;

	if (c->report->profile.stacks.node_count < KNOWN_NODES ||
	    !fingerprints_repay(known))
		return walk_stack(c, stack);
	print = fingerprint_of(known, stack.data, stack.size);
	node = fingerprints_find(known, &print, &is_new);
	if (is_new)
		*node = NODE_FLAWED;
	if (*node != NODE_FLAWED)
		return *node;
	found = walk_stack(c, stack);
	if (!c->is_flawed)
		*node = found;
	return found;
}

static void add_stack(struct collapsed *c, struct text stack, uint64_t count)
{
	uint32_t node = find_stack(c, stack);

	c->report->cost_origin = COST_ASSUMED;
	profile_count(&c->report->profile, node, count,
	              lag_cost_us(count, c->report->interval_us));
}

// Lines

/** The number at the end of the line; its fraction is left out. */
static bool take_count(struct collapsed *c, struct text field, uint64_t *ret)
{
	size_t point;
	uint64_t fraction = 0;

	if (number_decimal(field, ret))
		return true;
	point = text_find_char(field, '.');
	if (point == TEXT_NOWHERE ||
	    !number_decimal(text_first(field, point), ret))
		return false;
	for (size_t i = point + 1; i < field.size; i++) {
		if (!text_is_digit(field.data[i]))
			return false;
		fraction |= field.data[i] != '0';
	}
	if (fraction)
		note(c,
		     "expected a whole count, found %.*s: %" PRIu64 " is used",
		     TEXT_ARGS(utf8_first(field, SHOWN_BYTES)), *ret);
	return true;
}

static void read_line(struct collapsed *c, struct text line)
{
	size_t at;
	size_t end;
	uint64_t count;

	while (line.size && text_is_space(line.data[line.size - 1]))
		line.size--;
	if (!line.size)
		return;
	// Of a block that the disk lost: the count is of another stack.
	if (c->has_nuls && text_find_char(line, '\0') != TEXT_NOWHERE) {
		note(c, "NUL bytes: the line, and the text in their place, are "
		        "lost");
		c->reader->bad_lines++;
		return;
	}
	at = line.size;
	while (at && !text_is_blank(line.data[at - 1]))
		at--;
	end = at;
	while (end && text_is_blank(line.data[end - 1]))
		end--;
	if (!end || !take_count(c, text_after(line, at), &count)) {
		SCOPED(str_release) struct str found = { 0 };

		// A comment, or a header of perf.
		if (*line.data == '#')
			return;
		utf8_add_valid(&found, utf8_first(line, SHOWN_BYTES));
		note(c, "expected a stack and its count, found '%s'",
		     str_cstr(&found));
		c->reader->bad_lines++;
		return;
	}
	if (count)
		add_stack(c, text_first(line, end), count);
}

void lag_read_collapsed(struct lag_reader *reader, struct text lines,
                        size_t first_line)
{
	struct collapsed c = {
		.reader = reader,
		.report = &reader->report,
		.before = reader->line,
	};

	if (!reader->pending) {
		lag_report_clear(&reader->report);
		reader->report.line = first_line;
		// They were added up, and mostly sorted.
		reader->report.profile.is_unordered = true;
		reader->pending = true;
		if (reader->prefix)
			fingerprints_clear(&reader->prefix->known);
	}
	if (!reader->prefix)
		reader->prefix = mem_zalloc(1, sizeof(*reader->prefix));
	c.prefix = reader->prefix;
	if (first_line == 1)
		text_take(&lines, UTF8_MARK);
	c.has_nuls = text_find_char(lines, '\0') != TEXT_NOWHERE;
	for (c.number = first_line; lines.size; c.number++) {
		size_t size = text_find_char(lines, '\n');

		if (size == TEXT_NOWHERE)
			size = lines.size;
		read_line(&c, text_first(lines, size));
		lines = text_after(lines, size + 1);
	}
	// The caller's bytes go; the next ones are compared with a copy.
	if (c.before.data != reader->line.data) {
		char *copy = mem_strndup(c.before.data, c.before.size);

		free((char *)reader->line.data);
		reader->line = (struct text){ copy, c.before.size };
	}
	str_release(&c.name);
}
