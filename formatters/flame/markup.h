// SPDX-License-Identifier: MIT
/**
 * Writes text and numbers into XML and HTML.
 *
 * Names from the input get into a document only through markup_add_text(). Its
 * output is safe as text and inside both kinds of quotes, in XML and HTML:
 * every character that either would reject or interpret is escaped. Numbers do
 * not depend on the locale.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_MARKUP_H
#define APMTOOL_FORMATTERS_FLAME_MARKUP_H

#include "lib/base/str.h"
#include "lib/model/calltree.h"

#include <stdint.h>

/**
 * Append untrusted text. Hidden characters and invalid UTF-8 are made visible
 * as by utf8_add_visible(), and so are U+FFFE and U+FFFF, which XML forbids.
 */
void markup_add_text(struct str *out, struct text in);

/** Append `1,234,567`. */
void markup_add_count(struct str *out, uint64_t count);

/** Append hundredths of a percent as `12.30 %`. */
void markup_add_percent(struct str *out, uint64_t hundredths);

/** Append microseconds as `1,234.5 ms`. */
void markup_add_ms(struct str *out, uint64_t us);

/** Append a cost of a tree with mark and unit: `~1,234.5 ms`. */
void markup_add_cost(struct str *out, const struct calltree *tree,
                     uint64_t cost);

/** Append `1 frame`, `2 frames`. */
void markup_add_plural(struct str *out, uint64_t count, const char *noun);

#endif
