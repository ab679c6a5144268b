// SPDX-License-Identifier: MIT
/**
 * Writes numbers into XML and HTML, independent of the locale. For text see
 * lib/base/xml.h.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_MARKUP_H
#define APMTOOL_FORMATTERS_FLAME_MARKUP_H

#include "lib/base/str.h"
#include "lib/model/calltree.h"

#include <stdint.h>

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
