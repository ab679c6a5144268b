// SPDX-License-Identifier: MIT
/**
 * The grammar of an image line in Swift's own crash logs:
 *
 *     0x0000000100b68000–0x0000000100b6c000 5c59de45… Demo /Users/dev/Demo
 *     0x00007f8a1c000000–0x00007f8a1c1b4000 <no build ID> libc.so.6 <unknown>
 *
 * Several Unicode dashes occur. The build ID is the UUID on Apple's systems; on
 * others it is longer, and no symbol file can be found by it.
 */
#ifndef APMTOOL_PARSERS_SWIFT_LOG_IMAGE_LINE_H
#define APMTOOL_PARSERS_SWIFT_LOG_IMAGE_LINE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Read one line, its texts into @p arena; false if it is not an image. */
bool swift_image_parse(struct text line, struct arena *arena,
                       struct report_image *ret);

#endif
