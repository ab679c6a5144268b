// SPDX-License-Identifier: MIT
/**
 * Tables in the formats that show other shapes, too: `text`, `json` and `csv`.
 */
#ifndef APMTOOL_FORMATTERS_TABLE_FORMATS_H
#define APMTOOL_FORMATTERS_TABLE_FORMATS_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/model/format_options.h"
#include "lib/model/table.h"
#include "lib/text/json/writer.h"

/**
 * The summary, and the rows under a header: columns aligned by what a terminal
 * shows, numbers at the right, two blanks between. An absent cell is `-`, so
 * that each row has as many fields. Columns without a title are left out, and
 * bars where no terminal shows them.
 *
 * Where the options say how long a line may be, columns give way as layout.h
 * has it. Else nothing is shortened or wrapped, and what is wider than 64
 * columns pushes its row to the right.
 */
void text_table(const struct table *table, const struct format_options *options,
                struct out *out);

/** As `UUID: 4C4C… (arm64) path`, like `dwarfdump --uuid`: the first cells. */
void text_uuids(const struct table *table, const struct format_options *options,
                struct out *out);

/** `apmtool.table/1`, or its own schema; see formatters/schema/. */
void json_table(const struct table *table, const struct format_options *options,
                struct out *out);
/** The same on one line. */
void jsonl_table(const struct table *table,
                 const struct format_options *options, struct out *out);
/** The same as a member, or as an element for a NULL key. */
void json_add_table(struct json_writer *w, const char *key,
                    const struct table *table);

/** `apmtool.row/1`, the document of a row; `@timestamp` where one is given. */
void json_add_row(struct json_writer *w, const struct table *table, size_t row,
                  const char *timestamp);

/** Keys in the first record, then a record a row. */
void csv_table(const struct table *table, const struct format_options *options,
               struct out *out);

/** Append a cell's value as plain text; nothing where it is absent. */
void table_add_value(const struct table_column *column,
                     const struct table_cell *cell, struct str *out);

#endif
