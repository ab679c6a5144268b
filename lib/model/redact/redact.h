// SPDX-License-Identifier: MIT
/**
 * Redacts reports, tables and call trees: people, hosts, networks, devices,
 * ids, inputs and other processes become pseudonyms (redactor.h), by the class
 * of each field in fields.def, and by patterns in other text (text.h).
 *
 * The model is changed in one place before printing, so that all formats and
 * commands agree. Identities of code are kept: symbols, UUIDs of images,
 * versions, addresses. A report's own text that is not lines (`raw`) is
 * dropped, and written again from the model.
 *
 * Redact jetsam logs before their analysis, whose results name processes; other
 * reports after symbolication, since paths of images show which code is the
 * app's.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_REDACT_H
#define APMTOOL_LIB_MODEL_REDACT_REDACT_H

#include "lib/base/arena.h"
#include "lib/model/calltree.h"
#include "lib/model/redact/redactor.h"
#include "lib/model/report.h"
#include "lib/model/table.h"

/** New strings are in the arena. */
void report_redact(struct report *report, const struct redactor *redactor,
                   struct arena *arena);

/** Only the names of functions, before they are split. */
void report_redact_symbols(struct report *report,
                           const struct redactor *redactor,
                           struct arena *arena);

/**
 * A table that shows the rows of @p table, redacted while they are read.
 *
 * @return In the arena; table_release() releases @p table, too.
 */
const struct table *table_redact(const struct table *table,
                                 const struct redactor *redactor,
                                 struct arena *arena);

/** Redact the frames of a tree, and the names of its timeline. */
void calltree_redact(struct calltree *tree, const struct redactor *redactor,
                     struct arena *arena);

#endif
