// SPDX-License-Identifier: MIT
/**
 * Attributes and macros for all files; the build includes this header
 * everywhere (`-include`).
 */
#ifndef APMTOOL_LIB_BASE_COMPILER_H
#define APMTOOL_LIB_BASE_COMPILER_H

#define MUST_CHECK           __attribute__((warn_unused_result))
#define NORETURN             __attribute__((noreturn))
#define PRINTF_LIKE(fmt, ap) __attribute__((format(printf, fmt, ap)))
#define UNUSED               __attribute__((unused))
/** A rarely called function, kept out of the hot code. */
#define RARE __attribute__((cold, noinline))

/** Call @p drop on a variable at the end of its scope, on every path. */
#define SCOPED(drop) __attribute__((cleanup(drop)))

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
