// SPDX-License-Identifier: MIT
/**
 * What the compiler is given beside the code: checks on calls and on the few
 * libc functions that read half a field or write without a bound.
 *
 * Every file of the tree gets this header from the build (`-include`).
 */
#ifndef APMTOOL_LIB_BASE_COMPILER_H
#define APMTOOL_LIB_BASE_COMPILER_H

#define MUST_CHECK           __attribute__((warn_unused_result))
#define NORETURN             __attribute__((noreturn))
#define PRINTF_LIKE(fmt, ap) __attribute__((format(printf, fmt, ap)))
#define UNUSED               __attribute__((unused))
/** A function that is seldom called, kept out of the way of what often runs. */
#define RARE __attribute__((cold, noinline))

/** Run @p drop on a variable when its scope ends, on every path out. */
#define SCOPED(drop) __attribute__((cleanup(drop)))

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
