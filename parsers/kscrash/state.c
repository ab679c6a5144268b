// SPDX-License-Identifier: MIT
#include "parsers/kscrash/parts.h"

#include "lib/base/str.h"
#include "lib/base/units.h"

#include <inttypes.h>
#include <string.h>

/** How a value is written. */
enum state_form {
	AS_IT_IS, ///< a text, a number, yes or no
	AS_PERCENT,
	AS_PERMIL, ///< in percent, with a decimal
	AS_THERMAL,
	AS_BATTERY,
};

static const struct {
	const char *object; ///< of the report, or of `system`
	const char *key;
	const char *label;
	enum state_form form;
} states[] = {
	{ "report", "run_id", "Run ID", AS_IT_IS },
	{ "report", "monitor_id", "Monitor", AS_IT_IS },
	{ "application_stats", "task_role", "Task Role", AS_IT_IS },
	{ "application_stats", "app_transition_state", "App State", AS_IT_IS },
	{ "application_stats", "user_perceptible", "User Perceptible",
	  AS_IT_IS },
	{ "app_memory", "app_transition_state", "App State", AS_IT_IS },
	{ "app_memory", "memory_pressure", "Memory Pressure", AS_IT_IS },
	{ "app_memory", "memory_level", "Memory Level", AS_IT_IS },
	{ "system", "thermal_state", "Thermal State", AS_THERMAL },
	{ "system", "cpu_state", "CPU State", AS_IT_IS },
	{ "system", "cpu_average_usage_permil", "CPU Usage", AS_PERMIL },
	{ "system", "battery_level", "Battery Level", AS_PERCENT },
	{ "system", "battery_state", "Battery State", AS_BATTERY },
	{ "system", "low_power_mode_enabled", "Low Power Mode", AS_IT_IS },
};

/** NSProcessInfoThermalState and UIDeviceBatteryState, by number. */
static const char *const thermal_words[] = { "nominal", "fair", "serious",
	                                     "critical" };
static const char *const battery_words[] = { "unknown", "unplugged", "charging",
	                                     "full" };

static const char *word_of(const char *const *words, size_t count,
                           uint64_t number, struct arena *arena)
{
	return number < count ? words[number]
	                      : arena_printf(arena, "%" PRIu64, number);
}

static const char *percent_of(uint64_t value, uint64_t unit,
                              struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_exact(&text, value, unit);
	str_add(&text, " %");
	return arena_text(arena, str_text(&text));
}

static const char *number_of(uint64_t number, enum state_form form,
                             struct arena *arena)
{
	switch (form) {
	case AS_PERCENT:
		return percent_of(number, 1, arena);
	case AS_PERMIL:
		return percent_of(number, 10, arena);
	case AS_THERMAL:
		return word_of(thermal_words, ARRAY_SIZE(thermal_words), number,
		               arena);
	case AS_BATTERY:
		return word_of(battery_words, ARRAY_SIZE(battery_words), number,
		               arena);
	case AS_IT_IS:
		break;
	}
	return arena_printf(arena, "%" PRIu64, number);
}

/** NULL for containers and empty text. */
static const char *value_of(const cJSON *value, enum state_form form,
                            struct arena *arena)
{
	const char *text = cJSON_GetStringValue(value);
	uint64_t number;
	bool truth;

	if (text)
		return *text ? arena_strdup(arena, text) : NULL;
	if (cJSON_IsBool(value) && json_as_bool(value, &truth))
		return truth ? "yes" : "no";
	if (json_as_u64(value, &number))
		return number_of(number, form, arena);
	return cJSON_IsNumber(value) ? json_number_text(value, arena) : NULL;
}

static const cJSON *object_of(const struct kscrash *ks, const char *name)
{
	if (!strcmp(name, "report"))
		return cJSON_GetObjectItemCaseSensitive(ks->root, name);
	return strcmp(name, "system") != 0
	               ? cJSON_GetObjectItemCaseSensitive(ks->system, name)
	               : ks->system;
}

void kscrash_read_state(const struct kscrash *ks)
{
	struct json_reader *reader = ks->place.reader;
	struct report *report = reader->report;

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		const char *value = value_of(
		        cJSON_GetObjectItemCaseSensitive(
		                object_of(ks, states[i].object), states[i].key),
		        states[i].form, reader->arena);

		if (value && !report_field(report, states[i].label))
			report_add_field(report, reader->arena, states[i].label,
			                 value);
	}
}

bool kscrash_is_state(const char *object, const cJSON *value)
{
	struct text name = text_from(object);

	if (cJSON_IsObject(value) || cJSON_IsArray(value))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (text_is_nocase(name, states[i].object) &&
		    !strcmp(states[i].key, value->string))
			return true;
	return false;
}
