#include "parsers/ips/crash.h"

#include <inttypes.h>
#include <string.h>

/** A member of `threadState` and the name that Apple's text has for it. */
struct register_name {
	const char *key;
	const char *name;
};

static const struct register_name arm64_names[] = {
	{ "fp", "fp" },     { "lr", "lr" },   { "sp", "sp" },   { "pc", "pc" },
	{ "cpsr", "cpsr" }, { "far", "far" }, { "esr", "esr" }, { NULL, NULL },
};

static const struct register_name arm_names[] = {
	{ "sp", "sp" },     { "lr", "lr" }, { "pc", "pc" },
	{ "cpsr", "cpsr" }, { NULL, NULL },
};

static const struct register_name x86_64_names[] = {
	{ "rax", "rax" }, { "rbx", "rbx" }, { "rcx", "rcx" },
	{ "rdx", "rdx" }, { "rdi", "rdi" }, { "rsi", "rsi" },
	{ "rbp", "rbp" }, { "rsp", "rsp" }, { "r8", "r8" },
	{ "r9", "r9" },   { "r10", "r10" }, { "r11", "r11" },
	{ "r12", "r12" }, { "r13", "r13" }, { "r14", "r14" },
	{ "r15", "r15" }, { "rip", "rip" }, { "rflags", "rfl" },
	{ "cr2", "cr2" }, { NULL, NULL },
};

static const struct register_name i386_names[] = {
	{ "eax", "eax" },    { "ebx", "ebx" }, { "ecx", "ecx" },
	{ "edx", "edx" },    { "edi", "edi" }, { "esi", "esi" },
	{ "ebp", "ebp" },    { "esp", "esp" }, { "ss", "ss" },
	{ "eflags", "efl" }, { "eip", "eip" }, { "cs", "cs" },
	{ "ds", "ds" },      { "es", "es" },   { "fs", "fs" },
	{ "gs", "gs" },      { "cr2", "cr2" }, { NULL, NULL },
};

/** A kind of state, told by its flavor or by a register only it has. */
struct flavor {
	const char *name;
	const char *mark;
	const char *title;        ///< as Apple's text has it
	const char *array_prefix; ///< of the names of the array `x`
	const struct register_name *names;
};

static const struct flavor flavors[] = {
	{ "ARM_THREAD_STATE64", NULL, "ARM Thread State (64-bit)", "x",
	  arm64_names },
	{ "ARM_THREAD_STATE", NULL, "ARM Thread State (32-bit)", "r",
	  arm_names },
	// x86_THREAD_STATE stands for both widths.
	{ NULL, "rax", "X86 Thread State (64-bit)", "r", x86_64_names },
	{ NULL, "eax", "X86 Thread State (32-bit)", "r", i386_names },
	{ "x86_THREAD_STATE64", NULL, "X86 Thread State (64-bit)", "r",
	  x86_64_names },
	{ "x86_THREAD_STATE32", NULL, "X86 Thread State (32-bit)", "r",
	  i386_names },
	{ "x86_THREAD_STATE", NULL, "X86 Thread State (64-bit)", "r",
	  x86_64_names },
	{ NULL, "x", "ARM Thread State (64-bit)", "x", arm64_names },
};

static const struct flavor *find_flavor(const struct json *state)
{
	const char *name = json_as_text(json_member(state, "flavor"));

	for (size_t i = 0; i < ARRAY_SIZE(flavors); i++) {
		const struct flavor *flavor = &flavors[i];

		if (flavor->name ? name && !strcmp(name, flavor->name)
		                 : json_member(state, flavor->mark) != NULL)
			return flavor;
	}
	return NULL;
}

struct register_entry {
	uint64_t value;
	bool has_value;
	uint64_t symbol_offset;
	bool has_symbol_offset;
	const char *symbol;
	const char *description;
};

static struct register_entry read_entry(const struct json_place *place,
                                        const struct json *value)
{
	static const struct json_field fields[] = {
		JSON_FIELD_HAS("value", JSON_FIELD_U64, struct register_entry,
		               value, has_value),
		JSON_FIELD("symbol", JSON_FIELD_TEXT, struct register_entry,
		           symbol),
		JSON_FIELD_HAS("symbolLocation", JSON_FIELD_U64,
		               struct register_entry, symbol_offset,
		               has_symbol_offset),
		JSON_FIELD("description", JSON_FIELD_TEXT,
		           struct register_entry, description),
	};
	struct register_entry entry = { 0 };

	json_place_fields(place, value, fields, ARRAY_SIZE(fields), &entry);
	return entry;
}

static void add_register(const struct json_place *place, const char *name,
                         const struct json *value,
                         struct report_thread_state *state)
{
	struct arena *arena = place->reader->arena;
	struct register_entry entry = read_entry(place, value);
	struct report_register *reg = report_add_register(state, arena);

	reg->name = name;
	reg->value = entry.value;
	reg->available = entry.has_value;
	if (entry.description && *entry.description)
		reg->note = entry.description;
	else if (entry.symbol && entry.has_symbol_offset)
		reg->note = arena_printf(arena, "%s + %" PRIu64, entry.symbol,
		                         entry.symbol_offset);
	else
		reg->note = entry.symbol;
}

/** The numbered registers: `x0` to `x28`, or `r0` to `r12`. */
static void add_array(const struct json_place *place, const struct json *array,
                      const char *prefix, struct report_thread_state *state)
{
	struct json_place element = { .reader = place->reader,
		                      .outer = place,
		                      .name = "x" };

	for (const struct json *value = json_first(array);
	     value && element.index < 32;
	     value = json_next(value), element.index++)
		add_register(&element,
		             arena_printf(place->reader->arena, "%s%zu", prefix,
		                          element.index),
		             value, state);
}

/** Rosetta's own registers; while it runs, rip may be unknown. */
static void add_rosetta(const struct json_place *place,
                        const struct json *rosetta,
                        struct report_thread_state *state)
{
	size_t count = 0;

	for (const struct json *value = json_first(rosetta);
	     value && count < 32; value = json_next(value), count++)
		add_register(
		        place,
		        arena_strdup(place->reader->arena, json_key(value)),
		        value, state);
}

/** The lines below the registers of x86: processor, error code, trap. */
static void add_trap(const struct json_place *place, const struct json *state)
{
	struct json_reader *reader = place->reader;
	struct register_entry cpu =
	        read_entry(place, json_member(state, "cpu"));
	struct register_entry err =
	        read_entry(place, json_member(state, "err"));
	struct register_entry trap =
	        read_entry(place, json_member(state, "trap"));
	// What the error code means is said beside the trap that set it.
	const char *meaning = err.description ? err.description
	                                      : trap.description;

	if (cpu.has_value)
		report_add_field(
		        reader->report, reader->arena, "Logical CPU",
		        arena_printf(reader->arena, "%" PRIu64, cpu.value));
	if (err.has_value)
		report_add_field(reader->report, reader->arena, "Error Code",
		                 arena_printf(reader->arena,
		                              "0x%08" PRIx64 "%s%s", err.value,
		                              meaning ? " " : "",
		                              meaning ? meaning : ""));
	if (trap.has_value)
		report_add_field(
		        reader->report, reader->arena, "Trap Number",
		        arena_printf(reader->arena, "%" PRIu64, trap.value));
}

void ips_read_registers(const struct json_place *thread_place,
                        const struct json *state, struct report_thread *thread)
{
	const struct flavor *flavor = find_flavor(state);
	const struct json *rosetta = json_member(state, "rosetta");
	struct json_place place = { thread_place->reader, thread_place,
		                    "threadState", JSON_NO_INDEX };

	if (!flavor) {
		json_place_note(&place, NULL, "registers of an unknown kind");
		return;
	}
	thread->state.flavor = flavor->title;
	add_array(&place, json_member(state, "x"), flavor->array_prefix,
	          &thread->state);
	for (const struct register_name *name = flavor->names; name->key;
	     name++) {
		struct json_place here = { place.reader, &place, name->key,
			                   JSON_NO_INDEX };
		const struct json *value = json_member(state, name->key);

		if (value || (rosetta && !strcmp(name->key, "rip")))
			add_register(&here, name->name, value, &thread->state);
	}
	add_rosetta(&place, rosetta, &thread->state);
	if (thread->crashed)
		add_trap(&place, state);
}
