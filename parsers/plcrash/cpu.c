#include "parsers/plcrash/plcrash.h"

#include "lib/darwin/cpu.h"

#define ENCODING_MACH 1

void plcrash_read_cpu(struct plcrash_message *message, struct plcrash_cpu *cpu)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "encoding", PLCRASH_NUMBER, struct plcrash_cpu,
		              encoding),
		PLCRASH_FIELD(2, "type", PLCRASH_NUMBER, struct plcrash_cpu,
		              type),
		PLCRASH_FIELD(3, "subtype", PLCRASH_NUMBER, struct plcrash_cpu,
		              subtype),
	};

	plcrash_read(message, fields, ARRAY_SIZE(fields), cpu);
}

const char *plcrash_cpu_arch(const struct plcrash_cpu *cpu)
{
	if (!cpu->type.found || cpu->encoding.value != ENCODING_MACH)
		return NULL;
	return darwin_arch_name(cpu->type.value, cpu->subtype.value);
}
