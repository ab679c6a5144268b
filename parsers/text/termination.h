// SPDX-License-Identifier: MIT
/**
 * The grammar of a termination reason, as text reports and MetricKit have it
 * (formats.md 2.2): `Namespace NAME, Code 0x… text`, `NAME 6 text`,
 * `NAME 6, text`; in older ones `NAME, [0x6] text`, `NAME; [6]`.
 */
#ifndef APMTOOL_PARSERS_TEXT_TERMINATION_H
#define APMTOOL_PARSERS_TEXT_TERMINATION_H

#include "lib/base/text.h"
#include "lib/model/report.h"

/** Read @p value, without its label. What @p ret had of it before, stays. */
void termination_parse(struct text value, struct arena *arena,
                       struct report_termination *ret);

#endif
