// SPDX-License-Identifier: MIT
#include "parsers/jetsam/json.h"

#include "lib/base/number.h"
#include "lib/base/units.h"
#include "parsers/jetsam/jetsam.h"

#include <string.h>

// Numbers

static const struct jetsam_field process_numbers[] = {
	JETSAM_NUMBER("pid", struct jetsam_process, pid, "a process id"),
	JETSAM_PAGES("rpages", struct jetsam_process, pages),
	JETSAM_PAGES("lifetimeMax", struct jetsam_process, lifetime_pages),
	JETSAM_PAGES("purgeable", struct jetsam_process, purgeable_pages),
	JETSAM_NUMBER("fds", struct jetsam_process, fds, "a count"),
	JETSAM_NUMBER("mem_regions", struct jetsam_process, regions, "a count"),
	JETSAM_NUMBER("coalition", struct jetsam_process, coalition,
	              "a number"),
	JETSAM_NUMBER("age", struct jetsam_process, age_ticks,
	              "a count of ticks"),
	JETSAM_NUMBER("idleDelta", struct jetsam_process, idle_ticks,
	              "a count of ticks"),
	JETSAM_NUMBER("killDelta", struct jetsam_process, kill_ticks,
	              "a count of ticks"),
	JETSAM_NUMBER("genCount", struct jetsam_process, generation,
	              "a number"),
	JETSAM_NUMBER("csFlags", struct jetsam_process, cs_flags, "a number"),
	JETSAM_NUMBER("csTrustLevel", struct jetsam_process, cs_trust_level,
	              "a number"),
};

/** Systems before iOS 10 write -1 for a maximum that they do not record. */
static bool is_unkept_maximum(const char *key, struct text digits)
{
	return text_is(digits, "-1") && !strcmp(key, "lifetimeMax");
}

static void read_number(const struct json_place *place, const cJSON *value,
                        const struct jetsam_field *field, void *target)
{
	struct jetsam_number number = { .known = true };
	struct text digits = json_scalar(value);

	if (json_is_null(value))
		return;
	if (is_unkept_maximum(field->key, digits))
		return;
	if (text_starts(digits, "-") || !json_as_u64(value, &number.value) ||
	    number.value > field->max)
		json_place_unexpected(place, field->key, value, field->what);
	else
		memcpy((unsigned char *)target + field->offset, &number,
		       sizeof(number));
}

void jetsam_read_numbers(const struct json_place *place, const cJSON *object,
                         const struct jetsam_field *fields, size_t count,
                         void *target)
{
	for (size_t i = 0; i < count; i++)
		read_number(
		        place,
		        cJSON_GetObjectItemCaseSensitive(object, fields[i].key),
		        &fields[i], target);
}

// Processes

/** 584 years; more is not a CPU time. */
#define CPU_TIME_US_MAX (UINT64_MAX / 1000)

static void read_cpu_time(const struct json_place *place, const cJSON *value,
                          struct jetsam_process *process)
{
	struct text digits = json_scalar(value);
	struct jetsam_number *time = &process->cpu_time_us;

	if (json_is_null(value))
		return;
	time->known = digits.data && units_read(digits, 1000000,
	                                        CPU_TIME_US_MAX, &time->value);
	if (!time->known)
		json_place_unexpected(place, "cpuTime", value,
		                      "a time in seconds");
}

static void read_states(const struct json_place *place, const cJSON *value,
                        struct jetsam_process *process)
{
	const cJSON *states =
	        json_place_value(place, "states", value, JSON_ARRAY);
	const cJSON *state;

	cJSON_ArrayForEach (state, states) {
		const char *name = cJSON_GetStringValue(state);

		if (!name)
			json_place_unexpected(place, "states", state, "text");
		else if (!jetsam_add_state(process, place->reader->arena,
		                           text_from(name)))
			return;
	}
}

/** `physicalPages`: `internal` has resident and compressed pages. */
static void read_physical(const struct json_place *place, const cJSON *value,
                          struct jetsam_process *process)
{
	const cJSON *pages =
	        json_place_value(place, "physicalPages", value, JSON_OBJECT);
	const cJSON *internal =
	        cJSON_GetObjectItemCaseSensitive(pages, "internal");
	const cJSON *resident = cJSON_GetArrayItem(internal, 0);
	const cJSON *compressed = resident ? resident->next : NULL;
	struct jetsam_number *to[] = { &process->resident_pages,
		                       &process->compressed_pages };
	const cJSON *from[] = { resident, compressed };

	for (size_t i = 0; i < ARRAY_SIZE(to); i++)
		to[i]->known = json_as_u64(from[i], &to[i]->value) &&
		               to[i]->value <= JETSAM_PAGES_MAX;
}

static void read_priority(const struct json_place *place, const cJSON *value,
                          struct jetsam_process *process)
{
	struct text digits = json_scalar(value);
	int64_t number;

	if (json_is_null(value))
		return;
	process->has_priority = digits.data && number_signed(digits, &number) &&
	                        number >= -1000 && number <= 1000;
	if (process->has_priority)
		process->priority = (int)number;
	else
		json_place_unexpected(place, "priority", value,
		                      "a priority band");
}

static void read_uuid(const struct json_place *place, const cJSON *value,
                      struct jetsam_process *process)
{
	value = json_place_value(place, "uuid", value, JSON_TEXT);
	if (value && !uuid_parse(json_scalar(value), &process->uuid))
		json_place_unexpected(place, "uuid", value, "a UUID");
}

/**
 * Only killed processes have a reason, even if it is not text. An empty one is
 * that of code 0, not killed.
 */
static void read_reason(const struct json_place *place, const cJSON *value,
                        struct jetsam_process *process)
{
	enum json_type type = json_type(value);
	struct text reason = json_scalar(value);

	if (type == JSON_NULL)
		return;
	if (type != JSON_TEXT)
		json_place_unexpected(place, "reason", value, "text");
	if (!reason.data)
		reason = text_from("(unreadable)");
	if (reason.size && (type == JSON_TEXT || !text_is(reason, "0")))
		process->reason = arena_text(place->reader->arena, reason);
}

static const struct json_field process_fields[] = {
	JSON_FIELD("name", JSON_FIELD_TEXT, struct jetsam_process, name),
	// The colon is part of the key: a mistake in the kernel's table.
	JSON_FIELD("freeze_skip_reason:", JSON_FIELD_TEXT,
	           struct jetsam_process, freeze_skip_reason),
};

/** Members of a process in this order: numbers by their table first. */
static const struct {
	const char *key;
	void (*read)(const struct json_place *place, const cJSON *value,
	             struct jetsam_process *process);
} process_values[] = {
	{ "cpuTime", read_cpu_time },
	{ "states", read_states },
	{ "physicalPages", read_physical },
	{ "priority", read_priority },
	{ "uuid", read_uuid },
	{ "reason", read_reason },
};

struct json_lookup jetsam_process_lookup(void)
{
	struct json_lookup lookup = { .count = 0 };

	for (size_t i = 0; i < ARRAY_SIZE(process_numbers); i++)
		json_lookup_add(&lookup, process_numbers[i].key);
	for (size_t i = 0; i < ARRAY_SIZE(process_values); i++)
		json_lookup_add(&lookup, process_values[i].key);
	return lookup;
}

static void read_members(const struct json_place *place,
                         const cJSON *const *values,
                         struct jetsam_process *process)
{
	const size_t numbers = ARRAY_SIZE(process_numbers);

	for (size_t i = 0; i < numbers; i++)
		if (values[i])
			read_number(place, values[i], &process_numbers[i],
			            process);
	for (size_t i = 0; i < ARRAY_SIZE(process_values); i++)
		if (values[numbers + i])
			process_values[i].read(place, values[numbers + i],
			                       process);
}

void jetsam_read_process(const struct json_place *place,
                         struct json_lookup *lookup, const cJSON *object,
                         struct jetsam *jetsam)
{
	const cJSON *values[JSON_LOOKUP_MAX];
	struct arena *arena = place->reader->arena;
	struct jetsam_process *process;

	if (!cJSON_IsObject(object)) {
		json_place_unexpected(place, NULL, object, "an object");
		return;
	}
	if (!cJSON_GetArrayItem(object, 0)) {
		json_place_note(place, NULL,
		                "an empty object is not a process");
		return;
	}
	if (!json_place_may_read(place, JETSAM_PROCESS_LINES))
		return;
	process = jetsam_add_process(jetsam, arena);
	json_place_fields(place, object, process_fields,
	                  ARRAY_SIZE(process_fields), process);
	json_lookup_find(lookup, object, values);
	read_members(place, values, process);
}
