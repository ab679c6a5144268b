// SPDX-License-Identifier: MIT
/**
 * Functions that apmtool does not use, because they are easy to misuse. The
 * build includes this file last in every C file.
 */
#ifndef APMTOOL_LIB_BASE_BANNED_H
#define APMTOOL_LIB_BASE_BANNED_H

// System headers first: they declare the functions poisoned below.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A fortified libc defines some as macros.
#undef sprintf
#undef vsprintf
#undef strcpy
#undef strcat
#undef strncpy
#undef strncat

// Use lib/base/number.h: parses a whole field or fails.
#pragma GCC poison atoi atol atoll strtol strtoll strtoul strtoull
// Use lib/base/str.h and lib/base/arena.h: always bounded.
#pragma GCC poison sprintf vsprintf strcpy strcat strncpy strncat gets
// Hidden state.
#pragma GCC poison strtok ctime asctime gmtime localtime

#endif
