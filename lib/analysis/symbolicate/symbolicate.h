// SPDX-License-Identifier: MIT
/**
 * Symbolicates reports.
 *
 * The frames of all stacks of all reports are collected by image, resolved at
 * once, and written back. Names from debug info replace names from the device;
 * frames without a new name keep the old one.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_SYMBOLICATE_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_SYMBOLICATE_H

#include "lib/analysis/symbolicate/result.h"
#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/symbols/store.h"

#include <stddef.h>

/** Is there no dSYM, or none that is completely readable? */
bool symbolicate_needs_dsym(const struct symbol_image *found);

/**
 * Should the user be told? True for an app image with frames without a line, if
 * its dSYM was not found or is unreadable.
 */
bool symbolicate_image_needs_dsym(const struct symbolicate_image *image);

/**
 * Is the address of a frame that of the instruction itself, rather than a
 * return address? By default only in the first frame.
 */
bool symbolicate_is_pc(const struct report_stack *stack, size_t index);

/**
 * Number of app frames without a line in images that the report does not list:
 * there is no UUID to match a dSYM. Frames of runtimes without images are not
 * counted.
 */
size_t symbolicate_count_unlisted(struct report *report);

/**
 * Symbolicate several reports; each image's file is looked up once. Results are
 * in @p arena and in the store, there until symbol_store_trim().
 *
 * @param form  How names are printed.
 */
void symbolicate(struct report *const *reports, size_t count,
                 struct symbol_store *store, enum demangle_form form,
                 struct arena *arena, struct symbolicate_result *ret);

#endif
