// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/evidence.h"

#include "lib/analysis/jetsam/trend.h"
#include "lib/base/units.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CRASH(fields)                                                          \
	"Incident Identifier: 0\nProcess: Demo [612]\n"                        \
	"Exception Type:  EXC_RESOURCE\n" fields "\nTriggered by Thread:  0\n" \
	"\nThread 0:\n0   Demo   0x1000 0x1000 + 0\n"

static struct report *read_text(const char *text, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err =
	        read_reports(bytes_from_text(text_from(text)), arena, &report);

	if (err)
		fail_msg("%s: %s", text, error_message(err));
	return report;
}

static void each_evidence_has_its_limit_and_its_kind(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *mib;
		const char *kind;
		const char *verdict;
	} cases[] = {
		// A published measurement, in MiB.
		{ "{\"phys_footprint\":1435.936752,"
		  "\"os_proc_available_memory\":14.5}",
		  "1450.4", "footprint + available memory",
		  "the memory limit is about 1450.4 MiB: footprint 1435.9 MiB "
		  "+ available memory 14.5 MiB" },
		// In bytes, of which little is left: 1450 MiB.
		{ "[{\"phys_footprint\":\"1519910912\","
		  "\"os_proc_available_memory\":524288}]",
		  "1450.0", "footprint + available memory", NULL },
		{ "x: phys_footprint = 1435.936752 MB\n"
		  "y: os_proc_available_memory: 14.5\n",
		  "1450.4", "footprint + available memory", NULL },
		{ "PID:  1107\tPriority:10\tUser Data: 0\tLimit:1450\tState:\n",
		  "1450.0", "jetsam priority list",
		  "the memory limit of the foreground app [1107] is 1450.0 "
		  "MiB: band 10 of the jetsam priority list" },
		{ "<?xml version=\"1.0\"?><plist><dict><key>singleMemory</key>"
		  "<string>1312.500000</string></dict></plist>",
		  "1312.5", "early-warning record: at least",
		  "the memory limit is at least 1312.5 MiB: the app held that "
		  "much and lived to record it" },
		{ "{\"report\":{\"version\":\"3.3.0\",\"process_name\":"
		  "\"Demo\"},"
		  "\"system\":{\"app_memory\":{\"memory_footprint\":1519910912,"
		  "\"memory_remaining\":524288}},\"crash\":{\"threads\":[]}}",
		  "1450.0", "footprint + available memory",
		  "the memory limit of Demo is about 1450.0 MiB: footprint "
		  "1449.5 MiB + available memory 0.5 MiB" },
		{ "EXC_RESOURCE RESOURCE_TYPE_MEMORY (limit=1450 MB, "
		  "unused=0x0)\n",
		  "1450.0", "EXC_RESOURCE high-water mark", NULL },
		{ CRASH("Exception Message: (Limit 1450 MB) Crossed High "
		        "Water Mark"),
		  "1450.0", "EXC_RESOURCE high-water mark",
		  "the memory limit of Demo is 1450.0 MiB: it crossed this "
		  "high-water mark (EXC_RESOURCE)" },
		// Type 3, flavor 1: 0x5aa MB.
		{ CRASH("Exception Codes: 0x64000000000005aa, "
		        "0x0000000000000000"),
		  "1450.0", "EXC_RESOURCE high-water mark", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read_text(cases[i].text, &arena);
		const struct page *page;

		if (!jetsam_has_evidence(report))
			fail_msg("%s", cases[i].text);
		jetsam_take_evidence(report, &arena);
		page = jetsam_evidence_page(report, true, &arena);
		assert_int_equal(page->list->row_count, 1);
		assert_string_equal(table_cell(page->list, 0, 0)->text,
		                    cases[i].kind);
		assert_string_equal(table_cell(page->list, 0, 4)->text,
		                    cases[i].mib);
		if (cases[i].verdict)
			assert_string_equal(page->verdict[0], cases[i].verdict);
	}
}

static void other_resources_are_no_evidence(void **state UNUSED)
{
	static const char *const cases[] = {
		CRASH("Exception Message: CPU time limit: 80 % over 60 s"),
		CRASH("Exception Message: (Limit 1450 MB) of something"),
		// CPU; memory, but a diagnostic limit; no limit.
		CRASH("Exception Codes: 0x20000000000005aa, 0x0"),
		CRASH("Exception Codes: 0x68000000000005aa, 0x0"),
		CRASH("Exception Codes: 0x6400000000000000, 0x0"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };

		if (jetsam_has_evidence(read_text(cases[i], &arena)))
			fail_msg("%s", cases[i]);
	}
}

static void bad_records_say_what_is_wrong(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *error;
	} cases[] = {
		{ "{\"phys_footprint\":\"x\",\"os_proc_available_memory\":1}",
		  "no record of a memory limit: phys_footprint: expected an "
		  "amount of memory" },
		{ "{\"phys_footprint\":1,\"os_proc_available_memory\":-1}",
		  "no record of a memory limit: os_proc_available_memory: "
		  "expected an amount of memory" },
		{ "{\"phys_footprint\":0,\"os_proc_available_memory\":1}",
		  "no record of a memory limit: phys_footprint: expected an "
		  "amount of memory" },
		{ "<plist><dict><key>singleMemory</key><true/></dict></plist>",
		  "singleMemory: expected MiB" },
		{ "PID: 1\tPriority:10\tLimit:0\n",
		  "no process has a memory limit" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = NULL;
		struct error *err =
		        read_reports(bytes_from_text(text_from(cases[i].text)),
		                     &arena, &report);

		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].error);
		error_free(err);
	}
}

static void only_apps_of_a_list_share_a_limit(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(jetsam_trend_release) struct jetsam_trend trend = { 0 };
	struct report *report = read_text("PID: 1\tPriority:180\tLimit:50\n"
	                                  "PID: 2\tPriority:100\tLimit:2098\n"
	                                  "PID: 3\tPriority: 0\tLimit:-1\n",
	                                  &arena);
	const struct page *page = jetsam_evidence_page(report, true, &arena);
	const struct table *table;

	assert_int_equal(page->list->row_count, 2);
	assert_int_equal(page->verdict_count, 2);
	assert_string_equal(page->verdict[1], "  and 1 more limit");
	jetsam_trend_add_evidence(&trend, report);
	table = jetsam_trend_limits(&trend, false, &arena);
	assert_int_equal(table->row_count, 1);
	assert_string_equal(table_cell(table, 0, 6)->text, "2098");
	assert_string_equal(table_cell(table, 0, 12)->text,
	                    "jetsam priority list");
	assert_false(table_cell(table, 0, 5)->present);
	assert_string_equal(
	        table->summary,
	        "0 logs; memory limits known from "
	        "per-process-limit kills: 0, from other evidence: 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_evidence_has_its_limit_and_its_kind),
		cmocka_unit_test(other_resources_are_no_evidence),
		cmocka_unit_test(bad_records_say_what_is_wrong),
		cmocka_unit_test(only_apps_of_a_list_share_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
