// SPDX-License-Identifier: MIT
#include "formatters/table/marks.h"

#include "formatters/table/formats.h"

bool mark_value(const struct table *table, size_t row, const char *key,
                struct str *ret)
{
	size_t column = table_column(table, key);

	str_clear(ret);
	if (column == TEXT_NOWHERE)
		return false;
	table_add_value(&table->columns[column], table_cell(table, row, column),
	                ret);
	return ret->size;
}

enum mark_level mark_level_of(const struct table *table, size_t row)
{
	static const char *const names[] = {
		[MARK_NOTICE] = "notice",
		[MARK_WARNING] = "warning",
		[MARK_ERROR] = "error",
	};
	SCOPED(str_release) struct str value = { 0 };

	if (table_column(table, "level") == TEXT_NOWHERE)
		return MARK_NOTICE;
	if (!mark_value(table, row, "level", &value))
		return MARK_NONE;
	for (unsigned i = MARK_NOTICE; i <= MARK_ERROR; i++)
		if (text_is(str_text(&value), names[i]))
			return (enum mark_level)i;
	return MARK_NONE;
}

void mark_add_message(const struct table *table, size_t row, struct str *out)
{
	SCOPED(str_release) struct str value = { 0 };
	const char *before = "";

	if (mark_value(table, row, "message", &value)) {
		str_add_text(out, str_text(&value));
		return;
	}
	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->columns[i];

		if (!column->title || table_kind_is_drawn(column->kind) ||
		    !mark_value(table, row, column->key, &value))
			continue;
		str_addf(out, "%s%s: ", before, column->title);
		str_add_text(out, str_text(&value));
		before = ", ";
	}
}
