// SPDX-License-Identifier: MIT
/**
 * Marks of markdown on the lines of a report: backticks around each line,
 * `**Process:**` in bold, `## Binary Images:` as a heading. Marks around a
 * whole report are in block.h.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_MARKDOWN_H
#define APMTOOL_PARSERS_INPUT_REPAIR_MARKDOWN_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Each function looks for its marks on lines of a report. If there are any, it
 * writes the text without them; @p ret_count counts the lines. Blank lines that
 * markdown needs between two code spans are removed as well.
 */
bool markdown_spans(struct text in, struct str *out, size_t *ret_count);
bool markdown_marks(struct text in, struct str *out, size_t *ret_count);

/** The line without its markdown prefix, if it has one. */
struct text markdown_plain(struct text line);

#endif
