// SPDX-License-Identifier: MIT
/**
 * The platform of a text report, which is in none of its lines
 * (apmtool-formats(5)).
 */
#ifndef APMTOOL_PARSERS_TEXT_PLATFORM_H
#define APMTOOL_PARSERS_TEXT_PLATFORM_H

#include "lib/model/report.h"

/** Derive the platform from header and images. */
void text_platform_set(struct report *report);

#endif
