#include "lib/object/macho/macho.h"

#include "lib/base/text.h"

/** Capability bits (arm64e's pointer-authentication version) lie above. */
#define CPU_SUBTYPE_MASK 0x00ffffffu
#define CPU_SUBTYPE_ANY  0xffffffffu

struct arch {
	const char *name;
	uint32_t cpu_type;
	uint32_t cpu_subtype;
};

/**
 * Names as `dwarfdump --uuid` and crash reports print them; numbers from
 * Apple's <mach/machine.h>. The first row of a slice gives its name.
 */
static const struct arch arches[] = {
	{ "arm64", 0x0100000c, 0 },
	{ "arm64", 0x0100000c, 1 },
	{ "arm64e", 0x0100000c, 2 },
	{ "arm64_32", 0x0200000c, CPU_SUBTYPE_ANY },
	{ "x86_64", 0x01000007, 3 },
	{ "x86_64", 0x01000007, 4 },
	{ "x86_64h", 0x01000007, 8 },
	{ "i386", 7, CPU_SUBTYPE_ANY },
	{ "arm", 12, 0 },
	{ "armv4t", 12, 5 },
	{ "armv6", 12, 6 },
	{ "armv5", 12, 7 },
	{ "xscale", 12, 8 },
	{ "armv7", 12, 9 },
	{ "armv7f", 12, 10 },
	{ "armv7s", 12, 11 },
	{ "armv7k", 12, 12 },
	{ "armv8", 12, 13 },
	{ "armv6m", 12, 14 },
	{ "armv7m", 12, 15 },
	{ "armv7em", 12, 16 },
	{ "ppc", 18, CPU_SUBTYPE_ANY },
	{ "ppc64", 0x01000012, CPU_SUBTYPE_ANY },
	// Other spellings of a name above: people and old reports use them.
	{ "aarch64", 0x0100000c, 0 },
	{ "aarch64", 0x0100000c, 1 },
	{ "arm64v8", 0x0100000c, 0 },
	{ "arm64v8", 0x0100000c, 1 },
	{ "x86-64", 0x01000007, 3 },
	{ "x86-64", 0x01000007, 4 },
};

static bool arch_is(const struct arch *arch, uint32_t cpu_type,
                    uint32_t cpu_subtype)
{
	return arch->cpu_type == cpu_type &&
	       (arch->cpu_subtype == CPU_SUBTYPE_ANY ||
	        arch->cpu_subtype == (cpu_subtype & CPU_SUBTYPE_MASK));
}

const char *macho_arch_name(uint32_t cpu_type, uint32_t cpu_subtype)
{
	for (size_t i = 0; i < ARRAY_SIZE(arches); i++)
		if (arch_is(&arches[i], cpu_type, cpu_subtype))
			return arches[i].name;
	return "unknown";
}

bool macho_arch_matches(const char *name, uint32_t cpu_type,
                        uint32_t cpu_subtype)
{
	for (size_t i = 0; i < ARRAY_SIZE(arches); i++)
		if (text_is_nocase(text_from(name), arches[i].name) &&
		    arch_is(&arches[i], cpu_type, cpu_subtype))
			return true;
	return false;
}
