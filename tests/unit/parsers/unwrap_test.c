// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "parsers/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/parsers/parsed.h"

#define CRASH                                                            \
	"Incident Identifier: I\\nProcess: Demo [1]\\n"                  \
	"Exception Type:  EXC_CRASH (SIGABRT)\\n\\nThread 0 Crashed:\\n" \
	"0   Demo  0x0000000104d0c92c f + 4\\n"
/** `{"report":{},"crash":{"error":{"mach":{"exception":1}}}}` */
#define KSCRASH \
	"{\"report\":{},\"crash\":{\"error\":{\"mach\":{\"exception\":1}}}}"
#define KSCRASH_64                                                     \
	"eyJyZXBvcnQiOnt9LCJjcmFzaCI6eyJlcnJvciI6eyJtYWNoIjp7ImV4Y2Vw" \
	"dGlvbiI6MX19fX0="
/** `{"JSON":"…"}` of that. */
#define JSON_64                                                                \
	"eyJKU09OIjoiZXlKeVpYQnZjblFpT250OUxDSmpjbUZ6YUNJNmV5Smxjbkp2Y2lJNmV5" \
	"SnRZV05vSWpwN0ltVjRZMlZ3ZEdsdmJpSTZNWDE5ZlgwPSJ9"

/** A payload of MetricKit as the text of a value. */
#define PAYLOAD                                                            \
	"\"{\\n  \\\"timeStampEnd\\\" : \\\"2026-11-01 10:00:00\\\",\\n  " \
	"\\\"crashDiagnostics\\\" : [ { \\\"diagnosticMetaData\\\" : { "   \
	"\\\"signal\\\" : 5, \\\"exceptionType\\\" : 6 }, "                \
	"\\\"callStackTree\\\" : { \\\"callStackPerThread\\\" : true, "    \
	"\\\"callStacks\\\" : [ { \\\"threadAttributed\\\" : true, "       \
	"\\\"callStackRootFrames\\\" : [ { \\\"binaryName\\\" : "          \
	"\\\"Shop\\\", \\\"offsetIntoBinaryTextSegment\\\" : 2572 } ] } "  \
	"] } } ]\\n}\""

/** What read_input() makes of it; NULL: an error, which is kept. */
struct reading {
	struct arena arena;
	struct report *first;
	size_t count;
	struct error *err;
};

static void read_text(const char *in, unsigned takes, struct reading *ret)
{
	struct sink sink = {
		.arena = &ret->arena,
		.takes = takes,
		.wants = YIELDS_REPORTS,
	};

	ret->err = read_input(bytes_from_text(text_from(in)), &sink);
	ret->first = sink.first;
	for (const struct report *r = sink.first; r; r = r->next)
		ret->count++;
}

static void reading_release(struct reading *reading)
{
	error_free(reading->err);
	arena_release(&reading->arena);
}

static void envelopes_are_opened(void **state)
{
	static const char *const cases[] = {
		"{\"STACK_TRACE\":\"" KSCRASH_64 "\"}",
		"{\"meta\":{\"a\":1},\"payload\":\"" KSCRASH_64 "\"}",
		"{\"meta\":{\"a\":1},\"payload\":" KSCRASH "}",
		"{\"payload\":{\"STACK_TRACE\":\"" KSCRASH_64 "\"}}",
		"{\"JSON\":\"" KSCRASH_64 "\"}",
		"{\"crash\":" KSCRASH "}",
		"{\"appleReport\":" KSCRASH "}",
		"{\"appleReport\":\"" KSCRASH_64 "\",\"crashTime\":1}",
		"[{\"JSON\":\"" KSCRASH_64 "\"}]",
		"{\"payload\":\"" JSON_64 "\"}",
		// Under a name that is not known.
		"{\"blob\":{\"data\":\"" KSCRASH_64 "\"}}",
		"{\"event\":{\"body\":" KSCRASH "}}",
		// What is done to Base64 on its way.
		"{\"JSON\":\"eyJyZXBvcnQiOnt9LCJjcmFzaCI6eyJlcnJvciI6\\neyJtY"
		"WNoIjp7ImV4Y2VwdGlvbiI6MX19fX0%3D\"}",
		"{\"JSON\":\"data:application/json;base64," KSCRASH_64 "\"}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(reading_release) struct reading reading = { 0 };

		print_message("%s\n", cases[i]);
		read_text(cases[i], YIELDS_ANY_REPORT, &reading);
		if (reading.err)
			fail_msg("%s", error_message(reading.err));
		assert_int_equal(reading.count, 1);
		assert_string_equal(reading.first->exception.type,
		                    "EXC_BAD_ACCESS");
		assert_string_equal(reading.first->format, "kscrash");
	}
}

static void a_payload_may_be_the_text_of_any_value(void **state)
{
	static const char *const cases[] = {
		"[" PAYLOAD "]",
		"[" PAYLOAD ",\"other\"]",
		"[\"[1]\",[" PAYLOAD "]]",
		"{\"upload\":{\"body\":" PAYLOAD "}}",
		PAYLOAD,
		"{\"payloads\":[" PAYLOAD "]}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(reading_release) struct reading reading = { 0 };

		print_message("%s\n", cases[i]);
		read_text(cases[i], YIELDS_ANY_REPORT, &reading);
		if (reading.err)
			fail_msg("%s", error_message(reading.err));
		assert_int_equal(reading.count, 1);
		assert_string_equal(reading.first->format, "metrickit");
		assert_string_equal(reading.first->exception.signal, "SIGTRAP");
	}
}

/** What decodes to a brace and no member is a name of many letters. */
static void names_are_no_base64(void **state)
{
	static const char text[] =
	        "{\"frames\":[{\"method\":\"ewAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}";
	SCOPED(reading_release) struct reading reading = { 0 };

	(void)state;
	read_text(text, YIELDS_ANY_REPORT, &reading);
	assert_non_null(reading.err);
	assert_string_equal(error_message(reading.err),
	                    "not a crash report, but JSON of an unknown kind");
}

static void several_are_read_in_their_order(void **state)
{
	SCOPED(reading_release) struct reading reading = { 0 };

	(void)state;
	read_text("{\"JSON\":\"" KSCRASH_64 "\"}\n" KSCRASH "\n"
	          "{\"STACK_TRACE\":\"" KSCRASH_64 "\"}\n"
	          "{\"appleReport\":\"" CRASH "\"}\n"
	          "{\"payload\":" KSCRASH "}\n",
	          YIELDS_ANY_REPORT, &reading);
	assert_null(reading.err);
	assert_int_equal(reading.count, 5);
	assert_string_equal(reading.first->origin, "report 1 (line 1)");
}

static void what_is_beside_a_report_fills_it(void **state)
{
	SCOPED(reading_release) struct reading reading = { 0 };
	const struct report *report;

	(void)state;
	read_text("{\"meta\":{\"MONITOR_TYPE\":\"appCrash\",\"CREATE_TIME\":"
	          "\"1769821687123\",\"APP_VERSION\":\"6.60.0\","
	          "\"APP_SESSION_ID\":\"s-91\",\"SYS_PHONE_MODEL\":"
	          "\"iPhone14,2\",\"SYS_SYSTEM_VERSION\":\"17.2\","
	          "\"SYS_SYSTEM_MODEL\":\"iOS\"},\"payload\":{\"JSON\":"
	          "\"" KSCRASH_64 "\"}}",
	          YIELDS_ANY_REPORT, &reading);
	report = reading.first;
	assert_non_null(report);
	assert_string_equal(report->hardware_model, "iPhone14,2");
	assert_string_equal(report->version, "6.60.0");
	assert_string_equal(report->os_version, "iOS 17.2");
	assert_string_equal(report->date_time, "2026-01-31 01:08:07.123 +0000");
	assert_string_equal(field(report, "Session ID"), "s-91");
	assert_string_equal(field(report, "Monitor Type"), "appCrash");
}

static void what_a_report_says_itself_stays(void **state)
{
	SCOPED(reading_release) struct reading reading = { 0 };
	const struct report *report;

	(void)state;
	read_text("{\"crashTime\":1769821687,\"SYS_PHONE_MODEL\":\"x\","
	          "\"custom\":{\"a\":1},\"appleReport\":\"Hardware Model: "
	          "iPhone9,1\\nIncident Identifier: I\\nProcess: Demo [1]\\n"
	          "Exception Type:  EXC_CRASH (SIGABRT)\\n\"}",
	          YIELDS_ANY_REPORT, &reading);
	report = reading.first;
	assert_non_null(report);
	assert_string_equal(report->hardware_model, "iPhone9,1");
	assert_string_equal(report->date_time, "2026-01-31 01:08:07.000 +0000");
	assert_string_equal(report_section(report, "Extra Information: custom"),
	                    "{\n    \"a\": 1\n}");
}

static void what_is_no_report_is_refused_by_its_place(void **state)
{
	static const struct {
		const char *in;
		const char *message;
	} cases[] = {
		{ "{\"payload\":\"eyJoZWxsbyI6IndvcmxkIiwieCI6WzEsMiwzXX0=\"}",
		  "payload: not a crash report, but JSON of an unknown kind" },
		{ "{\"payload\":{\"hello\":\"world\"}}",
		  "payload: not a crash report, but JSON of an unknown kind" },
		{ "{\"STACK_TRACE\":[{\"depth\":0,\"count\":1}]}",
		  "STACK_TRACE: not a crash report, but a list of lag nodes: "
		  "see 'apmtool lag-aggregate'" },
		{ "{\"payload\":{\"payload\":{\"payload\":{\"crash\":" KSCRASH
		  "}}}}",
		  "payload: payload: payload: crash: in more than 3 envelopes: "
		  "take it out of the outermost first" },
		{ "{\"appleReport\":7}",
		  "not a crash report, but JSON of an unknown kind" },
		{ "{\"a\":\"not Base64 but words, and so is this\"}",
		  "not a crash report, but JSON of an unknown kind" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(reading_release) struct reading reading = { 0 };

		print_message("%s\n", cases[i].in);
		read_text(cases[i].in, YIELDS_ANY_REPORT, &reading);
		assert_null(reading.first);
		assert_non_null(reading.err);
		assert_string_equal(error_message(reading.err),
		                    cases[i].message);
	}
}

static void what_is_damaged_is_read_as_far_as_it_goes(void **state)
{
	static const struct {
		const char *in;
		const char *note;
	} cases[] = {
		{ "{\"JSON\":\"eyJyZXBvcnQiOnt9LCJjcmFzaCI6eyJlcnJvciI6eyJtYWN"
		  "oIjp7ImV4Y2VwdGlvbiI6MX19f\"}",
		  "the Base64 ends early: the rest is lost" },
		{ "{\"JSON\":\"eyJyZXBvcnQiOnt9LCJjcmFzaCI6eyJlcnJvciI6eyJtYWN"
		  "oIjp7ImV4Y2VwdGlvbiI6MX19",
		  "the Base64 ends early: the rest is lost" },
		{ "{\"JSON\":\"eyJyZXBvcnQiOnt9LCJjcmFzaCI6eyJlcnJvciI6eyJtYWN"
		  "oIjp7ImV4Y2VwdGlvbiI6MX19#fX0=\"}",
		  "the Base64 is damaged: the rest is lost" },
		{ "{\"JSON\":\"{\\\"report\\\":{},\\\"crash\\\":{\\\"error\\\""
		  ":{\\\"mach\\\":{\\\"exception\\\":1},\\\"reason\\\":\\\"a\\",
		  "the text ends early: the rest is lost" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(reading_release) struct reading reading = { 0 };

		print_message("%s\n", cases[i].in);
		read_text(cases[i].in, YIELDS_ANY_REPORT, &reading);
		if (reading.err)
			fail_msg("%s", error_message(reading.err));
		assert_string_equal(reading.first->exception.type,
		                    "EXC_BAD_ACCESS");
		assert_true(reading.first->truncated);
		assert_note(reading.first, "JSON", cases[i].note);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(envelopes_are_opened),
		cmocka_unit_test(a_payload_may_be_the_text_of_any_value),
		cmocka_unit_test(names_are_no_base64),
		cmocka_unit_test(several_are_read_in_their_order),
		cmocka_unit_test(what_is_beside_a_report_fills_it),
		cmocka_unit_test(what_a_report_says_itself_stays),
		cmocka_unit_test(what_is_no_report_is_refused_by_its_place),
		cmocka_unit_test(what_is_damaged_is_read_as_far_as_it_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
