// SPDX-License-Identifier: MIT
/**
 * Marks of markdown within the lines of a report: backticks around each line,
 * `**Process:**` in bold, `## Binary Images:` as a heading. What is around a
 * whole report is block.h's.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_MARKDOWN_H
#define APMTOOL_PARSERS_INPUT_REPAIR_MARKDOWN_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Each of these looks for its marks around lines of a report, and if they are
 * there, writes the text without them; @p ret_count: lines that had them. Blank
 * lines that markdown needs between two code spans go as well.
 */
bool markdown_spans(struct text in, struct str *out, size_t *ret_count);
bool markdown_marks(struct text in, struct str *out, size_t *ret_count);

/** The line without the mark that it begins with, if it begins with one. */
struct text markdown_plain(struct text line);

#endif
