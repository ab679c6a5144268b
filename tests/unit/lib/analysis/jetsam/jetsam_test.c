// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/units.h"
#include "lib/darwin/jetsam.h"
#include "lib/darwin/products.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define HEADER "{\"bug_type\":\"298\",\"timestamp\":\"x\"}\n"

/** A log with one process, of which the fields are given. */
#define SIZE             "\"memoryStatus\":{\"pageSize\":16384},"
#define LOG(top, fields) HEADER "{" top "\"processes\":[{" fields "}]}"

static struct report *read_log(const char *text, struct arena *arena)
{
	struct bytes in = { .data = (const uint8_t *)text,
		            .size = strlen(text) };
	struct report *report = NULL;
	struct error *err = read_reports(in, arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	assert_non_null(report->jetsam);
	return report;
}

static const struct jetsam_answer *analysed(const char *text,
                                            struct arena *arena)
{
	const struct jetsam_view view = { 0 };
	struct report *report = read_log(text, arena);

	return jetsam_analyse(report, arena, &view);
}

// Units, each from a documented fact

static void pages_are_counted_in_the_page_size_of_the_log(void **state UNUSED)
{
	// Published limits (apmtool-formats(5), SOURCES); old text: 4 KiB.
	static const struct {
		const char *log;
		uint64_t bytes;
		const char *mib;
	} cases[] = {
		{ LOG("\"memoryStatus\":{\"pageSize\":16384},",
		      "\"rpages\":92806"),
		  UINT64_C(92806) * 16384, "1450.09375" },
		{ LOG("\"memoryStatus\":{\"pageSize\":16384},",
		      "\"rpages\":134278"),
		  UINT64_C(134278) * 16384, "2098.09375" },
		{ LOG("\"memoryStatus\":{\"pageSize\":4096},",
		      "\"rpages\":61443"),
		  UINT64_C(61443) * 4096, "240.01171875" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str mib = { 0 };
		const struct jetsam_answer *answer =
		        analysed(cases[i].log, &arena);

		assert_int_equal(answer->usages[0].footprint_bytes.value,
		                 cases[i].bytes);
		assert_false(answer->page_bytes_assumed);
		units_add_exact(&mib, cases[i].bytes, UNITS_MIB);
		assert_string_equal(str_cstr(&mib), cases[i].mib);
	}
}

static void a_missing_page_size_is_assumed_where_the_device_settles_it(
        void **state UNUSED)
{
#define PRODUCT(id, more) LOG("\"product\":\"" id "\"," more, "\"rpages\":640")
	static const struct {
		const char *log;
		uint64_t page_bytes;
		bool unsure;
	} cases[] = {
		{ PRODUCT("iPhone5,4", ""), 4096, false },
		{ PRODUCT("iPad3,6", ""), 4096, false },
		{ PRODUCT("Watch3,1", ""), 4096, false },
		{ PRODUCT("iPhone8,1", ""), 16384, false },
		{ PRODUCT("iPad6,3", ""), 16384, false },
		{ PRODUCT("iPod9,1", ""), 16384, false },
		{ PRODUCT("AppleTV6,2", ""), 16384, false },
		{ PRODUCT("iPhone8,1", "\"memoryStatus\":{\"pageSize\":0},"),
		  16384, false },
		{ PRODUCT("iPhone8,1",
		          "\"memoryStatus\":{\"pageSize\":1000000000000},"),
		  16384, false },
		// A log of an iPhone7,2 has 4096.
		{ PRODUCT("iPhone6,1", ""), 4096, true },
		{ PRODUCT("iPhone7,2", ""), 4096, true },
		{ PRODUCT("iPad5,4", ""), 4096, true },
		{ PRODUCT("iPod7,1", ""), 4096, true },
		{ PRODUCT("Watch6,2", ""), 16384, true },
		{ PRODUCT("x86_64", ""), 16384, true },
		{ LOG("", "\"rpages\":640"), 16384, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct jetsam_answer *answer =
		        analysed(cases[i].log, &arena);

		assert_true(answer->page_bytes_assumed);
		assert_int_equal(answer->page_bytes.value, cases[i].page_bytes);
		assert_int_equal(answer->page_bytes_unsure, cases[i].unsure);
		assert_int_equal(answer->usages[0].footprint_bytes.known,
		                 !cases[i].unsure);
	}
}

static void pages_of_unknown_size_are_no_mib(void **state UNUSED)
{
	static const char *const lines[] = {
		"Demo [1] was killed (the log does not say whether in the "
		"foreground): per-process-limit, it exceeded its own hard "
		"limit",
		"  footprint 640 pages: 2.5 MiB, if a page has 4096 bytes",
		"  its limit is about the same: it was killed just above it",
		"  find out what uses its memory, with Instruments or a memory "
		"graph",
		"the largest process, Demo [1] with 640 pages, was a victim",
		"the log says that a page has 0 bytes, which is impossible: "
		"sizes are given in pages",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct jetsam_answer *answer = analysed(
	        LOG("\"product\":\"iPhone6,1\",\"memoryStatus\":{\"pageSize\":"
	            "0,\"memoryPages\":{\"free\":7}},",
	            "\"name\":\"Demo\",\"pid\":1,\"rpages\":640,"
	            "\"reason\":\"per-process-limit\""),
	        &arena);

	assert_int_equal(answer->row_count, 0);
	assert_false(answer->victims[0].limit_bytes.known);
	assert_int_equal(answer->verdict_count, ARRAY_SIZE(lines));
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_string_equal(answer->verdict[i], lines[i]);
}

static void ticks_are_those_of_the_device(void **state UNUSED)
{
	// 24e9 × 125 / 3 ns = 1000 s; 25440 ticks = 1.06 ms.
	static const struct {
		const char *product;
		uint64_t age_ms;
		uint64_t delay_us;
	} cases[] = {
		{ "iPhone12,3", 1000000, 1060 },
		{ "Watch6,2", 1000000, 1060 },
		{ "x86_64", 24000, 25 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const char *log = arena_printf(
		        &arena,
		        HEADER "{\"product\":\"%s\",\"processes\":[{\"age\":"
		               "24000000000,\"killDelta\":25440,\"cpuTime\":"
		               "81.5}]}",
		        cases[i].product);
		const struct jetsam_usage *usage =
		        &analysed(log, &arena)->usages[0];

		assert_int_equal(usage->age_ms.value, cases[i].age_ms);
		assert_int_equal(usage->kill_delay_us.value, cases[i].delay_us);
		assert_int_equal(usage->process->cpu_time_us.value, 81500000);
	}
}

static void seconds_of_cpu_keep_their_fraction(void **state UNUSED)
{
	static const struct {
		const char *log;
		uint64_t us;
		bool known;
	} cases[] = {
		{ LOG("", "\"cpuTime\":0.066796999999999995"), 66797, true },
		{ LOG("", "\"cpuTime\":3"), 3000000, true },
		{ LOG("", "\"cpuTime\":1.2e-05"), 12, true },
		{ LOG("", "\"cpuTime\":1.5e+03"), 1500000000, true },
		{ LOG("", "\"cpuTime\":\"soon\""), 0, false },
		{ LOG("", "\"cpuTime\":-1.0"), 0, false },
		{ LOG("", "\"cpuTime\":1e20"), 0, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct jetsam_number *time =
		        &read_log(cases[i].log, &arena)
		                 ->jetsam->processes[0]
		                 .cpu_time_us;

		assert_int_equal(time->known, cases[i].known);
		if (time->known)
			assert_int_equal(time->value, cases[i].us);
	}
}

static void bands_are_read_on_the_scale_of_their_system(void **state UNUSED)
{
	// The kernel decides, else the OS, else the numbers.
	static const struct {
		const char *log;
		const char *band;
	} cases[] = {
		{ LOG("\"kernel\":\"root:xnu-8020.1~1\",", "\"priority\":10"),
		  "foreground app" },
		{ LOG("\"kernel\":\"root:xnu-8791.9~1\",", "\"priority\":10"),
		  "foreground app" },
		{ LOG("\"kernel\":\"root:xnu-8792.2~1\",", "\"priority\":10"),
		  "aging 1" },
		{ LOG("\"kernel\":\"root:xnu-8792.2~1\",", "\"priority\":100"),
		  "foreground app" },
		{ LOG("\"build\":\"iPhone OS 15.7 (19H12)\",",
		      "\"priority\":3"),
		  "background" },
		{ LOG("\"build\":\"iPhone OS 16.0 (20A362)\",",
		      "\"priority\":30"),
		  "background" },
		{ LOG("\"build\":\"Watch OS 9.0 (20R362)\",",
		      "\"priority\":100"),
		  "foreground app" },
		{ LOG("\"build\":\"Watch OS 8.7 (19U66)\",", "\"priority\":10"),
		  "foreground app" },
		{ LOG("\"build\":\"iPhone OS 16.0 (20A362)\",",
		      "\"priority\":10"),
		  "aging 1" },
		{ LOG("\"build\":\"iPhone OS 15.9 (19Z1)\",",
		      "\"priority\":10"),
		  "foreground app" },
		{ LOG("\"build\":\"Watch OS 9.0 (20R362)\",",
		      "\"priority\":10"),
		  "aging 1" },
		{ LOG("", "\"priority\":10},{\"priority\":22"), "aging 1" },
		{ LOG("", "\"priority\":10},{\"priority\":21"),
		  "foreground app" },
		{ LOG("", "\"priority\":180"), "important" },
		{ LOG("", "\"priority\":18"), "important" },
		{ LOG("", "\"priority\":-2"), "idle head" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct jetsam_answer *answer =
		        analysed(cases[i].log, &arena);

		assert_string_equal(answer->usages[0].band, cases[i].band);
	}
}

// Verdicts

static void the_app_state_of_a_victim_follows_from_its_states(
        void **state UNUSED)
{
	static const struct {
		const char *fields;
		enum jetsam_app_state app_state;
	} cases[] = {
		{ "\"states\":[\"frontmost\"]", JETSAM_APP_STATE_FOREGROUND },
		{ "\"states\":[\"active\"]", JETSAM_APP_STATE_FOREGROUND },
		{ "\"states\":[\"active\",\"background\"]",
		  JETSAM_APP_STATE_BACKGROUND },
		{ "\"states\":[\"suspended\"]", JETSAM_APP_STATE_BACKGROUND },
		{ "\"states\":[\"daemon\",\"idle\"]", JETSAM_APP_STATE_SYSTEM },
		{ "\"states\":[],\"priority\":100",
		  JETSAM_APP_STATE_FOREGROUND },
		{ "\"states\":[],\"priority\":160", JETSAM_APP_STATE_UNKNOWN },
		{ "\"pid\":1", JETSAM_APP_STATE_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const char *log = arena_printf(
		        &arena,
		        HEADER "{\"kernel\":\"xnu-8792\",\"processes\":[{"
		               "\"reason\":\"highwater\",%s}]}",
		        cases[i].fields);

		assert_int_equal(analysed(log, &arena)->victims[0].app_state,
		                 cases[i].app_state);
	}
}

static void only_a_hard_limit_reveals_a_limit(void **state UNUSED)
{
	static const char *const others[] = {
		"jettisoned",
		"highwater",
		"vnode-limit",
		"vm-pageshortage",
		"proc-thrashing",
		"vm-thrashing",
		"fc-thrashing",
		"disk-space-shortage",
		"diagnostic",
		"idle-exit",
		"zone-map-exhaustion",
		"vm-compressor-thrashing",
		"vm-compressor-space-shortage",
		"low-swap",
		"sustained-memory-pressure",
		"vm-pageout-starvation",
		"conclave-limit",
		"long-idle-exit",
		"cpu-limit",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct jetsam_answer *answer =
	        analysed(LOG("\"memoryStatus\":{\"pageSize\":16384},",
	                     "\"rpages\":64,\"reason\":\"per-process-limit\""),
	                 &arena);

	assert_int_equal(answer->victims[0].limit_bytes.value, 1 << 20);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const char *log = arena_printf(&arena,
		                               HEADER
		                               "{\"processes\":[{\"rpages\":64,"
		                               "\"reason\":\"%s\"}]}",
		                               others[i]);

		answer = analysed(log, &arena);
		assert_false(answer->victims[0].limit_bytes.known);
		assert_non_null(jetsam_cause_find(others[i]));
		assert_string_not_equal(answer->victims[0].meaning,
		                        "an unknown cause");
	}
}

static void an_unknown_reason_is_a_victim_all_the_same(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct jetsam_answer *answer = analysed(
	        LOG("", "\"name\":\"A\",\"reason\":\"from-iOS-40\""), &arena);

	assert_int_equal(answer->victim_count, 1);
	assert_string_equal(answer->verdict[0],
	                    "A was killed (the log does not say whether in "
	                    "the foreground): from-iOS-40, an unknown cause");
}

static void kills_are_in_the_order_of_their_time(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	// 24 ticks are a microsecond.
	const struct jetsam_answer *answer = analysed(
	        HEADER "{\"product\":\"iPhone12,3\"," SIZE "\"processes\":["
	               "{\"name\":\"late\",\"rpages\":9,\"killDelta\":2400,"
	               "\"reason\":\"highwater\"},"
	               "{\"name\":\"when\",\"rpages\":8,"
	               "\"reason\":\"highwater\"},"
	               "{\"name\":\"alive\",\"rpages\":70,\"killDelta\":1},"
	               "{\"name\":\"early\",\"rpages\":1,\"killDelta\":240,"
	               "\"reason\":\"highwater\"}]}",
	        &arena);
	static const struct {
		const char *name;
		size_t order; ///< 0: unknown
		struct jetsam_number since_us;
	} cases[] = {
		{ "early", 1, { 0, false } },
		{ "late", 2, { 90, true } },
		{ "when", 0, { 0, false } },
	};

	assert_int_equal(answer->victim_count, ARRAY_SIZE(cases));
	assert_int_equal(answer->timed_kill_count, 2);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct jetsam_usage *usage = answer->kills[i];

		assert_string_equal(usage->process->name, cases[i].name);
		assert_int_equal(usage->kill_order.known, cases[i].order > 0);
		assert_int_equal(usage->kill_order.value, cases[i].order);
		assert_int_equal(usage->since_kill_us.known,
		                 cases[i].since_us.known);
		assert_int_equal(usage->since_kill_us.value,
		                 cases[i].since_us.value);
	}
}

static bool has_line(const struct jetsam_answer *answer, const char *start)
{
	for (size_t i = 0; i < answer->verdict_count; i++)
		if (!strncmp(answer->verdict[i], start, strlen(start)))
			return true;
	return false;
}

static void the_victims_of_a_truncated_log_are_a_lower_bound(
        void **state UNUSED)
{
	static const char victim[] = "{\"name\":\"A\",\"rpages\":9,"
	                             "\"reason\":\"highwater\"}";
	SCOPED(arena_release) struct arena arena = { 0 };
	const char *start = arena_printf(
	        &arena, HEADER "{" SIZE "\"processes\":[%s,%s", victim, victim);

	assert_true(
	        has_line(analysed(arena_printf(&arena, "%s]}", start), &arena),
	                 "2 processes were killed: 2 highwater"));
	assert_true(has_line(
	        analysed(start, &arena),
	        "at least 2 processes were killed (the log is truncated): 2 "
	        "highwater"));
	start = arena_printf(&arena, HEADER "{" SIZE "\"processes\":[%s",
	                     victim);
	assert_true(has_line(analysed(start, &arena),
	                     "at least 1 process was killed (the log is "
	                     "truncated): 1 highwater"));
}

static void the_reference_limit_is_beside_that_of_an_app_only(
        void **state UNUSED)
{
	static const struct {
		const char *fields;
		bool shown;
	} cases[] = {
		{ "\"states\":[\"frontmost\"],"
		  "\"reason\":\"per-process-limit\"",
		  true },
		{ "\"states\":[\"suspended\"],"
		  "\"reason\":\"per-process-limit\"",
		  true },
		{ "\"states\":[\"daemon\"],"
		  "\"reason\":\"per-process-limit\"",
		  false },
		{ "\"states\":[\"frontmost\"],"
		  "\"reason\":\"vm-pageshortage\"",
		  false },
		{ "\"states\":[\"frontmost\"]", false },
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct limit item = { .device = "iPhone 6s",
		              .limit_bytes = 1396 * UNITS_MIB,
		              .ram_bytes = 2048 * UNITS_MIB };
	const struct limits limits = { .items = &item, .count = 1 };
	const struct jetsam_view view = { .limits = &limits };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *log =
		        arena_printf(&arena,
		                     HEADER "{\"product\":\"iPhone8,1\"," SIZE
		                            "\"processes\":[{\"name\":\"A\","
		                            "\"rpages\":64,%s}]}",
		                     cases[i].fields);
		const struct jetsam_answer *answer =
		        jetsam_analyse(read_log(log, &arena), &arena, &view);

		assert_int_equal(has_line(answer, "reference limit: foreground "
		                                  "apps on an iPhone 6s were "
		                                  "killed at 1396 MiB"),
		                 cases[i].shown);
		// Programs may still ask for it.
		assert_non_null(answer->reference.device);
	}
}

static void a_log_of_a_watch_needs_no_time_and_no_list(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        read_log("{\"build\":\"Watch OS 9.1 (20S75)\","
	                 "\"product\":\"Watch6,2\",\"memoryStatus\":{"
	                 "\"pageSize\":16384,\"memoryPages\":{\"free\":7}}}",
	                 &arena);
	struct error *err = NULL;

	assert_int_equal(report->jetsam->memory.free.value, 7);
	err = read_reports(
	        (struct bytes){ (const uint8_t *)"{\"memoryStatus\":1}", 18 },
	        &arena, &report);
	assert_non_null(err);
	error_free(err);
}

static void coalitions_are_summed(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct jetsam_answer *answer = analysed(
	        HEADER "{\"memoryStatus\":{\"pageSize\":16384},\"processes\":["
	               "{\"name\":\"A\",\"coalition\":7,\"rpages\":3},"
	               "{\"name\":\"B\",\"coalition\":7,\"rpages\":5},"
	               "{\"name\":\"C\",\"coalition\":8,\"rpages\":50},"
	               "{\"name\":\"D\",\"rpages\":9}]}",
	        &arena);

	assert_int_equal(answer->coalition_count, 1);
	assert_string_equal(answer->coalitions[0].name, "B");
	assert_int_equal(answer->coalitions[0].bytes.value, 8 * 16384);
}

// Bad input

static void mistyped_members_are_notes_with_their_path(void **state UNUSED)
{
	static const struct {
		const char *log;
		const char *place;
		const char *text;
	} cases[] = {
		{ LOG("", "\"rpages\":-1"), "processes[0].rpages",
		  "expected a count of pages, found '-1'" },
		{ LOG("", "\"rpages\":9223372036854775808"),
		  "processes[0].rpages",
		  "expected a count of pages, found '9223372036854775808'" },
		{ LOG("", "\"rpages\":[]"), "processes[0].rpages",
		  "expected a count of pages, found an array" },
		{ LOG("", "\"name\":{}"), "processes[0].name",
		  "expected text, found an object" },
		{ LOG("", "\"states\":\"idle\""), "processes[0].states",
		  "expected an array, found 'idle'" },
		{ LOG("", "\"states\":[7]"), "processes[0].states",
		  "expected text, found '7'" },
		{ LOG("", "\"priority\":\"high\""), "processes[0].priority",
		  "expected a priority band, found 'high'" },
		{ LOG("", "\"uuid\":\"x\""), "processes[0].uuid",
		  "expected a UUID, found 'x'" },
		{ LOG("\"memoryStatus\":7,", "\"pid\":1"), "memoryStatus",
		  "expected an object, found '7'" },
		{ LOG("\"memoryStatus\":{\"memoryPages\":{\"free\":\"?\"}},",
		      "\"pid\":1"),
		  "memoryStatus.memoryPages.free",
		  "expected a count of pages, found '?'" },
		{ HEADER "{\"processes\":{}}", "processes",
		  "expected an array, found an object" },
		{ HEADER "{\"processes\":[7]}", "processes[0]",
		  "expected an object, found '7'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = read_log(cases[i].log, &arena);

		assert_int_equal(report->note_count, 1);
		assert_string_equal(report->notes[0].place, cases[i].place);
		assert_string_equal(report->notes[0].text, cases[i].text);
	}
}

/** The first number is what is resident, the second what is compressed. */
static void resident_and_compressed_pages_keep_apart(void **state UNUSED)
{
	static const struct {
		const char *log;
		struct jetsam_number resident;
		struct jetsam_number compressed;
	} cases[] = {
#define PAGES(internal) LOG("", "\"physicalPages\":{" internal "}")
		{ PAGES("\"internal\":[6010,3300]"),
		  { 6010, true },
		  { 3300, true } },
		{ PAGES("\"internal\":[6010]"), { 6010, true }, { 0, false } },
		{ PAGES("\"internal\":[\"x\",3300]"),
		  { 0, false },
		  { 3300, true } },
		{ PAGES("\"internal\":[1099511627776,1099511627777]"),
		  { UINT64_C(1) << 40, true },
		  { 0, false } },
		{ PAGES(""), { 0, false }, { 0, false } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct jetsam_process *process =
		        &read_log(cases[i].log, &arena)->jetsam->processes[0];

		assert_int_equal(process->resident_pages.known,
		                 cases[i].resident.known);
		if (process->resident_pages.known)
			assert_int_equal(process->resident_pages.value,
			                 cases[i].resident.value);
		assert_int_equal(process->compressed_pages.known,
		                 cases[i].compressed.known);
		if (process->compressed_pages.known)
			assert_int_equal(process->compressed_pages.value,
			                 cases[i].compressed.value);
	}
}

static void only_sizes_that_a_device_may_have_are_page_sizes(
        void **state UNUSED)
{
	static const struct {
		const char *bytes;
		bool is_page_size;
	} cases[] = {
		{ "512", false },    { "1024", true },     { "4096", true },
		{ "12288", false },  { "16384", true },    { "16385", false },
		{ "1048576", true }, { "2097152", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const char *log =
		        arena_printf(&arena,
		                     LOG("\"memoryStatus\":{\"pageSize\":%s},",
		                         "\"rpages\":1"),
		                     cases[i].bytes);

		assert_int_equal(analysed(log, &arena)->page_bytes_assumed,
		                 !cases[i].is_page_size);
	}
}

static void an_unkept_maximum_is_not_a_fault(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read_log(LOG("", "\"lifetimeMax\":-1"), &arena);

	assert_int_equal(report->note_count, 0);
	assert_false(report->jetsam->processes[0].lifetime_pages.known);
}

/** The first line of the verdict on a log. */
static void assert_verdict(const char *log, const char *line)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct jetsam_answer *answer = analysed(log, &arena);

	assert_true(answer->verdict_count > 0);
	assert_string_equal(answer->verdict[0], line);
}

static void no_kill_only_where_the_log_lists_processes(void **state UNUSED)
{
	assert_verdict(
	        LOG("", "\"name\":\"A\",\"rpages\":1"),
	        "no process was killed: the log gives no reason for any");
	assert_verdict(HEADER "{\"processes\":[]}",
	               "the log does not name the victim: its list of "
	               "processes is empty");
	assert_verdict(HEADER "{\"timeDelta\":5,\"eventReason\":\"low-swap\"}",
	               "the log does not name the victim: it has no list of "
	               "processes; the reason given by the log is low-swap");
	assert_verdict(HEADER "{\"timeDelta\":5,\"largestProcess\":\"Demo\"}",
	               "the log does not name the victim: it has no list of "
	               "processes; the log calls Demo the largest process");
}

/** Only who was killed has one. */
static void a_reason_that_is_no_text_is_one(void **state UNUSED)
{
	static const struct {
		const char *log;
		const char *reason; ///< NULL: was not killed
		bool noted;
	} cases[] = {
		{ LOG(SIZE, "\"reason\":5"), "5", true },
		{ LOG(SIZE, "\"reason\":[]"), "(unreadable)", true },
		{ LOG(SIZE, "\"reason\":true"), "(unreadable)", true },
		{ LOG(SIZE, "\"reason\":0"), NULL, true },
		{ LOG(SIZE, "\"reason\":null"), NULL, false },
		{ LOG(SIZE, "\"reason\":\"\""), NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read_log(cases[i].log, &arena);
		const char *reason = report->jetsam->processes[0].reason;

		assert_int_equal(reason != NULL, cases[i].reason != NULL);
		if (reason)
			assert_string_equal(reason, cases[i].reason);
		assert_int_equal(report->note_count, cases[i].noted);
	}
}

static void a_header_of_another_log_is_noted(void **state UNUSED)
{
	static const struct {
		const char *header; ///< its members, as those of the body
		const char *body;
		const char *place; ///< of the note; NULL: none
		const char *text;
	} cases[] = {
		{ "\"timestamp\":\"2025-05-28 01:35:47.00 -0500\"",
		  "\"date\":\"2025-05-28 01:35:47.63 -0500\"", NULL, NULL },
		{ "\"timestamp\":\"2025-05-28 01:35:47.00 -0500\"",
		  "\"date\":\"2025-05-28 01:37:47.63 -0500\"", "date",
		  "the body says '2025-05-28 01:37:47.63 -0500', the header "
		  "line '2025-05-28 01:35:47.00 -0500'" },
		{ "\"timestamp\":\"x\"", "\"date\":\"\"", NULL, NULL },
		{ "\"incident_id\":\"44F0\"", "\"incident\":\"44f0\"", NULL,
		  NULL },
		{ "\"incident_id\":\"44F0\"", "\"incident\":\"55F0\"",
		  "incident", "the body says '55F0', the header line '44F0'" },
		{ "\"os_version\":\"iPhone OS 17.2 (21C62)\"",
		  "\"build\":\"iPhone OS 16.0 (20A362)\"", "build",
		  "the body says 'iPhone OS 16.0 (20A362)', the header line "
		  "'iPhone OS 17.2 (21C62)'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read_log(
		        arena_printf(&arena,
		                     "{\"bug_type\":\"298\",%s}\n{%s,"
		                     "\"product\":\"\",\"processes\":[{"
		                     "\"name\":\"A\"}]}",
		                     cases[i].header, cases[i].body),
		        &arena);

		assert_null(report->hardware_model);
		assert_int_equal(report->note_count, cases[i].place != NULL);
		if (!cases[i].place)
			continue;
		assert_string_equal(report->notes[0].place, cases[i].place);
		assert_string_equal(report->notes[0].text, cases[i].text);
	}
}

static void whether_the_last_of_a_cut_log_was_killed_is_not_known(
        void **state UNUSED)
{
	static const struct {
		const char *log;
		const char *line; ///< of the verdict, the second
	} cases[] = {
		{ HEADER "{\"processes\":[{\"name\":\"A\",\"rpages\":64,\"sta",
		  "the largest process in the truncated log, A with 64 pages, "
		  "is where the log is truncated: whether it was killed is "
		  "unknown" },
		{ HEADER "{\"processes\":[{\"name\":\"A\",\"rpages\":64},{"
		         "\"name\":\"B\"",
		  "the largest process in the truncated log, A with 64 pages, "
		  "was not killed" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct jetsam_answer *answer =
		        analysed(cases[i].log, &arena);

		assert_true(answer->verdict_count > 1);
		assert_string_equal(answer->verdict[1], cases[i].line);
	}
}

static void no_limit_is_read_from_no_pages(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct jetsam_answer *answer = analysed(
	        LOG("", "\"rpages\":0,\"reason\":\"per-process-limit\""),
	        &arena);

	assert_false(answer->victims[0].limit_bytes.known);
	assert_string_equal(answer->verdict[2],
	                    "  its limit is unknown: its footprint is 0 pages");
}

static void a_sum_of_unknown_footprints_is_not_zero(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct jetsam_answer *answer = analysed(
	        HEADER "{\"processes\":[{\"name\":\"A\",\"coalition\":7},"
	               "{\"name\":\"B\",\"coalition\":7,\"rpages\":-1}]}",
	        &arena);

	assert_int_equal(answer->coalition_count, 0);
}

static void an_assumed_page_size_is_a_note(void **state UNUSED)
{
	static const struct {
		const char *log;
		const char *note; ///< NULL: none
	} cases[] = {
		{ LOG("", "\"rpages\":1"),
		  "no page size: sizes are given in pages" },
		{ PRODUCT("iPhone8,1", ""),
		  "no page size: 16384 bytes are assumed" },
		{ PRODUCT("iPhone8,1", "\"memoryStatus\":{\"pageSize\":0},"),
		  "0 is not a page size: 16384 bytes are assumed" },
		{ LOG("\"memoryStatus\":{\"pageSize\":16384},", "\"rpages\":1"),
		  NULL },
		{ HEADER "{\"processes\":[]}", NULL },
	};
	const struct jetsam_view view = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read_log(cases[i].log, &arena);

		jetsam_analyse(report, &arena, &view);
		assert_int_equal(report->note_count, cases[i].note != NULL);
		if (!cases[i].note)
			continue;
		assert_string_equal(report->notes[0].place,
		                    "memoryStatus.pageSize");
		assert_string_equal(report->notes[0].text, cases[i].note);
	}
}

static void every_truncation_of_a_log_is_read_or_refused(void **state UNUSED)
{
	static const char log[] = HEADER
	        "{\"kernel\":\"xnu-8792\",\"memoryStatus\":{\"pageSize\""
	        ":16384,\"memoryPages\":{\"free\":1}},\"processes\":[{"
	        "\"name\":\"A\",\"rpages\":5,\"states\":[\"idle\"],"
	        "\"physicalPages\":{\"internal\":[1,2]},\"reason\":"
	        "\"highwater\"},{\"name\":\"B\",\"rpages\":6}]}";
	const struct jetsam_view view = { 0 };

	for (size_t size = 0; size < sizeof(log) - 1; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;
		struct bytes in = { .data = (const uint8_t *)log,
			            .size = size };

		err = read_reports(in, &arena, &report);
		if (err || !report->jetsam)
			continue;
		jetsam_analyse(report, &arena, &view);
		assert_true(report->truncated);
		assert_true(report->note_count > 0);
		assert_true(report->jetsam_answer->verdict_count > 0);
	}
}

static void processes_after_a_gap_are_found(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read_log(
	        HEADER "{\"largestProcess\":\"A\",\"processes\":[\n{\n...\n"
	               "{\"name\":\"B\",\"rpages\":7,\"reason\":\"highwater\"}"
	               ",\n...\n{\"name\":\"C\",\"rpages\":8}\n]}",
	        &arena);

	assert_int_equal(report->jetsam->process_count, 2);
	assert_string_equal(report->jetsam->processes[0].reason, "highwater");
	assert_string_equal(report->jetsam->processes[1].name, "C");
	assert_true(report->truncated);
}

/** More pieces than are looked for: the log was damaged on purpose. */
static void what_is_not_looked_for_after_a_gap_is_noted(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str log = { 0 };
	const struct report *report;

	str_add(&log,
	        HEADER "{\"largestProcess\":\"A\",\"processes\":[{\n...\n");
	for (int i = 0; i < 10001; i++)
		str_add(&log, "{\"name\":\"A\",\"rpages\":1},");
	str_add(&log, "]}");
	report = read_log(str_cstr(&log), &arena);
	assert_int_equal(report->jetsam->process_count, 10000);
	assert_string_equal(report->notes[2].place, "processes");
	assert_string_equal(report->notes[2].text,
	                    "more than 10000 pieces after the damage: the "
	                    "rest is left out");
}

static void old_text_keeps_names_with_blanks(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read_log(
	        "Incident Identifier: 1\nHardware Model:      iPhone3,1\n"
	        "Free pages:    12\nWired pages:   many\n"
	        "Largest process:   My App\n\nProcesses\n"
	        "  Name   <UUID>   Count resident pages\n"
	        "  My App <1a2b3c4d5e6f30718293a4b5c6d7e8f9>  900 (jettisoned) "
	        "(active)\n  broken line\n",
	        &arena);
	const struct jetsam_process *process = report->jetsam->processes;

	assert_string_equal(report->format, "jetsam-text");
	assert_int_equal(report->jetsam->process_count, 1);
	assert_string_equal(process->name, "My App");
	assert_string_equal(process->reason, "jettisoned");
	assert_string_equal(process->states_text, "active");
	assert_int_equal(process->pages.value, 900);
	assert_int_equal(report->note_count, 2);
	assert_string_equal(report->notes[0].text,
	                    "expected a count, found 'many'");
	assert_string_equal(report->notes[1].place, "line 10");
}

static void a_note_of_old_text_ends_with_a_character(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	// Of 64 bytes that are shown, the last would be the first of a euro.
	const struct report *report = read_log(
	        "Incident Identifier: 1\nFree pages:    "
	        "012345678901234567890123456789012345678901234567890123456789"
	        "xyz\xe2\x82\xac\nLargest process:   Demo\n\nProcesses\n"
	        "  Name   <UUID>   Count resident pages\n"
	        "  Demo <1a2b3c4d5e6f30718293a4b5c6d7e8f9>  900 (active)\n",
	        &arena);

	assert_int_equal(report->note_count, 1);
	assert_string_equal(report->notes[0].text,
	                    "expected a count, found "
	                    "'0123456789012345678901234567890123456789012345678"
	                    "90123456789xyz'");
}

#define OLD_LOG                                                            \
	"Incident Identifier: 0\nFree pages:    12\nLargest process:   "   \
	"Demo\n\nProcesses\n"                                              \
	"  Name   <UUID>   rpages   recent_max   fds  [reason]  (state)\n" \
	"  A <1a2b3c4d5e6f30718293a4b5c6d7e8f9>  900  900  50  (daemon)\n"

/** Half a number or word would be another one. */
static void old_text_that_is_truncated_loses_what_is_truncated(
        void **state UNUSED)
{
	static const struct {
		const char *rest;
		size_t processes;
		bool truncated;
	} cases[] = {
		{ "", 1, false },
		{ "  Demo <1a2b", 1, true },
		{ "  Demo <1a2b3c4d5e6f30718293a4b5c6d7e8f9>  228", 2, true },
		{ "  Demo <1a2b3c4d5e6f30718293a4b5c6d7e8f9>  228 2281 200 "
		  "[per-proc",
		  2, true },
		{ "  Demo <1a2b3c4d5e6f30718293a4b5c6d7e8f9>  228 2281 200 "
		  "(front",
		  2, true },
		{ "  Demo <1a2b3c4d5e6f30718293a4b5c6d7e8f9>  228 2281 200", 2,
		  false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = read_log(
		        arena_printf(&arena, "%s%s", OLD_LOG, cases[i].rest),
		        &arena);
		const struct jetsam_process *last =
		        &report->jetsam->processes[cases[i].processes - 1];

		assert_int_equal(report->jetsam->process_count,
		                 cases[i].processes);
		assert_int_equal(report->truncated, cases[i].truncated);
		assert_int_equal(report->note_count, cases[i].truncated * 2);
		assert_null(last->reason);
		assert_int_equal(last->pages.known, i != 2);
		if (cases[i].processes == 2)
			assert_null(last->states_text);
	}
}

/** The one sample of each victim of a published corpus, where it is there. */
static void victims_of_the_corpus_are_found(void **state UNUSED)
{
	static const struct {
		const char *name;
		size_t processes;
		size_t victims;
	} cases[] = {
		{ "faisalmemon__JetsamEvent-2020-10-15-172958.ips.synced", 442,
		  2 },
		{ "faisalmemon__jetsam_highwater.crash", 134, 1 },
		{ "faisalmemon__jetsam_vm-pageshortage.crash", 117, 63 },
		{ "faisalmemon__jetsam_vm-thrashing.crash", 1, 1 },
		{ "faisalmemon__jetsam_ios14_2_iphone_1.json", 0, 0 },
	};
	static const char directory[] = APMTOOL_SOURCE_DIR
	        "/../shared/corpus/jetsam";
	struct stat info;

	if (stat(directory, &info)) {
		print_message("no corpus: skipped\n");
		skip();
	}
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(file_release) struct file_data file = { 0 };
		struct report *report = NULL;
		const char *path =
		        arena_printf(&arena, "%s/%s", directory, cases[i].name);
		const struct jetsam_view view = { 0 };

		assert_null(file_read(path, LIMIT_DEFAULT_REPORT, &file));
		assert_null(read_reports(file.bytes, &arena, &report));
		assert_non_null(report->jetsam);
		jetsam_analyse(report, &arena, &view);
		assert_int_equal(report->jetsam->process_count,
		                 cases[i].processes);
		assert_int_equal(report->jetsam_answer->victim_count,
		                 cases[i].victims);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_counted_in_the_page_size_of_the_log),
		cmocka_unit_test(
		        a_missing_page_size_is_assumed_where_the_device_settles_it),
		cmocka_unit_test(pages_of_unknown_size_are_no_mib),
		cmocka_unit_test(a_reason_that_is_no_text_is_one),
		cmocka_unit_test(a_header_of_another_log_is_noted),
		cmocka_unit_test(ticks_are_those_of_the_device),
		cmocka_unit_test(seconds_of_cpu_keep_their_fraction),
		cmocka_unit_test(bands_are_read_on_the_scale_of_their_system),
		cmocka_unit_test(
		        the_app_state_of_a_victim_follows_from_its_states),
		cmocka_unit_test(only_a_hard_limit_reveals_a_limit),
		cmocka_unit_test(an_unknown_reason_is_a_victim_all_the_same),
		cmocka_unit_test(coalitions_are_summed),
		cmocka_unit_test(kills_are_in_the_order_of_their_time),
		cmocka_unit_test(
		        the_victims_of_a_truncated_log_are_a_lower_bound),
		cmocka_unit_test(
		        the_reference_limit_is_beside_that_of_an_app_only),
		cmocka_unit_test(a_log_of_a_watch_needs_no_time_and_no_list),
		cmocka_unit_test(mistyped_members_are_notes_with_their_path),
		cmocka_unit_test(resident_and_compressed_pages_keep_apart),
		cmocka_unit_test(
		        only_sizes_that_a_device_may_have_are_page_sizes),
		cmocka_unit_test(an_unkept_maximum_is_not_a_fault),
		cmocka_unit_test(no_kill_only_where_the_log_lists_processes),
		cmocka_unit_test(
		        whether_the_last_of_a_cut_log_was_killed_is_not_known),
		cmocka_unit_test(no_limit_is_read_from_no_pages),
		cmocka_unit_test(a_sum_of_unknown_footprints_is_not_zero),
		cmocka_unit_test(an_assumed_page_size_is_a_note),
		cmocka_unit_test(every_truncation_of_a_log_is_read_or_refused),
		cmocka_unit_test(processes_after_a_gap_are_found),
		cmocka_unit_test(what_is_not_looked_for_after_a_gap_is_noted),
		cmocka_unit_test(old_text_keeps_names_with_blanks),
		cmocka_unit_test(a_note_of_old_text_ends_with_a_character),
		cmocka_unit_test(
		        old_text_that_is_truncated_loses_what_is_truncated),
		cmocka_unit_test(victims_of_the_corpus_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
