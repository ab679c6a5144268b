// SPDX-License-Identifier: MIT
/**
 * Functions that this tree does not use; each has a replacement that cannot
 * be called wrongly. Included last, by the build, into every C file.
 */
#ifndef APMTOOL_LIB_BASE_BANNED_H
#define APMTOOL_LIB_BASE_BANNED_H

// System headers first: the poison below must not hit their declarations.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A fortified libc has some of them as macros.
#undef sprintf
#undef vsprintf
#undef strcpy
#undef strcat
#undef strncpy
#undef strncat

// Numbers come through lib/base/number.h: a whole field or nothing.
#pragma GCC poison atoi atol atoll strtol strtoll strtoul strtoull
// Text comes through lib/base/str.h and lib/base/arena.h: always bounded.
#pragma GCC poison sprintf vsprintf strcpy strcat strncpy strncat gets
// Hidden state.
#pragma GCC poison strtok ctime asctime gmtime localtime

#endif
