#include "lib/analysis/jetsam_trend.h"

#include "lib/analysis/jetsam.h"
#include "lib/analysis/jetsam_names.h"
#include "lib/base/mem.h"
#include "parsers/parser.h"

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
};

#define LIMITS                                                      \
	"source: test\nlimits:\n  - device: iPhone XR\n    limit: " \
	"1792\n    ram: 2813\n    os: \"12.1\"\n"

/** Logs that are added one by one, as the command does it. */
struct series {
	struct arena arena;
	struct limits limits;
	struct jetsam_trend trend;
};

static int setup(void **state)
{
	struct series *series = mem_zalloc(1, sizeof(*series));

	series->trend.process = "Demo";
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
	        "\"memoryStatus\":{\"pageSize\":16384},\"processes\":[%s]}",
	        hour, device, processes);
	struct bytes in = { .data = (const uint8_t *)text,
		            .size = strlen(text) };
	struct report *report = NULL;

	assert_null(parser_read(in, &series->arena, &report));
	assert_non_null(report->jetsam);
	jetsam_analyse(report, &series->arena, &view);
	jetsam_trend_add(&series->trend, report);
}

/** Demo with so many MiB; 64 pages are one. */
static const char *demo(struct series *series, unsigned pid, unsigned mib,
                        const char *more)
{
	return arena_printf(&series->arena,
	                    "{\"name\":\"Demo\",\"pid\":%u,\"rpages\":%u%s}",
	                    pid, mib * 64, more);
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

	add_log(series, "a", "08:00:00", demo(series, 7, 400, ""));
	add_log(series, "a", "08:30:00", demo(series, 7, 450, ""));
	add_log(series, "a", "09:00:00", demo(series, 7, 430, ""));
	add_log(series, "a", "09:45:00", demo(series, 7, 455, ""));
	table = jetsam_trend_process(&series->trend, &series->arena);
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

	add_log(series, "a", "12:00:00", demo(series, 7, 800, ""));
	add_log(series, "a", "08:00:00", demo(series, 7, 100, ""));
	add_log(series, "a", "10:00:00", demo(series, 7, 400, ""));
	table = jetsam_trend_process(&series->trend, &series->arena);
	assert_string_equal(cell(table, 0, MIB), "100.0");
	assert_string_equal(cell(table, 1, MIB), "400.0");
	assert_string_equal(cell(table, 2, MIB), "800.0");
	assert_string_equal(cell(table, 1, GROWTH), "150.0");
	assert_string_equal(cell(table, 2, GROWTH), "200.0");
	jetsam_trend_chart(&series->trend, &chart);
	assert_string_equal(str_cstr(&chart), "\u2581\u2584\u2588");
}

/** What a folder of many users' logs looks like. */
static void devices_that_alternate_have_each_their_growth(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00", demo(series, 7, 100, ""));
	add_log(series, "b", "08:10:00", demo(series, 7, 500, ""));
	add_log(series, "a", "09:00:00", demo(series, 7, 160, ""));
	add_log(series, "b", "09:10:00", demo(series, 7, 510, ""));
	table = jetsam_trend_process(&series->trend, &series->arena);
	assert_string_equal(cell(table, 0, GROWTH), "-");
	assert_string_equal(cell(table, 1, GROWTH), "-");
	assert_string_equal(cell(table, 2, GROWTH), "60.0");
	assert_string_equal(cell(table, 3, GROWTH), "10.0");
}

static void another_life_has_no_growth(void **state)
{
	struct series *series = *state;
	struct table *table;

	// Another id; the same id again after a boot; no id; the same minute.
	add_log(series, "a", "08:00:00",
	        demo(series, 7, 100, ",\"age\":24000000000"));
	add_log(series, "a", "09:00:00", demo(series, 8, 200, ""));
	add_log(series, "a", "10:00:00",
	        demo(series, 7, 300, ",\"age\":24000000"));
	add_log(series, "a", "11:00:00", "{\"name\":\"Demo\",\"rpages\":64}");
	add_log(series, "a", "12:00:00", demo(series, 9, 100, ""));
	add_log(series, "a", "12:00:59", demo(series, 9, 200, ""));
	table = jetsam_trend_process(&series->trend, &series->arena);
	assert_int_equal(table->row_count, 6);
	for (size_t i = 0; i < table->row_count; i++)
		assert_string_equal(cell(table, i, GROWTH), "-");
}

#define KILLED ",\"reason\":\"per-process-limit\",\"states\":[\"frontmost\"]"

static void the_distance_is_that_to_the_limit_of_the_log(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00", demo(series, 7, 1500, ""));
	add_log(series, "a", "09:00:00", demo(series, 7, 2000, KILLED));
	table = jetsam_trend_process(&series->trend, &series->arena);
	assert_string_equal(cell(table, 0, LIMIT), "2000.0");
	assert_string_equal(cell(table, 0, BY), "log");
	assert_string_equal(cell(table, 0, LEFT), "500.0");
	assert_string_equal(cell(table, 1, LEFT), "0.0");
}

static void without_a_limit_in_the_logs_the_collected_one_counts(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00", demo(series, 7, 1892, ""));
	table = jetsam_trend_process(&series->trend, &series->arena);
	assert_string_equal(cell(table, 0, LIMIT), "1792.0");
	assert_string_equal(cell(table, 0, BY), "hint");
	assert_string_equal(cell(table, 0, LEFT), "-100.0");
}

/** Only a name that a log has cut stands for a longer one. */
static void the_limit_of_another_process_does_not_count(void **state)
{
	struct series *series = *state;
	struct table *table;

	series->trend.process = "DemoWidget";
	add_log(series, "a", "08:00:00",
	        "{\"name\":\"DemoWidget\",\"pid\":3,\"rpages\":640}");
	add_log(series, "a", "09:00:00", demo(series, 7, 2000, KILLED));
	add_log(series, "a", "10:00:00",
	        "{\"rpages\":640,\"pid\":9" KILLED "}");
	table = jetsam_trend_process(&series->trend, &series->arena);
	assert_int_equal(table->row_count, 1);
	assert_string_equal(cell(table, 0, BY), "hint");
	assert_int_equal(series->trend.victim_count, 0);
}

static void logs_cut_names_and_nothing_else(void **state UNUSED)
{
	static const struct {
		const char *in_log;
		const char *name;
		bool same;
	} cases[] = {
		{ "Demo", "Demo", true },
		{ "Demo", "DemoWidget", false },
		{ "DemoWidget", "Demo", false },
		{ "", "Demo", false },
		{ NULL, "Demo", false },
		{ "KodiMusicRemoteP", "KodiMusicRemotePlayer", true },
		{ "KodiMusicRemote", "KodiMusicRemotePlayer", true },
		{ "KodiMusicRemot", "KodiMusicRemotePlayer", false },
		{ "KodiMusicRemotePl", "KodiMusicRemotePlayer", false },
		{ "com.example.a.very.long.name.of.", // 32
		  "com.example.a.very.long.name.of.an.app", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(jetsam_is_name(cases[i].in_log, cases[i].name),
		                 cases[i].same);
}

static void the_largest_of_a_name_is_followed(void **state)
{
	struct series *series = *state;
	struct table *table;

	add_log(series, "a", "08:00:00",
	        arena_printf(&series->arena, "%s,%s", demo(series, 7, 100, ""),
	                     demo(series, 8, 300, "")));
	table = jetsam_trend_process(&series->trend, &series->arena);
	assert_string_equal(cell(table, 0, MIB), "300.0");
	assert_int_equal(table_cell(table, 0, PID)->number, 8);
	assert_int_equal(table_cell(table, 0, COUNT)->number, 2);
}

static void the_gate_looks_at_the_height_of_the_life(void **state)
{
	// It holds 1000 MiB of 1792 now, and once held 1592: 200 were left.
	static const struct {
		struct jetsam_gate gate;
		enum jetsam_answer answer;
	} cases[] = {
		{ { 200, false }, JETSAM_KEPT },
		{ { 201, false }, JETSAM_CLOSER },
		{ { 11, true }, JETSAM_KEPT }, // 11.16 % were left
		{ { 12, true }, JETSAM_CLOSER },
		{ { 0, false }, JETSAM_KEPT },
	};
	struct series *series = *state;

	add_log(series, "a", "08:00:00",
	        demo(series, 7, 1000, ",\"lifetimeMax\":101888"));
	add_log(series, "a", "09:00:00", demo(series, 8, 1100, ""));
	jetsam_trend_process(&series->trend, &series->arena);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct jetsam_point *closest = NULL;

		assert_int_equal(jetsam_trend_gate(&series->trend,
		                                   &cases[i].gate, &closest),
		                 cases[i].answer);
		assert_int_equal(closest->pid, 7);
		assert_int_equal(jetsam_point_room(closest), 200 << 20);
	}
}

static void without_any_limit_the_gate_has_no_answer(void **state)
{
	const struct jetsam_gate gate = { .value = 100 };
	const struct jetsam_point *closest = NULL;
	struct series *series = *state;

	series->limits = (struct limits){ 0 };
	add_log(series, "a", "08:00:00", demo(series, 7, 1000, ""));
	jetsam_trend_process(&series->trend, &series->arena);
	assert_int_equal(jetsam_trend_gate(&series->trend, &gate, &closest),
	                 JETSAM_NO_LIMIT);
	assert_null(closest);
}

/** The collected limit is 1792 MiB; one in a hundred is near enough. */
static void a_limit_stands_beside_the_collected_one(void **state)
{
	static const struct {
		unsigned mib;
		const char *states;
		bool disagrees;
	} cases[] = {
		{ 1792, "frontmost", false }, { 1809, "frontmost", false },
		{ 1812, "frontmost", true },  { 1772, "frontmost", true },
		{ 50, "background", false },
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
		table = jetsam_trend_limits(&series->trend, &series->arena);
		assert_int_equal(table->row_count, 1);
		assert_string_equal(table_cell(table, 0, 7)->text, "1792");
		assert_string_equal(table_cell(table, 0, 8)->text, "12.1");
		assert_int_equal(table_cell(table, 0, 9)->number,
		                 cases[i].disagrees);
		assert_string_equal(table_cell(table, 0, 10)->text, "test");
	}
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
	table = jetsam_trend_reasons(&series->trend, &series->arena);
	assert_int_equal(table->row_count, 2);
	assert_string_equal(table_cell(table, 0, 0)->text, "highwater");
	assert_int_equal(table_cell(table, 0, 1)->number, 2);
	assert_int_equal(table_cell(table, 0, 2)->number, 1);
	assert_int_equal(table_cell(table, 0, 3)->number, 0);
	assert_string_equal(table_cell(table, 0, 4)->text, "100");
	assert_int_equal(table_cell(table, 1, 3)->number, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(growth_is_counted_in_mib_per_hour),
		TEST(logs_are_put_in_order_of_time),
		TEST(devices_that_alternate_have_each_their_growth),
		TEST(another_life_has_no_growth),
		TEST(the_distance_is_that_to_the_limit_of_the_log),
		TEST(without_a_limit_in_the_logs_the_collected_one_counts),
		TEST(the_limit_of_another_process_does_not_count),
		TEST(logs_cut_names_and_nothing_else),
		TEST(the_largest_of_a_name_is_followed),
		TEST(the_gate_looks_at_the_height_of_the_life),
		TEST(without_any_limit_the_gate_has_no_answer),
		TEST(a_limit_stands_beside_the_collected_one),
		TEST(deaths_are_counted_by_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
