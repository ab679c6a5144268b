// SPDX-License-Identifier: MIT
#include "lib/darwin/cpu.h"

#include <stddef.h>

#define SUBTYPE_ANY UINT64_MAX
/** Higher bits are capabilities (arm64e's pointer-authentication version). */
#define SUBTYPE_MASK UINT64_C(0x00ffffff)

// The first row that fits decides, so that an unknown subtype of a family ends
// at the family's name.
static const struct {
	uint64_t cpu_type;
	uint64_t cpu_subtype;
	const char *arch;
} slices[] = {
	{ DARWIN_CPU_ARM64, 0, "arm64" },
	{ DARWIN_CPU_ARM64, 1, "arm64" },
	{ DARWIN_CPU_ARM64, DARWIN_SUBTYPE_ARM64E, "arm64e" },
	{ DARWIN_CPU_ARM64_32, SUBTYPE_ANY, "arm64_32" },
	{ DARWIN_CPU_X86_64, 8, "x86_64h" },
	{ DARWIN_CPU_X86_64, SUBTYPE_ANY, "x86_64" },
	{ DARWIN_CPU_X86, SUBTYPE_ANY, "i386" },
	{ DARWIN_CPU_ARM, 5, "armv4t" },
	{ DARWIN_CPU_ARM, 6, "armv6" },
	{ DARWIN_CPU_ARM, 7, "armv5" },
	{ DARWIN_CPU_ARM, 8, "xscale" },
	{ DARWIN_CPU_ARM, 9, "armv7" },
	{ DARWIN_CPU_ARM, 10, "armv7f" },
	{ DARWIN_CPU_ARM, 11, "armv7s" },
	{ DARWIN_CPU_ARM, 12, "armv7k" },
	{ DARWIN_CPU_ARM, 13, "armv8" },
	{ DARWIN_CPU_ARM, 14, "armv6m" },
	{ DARWIN_CPU_ARM, 15, "armv7m" },
	{ DARWIN_CPU_ARM, 16, "armv7em" },
	{ DARWIN_CPU_ARM, SUBTYPE_ANY, "arm" },
	{ DARWIN_CPU_POWERPC, SUBTYPE_ANY, "ppc" },
	{ DARWIN_CPU_POWERPC64, SUBTYPE_ANY, "ppc64" },
};

/** Other spellings of a name above: people and old reports use them. */
static const struct {
	const char *spelling;
	const char *arch;
} spellings[] = {
	{ "aarch64", "arm64" },
	{ "arm64v8", "arm64" },
	{ "x86-64", "x86_64" },
};

// By how the name of an architecture begins. KSCrash's text has the names, as
// Apple's has; arm64_32 is `ARM (Native)` in text reports of watchOS 8.3, and
// since reports are JSON (watchOS 10.1) `"cpuType":"ARM64_32"`.
static const struct {
	const char *prefix;
	const char *code_type;
} code_types[] = {
	{ "arm64_32", "ARM64_32" }, { "arm64", "ARM-64" },
	{ "arm", "ARM" },           { "x86_64", "X86-64" },
	{ "x86", "X86" },           { "i386", "X86" },
	{ "i486", "X86" },          { "i686", "X86" },
	{ "ppc64", "PPC-64" },      { "ppc", "PPC" },
};

const char *darwin_arch_name(uint64_t cpu_type, uint64_t cpu_subtype)
{
	for (size_t i = 0; i < ARRAY_SIZE(slices); i++)
		if (slices[i].cpu_type == cpu_type &&
		    (slices[i].cpu_subtype == SUBTYPE_ANY ||
		     slices[i].cpu_subtype == (cpu_subtype & SUBTYPE_MASK)))
			return slices[i].arch;
	return NULL;
}

const char *darwin_arch_label(uint64_t cpu_type, uint64_t cpu_subtype)
{
	const char *arch = darwin_arch_name(cpu_type, cpu_subtype);

	return arch ? arch : "unknown";
}

bool darwin_arch_matches(const char *name, uint64_t cpu_type,
                         uint64_t cpu_subtype)
{
	const char *arch = darwin_arch_name(cpu_type, cpu_subtype);
	struct text wanted = text_from(name);

	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (text_is_nocase(wanted, spellings[i].spelling))
			wanted = text_from(spellings[i].arch);
	return arch && text_is_nocase(wanted, arch);
}

bool darwin_arch_is_name(struct text name)
{
	for (size_t i = 0; i < ARRAY_SIZE(slices); i++)
		if (text_is(name, slices[i].arch))
			return true;
	return false;
}

const char *darwin_code_type_of_arch(const char *arch)
{
	for (size_t i = 0; arch && i < ARRAY_SIZE(code_types); i++)
		if (text_starts(text_from(arch), code_types[i].prefix))
			return code_types[i].code_type;
	return arch;
}

const char *darwin_code_type(uint64_t cpu_type)
{
	return darwin_code_type_of_arch(darwin_arch_name(cpu_type, 0));
}

const char *darwin_arch_of_code_type(const char *code_type)
{
	struct text word = text_from(code_type ? code_type : "");

	word = text_first(word, text_find_char(word, ' '));
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (text_is_nocase(word, spellings[i].spelling))
			return spellings[i].arch;
	for (size_t i = 0; i < ARRAY_SIZE(slices); i++)
		if (text_is_nocase(word, slices[i].arch))
			return slices[i].arch;
	if (text_is(word, "X86"))
		return "i386";
	for (size_t i = 0; i < ARRAY_SIZE(code_types); i++)
		if (text_is(word, code_types[i].code_type))
			return NULL;
	return code_type;
}

bool darwin_arch_is_intel(const char *arch)
{
	const char *code_type = darwin_code_type_of_arch(arch);

	return code_type && text_starts(text_from(code_type), "X86");
}
