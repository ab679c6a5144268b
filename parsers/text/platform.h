// SPDX-License-Identifier: MIT
/**
 * The platform of a text report, which no line of it gives (formats.md 2.10).
 */
#ifndef APMTOOL_PARSERS_TEXT_PLATFORM_H
#define APMTOOL_PARSERS_TEXT_PLATFORM_H

#include "lib/model/report.h"

/** Set the platform, which follows from header and images together. */
void text_platform_set(struct report *report);

#endif
