// SPDX-License-Identifier: MIT
/**
 * What is known of a frame that is drawn, in words: one fact a line, for
 * readers without a script and for the script alike.
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
 * The second line is missing where nothing is known of it, that of the reports
 * where there is one or their number is not known, those of devices and builds
 * where all reports are of one or do not say it, the last two where nothing is
 * compared.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_FACTS_H
#define APMTOOL_FORMATTERS_FLAME_FACTS_H

#include "formatters/flame/layout.h"
#include "lib/base/str.h"

/** At most so many bytes of a name are written. */
#define FLAME_NAME_MAX 4096

/** A name as text for a document, truncated where it is longer than any should
 * be. */
void flame_add_name(struct str *out, const char *name);

/** What a box stands for: its function, or all. */
const struct calltree_frame *flame_box_frame(const struct flame *flame,
                                             const struct flame_box *box);

/** Is there a second line? */
bool flame_has_place(const struct calltree_frame *frame);

/** `Demo · Feed.m:42`; nothing where unknown. */
void flame_add_place(struct str *out, const struct calltree_frame *frame);

/** All lines, the last without an end. */
void flame_add_facts(struct str *out, const struct flame *flame,
                     const struct flame_box *box);

/**
 * Of these, the lines of the reports, devices and builds, each after a line
 * end; nothing where none is known.
 */
void flame_add_origins(struct str *out, const struct calltree *tree,
                       uint32_t node);

/** `+10 samples`, `−250 ms`, `+1.5 points`, `±0` in the flame's scale. */
void flame_add_change(struct str *out, const struct flame *flame, uint64_t now,
                      uint64_t before);

#endif
