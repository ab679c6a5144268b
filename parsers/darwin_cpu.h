/**
 * Darwin's processors by number, for forms that give `cpu_type_t` and
 * `cpu_subtype_t`. All strings are constants; NULL stands for a number
 * without a name.
 */
#ifndef APMTOOL_PARSERS_DARWIN_CPU_H
#define APMTOOL_PARSERS_DARWIN_CPU_H

#include <stdint.h>

#define DARWIN_CPU_X86       UINT64_C(7)
#define DARWIN_CPU_X86_64    UINT64_C(0x01000007)
#define DARWIN_CPU_ARM       UINT64_C(12)
#define DARWIN_CPU_ARM64     UINT64_C(0x0100000c)
#define DARWIN_CPU_ARM64_32  UINT64_C(0x0200000c)
#define DARWIN_CPU_POWERPC   UINT64_C(18)
#define DARWIN_CPU_POWERPC64 UINT64_C(0x01000012)

/** `arm64e`: the slice, as a list of images has it. */
const char *darwin_arch_name(uint64_t cpu_type, uint64_t cpu_subtype);

/** `ARM-64`: what a report's `Code Type` says. */
const char *darwin_code_type(uint64_t cpu_type);

/** `ARM Thread State (64-bit)`: the title of the registers. */
const char *darwin_thread_state(uint64_t cpu_type);

#endif
