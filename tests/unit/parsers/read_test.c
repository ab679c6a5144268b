// SPDX-License-Identifier: MIT
#include "lib/base/intern.h"
#include "lib/base/str.h"
#include "parsers/lag/lag.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BYTES(literal)                                       \
	((struct bytes){ .data = (const uint8_t *)(literal), \
	                 .size = sizeof(literal) - 1 })

static void what_no_reader_knows_is_named(void **state UNUSED)
{
#define QUOTED "Incident Identifier: A\nException Type: X\nBinary Images:\n"
#define NOT    "not a crash report, but "
#define WHICH  ", which apmtool does not read"
#define CASE(bytes, message)                      \
	{                                         \
		bytes, sizeof(bytes) - 1, message \
	}
	static const struct {
		const char *bytes;
		size_t size;
		const char *message;
	} cases[] = {
		CASE("", "empty file"),
		CASE(" \n\t\r\n", "blank file"),
		CASE("\0\0\0\0", "a file of NUL bytes only"),
		CASE("\0", "a file of NUL bytes only"),
		CASE("\x89PNG\r\n\x1a\n\0\0", NOT "a PNG image"),
		CASE("\xff\xd8\xff\xe0", NOT "a JPEG image"),
		CASE("%PDF-1.4", NOT "a PDF document"),
		CASE("\177ELF\x02", NOT "an ELF file"),
		CASE("\x1f\x8b\x08",
		     "the gzip data is truncated: nothing can be decompressed"),
		CASE("PK\x03\x04..",
		     "the zip archive is truncated: the list of its files is "
		     "missing"),
		CASE("\xfd"
		     "7zXZ\0",
		     NOT "xz data: unpack it first"),
		CASE("\x28\xb5\x2f\xfd", NOT "zstd data: unpack it first"),
		CASE("BZh91AY&SY", NOT "bzip2 data: unpack it first"),
		CASE("BZh11AY&SY", NOT "bzip2 data: unpack it first"),
		CASE("BZh9\x17rE8P\x90\0\0\0\0",
		     NOT "bzip2 data: unpack it first"),
		CASE("BZh01AY&SY", NOT "text of an unknown kind"),
		CASE("7z\xbc\xaf\x27\x1c",
		     NOT "a 7-Zip archive: unpack it first"),
		CASE("plcrash\x01", "an empty PLCrashReporter report"),
		CASE("plcrash\x02", "a PLCrashReporter report of unknown "
		                    "version 2"),
		CASE("plcrash: not one", NOT "text of an unknown kind"),
		CASE("bplist00", NOT "a binary property list"),
		CASE("\xcf\xfa\xed\xfe\x0c",
		     NOT "a Mach-O file: pass it with --dsym"),
		CASE("\xca\xfe\xba\xbe\0\0\0\x02",
		     NOT "a universal Mach-O file: pass it with --dsym"),
		CASE("\xca\xfe\xba\xbe\0\0\0\x37", NOT "a Java class"),
		CASE("\xca\xfe\xba\xbf\0\0\0\x02",
		     NOT "a universal Mach-O file: pass it with --dsym"),
		CASE("<?xml version=\"1.0\"?>\n<plist>",
		     NOT "an XML property list"),
		CASE("<!DOCTYPE html><html>", NOT "an HTML page"),
		CASE("<?xml version=\"1.0\"?>\n<a/>", NOT "an XML file"),
		CASE("BCSymbolMap Version: 2.0\n", NOT "a BCSymbolMap"),
		CASE("{\"version\":3,\"sources\":[],\"mappings\":\"\"}",
		     NOT "a source map" WHICH),
		// Names of reports, and values that reports do not have.
		CASE("{\"report\":\"daily\",\"crash\":{\"count\":3}}",
		     NOT "JSON of an unknown kind"),
		CASE("{\"report\":{\"a\":1},\"crash\":{\"b\":2},\"threads\":4}",
		     NOT "JSON of an unknown kind"),
		CASE("{\"usedImages\":\"none\",\"threads\":5}",
		     NOT "JSON of an unknown kind"),
		CASE("{\"event\":{\"signal\":\"SIGABRT\"},\"faultingThread\":"
		     "{\"frames\":[{\"imageOffset\":1}],\"index\":0}}",
		     NOT "JSON of an unknown kind"),
		CASE("{\"callStackTree\":\"none\",\"diagnosticMetaData\":{}}",
		     NOT "JSON of an unknown kind"),
		CASE(")]}'\n{}", NOT "a source map" WHICH),
		CASE("{\"report\":{},\"crash\":{}}",
		     "an empty KSCrash report: no crash, no system, no "
		     "binary_images"),
		CASE("{\"crashDiagnostics\":[]}",
		     "a MetricKit payload without diagnostics"),
		CASE("1 {\"type\":\"objc\"}\n2 {\"pc\":7}\n",
		     NOT "a log of ImpactMeter" WHICH),
		CASE("{\"a\":1}", NOT "JSON of an unknown kind"),
		CASE("[1, 2]", NOT "JSON of an unknown kind"),
		CASE("{\"a\": 1,\n \"b\": [1, 2,, 3]}",
		     NOT "broken JSON: line 2, column 13: expected a value, "
		         "found ','"),
		CASE("{\"a\": [1,", NOT "truncated JSON of an unknown kind"),
		// What sources and manuals quote is no report of theirs.
		CASE("#!/usr/bin/env python3\n" QUOTED, NOT "a Python script"),
		CASE("from x import y\n" QUOTED, NOT "a Python source"),
		CASE("/*\n * x\n */\n" QUOTED, NOT "a program's source"),
		CASE(".Dd x\n.Bd\n" QUOTED, NOT "a manual page"),
		CASE("diff --git a/x b/x\n" QUOTED, NOT "a patch"),
		CASE("Traceback (most recent call last):\n"
		     "  File \"a.py\", line 1, in <module>\n"
		     "TypeError: no money\n",
		     NOT "a Python traceback" WHICH),
		CASE("java.lang.IllegalStateException: boom\n"
		     "\tat com.acme.Cart.pay(Cart.java:12)\n",
		     NOT "a Java stack trace" WHICH),
		CASE("11-03 08:15:02.200  711  711 E AndroidRuntime: FATAL "
		     "EXCEPTION: main\n"
		     "11-03 08:15:02.200  711  711 E AndroidRuntime: \tat "
		     "com.acme.Cart.pay(Cart.kt:12)\n",
		     NOT "a Java stack trace" WHICH),
		CASE("Cart.m:3:9: fatal error: 'Pay.h' file not found\n",
		     NOT "the output of a compiler" WHICH),
		CASE("fatal error: too many errors emitted, stopping now\n",
		     NOT "the output of a compiler" WHICH),
		CASE("PHP Fatal error:  Uncaught Error: boom in a.php:3\n"
		     "Fatal error: Uncaught Error: boom in a.php on line 3\n",
		     NOT "an error of PHP" WHICH),
		CASE("# Acme\n\nA line like\nFatal error: the usual\nmeans "
		     "that you should file an issue.\n",
		     NOT "text of an unknown kind"),
		CASE("dear diary", NOT "text of an unknown kind"),
		CASE("dear\0diary", NOT "binary data"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;
		struct bytes in = { .data = (const uint8_t *)cases[i].bytes,
			            .size = cases[i].size };

		err = read_reports(in, &arena, &report);
		assert_non_null(err);
		assert_null(report);
		assert_string_equal(error_message(err), cases[i].message);
	}
}

static struct report *read(struct bytes in, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err = read_reports(in, arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	return report;
}

static void each_format_gets_its_reader(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *format;
	} cases[] = {
		{ "Incident Identifier: 0\nProcess: Demo [1]\n", "crash-text" },
		{ "\357\273\277Incident Identifier: 0\n", "crash-text" },
		// A job's log begins with its script's first line.
		{ "#!/bin/bash -eo pipefail\nIncident Identifier: 0\n",
		  "crash-text" },
		{ "from our tester:\nIncident Identifier: 0\n", "crash-text" },
		{ "{\"bug_type\":\"109\"}\nIncident Identifier: 0\n",
		  "crash-text" },
		{ "{\"bug_type\":\"309\"}\n{\"threads\":[],"
		  "\"usedImages\":[]}\n",
		  "ips-crash" },
		{ "-----\nTranslated Report (Full Report Below)\n-----\n"
		  "Process: Demo [1]\nException Type: SIGSEGV\n"
		  "\nFull Report\n-----\n{\"bug_type\":\"309\"}\n"
		  "{\"threads\":[],\"usedImages\":[]}\n",
		  "ips-crash" },
		{ "-----\nTranslated Report (Full Report Below)\n-----\n"
		  "Process: Demo [1]\nException Type: SIGSEGV\n",
		  "crash-text" },
		{ "{\"panicString\":\"x\"}", "panic" },
		{ "panic(cpu 0 caller 0x1): x\n", "panic" },
		{ "{\"bug_type\":\"288\"}\n{\"processByPid\":{}}",
		  "stackshot" },
		{ "{\"bug_type\":\"225\"}\n{\"a\":1}", "ips" },
		{ "{\"bug_type\":\"298\"}\n{\"processes\":[]}", "jetsam" },
		{ "{\"largestProcess\":\"x\"}", "jetsam" },
		{ "{\"processes\":[],\"memoryStatus\":{}}\n"
		  "{\"bug_type\":\"298\",\"timestamp\":\"1\"}",
		  "jetsam" },
		{ "{\"bug_type\":\"211\",\"timestamp\":\"1\"}\n"
		  "{\"largestProcess\":\"x\"}",
		  "ips" },
		{ "Incident Identifier: 0\nLargest process:   Demo\n\n"
		  "Processes\n     Name   <UUID>\n",
		  "jetsam-text" },
		{ "Date/Time: 0\nProcess: Demo [1]\nSteps: 10\n", "spindump" },
		{ "Analysis of sampling Demo (pid 1)\nProcess: Demo [1]\n",
		  "sample" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report =
		        read(bytes_from_text(text_from(cases[i].text)), &arena);

		assert_string_equal(report->format, cases[i].format);
	}
}

static void utf16_is_read_in_both_byte_orders(void **state UNUSED)
{
	static const char little[] =
	        "\xff\xfeP\0r\0o\0c\0e\0s\0s\0:\0 \0\xae\x5f\x3d\xd8\x00\xde"
	        " \0[\0001\0]\0\n\0T\0h\0r\0e\0a\0d\0 \0000\0:\0\n\0";
	static const char big[] =
	        "\xfe\xff\0P\0r\0o\0c\0e\0s\0s\0:\0 \x5f\xae\xd8\x3d\xde\x00"
	        "\0 \0[\0001\0]\0\n\0T\0h\0r\0e\0a\0d\0 \0000\0:\0\n";
	const struct bytes cases[] = { BYTES(little), BYTES(big) };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read(cases[i], &arena);

		assert_string_equal(report->process.name,
		                    "\xe5\xbe\xae\xf0\x9f\x98\x80");
		assert_int_equal(report->thread_count, 1);
		assert_string_equal(report->notes[report->note_count - 1].place,
		                    "encoding");
		assert_string_equal(report->notes[report->note_count - 1].text,
		                    "the file is UTF-16: converted to UTF-8");
	}
}

static void broken_surrogates_become_replacement_characters(void **state UNUSED)
{
	// A low half alone, a high half before a letter, and half a unit.
	static const char text[] =
	        "\xfe\xff\0P\0r\0o\0c\0e\0s\0s\0:\0 \xdc\x00\xd8\x00\0A\0 \0["
	        "\0001\0]\0\n\0T\0h\0r\0e\0a\0d\0 \0000\0:\0\n\0";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(BYTES(text), &arena);

	assert_string_equal(report->process.name, "\357\277\275\357\277\275A");
	assert_string_equal(report->notes[report->note_count - 1].text,
	                    "the file is UTF-16 with invalid characters: "
	                    "converted to UTF-8");
}

/** What is read of an input, in a few words. */
struct seen {
	struct str text;
	struct lag_reader samples;
};

static void see_sessions(const struct session_file *file,
                         const struct sink *sink)
{
	struct seen *seen = sink->context;

	for (const struct session *s = file->first; s; s = s->next)
		str_addf(&seen->text, "session %s\n", s->app_name);
}

static struct error *see_group(const struct group_row *row, void *context)
{
	struct seen *seen = context;

	if (!row->signature)
		return error_new(ERROR_FORMAT, "no signature");
	str_addf(&seen->text, "group %zu %s %s %zu\n", row->number,
	         row->signature, row->kind, (size_t)row->count);
	return NULL;
}

static void see_samples(struct lag_report *report, void *context)
{
	struct seen *seen = context;

	str_addf(&seen->text, "samples %zu\n",
	         (size_t)report->profile.sample_count);
}

static void see_failed(size_t line, struct error *err, void *context)
{
	struct seen *seen = context;

	str_addf(&seen->text, "line %zu: %s\n", line, error_message(err));
	error_free(err);
}

/** Read @p in for a command, and say what comes of it. */
static void see(const char *in, unsigned takes, unsigned wants,
                struct seen *seen)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(intern_release) struct intern names = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct sink sink = {
		.arena = &arena,
		.lasting = &arena,
		.takes = takes,
		.wants = wants,
		.context = seen,
		.samples = &seen->samples,
		.sessions = see_sessions,
		.group = see_group,
	};

	lag_reader_init(&seen->samples, &names, see_samples, see_failed, seen);
	err = read_input(bytes_from_text(text_from(in)), &sink);
	lag_reader_release(&seen->samples);
	for (const struct report *r = sink.first; r; r = r->next) {
		str_addf(&seen->text, "%s\n", r->format);
		for (size_t i = 0; i < r->note_count; i++)
			if (text_starts(text_from(r->notes[i].text),
			                "left out"))
				str_addf(&seen->text, "%s\n", r->notes[i].text);
	}
	if (err)
		str_addf(&seen->text, "%s\n", error_message(err));
}

#define CRASHES YIELDS_ANY_REPORT, YIELDS_REPORTS
#define SAMPLES \
	YIELDS_ANY_REPORT | YIELDS_SAMPLES | YIELDS_STACKS, YIELDS_SAMPLES
#define SESSIONS                                                           \
	YIELDS_SESSIONS | YIELDS_JETSAM | YIELDS_REPORTS | YIELDS_SAMPLES, \
	        YIELDS_SESSIONS | YIELDS_JETSAM
#define GROUPS YIELDS_GROUPS, YIELDS_GROUPS

#define JETSAM  "{\"largestProcess\":\"x\"}"
#define SESSION "{\"appName\":\"Demo\",\"appState\":\"foreground\"}"
#define MEMORY                         \
	"{\"phys_footprint\":1000000," \
	"\"os_proc_available_memory\":5000}"
#define LAG    "{\"samples\":[{\"stack\":[\"a\",\"b\"]}]}\n"
#define STACKS "main;a 3\nmain;b 4\n"
#define GROUP                                                        \
	"{\"schema\":\"apmtool.table/1\",\"name\":\"crash-groups\"," \
	"\"rows\":[{\"signature\":\"f\",\"kind\":\"app\",\"count\":2}]}"

static void each_command_gets_what_it_takes(void **state UNUSED)
{
	static const struct {
		const char *in;
		unsigned takes, wants;
		const char *seen;
	} cases[] = {
		{ JETSAM, CRASHES, "jetsam\n" },
		{ SESSION, SESSIONS, "session Demo\n" },
		{ "[" SESSION "," SESSION "]", SESSIONS,
		  "session Demo\nsession Demo\n" },
		{ LAG, SESSIONS, "samples 1\n" },
		{ JETSAM, SESSIONS, "jetsam\n" },
		{ LAG LAG, SAMPLES, "samples 1\nsamples 1\n" },
		{ LAG "{\"samples\":7}\n", SAMPLES,
		  "samples 1\nline 2: samples: expected an array of samples, "
		  "found '7'\n" },
		{ STACKS, SAMPLES, "samples 7\n" },
		{ GROUP, GROUPS, "group 0 f app 2\n" },
		// What it is instead, and which command reads it.
		{ SESSION, CRASHES,
		  "not a crash report, but a last-session record: see "
		  "'apmtool exit-reason'\n" },
		{ LAG, CRASHES,
		  "not a crash report, but lag samples: see 'apmtool "
		  "lag-aggregate'\n" },
		{ STACKS, CRASHES,
		  "not a crash report, but collapsed stacks: see 'apmtool "
		  "fold'\n" },
		{ "main;a 3 0\nmain;b 4 5\n", SAMPLES,
		  "not samples, but the difference of two profiles: read the "
		  "profiles themselves\n" },
		{ GROUP, CRASHES,
		  "not a crash report, but a table of 'apmtool group': see "
		  "'apmtool diff'\n" },
		{ MEMORY, SESSIONS,
		  "neither a last-session record nor a jetsam log, but a "
		  "record of a memory limit: see 'apmtool jetsam'\n" },
		{ STACKS, SESSIONS,
		  "neither a last-session record nor a jetsam log, but "
		  "collapsed stacks: see 'apmtool fold'\n" },
		{ "dear diary", SAMPLES,
		  "not samples, but text of an unknown kind: "
		  "apmtool-formats(5) describes what is read\n" },
		{ "[]", CRASHES, "not a crash report, but an empty list\n" },
		// A report may quote what a session is known by.
		{ "{\"report\":{\"process_name\":\"appState\"},\"crash\":"
		  "{\"error\":{}},\"system\":{}}\n",
		  SESSIONS, "kscrash\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct seen seen = { 0 };

		see(cases[i].in, cases[i].takes, cases[i].wants, &seen);
		assert_string_equal(str_cstr(&seen.text), cases[i].seen);
		str_release(&seen.text);
	}
}

static void an_error_ends_a_table(void **state UNUSED)
{
	static const char in[] =
	        "{\"schema\":\"apmtool.table/1\",\"name\":\"crash-groups\","
	        "\"rows\":[{\"signature\":\"f\",\"kind\":\"app\",\"count\":2},"
	        "{\"kind\":\"app\",\"count\":1},{\"signature\":\"g\"}]}";
	struct seen seen = { 0 };

	see(in, GROUPS, &seen);
	assert_string_equal(str_cstr(&seen.text),
	                    "group 0 f app 2\nno signature\n");
	str_release(&seen.text);
}

static void the_names_of_the_table_differ(void **state UNUSED)
{
	for (size_t i = 0; readers[i]; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(readers[i]->name,
			                        readers[k]->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_no_reader_knows_is_named),
		cmocka_unit_test(each_format_gets_its_reader),
		cmocka_unit_test(utf16_is_read_in_both_byte_orders),
		cmocka_unit_test(
		        broken_surrogates_become_replacement_characters),
		cmocka_unit_test(each_command_gets_what_it_takes),
		cmocka_unit_test(an_error_ends_a_table),
		cmocka_unit_test(the_names_of_the_table_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
