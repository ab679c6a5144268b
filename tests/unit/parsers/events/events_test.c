// SPDX-License-Identifier: MIT
#include "parsers/reader.h"

#include "tests/unit/formatters/rendered.h"
#include "tests/unit/read_reports.h"

#include "tests/unit/parsers/parsed.h"
#include "tests/unit/parsers/stack_string.h"

#define UUID "4C4C44BD-5555-3144-A18B-1D7A14ACC538"
#define DEMO "/private/var/containers/Bundle/Application/X/Demo.app/Demo"

static struct report *read_text(const char *text, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err =
	        read_reports((struct bytes){ .data = (const uint8_t *)text,
	                                     .size = strlen(text) },
	                     arena, &report);

	if (err)
		fail_msg("%s in:\n%s", error_message(err), text);
	return report;
}

// Sentry

#define SENTRY_FRAMES                                                         \
	"\"stacktrace\":{\"frames\":[{\"instruction_addr\":\"0x1020\"},"      \
	"{\"instruction_addr\":\"0x1010\",\"function\":\"f\",\"symbol_addr\"" \
	":\"0x1004\",\"abs_path\":\"/x/f.c\",\"lineno\":3,\"colno\":4},"      \
	"{\"instruction_addr\":\"0x1008\"}],\"registers\":{\"x0\":\"0x7\"}}"
#define SENTRY_META                                                            \
	"\"debug_meta\":{\"images\":[{\"type\":\"macho\",\"debug_id\":\"" UUID \
	"\",\"image_addr\":\"0x1000\",\"image_size\":4096,\"code_file\":"      \
	"\"" DEMO "\",\"arch\":\"arm64\"},{\"type\":\"sourcemap\"}]}"
#define SENTRY_CONTEXTS                                                    \
	"\"event_id\":\"9ec7\",\"timestamp\":1767225600.5,\"release\":"    \
	"\"com.example.demo@1.0+12\",\"contexts\":{\"device\":{\"model\":" \
	"\"iPhone14,5\"},\"os\":{\"name\":\"iOS\",\"version\":\"17.2\","   \
	"\"build\":\"21C62\"}}"
#define SENTRY_MACH                                                          \
	"\"exception\":{\"values\":[{\"type\":\"EXC_BAD_ACCESS\",\"value\":" \
	"\"boom\\nKERN_INVALID_ADDRESS at 0x8.\",\"thread_id\":3,"           \
	"\"mechanism\":{\"type\":\"mach\",\"handled\":false,\"meta\":{"      \
	"\"mach_exception\":{\"exception\":1,\"code\":1,\"subcode\":8},"     \
	"\"signal\":{\"number\":11}}}," SENTRY_FRAMES "}]}"
#define SENTRY_THREADS                                                        \
	"\"threads\":{\"values\":[{\"id\":0,\"name\":\"main\",\"crashed\":"   \
	"false,\"stacktrace\":{\"frames\":[{\"instruction_addr\":\"0x1030\"}" \
	"]}},{\"id\":3,\"crashed\":true}]}"
#define SENTRY                                                                 \
	"{" SENTRY_CONTEXTS "," SENTRY_MACH "," SENTRY_THREADS "," SENTRY_META \
	"}"
#define SENTRY_STACK                    \
	"0x1008 Demo@8\n"               \
	"0x1010 Demo@16 f+12 f.c:3:4\n" \
	"0x1020 Demo@32\n"

static void an_event_of_sentry_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(&sentry_reader, SENTRY, &arena);

	assert_string_equal(report->incident, "9ec7");
	assert_string_equal(report->date_time, "2026-01-01 00:00:00 +0000");
	assert_string_equal(report->identifier, "com.example.demo");
	assert_string_equal(report->version, "1.0");
	assert_string_equal(report->build, "12");
	assert_string_equal(report->hardware_model, "iPhone14,5");
	assert_string_equal(report->os_version, "iOS 17.2 (21C62)");
	assert_string_equal(report->process.name, "Demo");
	assert_string_equal(report->path, DEMO);
	assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_string_equal(report->exception.subtype,
	                    "KERN_INVALID_ADDRESS at 0x8");
	assert_string_equal(report->exception.codes,
	                    "0x0000000000000001, 0x0000000000000008");
	assert_int_equal(report->thread_count, 2);
	assert_stack(report, &report->threads[0]->stack, "0x1030 Demo@48\n");
	assert_int_equal(report->triggered_thread, 3);
	assert_stack(report, &report->threads[1]->stack, SENTRY_STACK);
	assert_int_equal(report->threads[1]->state.count, 1);
	assert_int_equal(report->image_count, 1);
	assert_false(uuid_is_zero(&report->images[0].uuid));
	assert_int_equal(report->note_count, 0);
}

static void an_exception_of_sentry_has_its_own_backtrace(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &sentry_reader,
	        "{\"exception\":{\"values\":[{\"type\":\"Outer\"},{\"type\":"
	        "\"NSRangeException\",\"value\":\"index 5\",\"mechanism\":{"
	        "\"type\":\"nsexception\"}," SENTRY_FRAMES "}]}," SENTRY_THREADS
	        "," SENTRY_META "}",
	        &arena);

	assert_string_equal(report->thrown.name, "NSRangeException");
	assert_string_equal(report->thrown.reason, "index 5");
	assert_string_equal(report->thrown.kind, "objc-exception");
	assert_stack(report, &report->exception_backtrace, SENTRY_STACK);
	assert_true(report->exception_backtrace.all_return_addresses);
	assert_true(report->threads[1]->crashed);
}

static void frames_of_sentry_may_be_all_there_is(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &sentry_reader,
	        "{\"exception\":{\"values\":[{\"type\":\"SIGABRT\","
	        "\"stacktrace\":{\"frames\":[{\"instruction_addr\":\"0x1010\","
	        "\"image_addr\":\"0x1000\",\"package\":\"/x/Demo\"},"
	        "{\"instruction_addr\":\"0x9010\"}]}}]}}",
	        &arena);

	assert_string_equal(report->exception.signal, "SIGABRT");
	assert_stack(report, &report->threads[0]->stack,
	             "0x9010 -\n0x1010 Demo@16\n");
	assert_int_equal(report->image_count, 1);
	assert_true(uuid_is_zero(&report->images[0].uuid));
}

// Bugsnag

#define BUGSNAG_FRAME(address, more)                               \
	"{\"frameAddress\":\"" address "\",\"machoFile\":\"" DEMO  \
	"\",\"machoLoadAddress\":\"0x1000\",\"machoUUID\":\"" UUID \
	"\",\"machoVMAddress\":\"0x100000000\"" more "}"
#define BUGSNAG_EVENT(type, message)                                           \
	"{\"exceptions\":[{\"errorClass\":\"" type "\",\"message\":\"" message \
	"\",\"type\":\"cocoa\",\"stacktrace\":[" BUGSNAG_FRAME(                \
	        "0x1008",                                                      \
	        ",\"isPC\":true,\"method\":\"f\","                             \
	        "\"symbolAddress\":\"0x1000\"") "," BUGSNAG_FRAME("0x1010",    \
	                                                          "") "]}],"   \
	                                                              "\"thre" \
	                                                              "ads\":" \
	                                                              "[{"     \
	                                                              "\"id\"" \
	                                                              ":\"4\"" \
	                                                              ",\"nam" \
	                                                              "e\":"   \
	                                                              "\"w\"," \
	                                                              "\"erro" \
	                                                              "rRepor" \
	                                                              "tingTh" \
	                                                              "read\"" \
	                                                              ":true," \
	                                                              "\"stac" \
	                                                              "ktrace" \
	                                                              "\":[]}" \
	                                                              "],"     \
	                                                              "\"unha" \
	                                                              "ndled"  \
	                                                              "\":"    \
	                                                              "true,"  \
	                                                              "\"seve" \
	                                                              "rityRe" \
	                                                              "ason\"" \
	                                                              ":{"     \
	                                                              "\"type" \
	                                                              "\":"    \
	                                                              "\"sign" \
	                                                              "al\","  \
	                                                              "\"attr" \
	                                                              "ibutes" \
	                                                              "\":{"   \
	                                                              "\"sign" \
	                                                              "alType" \
	                                                              "\":"    \
	                                                              "\"SIGA" \
	                                                              "BRT\"}" \
	                                                              "},"     \
	                                                              "\"devi" \
	                                                              "ce\":{" \
	                                                              "\"mode" \
	                                                              "l\":"   \
	                                                              "\"iPho" \
	                                                              "ne14,"  \
	                                                              "5\","   \
	                                                              "\"osNa" \
	                                                              "me\":"  \
	                                                              "\"iOS"  \
	                                                              "\","    \
	                                                              "\"osVe" \
	                                                              "rsion"  \
	                                                              "\":"    \
	                                                              "\"17."  \
	                                                              "2\","   \
	                                                              "\"runt" \
	                                                              "imeVer" \
	                                                              "sions"  \
	                                                              "\":{"   \
	                                                              "\"osBu" \
	                                                              "ild\":" \
	                                                              "\"21C6" \
	                                                              "2\"},"  \
	                                                              "\"time" \
	                                                              "\":"    \
	                                                              "\"2026" \
	                                                              "-01-"   \
	                                                              "01T00:" \
	                                                              "00:"    \
	                                                              "00Z\"}" \
	                                                              ",\"app" \
	                                                              "\":{"   \
	                                                              "\"id\"" \
	                                                              ":\"com" \
	                                                              ".examp" \
	                                                              "le."    \
	                                                              "demo\"" \
	                                                              ","      \
	                                                              "\"vers" \
	                                                              "ion\":" \
	                                                              "\"1."   \
	                                                              "0\","   \
	                                                              "\"bund" \
	                                                              "leVers" \
	                                                              "ion\":" \
	                                                              "\"12\"" \
	                                                              "}}"
#define BUGSNAG                                                             \
	"{\"payloadVersion\":\"4.0\",\"events\":[" BUGSNAG_EVENT("SIGABRT", \
	                                                         "x") "]}"

static void an_event_of_bugsnag_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(&bugsnag_reader, BUGSNAG, &arena);

	assert_string_equal(report->exception.signal, "SIGABRT");
	assert_string_equal(report->version, "1.0");
	assert_string_equal(report->build, "12");
	assert_string_equal(report->os_version, "iOS 17.2 (21C62)");
	assert_string_equal(report->date_time, "2026-01-01T00:00:00Z");
	assert_int_equal(report->thread_count, 1);
	assert_int_equal(report->threads[0]->number, 4);
	assert_stack(report, &report->threads[0]->stack,
	             "0x1008 pc Demo@8 f+8\n0x1010 Demo@16\n");
	assert_int_equal(report->image_count, 1);
	assert_int_equal(report->images[0].size, 0x11);
	assert_false(uuid_is_zero(&report->images[0].uuid));
	assert_note(report, "events[0].exceptions",
	            "images were taken from the frames, and end at the last "
	            "frame of each");
}

static void an_exception_of_bugsnag_was_thrown(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&bugsnag_reader,
	               BUGSNAG_EVENT("NSRangeException", "index 5"), &arena);

	assert_string_equal(report->thrown.name, "NSRangeException");
	assert_string_equal(report->thrown.reason, "index 5");
	assert_null(report->exception.type);
	assert_int_equal(report->exception_backtrace.count, 2);
}

static void what_no_program_throws_is_no_exception(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *hang = parsed(
	        &sentry_reader,
	        "{\"exception\":{\"values\":[{\"type\":\"App Hanging\","
	        "\"value\":\"for 2 s\",\"mechanism\":{\"type\":\"AppHang\","
	        "\"handled\":true},\"thread_id\":3," SENTRY_FRAMES
	        "}]}," SENTRY_THREADS "," SENTRY_META "}",
	        &arena);
	const struct report *memory =
	        parsed(&bugsnag_reader,
	               BUGSNAG_EVENT("Out Of Memory", "at a guess"), &arena);

	assert_string_equal(hang->kind, "hang");
	assert_null(hang->thrown.name);
	assert_stack(hang, &hang->threads[1]->stack, SENTRY_STACK);
	assert_null(memory->thrown.name);
	assert_string_equal(
	        report_section(memory, "Extra Information: Memory Termination"),
	        "at a guess");
}

// CrashReportKit

#define KIT                                                                    \
	"{\"binaryImages\":[{\"baseAddress\":4096,\"path\":\"" DEMO            \
	"\",\"uuid\":\"" UUID "\"}],\"capturedAt\":\"2026-08-09T10:00:00Z\","  \
	"\"exception\":{\"codes\":[1,4],\"rawValue\":1,\"type\":"              \
	"\"EXC_BAD_ACCESS\"},\"faultingThread\":1,\"formatVersion\":1,"        \
	"\"id\":\"D951\",\"process\":{\"build\":\"12\",\"bundleIdentifier\":"  \
	"\"com.example.demo\",\"deviceModel\":\"iPhone17,1\",\"name\":"        \
	"\"Demo\",\"operatingSystem\":\"Version 27.0 (Build 24A5300)\","       \
	"\"version\":\"1.0\"},\"threads\":[{\"crashed\":false,\"frames\":[],"  \
	"\"id\":7,\"index\":0},{\"crashed\":true,\"frames\":[{\"address\":"    \
	"4104,\"image\":{\"name\":\"Demo\",\"offset\":8,\"path\":\"" DEMO      \
	"\",\"uuid\":\"" UUID "\"},\"symbols\":[]},{\"address\":36880,"        \
	"\"image\":{\"name\":\"dyld\",\"offset\":16,\"path\":"                 \
	"\"/usr/lib/dyld\",\"uuid\":null},\"symbols\":[{\"symbol\":\"start\"," \
	"\"offset\":3}]},{\"address\":1,\"image\":null,\"symbols\":[\"g()\"]}" \
	"],\"id\":8,\"index\":1,\"registers\":{\"x\":[1,2],\"pc\":4104,"       \
	"\"cpsr\":0}}]}"

static void a_report_of_crash_report_kit_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&crash_report_kit_reader, KIT, &arena);

	assert_string_equal(report->incident, "D951");
	assert_string_equal(report->os_version, "iPhone OS 27.0 (24A5300)");
	assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_string_equal(report->exception.codes,
	                    "0x0000000000000001, 0x0000000000000004");
	assert_int_equal(report->triggered_thread, 1);
	assert_stack(report, &report->threads[1]->stack,
	             "0x1008 Demo@8\n0x9010 dyld@16 start+3\n0x1 - g()\n");
	assert_int_equal(report->threads[1]->state.count, 4);
	assert_int_equal(report->image_count, 2);
	assert_int_equal(report->note_count, 0);
}

// All of them

static void events_may_be_wrapped(void **state UNUSED)
{
	static const struct {
		const char *text;
		size_t count;
	} cases[] = {
		{ "{\"event\":" SENTRY "}", 1 },
		{ "[" SENTRY "," SENTRY "]", 2 },
		{ SENTRY "\n" SENTRY "\n", 2 },
		{ "{\"event\":" BUGSNAG_EVENT("SIGABRT", "x") "}", 1 },
		{ "[" BUGSNAG_EVENT("SIGABRT", "x") "]", 1 },
		{ BUGSNAG "\n" BUGSNAG "\n", 2 },
		{ "[" KIT "," KIT "]", 2 },
		{ "{\"payload\":{\"events\":[" BUGSNAG_EVENT(
		          "SIGABRT", "x") "]},\"event\":null}",
		  1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = read_text(cases[i].text, &arena);
		size_t count = 0;

		for (; report; report = report->next, count++) {
			assert_true(report->thread_count > 0);
			assert_true(report->image_count > 0);
		}
		assert_int_equal(count, cases[i].count);
	}
}

static void other_json_is_not_taken(void **state UNUSED)
{
	static const char *const texts[] = {
		"{\"event\":{\"exception\":{\"values\":[{\"stacktrace\":{"
		"\"frames\":[{\"function\":\"f\",\"lineno\":3}]}}]}}}",
		"{\"events\":[{\"exceptions\":[{\"errorClass\":\"E\","
		"\"stacktrace\":[{\"file\":\"a.js\",\"lineNumber\":3}]}]}]}",
		"{\"events\":[]}",
		"{\"binaryImages\":[]}",
		"{\"exception\":\"0xdeaffeed\",\"binaryImages\":[],"
		"\"processByPid\":{}}",
	};
	static const struct reader *const all[] = { &sentry_reader,
		                                    &bugsnag_reader,
		                                    &crash_report_kit_reader };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t k = 0; k < ARRAY_SIZE(all); k++)
			assert_false(reader_sniff(all[k], text_from(texts[i])));
}

static void events_truncated_anywhere_are_read(void **state UNUSED)
{
	static const struct {
		const struct reader *reader;
		const char *text;
	} cases[] = {
		{ &sentry_reader, SENTRY },
		{ &bugsnag_reader, BUGSNAG },
		{ &crash_report_kit_reader, KIT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct text whole = text_from(cases[i].text);

		for (size_t size = 0; size <= whole.size; size++) {
			SCOPED(arena_release) struct arena arena = { 0 };
			SCOPED(error_drop) struct error *err = NULL;
			struct report *report = NULL;
			struct text cut = text_first(whole, size);

			if (reader_sniff(cases[i].reader, cut))
				err = reader_read(cases[i].reader, cut, &arena,
				                  &report);
			assert_false(err && report);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_of_sentry_is_read),
		cmocka_unit_test(an_exception_of_sentry_has_its_own_backtrace),
		cmocka_unit_test(frames_of_sentry_may_be_all_there_is),
		cmocka_unit_test(an_event_of_bugsnag_is_read),
		cmocka_unit_test(an_exception_of_bugsnag_was_thrown),
		cmocka_unit_test(what_no_program_throws_is_no_exception),
		cmocka_unit_test(a_report_of_crash_report_kit_is_read),
		cmocka_unit_test(events_may_be_wrapped),
		cmocka_unit_test(other_json_is_not_taken),
		cmocka_unit_test(events_truncated_anywhere_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
