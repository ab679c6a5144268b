#include "parsers/kscrash/parts.h"

#include <inttypes.h>
#include <string.h>

/** Most registers of a thread: x86 has the most, some 25. */
#define REGISTERS_MAX 100

/** KSCrash's name of a register and that of Apple's text. */
struct register_name {
	const char *key;
	const char *name;
};

/** In Apple's order. A repeated name is the same register spelled twice. */
static const struct register_name arm64_names[] = {
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
	{ "far", "far" }, { "esr", "esr" }, { NULL, NULL },
};

static const struct register_name arm_names[] = {
	{ "r0", "r0" }, { "r1", "r1" },     { "r2", "r2" },   { "r3", "r3" },
	{ "r4", "r4" }, { "r5", "r5" },     { "r6", "r6" },   { "r7", "r7" },
	{ "r8", "r8" }, { "r9", "r9" },     { "r10", "r10" }, { "r11", "r11" },
	{ "ip", "ip" }, { "r12", "ip" },    { "sp", "sp" },   { "lr", "lr" },
	{ "pc", "pc" }, { "cpsr", "cpsr" }, { NULL, NULL },
};

static const struct register_name x86_64_names[] = {
	{ "rax", "rax" }, { "rbx", "rbx" },        { "rcx", "rcx" },
	{ "rdx", "rdx" }, { "rdi", "rdi" },        { "rsi", "rsi" },
	{ "rbp", "rbp" }, { "rsp", "rsp" },        { "r8", "r8" },
	{ "r9", "r9" },   { "r10", "r10" },        { "r11", "r11" },
	{ "r12", "r12" }, { "r13", "r13" },        { "r14", "r14" },
	{ "r15", "r15" }, { "rip", "rip" },        { "rflags", "rfl" },
	{ "cr2", "cr2" }, { "faultvaddr", "cr2" }, { NULL, NULL },
};

static const struct register_name i386_names[] = {
	{ "eax", "eax" },    { "ebx", "ebx" }, { "ecx", "ecx" },
	{ "edx", "edx" },    { "edi", "edi" }, { "esi", "esi" },
	{ "ebp", "ebp" },    { "esp", "esp" }, { "ss", "ss" },
	{ "eflags", "efl" }, { "eip", "eip" }, { "cs", "cs" },
	{ "ds", "ds" },      { "es", "es" },   { "fs", "fs" },
	{ "gs", "gs" },      { "cr2", "cr2" }, { "faultvaddr", "cr2" },
	{ NULL, NULL },
};

/** A kind of processor, told by a register that only it has. */
static const struct flavor {
	const char *mark;
	const char *title; ///< as Apple's text has it
	const struct register_name *names;
} flavors[] = {
	{ "x0", "ARM Thread State (64-bit)", arm64_names },
	{ "r0", "ARM Thread State (32-bit)", arm_names },
	{ "rax", "X86 Thread State (64-bit)", x86_64_names },
	{ "eax", "X86 Thread State (32-bit)", i386_names },
};

static const struct flavor *find_flavor(const struct json *basic)
{
	for (size_t i = 0; i < ARRAY_SIZE(flavors); i++)
		if (json_member(basic, flavors[i].mark))
			return &flavors[i];
	return NULL;
}

static void add_register(const struct json_place *place, const char *key,
                         const char *name, const struct json *value,
                         struct report_thread_state *state)
{
	struct report_register *reg;
	uint64_t number;

	if (!json_as_u64(value, &number)) {
		json_place_unexpected(place, key, value, "a number");
		return;
	}
	reg = report_add_register(state, place->reader->arena);
	reg->name = name;
	reg->value = number;
	reg->available = true;
}

static bool has_register(const struct report_thread_state *state,
                         const char *name)
{
	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->registers[i].name, name))
			return true;
	return false;
}

/** The registers of the table, in its order, from either object. */
static void add_known(const struct json_place *place,
                      const struct register_name *names,
                      const struct json *basic, const struct json *exception,
                      struct report_thread_state *state)
{
	for (; names->key; names++) {
		const struct json *value = json_member(basic, names->key);

		if (!value)
			value = json_member(exception, names->key);
		if (value && !has_register(state, names->name))
			add_register(place, names->key, names->name, value,
			             state);
	}
}

static bool is_known(const struct register_name *names, const char *key)
{
	for (; names->key; names++)
		if (!strcmp(names->key, key))
			return true;
	return !strcmp(key, "trapno") || !strcmp(key, "err");
}

/** ARM has no trap number: KSCrash writes a 0 in its place. */
static bool is_no_trap(const struct json *value)
{
	uint64_t number;

	return !strcmp(json_key(value), "exception") &&
	       json_as_u64(value, &number) && !number;
}

/** What no table knows stands behind, in the report's order. */
static void add_unknown(const struct json_place *place,
                        const struct register_name *names,
                        const struct json *object,
                        struct report_thread_state *state)
{
	for (const struct json *value = json_first(object);
	     value && state->count < REGISTERS_MAX; value = json_next(value))
		if (!is_known(names, json_key(value)) && !is_no_trap(value))
			add_register(place, json_key(value),
			             arena_strdup(place->reader->arena,
			                          json_key(value)),
			             value, state);
}

/** The lines below the registers of x86. */
static void add_trap(const struct json_place *place,
                     const struct json *exception)
{
	struct json_reader *reader = place->reader;
	uint64_t number;

	if (json_as_u64(json_member(exception, "err"), &number))
		report_add_field(
		        reader->report, reader->arena, "Error Code",
		        arena_printf(reader->arena, "0x%08" PRIx64, number));
	if (json_as_u64(json_member(exception, "trapno"), &number))
		report_add_field(
		        reader->report, reader->arena, "Trap Number",
		        arena_printf(reader->arena, "%" PRIu64, number));
}

void kscrash_read_registers(const struct json_place *place,
                            const struct json *registers,
                            struct report_thread *thread)
{
	const struct json *basic =
	        json_place_member(place, registers, "basic", JSON_OBJECT);
	const struct json *exception =
	        json_place_member(place, registers, "exception", JSON_OBJECT);
	const struct flavor *flavor = find_flavor(basic);
	static const struct flavor other = {
		"", "Thread State", &arm_names[ARRAY_SIZE(arm_names) - 1]
	};

	if (!json_first(basic) && !json_first(exception))
		return;
	if (!flavor) {
		json_place_note(place, "basic",
		                "registers of an unknown processor");
		flavor = &other;
	}
	thread->state.flavor = flavor->title;
	add_known(place, flavor->names, basic, exception, &thread->state);
	add_unknown(place, flavor->names, basic, &thread->state);
	add_unknown(place, flavor->names, exception, &thread->state);
	if (thread->crashed)
		add_trap(place, exception);
}
