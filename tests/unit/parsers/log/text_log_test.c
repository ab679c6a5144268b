// SPDX-License-Identifier: MIT
#include "parsers/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/parsers/parsed.h"

#define CPU_HEADER                                                             \
	"{\"bug_type\":\"202\",\"app_name\":\"Demo\",\"incident_id\":\"9A00\"" \
	",\"os_version\":\"iPhone OS 17.2 (21C62)\"}\n"
#define LOG_BODY                                                 \
	"Date/Time:        2026-01-31 09:06:37.100 +0800\n"      \
	"OS Version:       iPhone OS 17.2 (Build 21C62)\n"       \
	"Command:          Demo\nPath:             /x/Demo\n"    \
	"Parent:           launchd [1]\nPID:              612\n" \
	"Event:            cpu usage\n\n"                        \
	"Thread 0:\nBehind: 1\n"
#define CPU_BODY                                                 \
	"Date/Time:        2026-01-31 09:06:37.100 +0800\n"      \
	"OS Version:       iPhone OS 17.2 (Build 21C62)\n"       \
	"Data Source:      Microstackshots\n\n"                  \
	"Command:          Demo\nPath:             /x/Demo\n"    \
	"Parent:           launchd [1]\nPID:              612\n" \
	"Event:            cpu usage\n\n"                        \
	"Heaviest stack for the target process:\n"               \
	"  17  ??? (Demo + 2228) [0x100e808b4]\n"                \
	"Powerstats for:   Other [7]\nPath:             /y\n"

static void logs_are_distinguished_from_crash_reports(void **state UNUSED)
{
	static const struct {
		const char *text;
		bool ours;
	} cases[] = {
		// Call trees are others'.
		{ CPU_HEADER CPU_BODY, false },
		{ CPU_BODY, false },
		{ CPU_HEADER "OS Version: 0\nParent: 1\n", true },
		{ "{\"bug_type\":\"777\"}\nsome text\n", true },
		{ "{\"bug_type\":\"188\"}\nIncident Identifier: 0\n\n"
		  "Process 0 info:\n",
		  true },
		{ "Date/Time: 0\nSteps: 10\n", false },
		{ "Process: Demo [1]\nNum samples: 3 (1-3)\n", false },
		{ "Analysis of sampling Demo (pid 1)\nProcess: Demo [1]\n",
		  false },
		{ "Process: Demo [1]\nleaks Report Version: 4.0\n", true },
		{ "Process: Demo [1]\nReport Version: 7\n"
		  "leaks Report Version: 4.0\n\nBinary Images:\n",
		  false },
		{ "Process: Demo [1]\nReport Version: 7\n----\n\n"
		  "Process 1: 4 zones\nAll zones: 12 nodes malloced\n",
		  true },
		{ "Process: Demo [1]\nReport Version: 7\n----\n\n"
		  "Virtual Memory Map of process 1 (Demo)\n",
		  true },
		{ "==== Non-writable regions for process 1\n", true },
		{ "malloc_history Report Version:  2.0\n", true },
		{ "Anonymous UUID: 0\n\npanic(cpu 0 caller 0x1): x\n", true },
		{ "Incident Identifier: 0\nReport Kind: stackshot\n", true },
		{ "Incident Identifier: 0\nReport Kind: stackshot\n\n"
		  "Binary Images:\n",
		  false },
		{ "Incident Identifier: 0\nException Type: SIGSEGV\n", false },
		{ "Process: Demo [1]\nException Type: SIGSEGV\n\n"
		  "panic(cpu 0 caller 0x1): said the app\n\n"
		  "Binary Images:\n",
		  false },
		{ "{\"bug_type\":\"109\"}\nIncident Identifier: 0\n", false },
		{ "{\"bug_type\":\"185\"}\nIncident Identifier: 0\n", false },
		{ "{\"bug_type\":\"298\"}\nsome text\n", false },
		{ "{\"bug_type\":\"202\"}\n{\"a\":1}\n", false },
		{ "{\"bug_type\":\"202\"}\n", false },
		{ "{\"bug_type\":\"777\"}\nIncident Identifier: 0\n\n"
		  "Thread 0:\n0 Demo 0x1 0x0 + 1\n\nBinary Images:\n",
		  false },
		{ "", false },
		{ "{", false },
		{ "dear diary", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (reader_sniff(&text_log_reader, text_from(cases[i].text)) !=
		    cases[i].ours)
			fail_msg("%s", cases[i].text);
}

static void the_head_of_a_log_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        parsed(&text_log_reader, CPU_HEADER LOG_BODY, &arena);

	assert_string_equal(report->format, "text-log");
	assert_string_equal(report->bug_type, "202");
	assert_string_equal(report->kind, "CPU usage report");
	assert_string_equal(report->incident, "9A00");
	assert_string_equal(report->date_time, "2026-01-31 09:06:37.100 +0800");
	assert_string_equal(report->os_version, "iPhone OS 17.2 (21C62)");
	assert_string_equal(report->process.name, "Demo");
	assert_true(report->process.has_pid);
	assert_int_equal(report->process.pid, 612);
	assert_string_equal(report->parent.name, "launchd");
	assert_int_equal(report->parent.pid, 1);
	assert_string_equal(report->path, "/x/Demo");
	assert_string_equal(field(report, "Event"), "cpu usage");
	// After the head others have their say.
	assert_null(field(report, "Behind"));
	assert_int_equal(report->note_count, 1);
	assert_string_equal(report->notes[0].text,
	                    "a CPU usage report (bug_type 202): its text is "
	                    "printed unchanged, not interpreted");
}

static void all_lines_are_kept(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = parsed(&text_log_reader,
	                               CPU_HEADER "Date/Time: 0\r\n\r\n"
	                                          "Event: 3\r\n  x \t\r\n",
	                               &arena);
	static const char *const lines[] = { "Date/Time: 0", "", "Event: 3",
		                             "  x \t" };

	assert_int_equal(report->line_count, 1 + ARRAY_SIZE(lines));
	assert_non_null(strstr(CPU_HEADER, report->lines[0].text));
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_string_equal(report->lines[1 + i].text, lines[i]);
	assert_string_equal(report_section(report, "Text"),
	                    "Date/Time: 0\n\nEvent: 3\n  x");
	assert_string_equal(report->notes[0].text,
	                    "line endings CR LF; read as LF");
}

static void a_panic_gives_its_first_line_and_its_task(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = parsed(
	        &text_log_reader,
	        "Anonymous UUID:       6C1D\n\nSat Jan 31 09:08:07 2026\n\n"
	        "*** Panic Report ***\n"
	        "panic(cpu 1 caller 0xffffff7f8903c9cf): \"it "
	        "broke\\n\"@x.c:1\n"
	        "Backtrace (CPU 1), Frame : Return Address\n"
	        "0xffffff92250a31d0 : 0xffffff800786e166 \n\n"
	        "BSD process name corresponding to current thread: demo\n\n"
	        "Mac OS version:\n17F77\n",
	        &arena);

	assert_string_equal(report->format, "panic");
	assert_string_equal(report->kind, "kernel panic log");
	assert_string_equal(report->reporter_key, "6C1D");
	assert_string_equal(report->process.name, "demo");
	assert_string_equal(field(report, "Panic"),
	                    "panic(cpu 1 caller 0xffffff7f8903c9cf): "
	                    "\"it broke\\n\"@x.c:1");
	assert_non_null(strstr(report_section(report, "Panic String"),
	                       "\nMac OS version:\n17F77"));
	assert_string_equal(report->notes[0].text,
	                    "a kernel panic log: its text is printed "
	                    "unchanged, not interpreted");
}

static void our_own_text_keeps_its_kind(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        parsed(&text_log_reader,
	               "Incident Identifier: 0\n"
	               "Report Kind:         GPU event log\nBug Type: 284\n",
	               &arena);

	assert_string_equal(report->kind, "GPU event log");
	assert_int_equal(report->note_count, 0);
}

static void kinds_are_named_by_number_then_by_format(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *note;
	} cases[] = {
		{ "leaks Report Version: 4.0\n",
		  "an output of 'leaks': its text is printed unchanged, not "
		  "interpreted" },
		{ "Process 1: 4 zones\nAll zones: 12 nodes malloced\n",
		  "an output of 'heap': its text is printed unchanged, not "
		  "interpreted" },
		{ "Virtual Memory Map of process 1 (Demo)\n",
		  "an output of 'vmmap': its text is printed unchanged, not "
		  "interpreted" },
		{ "{\"bug_type\":\"777\"}\nhello\n",
		  "a report of bug_type 777: its text is printed unchanged, "
		  "not interpreted" },
		{ "{\"bug_type\":187}\nhello\n",
		  "a sandbox violation report (bug_type 187): its text is "
		  "printed unchanged, not interpreted" },
		{ "{\"bug_type\":\"309\"}\nleaks Report Version: 4.0\n",
		  "an output of 'leaks' (bug_type 309): its text is printed "
		  "unchanged, not interpreted" },
		{ "{\"bug_type\":\"110\"}\npanic(cpu 0 caller 0x1): x\n",
		  "a kernel panic log (bug_type 110): its text is printed "
		  "unchanged, not interpreted" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report =
		        parsed(&text_log_reader, cases[i].text, &arena);

		assert_int_equal(report->note_count, 1);
		assert_string_equal(report->notes[0].text, cases[i].note);
	}
}

static void a_log_truncated_anywhere_is_read(void **state UNUSED)
{
	const struct text whole = text_from(CPU_HEADER LOG_BODY);

	for (size_t size = 0; size <= whole.size; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;
		struct text cut = text_first(whole, size);

		if (!reader_sniff(&text_log_reader, cut))
			continue;
		err = reader_read(&text_log_reader, cut, &arena, &report);
		assert_null(err);
		assert_non_null(report->kind);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logs_are_distinguished_from_crash_reports),
		cmocka_unit_test(the_head_of_a_log_is_read),
		cmocka_unit_test(all_lines_are_kept),
		cmocka_unit_test(a_panic_gives_its_first_line_and_its_task),
		cmocka_unit_test(our_own_text_keeps_its_kind),
		cmocka_unit_test(kinds_are_named_by_number_then_by_format),
		cmocka_unit_test(a_log_truncated_anywhere_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
