// SPDX-License-Identifier: MIT
/** Tables in the formats `text`, `json` and `csv`. */
#ifndef APMTOOL_FORMATTERS_TABLE_FORMATS_H
#define APMTOOL_FORMATTERS_TABLE_FORMATS_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/model/format_options.h"
#include "lib/model/table.h"
#include "lib/text/json/writer.h"

/**
 * The summary, and the rows under a header: columns aligned by display width,
 * numbers at the right, two blanks between. An absent cell is `-`, so that each
 * row has all fields. Columns without a title are omitted, and bars unless
 * output goes to a terminal.
 *
 * With a line width in the options, columns shrink as described in layout.h.
 * Without, nothing is shortened or wrapped, and a cell wider than 64 columns
 * pushes the rest of its row to the right.
 */
void text_table(const struct table *table, const struct format_options *options,
                struct out *out);

/** The first cells as `UUID: 4C4C… (arm64) path`, like `dwarfdump --uuid`. */
void text_uuids(const struct table *table, const struct format_options *options,
                struct out *out);

/** `apmtool.table/1`, or the table's own schema; see formatters/schema/. */
void json_table(const struct table *table, const struct format_options *options,
                struct out *out);
/** As json_table(), on one line. */
void jsonl_table(const struct table *table,
                 const struct format_options *options, struct out *out);
/** Write the table as a member, or as an element for a NULL key. */
void json_add_table(struct json_writer *w, const char *key,
                    const struct table *table);

/** `apmtool.row/1`, the document of a row; with `@timestamp` if given. */
void json_add_row(struct json_writer *w, const struct table *table, size_t row,
                  const char *timestamp);

/** A record of keys, then a record for each row. */
void csv_table(const struct table *table, const struct format_options *options,
               struct out *out);

/** Append a cell's value as plain text; nothing if it is absent. */
void table_add_value(const struct table_column *column,
                     const struct table_cell *cell, struct str *out);

#endif
