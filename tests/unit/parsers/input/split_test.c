// SPDX-License-Identifier: MIT
#include "parsers/input/split.h"

#include "lib/base/file.h"
#include "lib/base/file_walk.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// The shortest things that look like what they are.
#define TEXT_A "Incident Identifier: A\nException Type: X\nBinary Images:\n"
#define MAC    "Process: Demo [1]\nException Type: X\nBinary Images:\n"
#define HEADER "{\"app_name\":\"Demo\",\"bug_type\":\"309\"}\n"
#define BODY   "{\n  \"threads\" : [\n{\n}\n]\n}\n"
#define SAMPLE "Analysis of sampling A (pid 1)\nBinary Images:\n\n"
#define SPINDUMP                                                            \
	"Date/Time: 0\nArchitecture: arm64\nIncident Identifier: B\n"       \
	"Steps: 10\nProcess: a [1]\nArchitecture: arm64\n Binary Images:\n" \
	"Process: b [2]\n"
#define KSCRASH "{\"report\":{},\"crash\":{}}"
#define CONSOLE "-----\nTranslated Report (Full Report Below)\n-----\n"

/** Where parts begin is marked with `|` in @p marked. */
static void assert_parts(const char *marked)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(str_release) struct str found = { 0 };
	struct split split;
	struct split_part part;

	for (const char *at = marked; *at; at++)
		if (*at != '|')
			str_add_char(&in, *at);
	split = split_open(str_text(&in));
	while (split_next(&split, &part)) {
		if (found.size)
			str_add_char(&found, '|');
		str_add_text(&found, part.text);
	}
	assert_string_equal(str_cstr(&found), marked);
}

#define THROWN                                                       \
	"*** Terminating app due to uncaught exception 'A', reason:" \
	" 'b'\n(\n\t0   Demo   0x0000000102fe592c main + 12\n)\n"
#define KOTLIN                                  \
	"Uncaught Kotlin exception: A: b\n    " \
	"at 0   Demo   0x102fe592c   kfun:main + 12\n"
#define SWIFT                                              \
	"*** Signal 11: Backtracing from 0x104ea8a1c...\n" \
	"*** Program crashed: Bad pointer at 0x4 ***\n"

#define GO                                                     \
	"panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n" \
	"\t/a/main.go:4 +0x1d\nexit status 2\n"
#define RUST                                                            \
	"thread 'main' panicked at a.rs:4:5:\nboom\nstack backtrace:\n" \
	"   0: rust_begin_unwind\n             at ./a.rs:4:5\n"
#define DOTNET                                                          \
	"Unhandled exception. System.InvalidOperationException: boom\n" \
	"   at MyApp.Load() in /a/Load.cs:line 20\n"
#define ASAN                                                              \
	"==612==ERROR: AddressSanitizer: heap-use-after-free on address " \
	"0x602000b0\n    #0 0x100e80a0c in main a.c:11\n"                 \
	"SUMMARY: AddressSanitizer: heap-use-after-free a.c:11 in main\n" \
	"==612==ABORTING\n"
#define CHECKER                                                       \
	"Main Thread Checker: UI API called on a background thread: " \
	"-[UIView setHidden:]\nPID: 6, TID: 1, Thread name: (none)\n" \
	"Backtrace:\n4   Demo   0x0000000102fe592c -[A b] + 12\n"

/** A failure ends with its frames; what is said twice before them is one. */
static void failures_of_a_console_are_split(void **state UNUSED)
{
	static const char *const cases[] = {
		THROWN "|" KOTLIN,
		KOTLIN "|" THROWN "libc++abi: terminating\n",
		THROWN "|" SWIFT,
		GO "|" RUST "|" DOTNET,
		DOTNET "|" GO "|" KOTLIN,
		ASAN "|" CHECKER "|" THROWN,
		GO GO,
		// .NET's exception, thrown again.
		DOTNET THROWN,
		THROWN THROWN,
		"Fatal error: a\n" SWIFT,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

static void glued_reports_are_split(void **state UNUSED)
{
	static const char *const cases[] = {
		TEXT_A "EOF\n|" TEXT_A "EOF\n",
		TEXT_A "EOF|" TEXT_A "EOF",
		// Layout 12 has no EOF, and a truncated text has no images.
		MAC "|" MAC "|" MAC,
		MAC "EOF\n|" MAC,
		"Incident Identifier: A\n|Incident Identifier: B\n",
		MAC "|" TEXT_A,
		// Text and JSON, as exports glue them.
		TEXT_A "EOF|" HEADER BODY,
		TEXT_A "EOF\n\n|" HEADER BODY "|" TEXT_A,
		TEXT_A "EOF\n|" KSCRASH,
		HEADER BODY "|" HEADER BODY "|" HEADER BODY,
		HEADER TEXT_A "EOF\n|" HEADER TEXT_A "EOF\n",
		HEADER BODY "\nModel: Mac14,12, 16 GB\n\n|" HEADER BODY,
		HEADER BODY "Model: x\n|" MAC,
		BODY "|" HEADER BODY,
		// JSON Lines, also of what `.ips` files hold.
		KSCRASH "\n|" KSCRASH "\n\n|" KSCRASH,
		KSCRASH "|" KSCRASH,
		HEADER "{\"threads\":[]}\n|" HEADER "{\"threads\":[]}\n",
		"{\"threads\":[]}\n|{\"threads\":[]}\n",
		"{\"crashDiagnostics\":[]}\n|{\"hangDiagnostics\":[]}\n",
		SAMPLE "|" SAMPLE "|Sampling process 1 for 3 s\n" SAMPLE,
		SAMPLE "|" TEXT_A,
		SAMPLE "|" MAC,
		TEXT_A "|" SAMPLE,
		MAC "EOF\n|Sampling process 1 for 3 s\n" SAMPLE "|" MAC,
		"Exception Type: X\nThread 0:\n|" SAMPLE,
		HEADER BODY "|" SAMPLE "|" HEADER BODY,
		// A spindump has no line of its own that begins it.
		TEXT_A "|" SPINDUMP "|" SPINDUMP,
		HEADER BODY "|" SPINDUMP "|" SAMPLE "|" SPINDUMP,
		SPINDUMP "|Process: Demo [1]\nPath: /Demo\nCode Type: ARM64\n",
		// The Console's copies.
		CONSOLE MAC "Full Report\n-----\n" HEADER BODY "|" CONSOLE MAC
		            "Full Report\n-----\n" HEADER BODY,
		CONSOLE MAC "|" CONSOLE MAC,
		// A header that lost its body.
		HEADER "|" HEADER BODY,
		"\r\n" TEXT_A "EOF\r|" TEXT_A,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

static void what_lost_its_end_swallows_nothing(void **state UNUSED)
{
	static const char *const cases[] = {
		HEADER "{\n  \"threads\" : [\n    {\n|" HEADER BODY,
		HEADER
		"{\n  \"threads\" : [\n    {\"name\" : \"x\n|" HEADER BODY,
		HEADER "{\n  \"threads\" : [\n|" TEXT_A,
		"{\"report\":{},\"crash\":{\"threads\":[\n|" KSCRASH
		"\n|" KSCRASH,
		"{\"report\":{\"id\":\"x\n|" KSCRASH,
		// A damaged header line still belongs to its body.
		"{\"bug_type\":\"309\",\"name\":\"x}\n" BODY "|" HEADER BODY,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

#define SYSTEM  "{\"system\":{},\"crash\":{}}"
#define PRETTY  "{\n  \"uptime\" : 1,\n  \"threads\" : [\n  ]\n}\n"
#define MAC_ARM "Process: Demo [1]\nCode Type: ARM-64\nException Type: X\n"

/** Where a value may follow, only what follows shows that it is not one. */
static void what_ends_after_a_comma_swallows_nothing(void **state UNUSED)
{
	static const char *const cases[] = {
		"{\"report\":{},\"crash\":{\"threads\":[\n|" SYSTEM "\n",
		"{\"report\":{},\"crash\":{\"a\":1,\n|" SYSTEM "\n|" KSCRASH,
		"{\"report\":{},\"crash\":{\"a\":\n|" SYSTEM,
		"{\n  \"threads\" : [\n    {\n      \"id\" : 1,\n|" PRETTY,
		HEADER "{\"threads\":[\n|" HEADER BODY,
		HEADER "{\"threads\":[1,\n|" PRETTY "|" HEADER BODY,
		"{\"crashDiagnostics\":[\n|" SYSTEM "\n",
		// It has the names of a header only.
		"{\n  \"bug_type\" : \"309\",\n|" SYSTEM,
		// Both have lost their ends.
		"{\"threads\":[\n|{\"report\":1,\"crash\":[\n|" SYSTEM,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

/** A file that was copied in part ends anywhere, and without a line end. */
static void what_follows_in_the_same_line_is_split(void **state UNUSED)
{
	static const char *const cases[] = {
		"{\"report\":{},\"crash\":{\"threads\":[|" KSCRASH,
		"{\"report\":{},\"crash\":{\"threads\":[{\"a\":1|" SYSTEM,
		"{\"report\":{},\"crash\":{\"name\":\"x|" SYSTEM,
		"{\"report\":{},\"crash\":{\"name|" SYSTEM "\n|" KSCRASH,
		"{\"report\":{},\"crash\":{\"name\":\"x|" TEXT_A "EOF\n",
		"{\"report\":{},\"crash\":{\"name\":|" MAC_ARM,
		"{\"threads\":[{\"id\":1,|" HEADER BODY,
		"{\n  \"threads\" : [\n    {\n      \"id\" : 1,|" PRETTY,
		"{\n  \"threads\" : [\n    {\n      |" PRETTY "|" HEADER BODY,
		"{\n  \"threads\" : [\n    {},\n |" PRETTY,
		"{\"report\":{},\"crash\":{\"a\":\"b\"|" TEXT_A "|" KSCRASH,
		"{\"threads\":[1,|" SAMPLE,
		"{\"threads\":[1,|" SPINDUMP,
		"{\"threads\":[\"|" CONSOLE MAC,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

/** What a text held before it was cut, or what ends it, is no end for JSON. */
static void json_behind_texts_is_split(void **state UNUSED)
{
	static const char *const cases[] = {
		SPINDUMP "|" KSCRASH,
		TEXT_A "|" KSCRASH,
		"Process: Demo [1]\nException Type: X\n|" KSCRASH,
		"Process: Demo [1]\n\n|{\"crashDiagnostics\":[]}",
		"Process: Demo [1]\n\n|{\"threads\":[],\"usedImages\":[",
		TEXT_A "Binary Images (dpkg):\n|" SYSTEM,
		// What a program has printed.
		"Process: Demo [1]\n{\"crash\":1}\n{\"report\":1}\n",
		// A bracket of the text, which closes none of these.
		"{\"threads\":[{\"id\":\n|" MAC_ARM " a] b}\n",
		"{\"threads\":{\n|" MAC_ARM " [a]] b]\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

/** Brackets that are never closed, and nothing that was glued to it. */
static void what_is_truncated_stays_together(void **state UNUSED)
{
	static const char *const cases[] = {
		// Elements that are like reports, and reports within reports.
		"{\"crashDiagnostics\":[\n{\"callStackTree\":{}},\n"
		"{\"callStackTree\":{\"callStacks\":[{\"a\":1},\n",
		"{\"crashDiagnostics\":[{\"callStackTree\":{}}",
		"{\n  \"items\" : [\n    " PRETTY "    ,\n    {\n      \"id\"",
		"{\"report\":{},\"recrash_report\":{\"report\":{},\"crash\":{",
		"{\"report\":{},\"crash\":{\"threads\":[{\"crash\":1},",
		"{\n\"report\": {},\n\"crash\": {\n\"threads\": [\n{\n",
		"[" KSCRASH "," KSCRASH ",{\"report\":{},\"crash\":{",
		// Texts in strings, also with raw line ends.
		"{\"appleReport\":\"Incident Identifier: A\\nThread 0:\\n",
		"{\"appleReport\":\"Incident Identifier: A\nThread 0:\n",
		"{\"a\":\"see Process: Demo [1]\",\"crash\":{\"b\":[",
		"{\"crash\":{\"reason\":\"not {\",\"b\":\"{\\\"crash\\\":1}\"",
		// The last of a list is cut where all is.
		"{\"crash\":{},\"user\":[" KSCRASH ",{\"report\":{},\"cr",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

/** Of what is complete, nothing is split, whatever it is like. */
static void what_is_complete_stays_together(void **state UNUSED)
{
	static const char *const cases[] = {
		"{\"items\":[\n" SYSTEM ",\n" KSCRASH "\n]}\n",
		"{\"items\":[" SYSTEM "," KSCRASH "],\n\"a\":\n" SYSTEM "}",
		"{\"report\":{},\"crash\":{\"a\":\"Process: Demo [1]\nCode "
		"Type: ARM-64\n\"}}\n",
		"{\"report\":{},\"crash\":{\"a\":\"{\\\"crash\\\":{}}\"}}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

static void what_belongs_together_stays_together(void **state UNUSED)
{
	static const char *const cases[] = {
		"",
		"\n\n",
		"dear diary\n{\"a\":1}\n{\"b\":2}\n",
		TEXT_A "EOF\nEOF\n\nEOF\n",
		// Texts of ours without a process, as of MetricKit's reports.
		TEXT_A "EOF\n\nHardware Model: iPhone10,2\nVersion: 1.0\n"
		       "Code Type: ARM-64\n"
		       "Date/Time: 2020-10-10\nOS Version: iPhone OS 14\n\n",
		// What KSCrash writes below its report.
		TEXT_A "EOF\n\nExtra Information:\n{\n  \"a\" : 1\n}\n"
		       "{\"user\":{\"report\":1}}\n",
		// A program prints what it likes.
		"Incident Identifier: A\nApplication Specific Information:\n"
		"{\"report\":1}\n{\"crash\":\nBinary Images:\n",
		"Incident Identifier: A\nProcess: Demo [1]\nBinary Images:\n"
		"Process: \nProcess:\nProcess: Demo\nProcess: [1]\n",
		"Incident Identifier: A\nException Type: X\nProcess: other "
		"[2]\n",
		CONSOLE MAC "Full Report\n-----\n" HEADER BODY,
		HEADER BODY "\nModel: Mac14,12\n  {}\nSerial ATA:\n",
		HEADER "\n\n" BODY,
		// Logs in lines below a header (bug_type 211).
		"{\"bug_type\":\"211\",\"timestamp\":\"x\"}\n{\"_marker\":1}\n"
		"{\"name\":\"a\"}\n{\"name\":\"b\"}\n",
		"[\n{\"crashDiagnostics\":[]},\n{\"crashDiagnostics\":[]}\n]",
		// A spindump names each of its processes like that.
		"Date/Time: 0\nSteps: 10\nProcess: a [1]\nBinary Images:\n"
		"Process: b [2]\nBinary Images:\nProcess: c [3]\n",
		// Trees without indentation.
		"{\"callStackTree\":{\"callStacks\":[\n{\"a\":[\n{\"a\":1},\n"
		"{\"a\":2}\n]}\n]}}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

static void a_fragment_is_a_part_of_its_own(void **state UNUSED)
{
#define FRAME "0   Demo   0x100e80a0c 0x100e80000 + 2572\n"
	static const char *const cases[] = {
		// Before a report, whatever is its first line.
		"Thread 0 Crashed:\n" FRAME "\n|" TEXT_A,
		"Exception Type: Y\nThread 0:\n|" TEXT_A,
		FRAME "\n|" TEXT_A,
		"Thread 1:\n" FRAME "|Process: Demo [1]\nCode Type: ARM\n",
		"Process: Demo [1]\nCode Type: ARM\n|" MAC_ARM,
		"Thread 1:\n" FRAME "|" HEADER BODY,
		// Behind one.
		TEXT_A "\n|Thread 0 name:  main\nThread 0 Crashed:\n" FRAME,
		TEXT_A "EOF\n|Thread 3:\n" FRAME "|" TEXT_A,
		TEXT_A "EOF\n\n|" FRAME,
		MAC "|Exception Type: Y\nBinary Images:\n",
		MAC "|Code Type: ARM\nException Type: Y\n",
		HEADER BODY "\n|Thread 0:\n" FRAME,
		HEADER BODY "|" FRAME,
		// But not the lines that a report has itself.
		TEXT_A "EOF\nThread 0x1:\nThreads:\nThread: 3\n1 a 0x1\n",
		"Incident Identifier: A\nProcess: Demo [1]\nException Type: X\n"
		"Last Exception Backtrace:\n" FRAME "Thread 0 Crashed:\n" FRAME
		"Thread 0 crashed with ARM Thread State:\nBinary Images:\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_parts(cases[i]);
}

static struct error *check_sample(const struct file_found *found, void *context)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct split split;
	struct split_part part;
	size_t *count = context;

	if (!text_ends(text_from(found->path), ".crash") &&
	    !text_ends(text_from(found->path), ".ips"))
		return NULL;
	assert_null(file_read(found->path, LIMIT_DEFAULT_REPORT, &file));
	split = split_open(bytes_text(file.bytes));
	assert_true(split_next(&split, &part));
	if (split_next(&split, &part))
		fail_msg("%s: cut at line %zu", found->path, part.line);
	(*count)++;
	return NULL;
}

static void samples_of_one_report_are_one_part(void **state UNUSED)
{
	size_t count = 0;

	assert_null(file_walk(APMTOOL_SOURCE_DIR "/samples", check_sample,
	                      &count, NULL));
	assert_true(count >= 14);
}

static void lines_are_counted_through_the_input(void **state UNUSED)
{
	static const char in[] = "a\nb\r\nc\rBinary Images:\nEOF"
	                         "Incident Identifier: A\n\r\n"
	                         "Incident Identifier: B\n";
	static const size_t lines[] = { 1, 5, 7 };
	struct split split = split_open(text_from(in));
	struct split_part part;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_true(split_next(&split, &part));
		assert_int_equal(part.line, lines[i]);
	}
	assert_false(split_next(&split, &part));
}

static struct report *read_text(const char *text, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err =
	        read_reports(bytes_from_text(text_from(text)), arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	return report;
}

static const char *note_at(const struct report *report, const char *place)
{
	for (size_t i = 0; i < report->note_count; i++)
		if (!strcmp(report->notes[i].place, place))
			return report->notes[i].text;
	return NULL;
}

#define IMAGES "Binary Images:\n0x1000 - 0x1fff Demo arm64 <> /Demo\n"
#define FIRST  "Incident Identifier: A\nThread 0:\n" IMAGES "EOF\n"
// `junk` is a note of its third line.
#define SECOND                                                              \
	"Incident Identifier: B\nThread 0:\n0   Demo  0x1010 0x1000 + 16\n" \
	"junk\n1   Demo  0x1020 0x1000 + 32\n\n" IMAGES "EOF\n"

static void each_report_says_which_it_is(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_text(FIRST SECOND HEADER
	                                  "{\"threads\":7,\"usedImages\":[]}\n",
	                                  &arena);

	assert_string_equal(report->origin, "report 1 (line 1)");
	assert_string_equal(report->incident, "A");
	report = report->next;
	assert_string_equal(report->origin, "report 2 (line 6)");
	assert_string_equal(report->incident, "B");
	assert_int_equal(report->note_count, 1);
	assert_string_equal(report->notes[0].place, "line 9");
	report = report->next;
	assert_string_equal(report->origin, "report 3 (line 15)");
	assert_string_equal(report->format, "ips-crash");
	assert_non_null(note_at(report, "report 3, threads"));
	assert_null(report->next);
}

static void a_single_report_has_no_origin(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_text(SECOND, &arena);

	assert_null(report->origin);
	assert_null(report->next);
	assert_string_equal(report->notes[0].place, "line 4");
}

static void a_report_that_is_there_twice_is_read_twice(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_text(FIRST FIRST, &arena);

	assert_string_equal(report->incident, "A");
	assert_string_equal(report->next->incident, "A");
	assert_null(report->next->next);
}

static void parts_that_cannot_be_read_are_noted(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_text("dear diary\n" HEADER HEADER
	                                  "{\"threads\":[],\"usedImages\":"
	                                  "[]}\n" KSCRASH,
	                                  &arena);

	assert_null(report->next);
	assert_null(report->origin);
	assert_string_equal(note_at(report, "line 5"),
	                    "left out: an empty KSCrash report: no crash, no "
	                    "system, no binary_images");
	assert_string_equal(note_at(report, "line 1"),
	                    "left out: not a crash report, but text of an "
	                    "unknown kind; and 1 more");
}

static void a_header_after_its_body_stays_there(void **state UNUSED)
{
	assert_parts(BODY HEADER);
	assert_parts(HEADER BODY "|" BODY HEADER "\n");
}

static void if_no_part_can_be_read_the_first_error_counts(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	struct error *err = read_reports(
	        bytes_from_text(text_from("dear diary\n" HEADER HEADER)),
	        &arena, &report);

	assert_non_null(err);
	assert_null(report);
	assert_string_equal(error_message(err),
	                    "not a crash report, but text of an unknown kind");
	error_free(err);
}

static void bad_parts_without_end_are_listed_up_to_a_limit(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str in = { 0 };
	struct report *report;

	str_add(&in, FIRST);
	for (size_t i = 0; i < 50; i++)
		str_add(&in, HEADER);
	report = read_text(str_cstr(&in), &arena);
	assert_int_equal(report->note_count, 21);
	assert_string_equal(report->notes[20].text,
	                    "more is left out and not listed");
}

static void packed_reports_are_read(void **state UNUSED)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;

	assert_null(file_read(APMTOOL_SOURCE_DIR "/samples/demo.crash.gz",
	                      LIMIT_DEFAULT_REPORT, &file));
	assert_null(read_reports(file.bytes, &arena, &report));
	assert_int_equal(report->thread_count, 5);
	assert_int_equal(report->note_count, 0);
	file.bytes.size -= 500;
	assert_null(read_reports(file.bytes, &arena, &report));
	file.bytes.size += 500;
	assert_true(report->truncated);
	assert_string_equal(report->notes[report->note_count - 1].place,
	                    "gzip");
	assert_string_equal(report->notes[report->note_count - 1].text,
	                    "the gzip data is truncated");
}

/** 4 MB of the same: what takes quadratic time would never end. */
static void hostile_inputs_take_linear_time(void **state UNUSED)
{
	static const char *const cases[] = {
		"EOF\n",
		"EOF",
		"EOF{",
		"EOF{}",
		"EOFProcess: a [1]",
		"{}EOF ",
		"{\n",
		"{\"",
		"{}",
		"\n",
		" \n",
		"-----\n",
		"[",
		"{\"a\":[\n",
		"Process: a [1]\n",
		"Steps:\nProcess: a [1]\n",
		"Date/Time:\n",
		"\"\n{",
		"Binary Images:\n{\n",
		"Full Report\n{\n",
		HEADER,
		"Incident Identifier:\n",
		"x{\"a\":",
		"{\"a\":[\n{\"b\":[\n",
		"x{\"a\":[{\"threads\":[",
		"{\"threads\":[{\"crash\":[1,",
		"{  \n",
		"{\"a\":Date/Time:\n",
		"{\"a\":\nProcess: a [1]\n",
		"{\"a\":\n-----\nTranslated Report (Full\n",
	};
	size_t size = (size_t)4 << 20;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str in = { 0 };
		struct split split;
		struct split_part part;
		size_t total = 0;
		size_t count = 0;

		while (in.size < size)
			str_add(&in, cases[i]);
		split = split_open(str_text(&in));
		while (split_next(&split, &part)) {
			total += part.text.size;
			count++;
		}
		assert_int_equal(total, in.size);
		assert_true(count <= SPLIT_PARTS_MAX);
	}
}

static void the_last_value_of_a_part_is_known(void **state UNUSED)
{
	struct text in = text_from("{\"bug_type\":\"309\"}\n"
	                           "{\"threads\":[{}]}\n"
	                           "{\"threads\":[");
	struct split split = split_open(in);
	struct split_part part;

	assert_true(split_next(&split, &part));
	assert_ptr_equal(part.value.data, in.data + 19);
	assert_int_equal(part.value.shape.size, 16);
	assert_int_equal(part.value.shape.names, JSON_HAS(THREADS));
	assert_true(split_next(&split, &part));
	assert_int_equal(part.line, 3);
	assert_null(part.value.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failures_of_a_console_are_split),
		cmocka_unit_test(glued_reports_are_split),
		cmocka_unit_test(what_lost_its_end_swallows_nothing),
		cmocka_unit_test(what_ends_after_a_comma_swallows_nothing),
		cmocka_unit_test(what_follows_in_the_same_line_is_split),
		cmocka_unit_test(json_behind_texts_is_split),
		cmocka_unit_test(what_is_truncated_stays_together),
		cmocka_unit_test(what_is_complete_stays_together),
		cmocka_unit_test(what_belongs_together_stays_together),
		cmocka_unit_test(a_fragment_is_a_part_of_its_own),
		cmocka_unit_test(samples_of_one_report_are_one_part),
		cmocka_unit_test(lines_are_counted_through_the_input),
		cmocka_unit_test(each_report_says_which_it_is),
		cmocka_unit_test(a_single_report_has_no_origin),
		cmocka_unit_test(a_report_that_is_there_twice_is_read_twice),
		cmocka_unit_test(parts_that_cannot_be_read_are_noted),
		cmocka_unit_test(a_header_after_its_body_stays_there),
		cmocka_unit_test(if_no_part_can_be_read_the_first_error_counts),
		cmocka_unit_test(
		        bad_parts_without_end_are_listed_up_to_a_limit),
		cmocka_unit_test(packed_reports_are_read),
		cmocka_unit_test(the_last_value_of_a_part_is_known),
		cmocka_unit_test(hostile_inputs_take_linear_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
