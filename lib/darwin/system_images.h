// SPDX-License-Identifier: MIT
/**
 * Images of the system by their names, for texts without paths: what a console
 * prints of a backtrace. The list is short and never complete; a name that it
 * does not have may be the app's.
 */
#ifndef APMTOOL_LIB_DARWIN_SYSTEM_IMAGES_H
#define APMTOOL_LIB_DARWIN_SYSTEM_IMAGES_H

#include "lib/base/text.h"

#include <stdbool.h>

/** Is an image so called the system's? `CoreFoundation`, `libobjc.A.dylib`. */
bool darwin_image_is_system(const char *name);

/**
 * Is it a source that Apple built, as its libraries name theirs? Its build
 * directories are in the path: `/AppleInternal/`, `/BuildRoot/`.
 */
bool darwin_source_is_apple(struct text path);

#endif
