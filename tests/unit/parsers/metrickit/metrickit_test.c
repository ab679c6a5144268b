// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/parsers/metrickit/metrickit_read.h"

static const char *note(const struct report *report, size_t index)
{
	assert_true(index < report->note_count);
	return report->notes[index].text;
}

// Recognising a payload

static void payloads_are_known_by_their_keys(void **state)
{
	static const struct {
		const char *text;
		bool is_ours;
	} cases[] = {
		{ "{\"crashDiagnostics\":[]}", true },
		{ "\n {\"timeStampEnd\":\"x\",\"hangDiagnostics\":[", true },
		{ "{\"memoryExceptionDiagnostic\":{}}", true },
		{ "{\"callStackTree\":{}}", true },
		{ "{\"callStacks\":[]}", true },
		{ "{\"callStackThreads\":[]}", true },
		{ "[{\"crashDiagnostics\":[]}]", true },
		{ "{\"payload\":{\"crashDiagnostics\":[]}}", true },
		{ "{\"payload\":\"{\\\"crashDiagnostics\\\":[]}\"}", true },
		{ "{\"payload\":\"eyJjYWxsU3RhY2tzIjpbXX0=\"}", true },
		{ "eyJjYWxsU3RhY2tzIjpbXX0=", true },
		{ "eyJjYWxs\nU3RhY2tz\nIjpbXX0=\n", true },
		{ "{}", false },
		{ "[]", false },
		{ "{\"a\":{\"crashDiagnostics\":[]}}", false },
		{ "{\"a\":\"crashDiagnostics\"}", false },
		{ "{\"otherDiagnostics\":[]}", false },
		{ "{\"payload\":\"text\"}", false },
		{ "{\"payload\":{\"payload\":{}}}", false },
		{ "e", false },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (reader_sniff(&metrickit_reader, text_from(cases[i].text)) !=
		    cases[i].is_ours)
			fail_msg("%s", cases[i].text);
}

static void each_diagnostic_is_a_report(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse(
	        &arena, "{\"timeStampBegin\":\"b\",\"crashDiagnostics\":[{"
	                "\"diagnosticMetaData\":{\"platformArchitecture\":"
	                "\"arm64_32\"}},{}],"
	                "\"diskWriteExceptionDiagnostics\":[{}],"
	                "\"newDiagnostic\":{},\"timeStampEnd\":\"e\"}");
	static const struct {
		const char *origin;
		const char *kind;
	} expected[] = {
		{ "crashDiagnostics[0]", NULL },
		{ "crashDiagnostics[1]", NULL },
		{ "diskWriteExceptionDiagnostics[0]",
		  "disk write exception report" },
		{ "newDiagnostic", "new report" },
	};

	(void)state;
	assert_string_equal(report->code_type, "ARM64_32");
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_non_null(report);
		assert_string_equal(report->format, "metrickit");
		assert_string_equal(report->origin, expected[i].origin);
		if (expected[i].kind)
			assert_string_equal(report->kind, expected[i].kind);
		else
			assert_null(report->kind);
		assert_string_equal(field(report, "Range Begin"), "b");
		assert_string_equal(field(report, "Range End"), "e");
		assert_string_equal(note(report, 0), "there are no frames");
		report = report->next;
	}
	assert_null(report);
}

static void a_payload_without_diagnostics_is_an_error(void **state)
{
	static const struct {
		const char *json;
		const char *message;
	} cases[] = {
		{ "{\"crashDiagnostics\":[]}",
		  "a MetricKit payload without diagnostics" },
		{ "{\"crashDiagnostics\":7}",
		  "crashDiagnostics: expected an array, found '7'" },
		{ "{\"crashDiagnostics\":[[]]}",
		  "crashDiagnostics[0]: expected an object, found an array" },
		{ "{\"crashDiagnostics\":x}",
		  "payload: damaged, read up to line 1, column 21: expected a "
		  "value, found 'x'" },
		{ "{\"crashDiagnostics\":",
		  "payload: the payload is truncated: the rest is lost" },
		{ "", "payload: damaged, read up to line 1, column 1: expected "
		      "a value, found the end" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;

		err = reader_read(&metrickit_reader, text_from(cases[i].json),
		                  &arena, &report);
		assert_non_null(err);
		assert_null(report);
		assert_string_equal(error_message(err), cases[i].message);
	}
}

// Facts

static void facts_have_their_places(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse(
	        &arena,
	        "{\"crashDiagnostics\":[{\"version\":\"1.0.0\","
	        "\"diagnosticMetaData\":{\"appVersion\":\"2.1\","
	        "\"appBuildVersion\":210,\"bundleIdentifier\":\"com.a.Demo\","
	        "\"deviceType\":\"iPhone14,2\",\"pid\":\"612\","
	        "\"osVersion\":\"iPhone OS 17.2 (21C62)\","
	        "\"platformArchitecture\":\"arm64e\",\"exceptionType\":1,"
	        "\"exceptionCode\":\"1\",\"signal\":11,"
	        "\"terminationReason\":\"Namespace SIGNAL, Code 0xb\","
	        "\"virtualMemoryRegionInfo\":\"0 is not in any region\","
	        "\"lowPowerModeEnabled\":false,\"new\":{\"key\":[1]},"
	        "\"newer\":1.5}}]}");

	(void)state;
	assert_string_equal(report->version, "2.1");
	assert_string_equal(report->build, "210");
	assert_string_equal(report->identifier, "com.a.Demo");
	assert_string_equal(report->hardware_model, "iPhone14,2");
	assert_string_equal(report->os_version, "iPhone OS 17.2 (21C62)");
	assert_string_equal(report->os_build, "21C62");
	assert_string_equal(report->code_type, "ARM-64");
	assert_true(report->process.has_pid);
	assert_int_equal(report->process.pid, 612);
	assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_string_equal(report->exception.subtype, "KERN_INVALID_ADDRESS");
	assert_string_equal(report->exception.codes, "0x0000000000000001");
	assert_string_equal(report->termination.namespace_name, "SIGNAL");
	assert_int_equal(report->termination.code, 11);
	assert_string_equal(report_section(report, "VM Region Info"),
	                    "0 is not in any region");
	assert_string_equal(field(report, "MetricKit Version"), "1.0.0");
	assert_string_equal(field(report, "Low Power Mode"), "no");
	assert_string_equal(field(report, "newer"), "1.5");
}

static void durations_are_labelled(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse(
	        &arena, "{\"timeStampBegin\":\"d\",\"timeStampEnd\":\"d\","
	                "\"hangDiagnostics\":[{\"diagnosticMetaData\":{"
	                "\"hangDuration\":\"20 sec\","
	                "\"totalCPUTime\":\"1 sec\","
	                "\"totalSampledTime\":\"2 sec\","
	                "\"writesCaused\":\"2,000 byte\","
	                "\"launchDuration\":\"3 sec\"}}]}");

	(void)state;
	assert_string_equal(report->kind, "hang report");
	assert_string_equal(report->date_time, "d");
	assert_string_equal(field(report, "Hang Duration"), "20 sec");
	assert_string_equal(field(report, "Total CPU Time"), "1 sec");
	assert_string_equal(field(report, "Total Sampled Time"), "2 sec");
	assert_string_equal(field(report, "Writes Caused"), "2,000 byte");
	assert_string_equal(field(report, "Launch Duration"), "3 sec");
	assert_int_equal(report->written_bytes, 2000);
}

static void measurements_are_read_in_any_language(void **state)
{
	static const struct {
		const char *members; ///< of a hang
		uint64_t us;         ///< 0: unread
	} cases[] = {
		{ "\"hangDuration\":\"20秒\"", 20000000 },
		{ "\"diagnosticMetaData\":{\"hangDuration\":\"5,4 сек.\"}",
		  5400000 },
		{ "\"metaData\":{\"launchDuration\":\"1.530,5 ms\"}", 1530500 },
		{ "\"metaData\":{\"hangDuration\":\"٢٠ ث\"}", 20000000 },
		{ "\"metaData\":{\"hangDuration\":\"1,234 ms\"}", 0 },
		{ "\"metaData\":{\"hangDuration\":\"soon\"}", 0 },
		{ "\"metaData\":{\"hangDuration\":\"1,234 ms\","
		  "\"regionFormat\":\"US\"}",
		  1234000 },
		{ "\"metaData\":{\"regionFormat\":\"DE\","
		  "\"hangDuration\":\"1,234 ms\"}",
		  1234 },
		// The last value of a key counts.
		{ "\"hangDuration\":\"1 s\",\"hangDuration\":\"2 s\"",
		  2000000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = parse(
		        &arena,
		        arena_printf(&arena, "{\"hangDiagnostics\":[{%s}]}",
		                     cases[i].members));

		assert_int_equal(report->sampled_us, cases[i].us);
		assert_int_equal(report->sampled_unread, !cases[i].us);
	}
}

static void measurements_of_a_payload_explain_each_other(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parse(&arena, "[{\"hangDiagnostics\":["
	                      "{\"hangDuration\":\"1,234 ms\"},"
	                      "{\"hangDuration\":\"5,4 s\"}]},"
	                      "{\"hangDiagnostics\":["
	                      "{\"hangDuration\":\"1,234 ms\"}],"
	                      "\"cpuExceptionDiagnostics\":["
	                      "{\"totalSampledTime\":\"1.5 s\"}]},"
	                      "{\"hangDiagnostics\":["
	                      "{\"hangDuration\":\"1,234 ms\"}]}]");

	(void)state;
	assert_int_equal(report->sampled_us, 1234);
	report = report->next->next;
	assert_int_equal(report->sampled_us, 1234000);
	report = report->next->next;
	assert_int_equal(report->sampled_us, 0);
	assert_true(report->sampled_unread);
	assert_string_equal(note(report, report->note_count - 1),
	                    "'1,234 ms': ambiguous amount");
}

static void numbers_without_a_name_stay_numbers(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parse(&arena, "{\"crashDiagnostics\":[{\"diagnosticMetaData\":{"
	                      "\"exceptionType\":99,\"signal\":77}}]}");

	(void)state;
	assert_string_equal(report->exception.type, "99");
	assert_string_equal(report->exception.signal, "77");
	assert_null(report->exception.codes);
}

static void an_exception_object_shows_what_was_thrown(void **state)
{
	static const char *const keys[] = { "exceptionReason",
		                            "objectiveCexceptionReason" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str json = { 0 };
		const struct report *report;

		str_addf(&json,
		         "{\"crashDiagnostics\":[{\"diagnosticMetaData\":{\"%"
		         "s\":"
		         "{\"composedMessage\":\"it is nil\",\"formatString\":"
		         "\"it is "
		         "%%@\",\"arguments\":[\"nil\"],\"exceptionType\":"
		         "\"NSGeneric\",\"className\":\"NSException\","
		         "\"exceptionName\":\"NSRangeException\"}}}]}",
		         keys[i]);
		report = parse(&arena, str_cstr(&json));
		assert_string_equal(report->thrown.name, "NSRangeException");
		assert_string_equal(report->thrown.reason, "it is nil");
		assert_string_equal(report->thrown.class_name, "NSException");
	}
}

// Wrappings and damage

static void wrapped_payloads_read_as_bare_ones(void **state)
{
	static const char *const cases[] = {
		"{\"callStacks\":[{\"callStackRootFrames\":[{\"address\":1}]}]"
		"}",
		"{\"callStackTree\":{\"callStacks\":[{\"callStackRootFrames\":["
		"{\"address\":1}]}]}}",
		"{\"callStackTree\":\"{\\\"callStacks\\\":[{"
		"\\\"callStackRootFrames\\\":[{\\\"address\\\":1}]}]}\"}",
		"{\"crashDiagnostics\":[{\"callStackTree\":{\"callStacks\":[{"
		"\"callStackRootFrames\":[{\"address\":\"1\"}]}]}}]}",
		"{\"payload\":{\"crashDiagnostics\":[{\"callStackTree\":{"
		"\"callStacks\":[{\"callStackRootFrames\":["
		"{\"address\":\"0x1\"}]}]}}]}}",
		"[{\"payload\":\"{\\\"callStacks\\\":[{"
		"\\\"callStackRootFrames\\\":[{\\\"address\\\":1}]}]}\"}]",
		// {"callStacks":[{"callStackRootFrames":[{"address":1}]}]}
		"eyJjYWxsU3RhY2tzIjpbeyJjYWxsU3RhY2tSb290RnJhbWVzIjpbeyJhZGRy"
		"ZXNzIjoxfV19XX0=",
		"{\"payload\":\"eyJjYWxsU3RhY2tzIjpbeyJjYWxsU3RhY2tSb290RnJhbWV"
		"zIjpbeyJhZGRyZXNzIjoxfV19XX0\"}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = parse(&arena, cases[i]);

		assert_null(report->next);
		assert_int_equal(report->thread_count, 1);
		assert_string_equal(
		        addresses(&arena, &report->threads[0]->stack), "1");
		assert_int_equal(report->note_count, 0);
	}
}

static void a_missing_comma_is_noted(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parse(&arena, "{\"callStacks\":[{\"callStackRootFrames\":[{"
	                      "\"binaryName\":\"dyld\",\"address\":1\n"
	                      "\"subFrames\":[{\"address\":2}]}]}]}");

	(void)state;
	assert_string_equal(addresses(&arena, &report->threads[0]->stack),
	                    "2 1");
	assert_note(report, "offset 0x48", "a comma is missing");
}

static void stacks_may_be_two_thousand_deep(void **state)
{
	static const size_t depths[] = { 500, 2000, 5000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(depths); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str json = { 0 };
		const struct report *report;

		str_add(&json, "{\"crashDiagnostics\":[{\"callStackTree\":{"
		               "\"callStacks\":[{\"callStackRootFrames\":[");
		for (size_t k = 0; k < depths[i]; k++)
			str_addf(&json,
			         "%s{\"binaryName\":\"Demo\",\"address\":%zu",
			         k ? ",\"subFrames\":[" : "", k + 1);
		for (size_t k = 0; k < depths[i]; k++)
			str_add(&json, k + 1 < depths[i] ? "}]" : "}");
		str_add(&json, "]}]}}]}");
		report = parse(&arena, str_cstr(&json));
		assert_int_equal(report->thread_count, 1);
		if (depths[i] <= 2000) {
			assert_int_equal(report->threads[0]->stack.count,
			                 depths[i]);
			assert_int_equal(report->note_count, 1);
		} else {
			// What the limit leaves.
			assert_int_equal(report->threads[0]->stack.count, 2045);
			assert_int_equal(report->note_count, 2);
		}
	}
}

static void nested_texts_end(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str json = { 0 };
	const struct report *report;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		str_add(&json, "{\"callStackTree\":");
	str_add(&json, "1");
	str_add_repeat(&json, '}', 100);
	report = parse(&arena, str_cstr(&json));
	assert_int_equal(report->note_count, 2);
	assert_string_equal(note(report, 0), "nested too deeply");
}

static void mistyped_members_are_noted_with_their_path(void **state)
{
	static const struct {
		const char *json;
		const char *place;
		const char *text;
	} cases[] = {
		{ "{\"callStackTree\":[]}", "callStackTree",
		  "expected an object, found an array" },
		{ "{\"callStackTree\":\"x\"}", "callStackTree",
		  "expected JSON, or JSON in Base64, as text" },
		{ "{\"callStackTree\":\"{\\\"callStacks\\\":7}\"}",
		  "callStackTree: callStacks", "expected an array, found '7'" },
		{ "{\"callStacks\":{}}", "callStacks",
		  "expected an array, found an object" },
		{ "{\"callStacks\":[1]}", "callStacks[0]",
		  "expected an object, found '1'" },
		{ "{\"callStacks\":[],\"callStackPerThread\":\"maybe\"}",
		  "callStackPerThread",
		  "expected true or false, found 'maybe'" },
		{ "{\"callStacks\":[{\"callStackRootFrames\":{}}]}",
		  "callStacks[0].callStackRootFrames",
		  "expected an array, found an object" },
		{ "{\"callStacks\":[{\"threadAttributed\":[1]}]}",
		  "callStacks[0].threadAttributed",
		  "expected true or false, found an array" },
		{ "{\"callStacks\":[{\"callStackRootFrames\":[[]]}]}",
		  "callStacks[0].callStackRootFrames[0]",
		  "expected an object, found an array" },
		{ "{\"callStacks\":[{\"callStackRootFrames\":[{},{"
		  "\"address\":1.5}]}]}",
		  "callStacks[0].callStackRootFrames[1].address",
		  "expected a whole number of 64 bits, found '1.5'" },
		{ "{\"callStacks\":[{\"callStackRootFrames\":[{\"subFrames\":[{"
		  "\"binaryUUID\":\"x\"}]}]}]}",
		  "callStacks[0].callStackRootFrames[0].subFrames[0]."
		  "binaryUUID",
		  "expected a UUID, found 'x'" },
		// No half of a character, where not all is shown.
		{ "{\"callStacks\":[{\"callStackRootFrames\":[{"
		  "\"binaryUUID\":\"0123456789012345678901234567890123456789"
		  "01234567890123456789012\u20acx\"}]}]}",
		  "callStacks[0].callStackRootFrames[0].binaryUUID",
		  "expected a UUID, found '01234567890123456789012345678901234"
		  "5678901234567890123456789012…'" },
		{ "{\"callStacks\":[{\"callStackRootFrames\":[{"
		  "\"binaryName\":{}}]}]}",
		  "callStacks[0].callStackRootFrames[0].binaryName",
		  "expected text, found an object" },
		{ "{\"callStacks\":[{\"callStackRootFrames\":[{"
		  "\"subFrames\":true}]}]}",
		  "callStacks[0].callStackRootFrames[0].subFrames",
		  "expected an array, found true or false" },
		{ "{\"callStacks\":[],\"binaryInfo\":{\"x\":{}}}",
		  "binaryInfo.x", "expected a UUID as name" },
		{ "{\"callStacks\":[],\"diagnosticMetaData\":{"
		  "\"exceptionType\":{}}}",
		  "diagnosticMetaData.exceptionType",
		  "expected a number, found an object" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };

		assert_note(parse(&arena, cases[i].json), cases[i].place,
		            cases[i].text);
	}
}

static void null_reads_as_absent(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse(
	        &arena,
	        "{\"timeStampBegin\":null,\"callStackPerThread\":null,"
	        "\"binaryInfo\":null,\"diagnosticMetaData\":null,"
	        "\"payload\":null,\"callStacks\":[{\"threadAttributed\":null,"
	        "\"callStackRootFrames\":[{\"address\":1,\"binaryUUID\":null,"
	        "\"binaryName\":null,\"sampleCount\":null,\"subFrames\":null,"
	        "\"offsetIntoBinaryTextSegment\":null}]}]}");

	(void)state;
	assert_int_equal(report->thread_count, 1);
	assert_int_equal(report->note_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(payloads_are_known_by_their_keys),
		cmocka_unit_test(each_diagnostic_is_a_report),
		cmocka_unit_test(a_payload_without_diagnostics_is_an_error),
		cmocka_unit_test(facts_have_their_places),
		cmocka_unit_test(durations_are_labelled),
		cmocka_unit_test(measurements_are_read_in_any_language),
		cmocka_unit_test(measurements_of_a_payload_explain_each_other),
		cmocka_unit_test(numbers_without_a_name_stay_numbers),
		cmocka_unit_test(an_exception_object_shows_what_was_thrown),
		cmocka_unit_test(wrapped_payloads_read_as_bare_ones),
		cmocka_unit_test(a_missing_comma_is_noted),
		cmocka_unit_test(stacks_may_be_two_thousand_deep),
		cmocka_unit_test(nested_texts_end),
		cmocka_unit_test(mistyped_members_are_noted_with_their_path),
		cmocka_unit_test(null_reads_as_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
