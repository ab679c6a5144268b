// SPDX-License-Identifier: MIT
/**
 * Text and numbers in XML and HTML.
 *
 * Names come from the input: they reach a document through markup_add_text()
 * and nothing else. What it writes is safe as text and within quotes of both
 * kinds, in XML and HTML alike: no character that either would refuse or read
 * as its own stays as it is. Numbers look the same in every locale.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_MARKUP_H
#define APMTOOL_FORMATTERS_FLAME_MARKUP_H

#include "lib/base/str.h"
#include "lib/model/calltree.h"

#include <stdint.h>

/**
 * Append untrusted text. What is hidden or no UTF-8 is made visible as
 * utf8_add_visible() does it, and so are the two characters that XML forbids
 * beside them, U+FFFE and U+FFFF.
 */
void markup_add_text(struct str *out, struct text in);

/** `1,234,567` */
void markup_add_count(struct str *out, uint64_t count);

/** Hundredths of a percent as `12.30 %`. */
void markup_add_percent(struct str *out, uint64_t hundredths);

/** Microseconds as `1,234.5 ms`. */
void markup_add_ms(struct str *out, uint64_t us);

/** A cost of a tree, with its mark and its unit: `~1,234.5 ms`. */
void markup_add_cost(struct str *out, const struct calltree *tree,
                     uint64_t cost);

/** `1 frame`, `2 frames` */
void markup_add_plural(struct str *out, uint64_t count, const char *noun);

#endif
