// SPDX-License-Identifier: MIT
/**
 * Reports, tables and call trees without what says whose they are: people,
 * hosts, networks, devices, ids, inputs and other processes become pseudonyms
 * (redactor.h), by the class that fields.def gives each field; in what else the
 * model holds, patterns of these do (text.h).
 *
 * The model is changed, in one place and before anything is printed, so that
 * every format and every command has the same. What identifies code stays:
 * symbols, UUIDs of images, versions, addresses. A report's own text that is
 * no lines (`raw`) is dropped: it is written anew from the model.
 *
 * A jetsam log is redacted before it is analysed, for what analysis says of it
 * names processes; other reports after their frames are named, for the paths of
 * images say which code is the app's.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_REDACT_H
#define APMTOOL_LIB_MODEL_REDACT_REDACT_H

#include "lib/base/arena.h"
#include "lib/model/calltree.h"
#include "lib/model/redact/redactor.h"
#include "lib/model/report.h"
#include "lib/model/table.h"

/** What is new lives in the arena. */
void report_redact(struct report *report, const struct redactor *redactor,
                   struct arena *arena);

/** The names of its functions alone, before they are cut into pieces. */
void report_redact_symbols(struct report *report,
                           const struct redactor *redactor,
                           struct arena *arena);

/**
 * A table that shows the rows of @p table, redacted as they are read.
 *
 * @return In the arena; table_release() releases @p table with it.
 */
const struct table *table_redact(const struct table *table,
                                 const struct redactor *redactor,
                                 struct arena *arena);

/** The frames of a tree, and the names of its timeline. */
void calltree_redact(struct calltree *tree, const struct redactor *redactor,
                     struct arena *arena);

#endif
