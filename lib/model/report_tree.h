// SPDX-License-Identifier: MIT
/**
 * Selects call trees of a report. A spindump has trees of all processes, each
 * with a main thread, and idle daemons have as many samples as the app that
 * hung. Only trees of the process that the report names, or of its only
 * process, are the report's own.
 */
#ifndef APMTOOL_LIB_MODEL_REPORT_TREE_H
#define APMTOOL_LIB_MODEL_REPORT_TREE_H

#include "lib/model/report.h"

#include <stdbool.h>

/**
 * Is it the same process? Names may be truncated, so numbers decide if both
 * have one.
 */
bool report_process_same(const struct report_process_ref *a,
                         const struct report_process_ref *b);

/** Is it the title of a main thread? False for NULL. */
bool report_is_main_title(const char *title);

/**
 * Is it a tree of the report's process? True for trees that name no process.
 */
bool report_tree_is_own(const struct report *report,
                        const struct report_tree *tree);

/**
 * Is it a main thread? By its title; of a daemon without titles, by its
 * outermost call.
 */
bool report_tree_is_main(const struct report_tree *tree);

/**
 * The own tree of the attributed thread, else of the main thread, else the
 * first own one; or NULL.
 */
const struct report_tree *report_blamed_tree(const struct report *report);

/**
 * If no tree is the report's own: the tree of the only process with an app
 * frame in a heaviest stack; its main thread, else the tree with the most
 * samples. NULL if there is none, or several processes.
 */
const struct report_tree *report_app_tree(const struct report *report);

#endif
