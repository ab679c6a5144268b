// SPDX-License-Identifier: MIT
/**
 * The facts of a frame in words, one a line; for readers without a script, and
 * as data for the script.
 *
 *     -[Feed draw:]
 *     Demo · Feed.m:42
 *     20 samples · 1,000 ms · 20.00 % of all, 20.20 % of its caller
 *     self 5 samples · 250 ms · 5.00 % of all
 *     in 12 of 340 reports
 *     devices iPhone14,2 · iPhone15,3 · iPhone16,1 +4 more
 *     builds Demo 2.1 (210)
 *     before 10 samples · 500 ms · 12.00 % of all
 *     change +10 samples
 *
 * Lines without a known value are omitted: the place, the number of reports
 * (also if there is only one), devices and builds (also if all reports have the
 * same). The last two lines appear in comparisons.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_FACTS_H
#define APMTOOL_FORMATTERS_FLAME_FACTS_H

#include "formatters/flame/layout.h"
#include "lib/base/str.h"

/** Max bytes of a name. */
#define FLAME_NAME_MAX 4096

/** Append a name as text for a document, truncated to FLAME_NAME_MAX. */
void flame_add_name(struct str *out, const char *name);

/** The function of a box; the root for all samples. */
const struct calltree_frame *flame_box_frame(const struct flame *flame,
                                             const struct flame_box *box);

/** Is image or source file known? */
bool flame_has_place(const struct calltree_frame *frame);

/** Append `Demo · Feed.m:42`; nothing if unknown. */
void flame_add_place(struct str *out, const struct calltree_frame *frame);

/** Append all lines; the last has no line end. */
void flame_add_facts(struct str *out, const struct flame *flame,
                     const struct flame_box *box);

/**
 * Append only the lines of reports, devices and builds, each after a line end;
 * nothing if unknown.
 */
void flame_add_origins(struct str *out, const struct calltree *tree,
                       uint32_t node);

/**
 * Append the change in the flame's scale: `+10 samples`, `−250 ms`, `+1.5
 * points`, `±0`.
 */
void flame_add_change(struct str *out, const struct flame *flame, uint64_t now,
                      uint64_t before);

#endif
