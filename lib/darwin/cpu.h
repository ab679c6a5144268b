// SPDX-License-Identifier: MIT
/**
 * Processors and architectures by number: `cpu_type_t` and `cpu_subtype_t` of
 * Apple's <mach/machine.h>, used in Mach-O files, KSCrash and PLCrashReporter,
 * with the names that `dwarfdump --uuid` and crash reports print.
 *
 * All strings are constants; NULL for an unknown number.
 */
#ifndef APMTOOL_LIB_DARWIN_CPU_H
#define APMTOOL_LIB_DARWIN_CPU_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define DARWIN_CPU_X86       UINT64_C(7)
#define DARWIN_CPU_X86_64    UINT64_C(0x01000007)
#define DARWIN_CPU_ARM       UINT64_C(12)
#define DARWIN_CPU_ARM64     UINT64_C(0x0100000c)
#define DARWIN_CPU_ARM64_32  UINT64_C(0x0200000c)
#define DARWIN_CPU_POWERPC   UINT64_C(18)
#define DARWIN_CPU_POWERPC64 UINT64_C(0x01000012)

#define DARWIN_SUBTYPE_ARM64E 2 ///< of DARWIN_CPU_ARM64

/** `arm64e`, `x86_64h`: the architecture of a slice. */
const char *darwin_arch_name(uint64_t cpu_type, uint64_t cpu_subtype);

/** As darwin_arch_name(), or `unknown`. */
const char *darwin_arch_label(uint64_t cpu_type, uint64_t cpu_subtype);

/** Does @p name, in any case and spelling, mean this slice? */
bool darwin_arch_matches(const char *name, uint64_t cpu_type,
                         uint64_t cpu_subtype);

/** Is it a result of darwin_arch_name()? */
bool darwin_arch_is_name(struct text name);

/** `ARM-64`, as in the `Code Type` line of a report. */
const char *darwin_code_type(uint64_t cpu_type);
/** The code type of an architecture by name; @p arch itself if unknown. */
const char *darwin_code_type_of_arch(const char *arch);

/**
 * The architecture of an app in a report with this code type, `X86-64
 * (Native)`; NULL for `ARM-64`, which has several. Other text is returned,
 * architectures in canonical spelling: `arm64 v8`.
 */
const char *darwin_arch_of_code_type(const char *code_type);

/** Is this architecture or code type one of Intel's? */
bool darwin_arch_is_intel(const char *arch);

#endif
