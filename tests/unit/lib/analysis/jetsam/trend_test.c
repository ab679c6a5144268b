// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/trend.h"

#include "lib/analysis/jetsam/jetsam.h"
#include "lib/base/mem.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** Columns of the table of one process. */
enum {
	PID = 4,
	COUNT,
	MIB,
	PEAK,
	GROWTH,
	LIMIT,
	BY,
	LEFT,
	HELPERS = 14,
	TOGETHER,
	TOGETHER_GROWTH,
};

#define LIMITS                                                      \
	"source: test\nlimits:\n  - device: iPhone XR\n    limit: " \
	"1792\n    ram: 2813\n    os: \"12.1\"\n"

/** Logs that are added one by one, as the command does it. */
struct series {
	struct arena arena;
	struct limits limits;
	struct jetsam_trend trend;
	const char *incident; ///< of the logs to come
};

static int setup(void **state)
{
	struct series *series = mem_zalloc(1, sizeof(*series));

	series->trend.process = "Demo";
	series->incident = "";
	assert_null(limits_parse(text_from(LIMITS), "limits", &series->arena,
	                         &series->limits));
	*state = series;
	return 0;
}

static int teardown(void **state)
{
	struct series *series = *state;

	jetsam_trend_release(&series->trend);
	arena_release(&series->arena);
	mem_drop(&series);
	return 0;
}

/** A log of an hour of 2026-01-31; @p processes in JSON. */
static void add_log(struct series *series, const char *device, const char *hour,
                    const char *processes)
{
	const struct jetsam_view view = { .limits = &series->limits };
	const char *text = arena_printf(
	        &series->arena,
	        "{\"bug_type\":\"298\",\"os_version\":\"iPhone OS 17.2 "
	        "(21C62)\",\"timestamp\":\"2026-01-31 %s +0000\"}\n"
	        "{\"product\":\"iPhone11,8\",\"crashReporterKey\":\"%s\","
	        "\"incident\":\"%s\","
	        "\"memoryStatus\":{\"pageSize\":16384},\"processes\":[%s]}",
	        hour, device, series->incident, processes);
	struct bytes in = { .data = (const uint8_t *)text,
		            .size = strlen(text) };
	struct report *report = NULL;

	assert_null(read_reports(in, &series->arena, &report));
	assert_non_null(report->jetsam);
	jetsam_analyse(report, &series->arena, &view);
	jetsam_trend_add(&series->trend, report);
}

#define FRONT  ",\"states\":[\"frontmost\"]"
#define BEHIND ",\"states\":[\"suspended\"]"
#define KILLED ",\"reason\":\"per-process-limit\""

/** Demo with so many MiB; 64 pages are one. */
static const char *demo(struct series *series, unsigned pid, unsigned mib,
                        const char *more)
{
	return arena_printf(&series->arena,
	                    "{\"name\":\"Demo\",\"pid\":%u,\"rpages\":%u%s}",
	                    pid, mib * 64, more);
}

/** Demo so old, in minutes, in the state that limits are collected for. */
static const char *aged(struct series *series, unsigned pid, unsigned mib,
                        unsigned age)
{
	return demo(series, pid, mib,
	            arena_printf(&series->arena, FRONT ",\"age\":%llu",
	                         age * 60 * 24000000ULL));
}

/** A cell as text, `-` where it is absent. */
static const char *cell(const struct table *table, size_t row, size_t column)
{
	const struct table_cell *cell = table_cell(table, row, column);

	return cell->present ? cell->text : "-";
}

static void growth_is_counted_in_mib_per_hour(void **state)
{
	struct series *series = *state;
	// 25 MiB in 45 minutes are 33.33.
	static const char *const growth[] = { "-", "100.0", "-40.0", "33.3" };
	static const char *const mib[] = { "400.0", "450.0", "430.0", "455.0" };
	struct table *table;

	add_log(series, "a", "08:00:00", aged(series, 7, 400, 10));
	add_log(series, "a", "08:30:00", aged(series, 7, 450, 40));
	add_log(series, "a", "09:00:00", aged(series, 7, 430, 50));
	add_log(series, "a", "09:45:00", aged(series, 7, 455, 95));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_int_equal(table->row_count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(cell(table, i, MIB), mib[i]);
		assert_string_equal(cell(table, i, GROWTH), growth[i]);
	}
}

static void logs_are_put_in_order_of_time(void **state)
{
	struct series *series = *state;
	SCOPED(str_release) struct str chart = { 0 };
	struct table *table;

	add_log(series, "a", "12:00:00", aged(series, 7, 800, 240));
	add_log(series, "a", "08:00:00", aged(series, 7, 100, 0));
	add_log(series, "a", "10:00:00", aged(series, 7, 400, 120));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 0, MIB), "100.0");
	assert_string_equal(cell(table, 1, MIB), "400.0");
	assert_string_equal(cell(table, 2, MIB), "800.0");
	assert_string_equal(cell(table, 1, GROWTH), "150.0");
	assert_string_equal(cell(table, 2, GROWTH), "200.0");
	jetsam_trend_chart(&series->trend, 60, &chart);
	assert_string_equal(str_cstr(&chart), "\u2581\u2584\u2588");
}

/** What a directory of many users' logs looks like. */
static void devices_that_alternate_have_each_their_growth(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00", aged(series, 7, 100, 5));
	add_log(series, "b", "08:10:00", aged(series, 7, 500, 5));
	add_log(series, "a", "09:00:00", aged(series, 7, 160, 65));
	add_log(series, "b", "09:10:00", aged(series, 7, 510, 65));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 0, GROWTH), "-");
	assert_string_equal(cell(table, 1, GROWTH), "-");
	assert_string_equal(cell(table, 2, GROWTH), "60.0");
	assert_string_equal(cell(table, 3, GROWTH), "10.0");
}

static void only_one_life_on_one_device_has_growth(void **state)
{
#define UUID_A ",\"uuid\":\"68a27a89-5c3b-3cc3-9af8-b6b243483b68\""
#define UUID_B ",\"uuid\":\"12986be6-7a53-3eff-9a3f-35f705791abf\""
#define HOURS  "\"age\":86400000000"
	static const struct {
		const char *device;
		const char *before; ///< of the log at 08:00
		const char *after;  ///< of that at 09:00
		const char *growth;
	} cases[] = {
		{ "a", "\"pid\":7,\"age\":1" UUID_A, "\"pid\":7," HOURS UUID_A,
		  "64.0" },
		// The clock of ages stops while the device sleeps.
		{ "a", "\"pid\":7,\"age\":1", "\"pid\":7,\"age\":24000000",
		  "64.0" },
		{ "", "\"pid\":7,\"age\":1", "\"pid\":7," HOURS, "-" },
		{ "a", "\"pid\":7,\"age\":1", "\"pid\":8," HOURS, "-" },
		{ "a", "\"age\":1", HOURS, "-" },
		{ "a", "\"pid\":7,\"age\":1" UUID_A, "\"pid\":7," HOURS UUID_B,
		  "-" },
		// Born after the first log, and long before it.
		{ "a", "\"pid\":7,\"age\":48000000",
		  "\"pid\":7,\"age\":24000000", "-" },
		{ "a", "\"pid\":7,\"age\":24000000",
		  "\"pid\":7,\"age\":172800000000", "-" },
		{ "a", "\"pid\":7", "\"pid\":7", "-" },
		{ "a", "\"pid\":7,\"age\":1,\"reason\":\"highwater\"",
		  "\"pid\":7," HOURS, "-" },
	};
	struct series *series = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct table *table;

		jetsam_trend_release(&series->trend);
		series->trend = (struct jetsam_trend){ .process = "Demo" };
		add_log(series, cases[i].device, "08:00:00",
		        arena_printf(&series->arena,
		                     "{\"name\":\"Demo\",\"rpages\":64,%s}",
		                     cases[i].before));
		add_log(series, cases[i].device, "09:00:00",
		        arena_printf(&series->arena,
		                     "{\"name\":\"Demo\",\"rpages\":4160,%s}",
		                     cases[i].after));
		table = jetsam_trend_process(&series->trend, true,
		                             &series->arena);
		if (strcmp(cell(table, 1, GROWTH), cases[i].growth) != 0)
			fail_msg("%s: %s", cases[i].after,
			         cell(table, 1, GROWTH));
	}
}

/** What is between two logs of a process is another process: no rate. */
static void growth_is_against_the_log_before(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00", aged(series, 7, 100, 10));
	add_log(series, "a", "09:00:00", aged(series, 8, 200, 10));
	add_log(series, "a", "10:00:00", aged(series, 7, 300, 130));
	add_log(series, "a", "10:00:59", aged(series, 7, 400, 131));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	for (size_t i = 0; i < table->row_count; i++)
		assert_string_equal(cell(table, i, GROWTH), "-");
}

static void programs_get_sizes_in_full(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00",
	        "{\"name\":\"Demo\",\"pid\":7,\"rpages\":134278" FRONT KILLED
	        "}");
	table = jetsam_trend_process(&series->trend, false, &series->arena);
	assert_string_equal(cell(table, 0, MIB), "2098.09375");
	assert_string_equal(cell(table, 0, LIMIT), "2098.09375");
	assert_string_equal(cell(table, 0, LEFT), "0");
	table = jetsam_trend_limits(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 0, 6), "2098.1");
}

static void copies_of_a_log_count_once(void **state)
{
	struct series *series = *state;
	const char *log = "{\"name\":\"Demo\",\"rpages\":64" KILLED "}";

	series->incident = "44F018CC-C7B9-3D11-8ED2-ABC13803EFA0";
	add_log(series, "a", "08:00:00", log);
	add_log(series, "a", "08:00:00", log);
	series->incident = "55F018CC-C7B9-3D11-8ED2-ABC13803EFA0";
	add_log(series, "a", "08:00:00", log);
	series->incident = "";
	add_log(series, "a", "08:00:00", log);
	add_log(series, "a", "08:00:00", log);
	assert_int_equal(series->trend.log_count, 4);
	assert_int_equal(series->trend.copy_count, 1);
	assert_int_equal(series->trend.victim_count, 4);
	assert_int_equal(series->trend.point_count, 4);
}

static void the_distance_is_that_to_the_limit_of_the_log(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00", demo(series, 7, 1500, FRONT));
	add_log(series, "a", "09:00:00", demo(series, 7, 2000, FRONT KILLED));
	// The least that other logs reveal, but its own where it has one.
	add_log(series, "a", "10:00:00", demo(series, 7, 1990, FRONT KILLED));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 0, LIMIT), "1990.0");
	assert_string_equal(cell(table, 0, BY), "log");
	assert_string_equal(cell(table, 0, LEFT), "490.0");
	assert_string_equal(cell(table, 1, LIMIT), "2000.0");
	assert_string_equal(cell(table, 1, LEFT), "0.0");
	assert_string_equal(cell(table, 2, LIMIT), "1990.0");
}

static void the_limit_in_the_foreground_is_not_that_of_the_background(
        void **state)
{
	struct series *series = *state;
	struct table *table;

	series->limits = (struct limits){ 0 };
	add_log(series, "a", "08:00:00", demo(series, 7, 31, BEHIND KILLED));
	add_log(series, "a", "09:00:00", demo(series, 8, 20, FRONT));
	add_log(series, "a", "10:00:00",
	        demo(series, 9, 20, BEHIND ",\"lifetimeMax\":6400"));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 1, LIMIT), "-");
	assert_string_equal(cell(table, 2, LIMIT), "31.0");
	// It had its 100 MiB in the foreground.
	assert_string_equal(cell(table, 2, LEFT), "11.0");
}

static void what_a_process_survived_is_below_its_limit(void **state)
{
	struct series *series = *state;
	struct table *table;

	series->limits = (struct limits){ 0 };
	add_log(series, "a", "08:00:00", demo(series, 7, 300, FRONT KILLED));
	add_log(series, "a", "09:00:00", demo(series, 8, 301, FRONT));
	add_log(series, "a", "10:00:00",
	        demo(series, 9, 20, FRONT ",\"lifetimeMax\":19264"));
	add_log(series, "a", "11:00:00", demo(series, 9, 300, FRONT));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 1, LIMIT), "-");
	assert_string_equal(cell(table, 2, LIMIT), "-");
	assert_string_equal(cell(table, 3, LIMIT), "300.0");
}

/** An extension may have the name of its app. */
static void a_lesser_process_of_the_name_gives_no_limit(void **state)
{
	struct series *series = *state;
	struct table *table;

	series->limits = (struct limits){ 0 };
	add_log(series, "a", "08:00:00",
	        arena_printf(&series->arena, "%s,%s",
	                     demo(series, 7, 60, FRONT UUID_A),
	                     demo(series, 8, 50, FRONT KILLED UUID_B)));
	add_log(series, "a", "09:00:00", demo(series, 7, 40, FRONT UUID_A));
	add_log(series, "a", "10:00:00", demo(series, 9, 40, FRONT UUID_B));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 0, LIMIT), "-");
	assert_string_equal(cell(table, 1, LIMIT), "-");
	assert_string_equal(cell(table, 2, LIMIT), "50.0");
}

static void a_collected_limit_is_one_of_apps_in_the_foreground(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00", demo(series, 7, 1892, FRONT));
	add_log(series, "a", "09:00:00", demo(series, 7, 100, BEHIND));
	add_log(series, "a", "10:00:00",
	        demo(series, 7, 100, ",\"states\":[\"daemon\"]"));
	add_log(series, "a", "11:00:00", demo(series, 7, 100, ""));
	add_log(series, "a", "12:00:00",
	        demo(series, 7, 100, ",\"states\":[\"active\"]"));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 0, LIMIT), "1792.0");
	assert_string_equal(cell(table, 0, BY), "hint");
	assert_string_equal(cell(table, 0, LEFT), "-100.0");
	for (size_t i = 1; i < 5; i++)
		assert_string_equal(cell(table, i, LIMIT), "-");
}

/** Only a name that a log has truncated stands for a longer one. */
static void the_limit_of_another_process_does_not_count(void **state)
{
	struct series *series = *state;
	struct table *table;

	series->trend.process = "DemoWidget";
	add_log(series, "a", "08:00:00",
	        "{\"name\":\"DemoWidget\",\"pid\":3,\"rpages\":640" FRONT "}");
	add_log(series, "a", "09:00:00", demo(series, 7, 2000, FRONT KILLED));
	add_log(series, "a", "10:00:00",
	        "{\"rpages\":640,\"pid\":9" KILLED "}");
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_int_equal(table->row_count, 1);
	assert_string_equal(cell(table, 0, BY), "hint");
	assert_int_equal(series->trend.victim_count, 0);
}

static void the_largest_of_a_name_is_followed(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00",
	        arena_printf(&series->arena, "%s,%s", demo(series, 7, 100, ""),
	                     demo(series, 8, 300, "")));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 0, MIB), "300.0");
	assert_int_equal(table_cell(table, 0, PID)->number, 8);
	assert_int_equal(table_cell(table, 0, COUNT)->number, 2);
}

static void the_gate_looks_at_the_height_of_the_life(void **state)
{
	// It holds 1000 MiB of 1792 now, and once held 1592: 200 were left.
	static const struct {
		struct jetsam_gate gate;
		enum jetsam_gate_answer answer;
	} cases[] = {
		{ { 200, false }, JETSAM_KEPT },
		{ { 201, false }, JETSAM_CLOSER },
		{ { 11, true }, JETSAM_KEPT }, // 11.16 % were left
		{ { 12, true }, JETSAM_CLOSER },
		{ { 0, false }, JETSAM_KEPT },
		{ { 0, true }, JETSAM_KEPT },
	};
	struct series *series = *state;

	add_log(series, "a", "08:00:00",
	        demo(series, 7, 1000, FRONT ",\"lifetimeMax\":101888"));
	add_log(series, "a", "09:00:00", demo(series, 8, 1100, FRONT));
	jetsam_trend_process(&series->trend, true, &series->arena);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct jetsam_point *closest = NULL;

		assert_int_equal(jetsam_trend_gate(&series->trend,
		                                   &cases[i].gate, &closest),
		                 cases[i].answer);
		assert_int_equal(closest->pid, 7);
		assert_int_equal(jetsam_point_room(closest), 200 << 20);
	}
}

static void at_its_limit_is_too_close_for_any_gate(void **state)
{
	static const struct jetsam_gate gates[] = { { 0, false }, { 0, true } };
	const struct jetsam_point *closest = NULL;
	struct series *series = *state;

	add_log(series, "a", "08:00:00", demo(series, 7, 1000, FRONT KILLED));
	jetsam_trend_process(&series->trend, true, &series->arena);
	for (size_t i = 0; i < ARRAY_SIZE(gates); i++)
		assert_int_equal(
		        jetsam_trend_gate(&series->trend, &gates[i], &closest),
		        JETSAM_CLOSER);
}

static void without_any_limit_the_gate_has_no_answer(void **state)
{
	const struct jetsam_gate gate = { .value = 100 };
	const struct jetsam_point *closest = NULL;
	struct series *series = *state;

	series->limits = (struct limits){ 0 };
	add_log(series, "a", "08:00:00", demo(series, 7, 1000, ""));
	jetsam_trend_process(&series->trend, true, &series->arena);
	assert_int_equal(jetsam_trend_gate(&series->trend, &gate, &closest),
	                 JETSAM_NO_LIMIT);
	assert_null(closest);
}

/** The collected limit is 1792 MiB; one in a hundred is near enough. */
static void a_limit_is_beside_the_collected_one(void **state)
{
	static const struct {
		unsigned mib;
		const char *states;
		bool disagrees;
		const char *app_state;
		const char *reference;
	} cases[] = {
		{ 1792, "frontmost", false, "foreground", "1792" },
		{ 1809, "frontmost", false, "foreground", "1792" },
		{ 1812, "frontmost", true, "foreground", "1792" },
		{ 1772, "frontmost", true, "foreground", "1792" },
		// It is about foreground apps.
		{ 50, "background", false, "background", "-" },
		{ 50, "daemon", false, "system", "-" },
	};
	struct series *series = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct table *table;

		jetsam_trend_release(&series->trend);
		series->trend = (struct jetsam_trend){ 0 };
		add_log(series, "a", "08:00:00",
		        arena_printf(&series->arena,
		                     "{\"name\":\"Demo\",\"rpages\":%u,"
		                     "\"reason\":\"per-process-limit\","
		                     "\"states\":[\"%s\"]}",
		                     cases[i].mib * 64, cases[i].states));
		table = jetsam_trend_limits(&series->trend, false,
		                            &series->arena);
		assert_int_equal(table->row_count, 1);
		assert_string_equal(cell(table, 0, 4), cases[i].app_state);
		assert_string_equal(cell(table, 0, 8), cases[i].reference);
		if (!table_cell(table, 0, 8)->present)
			continue;
		assert_string_equal(cell(table, 0, 9), "12.1");
		assert_int_equal(table_cell(table, 0, 10)->number,
		                 cases[i].disagrees);
		assert_string_equal(cell(table, 0, 11), "test");
	}
}

static void the_coalition_grows_with_its_helpers(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "d", "08:00:00.00",
	        arena_printf(&series->arena, "%s,%s",
	                     demo(series, 7, 100,
	                          ",\"coalition\":5,\"age\":1440000000000"),
	                     "{\"name\":\"Web\",\"rpages\":6400,"
	                     "\"coalition\":5}"));
	add_log(series, "d", "10:00:00.00",
	        arena_printf(&series->arena, "%s,%s",
	                     demo(series, 7, 100,
	                          ",\"coalition\":5,\"age\":1612800000000"),
	                     "{\"name\":\"Web\",\"rpages\":12800,"
	                     "\"coalition\":5}"));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_string_equal(cell(table, 1, MIB), "100.0");
	assert_string_equal(cell(table, 1, GROWTH), "0.0");
	assert_int_equal(table_cell(table, 1, HELPERS)->number, 2);
	assert_string_equal(cell(table, 0, TOGETHER), "200.0");
	assert_string_equal(cell(table, 1, TOGETHER), "300.0");
	assert_string_equal(cell(table, 1, TOGETHER_GROWTH), "50.0");
	assert_non_null(table->columns[TOGETHER].title);
}

static void without_helpers_people_see_no_coalition(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "d", "08:00:00.00", aged(series, 7, 100, 60));
	table = jetsam_trend_process(&series->trend, true, &series->arena);
	assert_null(table->columns[TOGETHER].title);
	assert_string_equal(cell(table, 0, TOGETHER), "100.0");
}

static void every_victim_is_listed_where_they_are_kept(void **state)
{
	struct series *series = *state;
	struct table *table;

	series->trend.process = NULL;
	series->trend.keeps_kills = true;
	add_log(series, "d", "08:00:00.00",
	        "{\"name\":\"B\",\"pid\":2,\"rpages\":64,\"killDelta\":48,"
	        "\"reason\":\"highwater\"},"
	        "{\"name\":\"A\",\"pid\":1,\"rpages\":32,\"killDelta\":24,"
	        "\"reason\":\"idle-exit\"}");
	add_log(series, "d", "09:00:00.00",
	        "{\"name\":\"C\",\"rpages\":64,\"reason\":\"highwater\"}");
	table = jetsam_trend_victims(&series->trend, false, &series->arena);
	assert_int_equal(table->row_count, 3);
	assert_string_equal(cell(table, 0, 4), "A");
	assert_string_equal(cell(table, 0, 6), "0.5");
	assert_string_equal(cell(table, 1, 4), "B");
	assert_int_equal(table_cell(table, 1, 8)->number, 1);
	assert_string_equal(cell(table, 2, 4), "C");
	assert_false(table_cell(table, 2, 3)->present);
	assert_string_equal(table->summary, "kills: 3, logs: 2");
}

static void deaths_are_counted_by_reason(void **state)
{
	struct series *series = *state;
	struct table *table;

	series->trend.process = NULL;
	add_log(series, "a", "08:00:00",
	        "{\"name\":\"A\",\"rpages\":64,\"reason\":\"highwater\"},"
	        "{\"name\":\"B\",\"rpages\":128,\"reason\":\"low-swap\","
	        "\"states\":[\"suspended\"]}");
	add_log(series, "a", "09:00:00",
	        "{\"name\":\"A\",\"rpages\":6400,\"reason\":\"highwater\","
	        "\"states\":[\"frontmost\"]}");
	table = jetsam_trend_reasons(&series->trend, false, &series->arena);
	assert_int_equal(table->row_count, 2);
	assert_string_equal(table_cell(table, 0, 0)->text, "highwater");
	assert_int_equal(table_cell(table, 0, 1)->number, 2);
	assert_int_equal(table_cell(table, 0, 2)->number, 1);
	assert_int_equal(table_cell(table, 0, 3)->number, 0);
	assert_int_equal(table_cell(table, 0, 4)->number, 0);
	assert_int_equal(table_cell(table, 0, 5)->number, 1);
	assert_string_equal(table_cell(table, 0, 6)->text, "100");
	assert_int_equal(table_cell(table, 1, 3)->number, 1);
	assert_int_equal(table_cell(table, 1, 5)->number, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(growth_is_counted_in_mib_per_hour),
		TEST(logs_are_put_in_order_of_time),
		TEST(devices_that_alternate_have_each_their_growth),
		TEST(only_one_life_on_one_device_has_growth),
		TEST(growth_is_against_the_log_before),
		TEST(programs_get_sizes_in_full),
		TEST(copies_of_a_log_count_once),
		TEST(the_distance_is_that_to_the_limit_of_the_log),
		TEST(the_limit_in_the_foreground_is_not_that_of_the_background),
		TEST(what_a_process_survived_is_below_its_limit),
		TEST(a_lesser_process_of_the_name_gives_no_limit),
		TEST(a_collected_limit_is_one_of_apps_in_the_foreground),
		TEST(at_its_limit_is_too_close_for_any_gate),
		TEST(the_limit_of_another_process_does_not_count),
		TEST(the_largest_of_a_name_is_followed),
		TEST(the_gate_looks_at_the_height_of_the_life),
		TEST(without_any_limit_the_gate_has_no_answer),
		TEST(a_limit_is_beside_the_collected_one),
		TEST(deaths_are_counted_by_reason),
		TEST(the_coalition_grows_with_its_helpers),
		TEST(without_helpers_people_see_no_coalition),
		TEST(every_victim_is_listed_where_they_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
