// SPDX-License-Identifier: MIT
#include "parsers/sampled/tree_text.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "parsers/sampled/tree_frame.h"

#include <stdlib.h>
#include <string.h>

#define TAB_COLUMNS 8
#define INDENT      2
// A deeper chain of inlined calls is damage, not code.
#define CHAIN_LIMIT 64

void tree_text_release(struct tree_text *text)
{
	free(text->levels);
}

// One line

/** Blanks, and the lines that `sample` draws between siblings. */
static bool is_indent(char c)
{
	return c == ' ' || c == '\t' || c == '+' || c == '!' || c == ':' ||
	       c == '|';
}

/** Offset after the indent and the kernel's `*`. */
static size_t skip_indent(struct text line, struct tree_text_line *ret)
{
	size_t at = 0;

	for (; at < line.size && is_indent(line.data[at]); at++) {
		ret->column++;
		if (line.data[at] != '\t')
			continue;
		ret->column += TAB_COLUMNS - 1;
		ret->column -= ret->column % TAB_COLUMNS;
		ret->has_tab = true;
	}
	if (at < line.size && line.data[at] == '*') {
		ret->column++;
		at++;
	}
	return at;
}

bool tree_text_split(struct tree_text *text, struct text line,
                     struct tree_text_line *ret)
{
	struct tree_text_line parts = { 0 };
	size_t count = skip_indent(line, &parts);
	size_t end = count + text_count_digits(text_after(line, count));

	if (end == count || end >= line.size || !text_is_space(line.data[end]))
		return false;
	parts.what = text_trim_left(text_after(line, end));
	if (!parts.what.size)
		return false;
	if (!number_decimal(text_after(text_first(line, end), count),
	                    &parts.samples)) {
		line_reader_flaw(&text->reader, LINE_FLAW_BAD_COUNT);
		return false;
	}
	parts.columns = text_first(line, line.size - parts.what.size);
	*ret = parts;
	return true;
}

// Frames

static struct report_call make_call(const struct tree_frame *from,
                                    const char *verbatim, struct arena *arena)
{
	struct report_call call = {
		.symbol = arena_text(arena, from->symbol),
		.symbol_offset = from->symbol_offset,
		.has_symbol_offset = from->has_symbol_offset,
		.line = from->line,
		.has_line = from->has_line,
		.line_borrowed = from->line_borrowed,
		.verbatim = verbatim,
	};
	size_t slash = text_find_last_char(from->file, '/');

	if (!from->file.size)
		return call;
	call.file = arena_text(arena, from->file);
	if (slash != TEXT_NOWHERE) {
		call.path = call.file;
		call.file += slash + 1;
	}
	return call;
}

/** Insert an inlined call before the existing ones. */
static void add_inlined(struct report_frame *frame,
                        const struct tree_frame *from, const char *verbatim,
                        struct arena *arena)
{
	struct report_call *calls =
	        arena_array(arena, frame->call_count + 1, sizeof(*calls));

	memcpy(calls + 1, frame->calls, frame->call_count * sizeof(*calls));
	calls[0] = make_call(from, verbatim, arena);
	frame->calls = calls;
	frame->call_count++;
	frame->line_count++;
	frame->verbatim = verbatim;
}

/** Neighbours often share it: keep one copy. */
static const char *keep(const char *above, struct text text,
                        struct arena *arena)
{
	return above && text_is(text, above) ? above : arena_text(arena, text);
}

/** @p frame is the newest of @p stack. */
static void fill_frame(struct report_frame *frame, struct report_stack *stack,
                       const struct tree_frame *from,
                       const struct tree_text_line *parts, struct arena *arena)
{
	static const struct report_frame none = { 0 };
	const struct report_frame *above =
	        stack->count > 1 ? &stack->frames[stack->count - 2] : &none;

	frame->index_width = 0;
	frame->line_count = 1;
	frame->address = from->address;
	frame->image_offset = from->image_offset;
	if (from->image.size)
		frame->image_name = keep(above->image_name, from->image, arena);
	frame->columns = keep(above->columns, parts->columns, arena);
	// The line ends with a NUL in the arena.
	frame->verbatim = parts->what.data;
	if (!from->symbol.size)
		return;
	frame->calls = arena_alloc(arena, sizeof(*frame->calls));
	frame->calls[0] = make_call(from, frame->verbatim, arena);
	frame->call_count = 1;
	frame->source = REPORT_SOURCE_REPORT;
}

/** Is @p columns as @p first, its count @p blanks further in? */
static bool is_moved(const char *first, struct text columns, size_t blanks)
{
	size_t count = strcspn(first, "0123456789*");
	struct text rest = columns;

	if (columns.size != strlen(first) + blanks ||
	    memcmp(columns.data, first, count) != 0)
		return false;
	rest = text_after(rest, count);
	for (size_t i = 0; i < blanks; i++)
		if (rest.data[i] != ' ')
			return false;
	return text_is(text_after(rest, blanks), first + count);
}

/**
 * Is this line an inlined call at the address of the line above? Only apmtool
 * writes such lines (formatters/report/text/tree_text.c); only in its exact
 * format can they be reproduced.
 */
static bool continues(const struct tree_text *text,
                      const struct report_stack *stack,
                      const struct tree_frame *frame,
                      const struct tree_text_line *parts, size_t indent)
{
	const struct report *report = text->reader.report;
	const struct report_line *line;
	const struct report_frame *last;

	if (!frame->inlined || !frame->symbol.size || !stack->count)
		return false;
	line = &report->lines[report->line_count - 1];
	last = &stack->frames[stack->count - 1];
	return line->stack == stack && last->call_count &&
	       last->call_count < CHAIN_LIMIT &&
	       last->address == frame->address &&
	       is_moved(last->columns, parts->columns,
	                indent * last->line_count);
}

// Trees

bool tree_text_is_open(const struct tree_text *text)
{
	return text->title || text->tree || text->list;
}

/** Addresses of innermost frames are program counters. */
static void mark_leaves(struct report_tree *tree, bool all)
{
	const struct calltree *calls = &tree->calls;

	// A line with callees is a return address, even if some of its samples
	// were taken in itself: every call has a return address, while a
	// sampled instruction is rarely the one after a call. So its line is
	// the call's.
	for (uint32_t i = 1; i < calls->node_count; i++)
		tree->frames.frames[calls->nodes[i].frame].is_pc =
		        all || !calls->nodes[i].first_child;
}

/** A stack begins with the innermost frame, the list with the outermost. */
static void turn_list(struct tree_text *text)
{
	struct report *report = text->reader.report;
	struct report_stack *list = text->list;

	for (size_t i = 0, k = list->count; i + 1 < k; i++) {
		struct report_frame frame = list->frames[i];

		list->frames[i] = list->frames[--k];
		list->frames[k] = frame;
	}
	for (size_t i = text->list_line; i < report->line_count; i++)
		if (report->lines[i].stack == list)
			report->lines[i].first = list->count - 1 -
			                         report->lines[i].first;
}

void tree_text_end(struct tree_text *text)
{
	if (text->tree)
		mark_leaves(text->tree, text->all_pc);
	if (text->list)
		turn_list(text);
	text->title = NULL;
	text->tree = NULL;
	text->list = NULL;
	text->level_count = 0;
}

void tree_text_begin(struct tree_text *text, const char *title)
{
	tree_text_end(text);
	text->title = title;
}

void tree_text_begin_list(struct tree_text *text)
{
	struct line_reader *reader = &text->reader;

	tree_text_end(text);
	text->list = report_add_app_backtrace(reader->report, reader->arena);
	text->list_line = reader->report->line_count;
	text->list->all_return_addresses = false;
}

/** Leave the levels that a line at @p column is not below. */
static void leave_levels(struct tree_text *text,
                         const struct tree_text_line *parts)
{
	while (text->level_count &&
	       text->levels[text->level_count - 1].column >= parts->column)
		text->level_count--;
	if (text->level_count >= TREE_TEXT_DEPTH_MAX) {
		line_reader_flaw(&text->reader, LINE_FLAW_DEPTH_LIMIT);
		text->level_count = TREE_TEXT_DEPTH_MAX - 1;
	}
	// How far a tab indents is unknown.
	if (text->tree->frames.count && !parts->has_tab &&
	    parts->column > text->last_column + INDENT)
		line_reader_flaw(&text->reader, LINE_FLAW_DEPTH_JUMP);
}

static void take_samples(struct tree_text *text, uint64_t samples)
{
	struct tree_text_level *level;

	if (!text->level_count)
		return;
	level = &text->levels[text->level_count - 1];
	if (samples > level->samples_left) {
		line_reader_flaw(&text->reader, LINE_FLAW_COUNT_ABOVE);
		samples = level->samples_left;
	}
	level->samples_left -= samples;
}

static void add_node(struct tree_text *text, const struct tree_frame *frame,
                     const struct tree_text_line *parts)
{
	struct line_reader *reader = &text->reader;
	struct report_tree *tree = text->tree;

	leave_levels(text, parts);
	take_samples(text, parts->samples);
	fill_frame(report_add_node(tree, reader->arena, text->level_count,
	                           parts->samples),
	           &tree->frames, frame, parts, reader->arena);
	line_reader_keep_frames(reader, &tree->frames, tree->frames.count - 1);
	MEM_GROW(text->levels, text->level_count, text->level_cap);
	text->levels[text->level_count++] = (struct tree_text_level){
		.column = parts->column,
		.samples_left = parts->samples,
	};
}

static void add_to_tree(struct tree_text *text, const struct tree_frame *frame,
                        const struct tree_text_line *parts)
{
	struct line_reader *reader = &text->reader;

	// Created with its first node, so that no tree is empty.
	if (!text->tree) {
		text->tree = report_add_tree(reader->report, reader->arena);
		text->tree->title = text->title;
	}
	if (continues(text, &text->tree->frames, frame, parts, INDENT)) {
		struct report_stack *stack = &text->tree->frames;

		add_inlined(&stack->frames[stack->count - 1], frame,
		            parts->what.data, reader->arena);
		return;
	}
	add_node(text, frame, parts);
}

/** Lines of a list have one level, including inlined calls. */
static void add_to_list(struct tree_text *text, const struct tree_frame *frame,
                        const struct tree_text_line *parts)
{
	struct line_reader *reader = &text->reader;
	struct report *report = reader->report;
	struct report_stack *list = text->list;

	if (continues(text, list, frame, parts, 0)) {
		add_inlined(&list->frames[list->count - 1], frame,
		            parts->what.data, reader->arena);
		return;
	}
	fill_frame(report_add_frame(list, reader->arena), list, frame, parts,
	           reader->arena);
	list->frames[list->count - 1].repeat_count = parts->samples;
	// Each has its own line; their order is reversed at the end.
	ARENA_GROW(reader->arena, report->lines, report->line_count,
	           report->line_cap);
	report->lines[report->line_count++] = (struct report_line){
		.stack = list,
		.first = list->count - 1,
		.count = 1,
	};
}

void tree_text_add(struct tree_text *text, struct text line,
                   const struct tree_text_line *parts)
{
	struct tree_frame frame;

	tree_frame_parse(parts->what, &frame);
	if (frame.is_marker)
		line_reader_keep(&text->reader, line.data);
	else if (text->list)
		add_to_list(text, &frame, parts);
	else
		add_to_tree(text, &frame, parts);
	// Below a marker the tree continues one level deeper.
	text->last_column = parts->column;
}
