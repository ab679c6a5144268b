// SPDX-License-Identifier: MIT
#include "lib/darwin/registers.h"

#include "lib/base/text.h"
#include "lib/darwin/cpu.h"

#include <string.h>

static const struct darwin_register arm64_registers[] = {
	{ "x0", "x0" },   { "x1", "x1" },   { "x2", "x2" },
	{ "x3", "x3" },   { "x4", "x4" },   { "x5", "x5" },
	{ "x6", "x6" },   { "x7", "x7" },   { "x8", "x8" },
	{ "x9", "x9" },   { "x10", "x10" }, { "x11", "x11" },
	{ "x12", "x12" }, { "x13", "x13" }, { "x14", "x14" },
	{ "x15", "x15" }, { "x16", "x16" }, { "x17", "x17" },
	{ "x18", "x18" }, { "x19", "x19" }, { "x20", "x20" },
	{ "x21", "x21" }, { "x22", "x22" }, { "x23", "x23" },
	{ "x24", "x24" }, { "x25", "x25" }, { "x26", "x26" },
	{ "x27", "x27" }, { "x28", "x28" }, { "fp", "fp" },
	{ "x29", "fp" },  { "lr", "lr" },   { "x30", "lr" },
	{ "sp", "sp" },   { "pc", "pc" },   { "cpsr", "cpsr" },
	{ "far", "far" }, { "esr", "esr" },
};

static const struct darwin_register arm_registers[] = {
	{ "r0", "r0" }, { "r1", "r1" },     { "r2", "r2" },   { "r3", "r3" },
	{ "r4", "r4" }, { "r5", "r5" },     { "r6", "r6" },   { "r7", "r7" },
	{ "r8", "r8" }, { "r9", "r9" },     { "r10", "r10" }, { "r11", "r11" },
	{ "ip", "ip" }, { "r12", "ip" },    { "sp", "sp" },   { "lr", "lr" },
	{ "pc", "pc" }, { "cpsr", "cpsr" },
};

static const struct darwin_register x86_64_registers[] = {
	{ "rax", "rax" }, { "rbx", "rbx" },        { "rcx", "rcx" },
	{ "rdx", "rdx" }, { "rdi", "rdi" },        { "rsi", "rsi" },
	{ "rbp", "rbp" }, { "rsp", "rsp" },        { "r8", "r8" },
	{ "r9", "r9" },   { "r10", "r10" },        { "r11", "r11" },
	{ "r12", "r12" }, { "r13", "r13" },        { "r14", "r14" },
	{ "r15", "r15" }, { "rip", "rip" },        { "rflags", "rfl" },
	{ "cr2", "cr2" }, { "faultvaddr", "cr2" },
};

static const struct darwin_register x86_registers[] = {
	{ "eax", "eax" },    { "ebx", "ebx" }, { "ecx", "ecx" },
	{ "edx", "edx" },    { "edi", "edi" }, { "esi", "esi" },
	{ "ebp", "ebp" },    { "esp", "esp" }, { "ss", "ss" },
	{ "eflags", "efl" }, { "eip", "eip" }, { "cs", "cs" },
	{ "ds", "ds" },      { "es", "es" },   { "fs", "fs" },
	{ "gs", "gs" },      { "cr2", "cr2" }, { "faultvaddr", "cr2" },
};

#define REGISTERS(table) .registers = (table), .count = ARRAY_SIZE(table)

const struct darwin_thread_state darwin_thread_states[] = {
	{ .cpu_type = DARWIN_CPU_ARM64,
	  .title = "ARM Thread State (64-bit)",
	  .flavor = "ARM_THREAD_STATE64",
	  .mark = "x0",
	  .array_prefix = "x",
	  REGISTERS(arm64_registers) },
	{ .cpu_type = DARWIN_CPU_ARM,
	  .title = "ARM Thread State (32-bit)",
	  .flavor = "ARM_THREAD_STATE",
	  .mark = "r0",
	  .array_prefix = "r",
	  REGISTERS(arm_registers) },
	{ .cpu_type = DARWIN_CPU_X86_64,
	  .title = "X86 Thread State (64-bit)",
	  .flavor = "x86_THREAD_STATE",
	  .mark = "rax",
	  .array_prefix = "r",
	  .is_x86 = true,
	  REGISTERS(x86_64_registers) },
	{ .cpu_type = DARWIN_CPU_X86,
	  .title = "X86 Thread State (32-bit)",
	  .flavor = "x86_THREAD_STATE",
	  .mark = "eax",
	  .array_prefix = "r",
	  .is_x86 = true,
	  REGISTERS(x86_registers) },
	{ .cpu_type = DARWIN_CPU_POWERPC, .title = "PPC Thread State" },
	{ .cpu_type = DARWIN_CPU_POWERPC64,
	  .title = "PPC Thread State (64-bit)" },
	{ .title = NULL },
};

const struct darwin_thread_state *darwin_thread_state_of_cpu(uint64_t cpu_type)
{
	const struct darwin_thread_state *state = darwin_thread_states;

	if (cpu_type == DARWIN_CPU_ARM64_32)
		cpu_type = DARWIN_CPU_ARM64;
	while (state->title && state->cpu_type != cpu_type)
		state++;
	return state->title ? state : NULL;
}

const struct darwin_thread_state *darwin_thread_state_of_flavor(
        const char *flavor)
{
	const struct darwin_thread_state *state = darwin_thread_states;

	if (!strcmp(flavor, "x86_THREAD_STATE32"))
		return darwin_thread_state_of_cpu(DARWIN_CPU_X86);
	if (!strcmp(flavor, "x86_THREAD_STATE64"))
		return darwin_thread_state_of_cpu(DARWIN_CPU_X86_64);
	while (state->title &&
	       (!state->flavor || strcmp(state->flavor, flavor) != 0))
		state++;
	return state->title ? state : NULL;
}

const struct darwin_thread_state *darwin_thread_state_of_title(
        const char *title)
{
	struct text text = text_from(title);
	bool is_32 = text_find(text, "32-bit") != TEXT_NOWHERE;
	bool is_64 = text_find(text, "64") != TEXT_NOWHERE;

	if (text_starts(text, "X86") || text_starts(text, "x86"))
		return darwin_thread_state_of_cpu(is_32 ? DARWIN_CPU_X86
		                                        : DARWIN_CPU_X86_64);
	if (text_starts(text, "ARM Thread State") && (is_32 || !is_64))
		return darwin_thread_state_of_cpu(DARWIN_CPU_ARM);
	if (text_starts(text, "ARM") && is_64)
		return darwin_thread_state_of_cpu(DARWIN_CPU_ARM64);
	return NULL;
}

const char *darwin_register_key(const struct darwin_thread_state *state,
                                const char *name)
{
	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->registers[i].name, name))
			return state->registers[i].key;
	return name;
}
