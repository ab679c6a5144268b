/**
 * The table of `apmtool uuid` (lib/analysis/symbolicate/slices.h) in formats of
 * its own, which others read: the lines of `dwarfdump --uuid`, and JSON that is
 * older than `apmtool.table/1`.
 */
#ifndef APMTOOL_FORMATTERS_TABLE_UUIDS_H
#define APMTOOL_FORMATTERS_TABLE_UUIDS_H

#include "lib/base/out.h"
#include "lib/model/table.h"

/** `UUID: 4C4C… (arm64) path`: of each row the first three cells. */
void uuids_text(const struct table *table, struct out *out);

/** `apmtool.uuids/1`: a member for each cell. */
void uuids_json(const struct table *table, struct out *out);

#endif
