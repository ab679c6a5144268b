// SPDX-License-Identifier: MIT
#include "formatters/table/layout.h"

#include <stdint.h>

// Min widths: rather omit another column.
#define PATH_LEAST      20
#define NAME_LEAST      24
#define STACK_LEAST     40
#define SENTENCE_LEAST  24
#define PARAGRAPH_LEAST 40
/** Width for a few words on two lines of two thirds each. */
#define WORDS_FEW 24
/** Longer text is a sentence, and above the max a paragraph. */
#define WORDS_MOST    32
#define SENTENCE_MOST 80
/** Sizes of an identifier: from a UUID up to a SHA-256. */
#define IDENTIFIER_LEAST 32
#define IDENTIFIER_MOST  64
/** Min width if no column can be omitted. */
#define TEXT_LEAST 8

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/** A few words may wrap to two lines; longer text needs more room. */
static size_t prose_least(const struct layout_column *column)
{
	if (column->cell > SENTENCE_MOST)
		return PARAGRAPH_LEAST;
	if (column->cell > WORDS_MOST)
		return SENTENCE_LEAST;
	if (column->cell > WORDS_FEW)
		return larger(column->cell_word, (column->cell + 1) / 2);
	return larger(column->cell_word, (column->cell * 2 + 2) / 3);
}

/** Width below which another column is omitted instead. */
static size_t least_width(const struct layout_column *column)
{
	size_t min = column->cell;

	switch (column->kind) {
	case TABLE_PATH:
		min = smaller(min, PATH_LEAST);
		break;
	case TABLE_NAME:
		min = smaller(min, NAME_LEAST);
		break;
	case TABLE_STACK:
		min = smaller(min, STACK_LEAST);
		break;
	case TABLE_PROSE:
		min = smaller(min, prose_least(column));
		break;
	default:
		break;
	}
	return larger(min, column->title_word);
}

static size_t full_width(const struct layout_column *column)
{
	return larger(column->cell, column->title);
}

/** The columns in the row and the gaps between them. */
static size_t row_width(const struct layout_column *columns, size_t count)
{
	size_t width = 0;

	for (size_t i = 0; i < count; i++)
		if (columns[i].place == LAYOUT_BESIDE)
			width += columns[i].width + LAYOUT_GAP;
	return width ? width - LAYOUT_GAP : 0;
}

static void set_widths(struct layout_column *columns, size_t count,
                       size_t (*width)(const struct layout_column *column))
{
	for (size_t i = 0; i < count; i++)
		columns[i].width = width(&columns[i]);
}

static struct layout_column *find_turn(struct layout_column *columns,
                                       size_t count, size_t turn)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i].turn == turn &&
		    columns[i].place != LAYOUT_HIDDEN)
			return &columns[i];
	return NULL;
}

static size_t last_turn(const struct layout_column *columns, size_t count)
{
	size_t last = 0;

	for (size_t i = 0; i < count; i++)
		last = larger(last, columns[i].turn);
	return last;
}

static void leave_out(struct layout_column *columns, size_t count, size_t width)
{
	size_t last = last_turn(columns, count);

	for (size_t turn = 1; turn <= last && row_width(columns, count) > width;
	     turn++) {
		struct layout_column *column = find_turn(columns, count, turn);

		if (!column)
			continue;
		column->place = column->kind == TABLE_PROSE &&
		                                column->cell > WORDS_MOST
		                        ? LAYOUT_BELOW
		                        : LAYOUT_OUT;
	}
}

/** A UUID or a hash is useless if truncated. */
static bool is_identifier(const struct layout_column *column)
{
	return column->kind == TABLE_TEXT &&
	       column->cell_word >= IDENTIFIER_LEAST &&
	       column->cell_word <= IDENTIFIER_MOST;
}

/** Shrink required columns further. */
static void squeeze(struct layout_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct layout_column *column = &columns[i];

		if (column->place == LAYOUT_BESIDE && is_identifier(column))
			column->place = LAYOUT_BELOW;
		if (table_kind_is_text(column->kind))
			column->width =
			        larger(column->title_word,
			               smaller(column->width, TEXT_LEAST));
	}
}

/**
 * Distribute the remaining width, one terminal column at a time, to columns of
 * these kinds with wider cells.
 */
static void widen(struct layout_column *columns, size_t count, unsigned kinds,
                  size_t *left)
{
	bool gave = true;

	while (gave) {
		gave = false;
		for (size_t i = 0; i < count && *left; i++) {
			struct layout_column *column = &columns[i];

			if (column->place != LAYOUT_BESIDE ||
			    !(kinds >> column->kind & 1) ||
			    column->width >= column->cell)
				continue;
			column->width++;
			--*left;
			gave = true;
		}
	}
}

/** Titles that fit in one line after all. */
static void widen_titles(struct layout_column *columns, size_t count,
                         size_t left)
{
	for (size_t i = 0; i < count; i++) {
		size_t more = full_width(&columns[i]) - columns[i].width;

		if (columns[i].place != LAYOUT_BESIDE ||
		    columns[i].width < columns[i].cell || more > left)
			continue;
		columns[i].width += more;
		left -= more;
	}
}

void layout_fit(struct layout_column *columns, size_t count, size_t width)
{
	size_t used;

	set_widths(columns, count, full_width);
	if (!width || row_width(columns, count) <= width)
		return;
	for (size_t i = 0; i < count; i++)
		if (columns[i].kind == TABLE_BAR)
			columns[i].place = LAYOUT_HIDDEN;
	if (row_width(columns, count) <= width)
		return;
	set_widths(columns, count, least_width);
	leave_out(columns, count, width);
	if (row_width(columns, count) > width)
		squeeze(columns, count);
	used = row_width(columns, count);
	width = width > used ? width - used : 0;
	widen(columns, count, 1U << TABLE_TEXT, &width);
	widen(columns, count, 1U << TABLE_NAME | 1U << TABLE_STACK, &width);
	widen(columns, count, 1U << TABLE_PATH | 1U << TABLE_PROSE, &width);
	widen_titles(columns, count, width);
}
