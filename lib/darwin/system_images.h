// SPDX-License-Identifier: MIT
/**
 * Recognizes the system's images by name, for texts without paths, such as a
 * backtrace on a console. The list is incomplete; other names may be the app's.
 */
#ifndef APMTOOL_LIB_DARWIN_SYSTEM_IMAGES_H
#define APMTOOL_LIB_DARWIN_SYSTEM_IMAGES_H

#include "lib/base/text.h"

#include <stdbool.h>

/** Is it the name of a system image? `CoreFoundation`, `libobjc.A.dylib`. */
bool darwin_image_is_system(const char *name);

/**
 * Was the source file built by Apple? Its build directories are in the path:
 * `/AppleInternal/`, `/BuildRoot/`.
 */
bool darwin_source_is_apple(struct text path);

#endif
