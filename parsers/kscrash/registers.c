// SPDX-License-Identifier: MIT
#include "lib/darwin/registers.h"
#include "parsers/kscrash/parts.h"

#include <inttypes.h>
#include <string.h>

/** Most registers of a thread: x86 has the most, some 25. */
#define REGISTERS_MAX 100

static const struct darwin_thread_state *find_kind(const struct json *basic)
{
	for (size_t i = 0; darwin_thread_states[i].title; i++)
		if (darwin_thread_states[i].mark &&
		    json_member(basic, darwin_thread_states[i].mark))
			return &darwin_thread_states[i];
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
                      const struct darwin_thread_state *kind,
                      const struct json *basic, const struct json *exception,
                      struct report_thread_state *state)
{
	for (size_t i = 0; i < kind->count; i++) {
		const struct darwin_register *reg = &kind->registers[i];
		const struct json *value = json_member(basic, reg->key);

		if (!value)
			value = json_member(exception, reg->key);
		if (value && !has_register(state, reg->name))
			add_register(place, reg->key, reg->name, value, state);
	}
}

static bool is_known(const struct darwin_thread_state *kind, const char *key)
{
	for (size_t i = 0; i < kind->count; i++)
		if (!strcmp(kind->registers[i].key, key))
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

/** What no table knows comes last, in the report's order. */
static void add_unknown(const struct json_place *place,
                        const struct darwin_thread_state *kind,
                        const struct json *object,
                        struct report_thread_state *state)
{
	for (const struct json *value = json_first(object);
	     value && state->count < REGISTERS_MAX; value = json_next(value))
		if (!is_known(kind, json_key(value)) && !is_no_trap(value))
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
		        reader->report, reader->arena, DARWIN_ERROR_CODE,
		        arena_printf(reader->arena, "0x%08" PRIx64, number));
	if (json_as_u64(json_member(exception, "trapno"), &number))
		report_add_field(
		        reader->report, reader->arena, DARWIN_TRAP_NUMBER,
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
	const struct darwin_thread_state *kind = find_kind(basic);
	static const struct darwin_thread_state other = {
		.title = "Thread State",
	};

	if (!json_first(basic) && !json_first(exception))
		return;
	if (!kind) {
		json_place_note(place, "basic",
		                "registers of an unknown processor");
		kind = &other;
	}
	thread->state.flavor = kind->title;
	add_known(place, kind, basic, exception, &thread->state);
	add_unknown(place, kind, basic, &thread->state);
	add_unknown(place, kind, exception, &thread->state);
	if (thread->crashed)
		add_trap(place, exception);
}
