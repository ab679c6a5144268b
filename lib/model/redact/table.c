// SPDX-License-Identifier: MIT
#include "lib/model/redact/fields.h"
#include "lib/model/redact/redact.h"
#include "lib/model/redact/text.h"

/** Rows of another table, redacted. */
struct redacted {
	struct table_maker maker;
	const struct table *from;
	const struct redactor *redactor;
};

static const char *const *redact_texts(const struct redaction *r,
                                       const struct table_cell *cell,
                                       enum redact_class class,
                                       const char *kind)
{
	size_t count = (size_t)cell->number;
	const char **texts = arena_array(r->arena, count, sizeof(*texts));

	for (size_t i = 0; i < count; i++)
		texts[i] = redact_string(r, cell->texts[i], class, kind);
	return texts;
}

static const struct table_count *redact_counts(const struct redaction *r,
                                               const struct table_cell *cell,
                                               enum redact_class class,
                                               const char *kind)
{
	size_t count = (size_t)cell->number;
	struct table_count *counts =
	        arena_array(r->arena, count, sizeof(*counts));

	for (size_t i = 0; i < count; i++) {
		counts[i] = cell->counts[i];
		counts[i].name = redact_string(r, counts[i].name, class, kind);
	}
	return counts;
}

static const struct table_frame *redact_frames(const struct redaction *r,
                                               const struct table_cell *cell,
                                               enum redact_class class,
                                               const char *kind)
{
	size_t count = (size_t)cell->number;
	struct table_frame *frames =
	        arena_array(r->arena, count, sizeof(*frames));

	for (size_t i = 0; i < count; i++) {
		struct table_frame *frame = &frames[i];

		*frame = cell->frames[i];
		frame->symbol = redact_string(r, frame->symbol, class, kind);
		frame->image = redact_string(r, frame->image, class, kind);
		frame->file = redact_string(r, frame->file, class, kind);
	}
	return frames;
}

static const struct calltree *redact_calls(const struct redaction *r,
                                           const struct calltree *calls)
{
	struct calltree *copy = arena_alloc(r->arena, sizeof(*copy));

	*copy = *calls;
	copy->timeline = NULL;
	calltree_redact(copy, r->redactor, r->arena);
	copy->timeline = calls->timeline;
	return copy;
}

static void redact_cell(const struct redaction *r,
                        const struct table_column *column,
                        struct table_cell *cell)
{
	const char *kind;
	enum redact_class class = redact_column(column->key, &kind);

	if (!cell->present)
		return;
	switch (table_kind_value(column->kind)) {
	case TABLE_VALUE_TEXT:
		cell->text = redact_string(r, cell->text, class, kind);
		break;
	case TABLE_VALUE_LIST:
		cell->texts = redact_texts(r, cell, class, kind);
		break;
	case TABLE_VALUE_COUNTS:
		cell->counts = redact_counts(r, cell, class, kind);
		break;
	case TABLE_VALUE_FRAMES:
		cell->frames = redact_frames(r, cell, class, kind);
		break;
	case TABLE_VALUE_NUMBER:
	case TABLE_VALUE_ADDRESS:
	case TABLE_VALUE_BOOL:
	case TABLE_VALUE_DECIMAL:
		break;
	case TABLE_VALUE_DRAWN:
		if (column->kind == TABLE_CALLS)
			cell->calls = redact_calls(r, cell->calls);
		break;
	}
}

static void make_row(struct table_maker *maker, size_t row,
                     struct table_cell *cells)
{
	// It is the first member.
	struct redacted *redacted = (struct redacted *)(void *)maker;
	const struct table *from = redacted->from;
	const struct redaction r = { .redactor = redacted->redactor,
		                     .arena = &maker->arena };

	if (from->maker)
		from->maker->titled_only = maker->titled_only;
	for (size_t i = 0; i < from->column_count; i++) {
		cells[i] = *table_cell(from, row, i);
		redact_cell(&r, &from->columns[i], &cells[i]);
	}
}

static void release(struct table_maker *maker)
{
	table_release(((struct redacted *)(void *)maker)->from);
}

const struct table *table_redact(const struct table *table,
                                 const struct redactor *redactor,
                                 struct arena *arena)
{
	struct redacted *redacted = arena_alloc(arena, sizeof(*redacted));
	struct table *copy = arena_alloc(arena, sizeof(*copy));

	*copy = *table;
	*redacted = (struct redacted){
		.maker = { .make = make_row,
		           .release = release,
		           .cells = arena_array(
		                   arena, table->column_count,
		                   sizeof(*redacted->maker.cells)) },
		.from = table,
		.redactor = redactor,
	};
	copy->cells = NULL;
	copy->maker = &redacted->maker;
	copy->summary = redact_message(redactor, table->summary, arena);
	return copy;
}
