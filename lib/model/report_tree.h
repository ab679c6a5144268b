// SPDX-License-Identifier: MIT
/**
 * Which of a report's call trees it is about. A spindump has those of all
 * processes, each with a main thread, and idle daemons have as many samples as
 * the app that hung: only the trees of the process that the report names, or
 * of its only process, are the report's own.
 */
#ifndef APMTOOL_LIB_MODEL_REPORT_TREE_H
#define APMTOOL_LIB_MODEL_REPORT_TREE_H

#include "lib/model/report.h"

#include <stdbool.h>

/** The same process? Names may be cut, so numbers decide where both have one.
 */
bool report_process_same(const struct report_process_ref *a,
                         const struct report_process_ref *b);

/** Is it the title of a main thread? False for NULL. */
bool report_is_main_title(const char *title);

/**
 * Is it a tree of the process that the report is about? Trees that name no
 * process are.
 */
bool report_tree_is_own(const struct report *report,
                        const struct report_tree *tree);

/**
 * Is it a main thread's? By its title; among those of a process, which daemons
 * give no title, by its outermost call, too.
 */
bool report_tree_is_main(const struct report_tree *tree);

/**
 * The own tree of the thread that is blamed, else of the main thread, else the
 * first own one; NULL if there is none.
 */
const struct report_tree *report_blamed_tree(const struct report *report);

/**
 * Where no tree is the report's own: the tree of the only process that has a
 * frame of an app on a heaviest stack; its main thread's, else the one with
 * the most samples. NULL: of none, or of several processes.
 */
const struct report_tree *report_app_tree(const struct report *report);

#endif
