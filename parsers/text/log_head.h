// SPDX-License-Identifier: MIT
/**
 * The head of a text report other than a crash report: `Label: value` lines,
 * and the kind of report. Shared by readers of such texts.
 */
#ifndef APMTOOL_PARSERS_TEXT_LOG_HEAD_H
#define APMTOOL_PARSERS_TEXT_LOG_HEAD_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Max lines of a head that become fields of the report. */
#define LOG_HEAD_FIELDS_MAX 100

/** `name [pid]`, perhaps followed by `[unique pid 696637]`. */
struct report_process_ref log_head_process(struct text value,
                                           struct arena *arena);

/** Split `Label: value`; false for a sentence, or a line of a tree. */
bool log_head_label(struct text line, struct text *label, struct text *value);

/**
 * Keep a line of the head as a field of the report, and set the fact it
 * contains, unless an earlier line did. Ignores other lines.
 */
void log_head_line(struct text line, struct report *report,
                   struct arena *arena);

/**
 * Set the report's kind: by its number, else @p what, which has its article.
 *
 * @return The kind for a note: `a CPU usage report (bug_type 202)`.
 */
const char *log_head_kind(struct report *report, const char *what,
                          struct arena *arena);

#endif
