// SPDX-License-Identifier: MIT
/**
 * The grammar of a termination reason in text reports and MetricKit
 * (apmtool-formats(5)): `Namespace NAME, Code 0x… text`, `NAME 6 text`, `NAME
 * 6, text`; in older ones `NAME, [0x6] text`, `NAME; [6]`.
 */
#ifndef APMTOOL_PARSERS_TEXT_TERMINATION_H
#define APMTOOL_PARSERS_TEXT_TERMINATION_H

#include "lib/base/text.h"
#include "lib/model/report.h"

/** Read @p value, without its label. Values already in @p ret stay. */
void termination_parse(struct text value, struct arena *arena,
                       struct report_termination *ret);

#endif
