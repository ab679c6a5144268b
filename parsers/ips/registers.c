// SPDX-License-Identifier: MIT
#include "lib/darwin/registers.h"
#include "lib/darwin/cpu.h"
#include "parsers/ips/crash.h"

#include <inttypes.h>
#include <string.h>

/** The width of an x86 state follows only from its registers. */
static const struct darwin_thread_state *find_kind(const cJSON *state)
{
	const char *flavor = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(state, "flavor"));
	const struct darwin_thread_state *kind =
	        flavor ? darwin_thread_state_of_flavor(flavor) : NULL;

	if (kind && !kind->is_x86)
		return kind;
	for (size_t i = 0; darwin_thread_states[i].title; i++)
		if (darwin_thread_states[i].is_x86 &&
		    cJSON_GetObjectItemCaseSensitive(
		            state, darwin_thread_states[i].mark))
			return &darwin_thread_states[i];
	if (!kind && cJSON_GetObjectItemCaseSensitive(state, "x"))
		kind = darwin_thread_state_of_cpu(DARWIN_CPU_ARM64);
	return kind;
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
                                        const cJSON *value)
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
                         const cJSON *value, struct report_thread_state *state)
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
static void add_array(const struct json_place *place, const cJSON *array,
                      const char *prefix, struct report_thread_state *state)
{
	struct json_place element = { .reader = place->reader,
		                      .outer = place,
		                      .name = "x" };

	for (const cJSON *value = cJSON_GetArrayItem(array, 0);
	     value && element.index < 32; value = value->next, element.index++)
		add_register(&element,
		             arena_printf(place->reader->arena, "%s%zu", prefix,
		                          element.index),
		             value, state);
}

/** Rosetta's own registers; rip may be unknown. */
static void add_rosetta(const struct json_place *place, const cJSON *rosetta,
                        struct report_thread_state *state)
{
	size_t count = 0;

	for (const cJSON *value = cJSON_GetArrayItem(rosetta, 0);
	     value && count < 32; value = value->next, count++)
		add_register(place,
		             arena_strdup(place->reader->arena, value->string),
		             value, state);
}

/** The lines below the registers of x86: processor, error code, trap. */
static void add_trap(const struct json_place *place, const cJSON *state)
{
	struct json_reader *reader = place->reader;
	struct register_entry cpu = read_entry(
	        place, cJSON_GetObjectItemCaseSensitive(state, "cpu"));
	struct register_entry err = read_entry(
	        place, cJSON_GetObjectItemCaseSensitive(state, "err"));
	struct register_entry trap = read_entry(
	        place, cJSON_GetObjectItemCaseSensitive(state, "trap"));
	// The meaning of the error code is in the trap that set it.
	const char *meaning = err.description ? err.description
	                                      : trap.description;

	if (cpu.has_value)
		report_add_field(
		        reader->report, reader->arena, DARWIN_LOGICAL_CPU,
		        arena_printf(reader->arena, "%" PRIu64, cpu.value));
	if (err.has_value)
		report_add_field(
		        reader->report, reader->arena, DARWIN_ERROR_CODE,
		        arena_printf(reader->arena, "0x%08" PRIx64 "%s%s",
		                     err.value, meaning ? " " : "",
		                     meaning ? meaning : ""));
	if (trap.has_value)
		report_add_field(
		        reader->report, reader->arena, DARWIN_TRAP_NUMBER,
		        arena_printf(reader->arena, "%" PRIu64, trap.value));
}

void ips_read_registers(const struct json_place *thread_place,
                        const cJSON *state, struct report_thread *thread)
{
	const struct darwin_thread_state *kind = find_kind(state);
	const cJSON *rosetta =
	        cJSON_GetObjectItemCaseSensitive(state, "rosetta");
	struct json_place place = { thread_place->reader, thread_place,
		                    "threadState", JSON_NO_INDEX };

	if (!kind) {
		json_place_note(&place, NULL, "registers of an unknown kind");
		return;
	}
	thread->state.flavor = kind->title;
	add_array(&place, cJSON_GetObjectItemCaseSensitive(state, "x"),
	          kind->array_prefix, &thread->state);
	for (size_t i = 0; i < kind->count; i++) {
		const struct darwin_register *reg = &kind->registers[i];
		struct json_place here = { place.reader, &place, reg->key,
			                   JSON_NO_INDEX };
		const cJSON *value =
		        cJSON_GetObjectItemCaseSensitive(state, reg->key);

		if (value || (rosetta && !strcmp(reg->key, "rip")))
			add_register(&here, reg->name, value, &thread->state);
	}
	add_rosetta(&place, rosetta, &thread->state);
	if (thread->crashed)
		add_trap(&place, state);
}
