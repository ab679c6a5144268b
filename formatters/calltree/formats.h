// SPDX-License-Identifier: MIT
/**
 * Writes call trees as `text`, `json`, `jsonl` and `csv`, the formats that
 * other results have, too.
 */
#ifndef APMTOOL_FORMATTERS_CALLTREE_FORMATS_H
#define APMTOOL_FORMATTERS_CALLTREE_FORMATS_H

#include "lib/base/out.h"
#include "lib/model/calltree.h"
#include "lib/model/format_options.h"

/**
 * The result in one line, then the tree, heaviest first: one function per row,
 * in columns, with guides below a function that calls several others. Calls
 * below `min_percent` are counted, not shown.
 */
void text_calltree(const struct calltree *tree,
                   const struct format_options *options, struct out *out);

/** `apmtool.calltree/1`; see formatters/schema/calltree.schema.json. */
void json_calltree(const struct calltree *tree,
                   const struct format_options *options, struct out *out);
/** As json_calltree(), on one line. */
void jsonl_calltree(const struct calltree *tree,
                    const struct format_options *options, struct out *out);

/** The nodes of apmtool.calltree/1, one record each. */
void csv_calltree(const struct calltree *tree,
                  const struct format_options *options, struct out *out);

/** `app`, `system` */
const char *calltree_kind_name(enum calltree_kind kind);

#endif
