// SPDX-License-Identifier: MIT
#include "lib/darwin/registers.h"
#include "parsers/kscrash/parts.h"

#include <inttypes.h>
#include <string.h>

/** Max registers of a thread: x86 has about 25. */
#define REGISTERS_MAX 100

static const struct darwin_thread_state *find_kind(const cJSON *basic)
{
	for (size_t i = 0; darwin_thread_states[i].title; i++)
		if (darwin_thread_states[i].mark &&
		    cJSON_GetObjectItemCaseSensitive(
		            basic, darwin_thread_states[i].mark))
			return &darwin_thread_states[i];
	return NULL;
}

static void add_register(const struct json_place *place, const char *key,
                         const char *name, const cJSON *value,
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
                      const cJSON *basic, const cJSON *exception,
                      struct report_thread_state *state)
{
	for (size_t i = 0; i < kind->count; i++) {
		const struct darwin_register *reg = &kind->registers[i];
		const cJSON *value =
		        cJSON_GetObjectItemCaseSensitive(basic, reg->key);

		if (!value)
			value = cJSON_GetObjectItemCaseSensitive(exception,
			                                         reg->key);
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
static bool is_no_trap(const cJSON *value)
{
	uint64_t number;

	return !strcmp(value->string, "exception") &&
	       json_as_u64(value, &number) && !number;
}

/** Unknown registers come last, in the report's order. */
static void add_unknown(const struct json_place *place,
                        const struct darwin_thread_state *kind,
                        const cJSON *object, struct report_thread_state *state)
{
	for (const cJSON *value = cJSON_GetArrayItem(object, 0);
	     value && state->count < REGISTERS_MAX; value = value->next)
		if (!is_known(kind, value->string) && !is_no_trap(value))
			add_register(place, value->string,
			             arena_strdup(place->reader->arena,
			                          value->string),
			             value, state);
}

/** The lines below the registers of x86. */
static void add_trap(const struct json_place *place, const cJSON *exception)
{
	struct json_reader *reader = place->reader;
	uint64_t number;

	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(exception, "err"),
	                &number))
		report_add_field(
		        reader->report, reader->arena, DARWIN_ERROR_CODE,
		        arena_printf(reader->arena, "0x%08" PRIx64, number));
	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(exception, "trapno"),
	                &number))
		report_add_field(
		        reader->report, reader->arena, DARWIN_TRAP_NUMBER,
		        arena_printf(reader->arena, "%" PRIu64, number));
}

void kscrash_read_registers(const struct json_place *place,
                            const cJSON *registers,
                            struct report_thread *thread)
{
	const cJSON *basic =
	        json_place_member(place, registers, "basic", JSON_OBJECT);
	const cJSON *exception =
	        json_place_member(place, registers, "exception", JSON_OBJECT);
	const struct darwin_thread_state *kind = find_kind(basic);
	static const struct darwin_thread_state other = {
		.title = "Thread State",
	};

	if (!cJSON_GetArrayItem(basic, 0) && !cJSON_GetArrayItem(exception, 0))
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
