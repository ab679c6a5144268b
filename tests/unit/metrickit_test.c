#include "lib/base/file.h"
#include "lib/base/str.h"
#include "lib/text/json_pull.h"
#include "parsers/parser.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLES APMTOOL_SOURCE_DIR "/samples/"
#define CORPUS  APMTOOL_SOURCE_DIR "/../shared/corpus/metrickit/"

#define UUID_A "4C4C44BD-5555-3144-A18B-1D7A14ACC538"
#define UUID_B "FA7F4362-2E2B-3A0C-8F9F-74D0495A5EEF"

static struct report *parse(struct arena *arena, const char *json)
{
	struct report *report = NULL;
	struct error *err;

	assert_true(metrickit_parser.sniff(text_from(json)));
	err = metrickit_parser.parse(text_from(json), arena, &report);
	if (err)
		fail_msg("%s", error_message(err));
	return report;
}

static const char *note(const struct report *report, size_t index)
{
	assert_true(index < report->note_count);
	return report->notes[index].text;
}

static void assert_note(const struct report *report, const char *place,
                        const char *text)
{
	for (size_t i = 0; i < report->note_count; i++)
		if (!strcmp(report->notes[i].place, place) &&
		    !strcmp(report->notes[i].text, text))
			return;
	for (size_t i = 0; i < report->note_count; i++)
		print_message("%s: %s\n", report->notes[i].place,
		              report->notes[i].text);
	fail_msg("no note '%s: %s'", place, text);
}

static const char *field(const struct report *report, const char *label)
{
	for (size_t i = 0; i < report->field_count; i++)
		if (!strcmp(report->fields[i].label, label))
			return report->fields[i].value;
	return NULL;
}

/** The addresses of a stack: `1 2 3`. */
static const char *addresses(struct arena *arena,
                             const struct report_stack *stack)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < stack->count; i++)
		str_addf(&text, "%s%" PRIu64, i ? " " : "",
		         stack->frames[i].address);
	return arena_text(arena, str_text(&text));
}

/** A tree: `0:1*20 1:2*14! …`, depth, address, samples, exact. */
static const char *tree_text(struct arena *arena,
                             const struct report_tree *tree)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < tree->frames.count; i++)
		str_addf(&text, "%s%zu:%" PRIu64 "*%" PRIu64 "%s", i ? " " : "",
		         tree->nodes[i].depth, tree->frames.frames[i].address,
		         tree->nodes[i].samples,
		         tree->frames.frames[i].exact ? "!" : "");
	return arena_text(arena, str_text(&text));
}

/** A stack whose frames have these names, and the addresses 1, 2, 3. */
static void add_chain(struct str *out, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		str_addf(out, "%s{\"binaryName\":\"%s\",\"address\":%zu",
		         i ? ",\"subFrames\":[" : "", names[i], i + 1);
	for (size_t i = 0; i < count; i++)
		str_add(out, i + 1 < count ? "}]" : "}");
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
		if (metrickit_parser.sniff(text_from(cases[i].text)) !=
		    cases[i].is_ours)
			fail_msg("%s", cases[i].text);
}

static void each_diagnostic_is_a_report(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parse(&arena,
	              "{\"timeStampBegin\":\"b\",\"crashDiagnostics\":[{},{}],"
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
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_non_null(report);
		assert_string_equal(report->form, "metrickit");
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
		  "crashDiagnostics: expected an array, found 7" },
		{ "{\"crashDiagnostics\":[[]]}",
		  "crashDiagnostics[0]: expected an object, found an array" },
		{ "{\"crashDiagnostics\":x}",
		  "payload: damaged, read up to line 1, column 21: expected a "
		  "value, found 'x'" },
		{ "{\"crashDiagnostics\":",
		  "payload: the payload ends early: what follows is lost" },
		{ "", "payload: damaged, read up to line 1, column 1: expected "
		      "a value, found the end" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;

		err = metrickit_parser.parse(text_from(cases[i].json), &arena,
		                             &report);
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

static void an_exception_object_tells_what_was_thrown(void **state)
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

// Stacks

static void a_crash_is_read_innermost_first(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse(
	        &arena,
	        "{\"crashDiagnostics\":[{\"callStackTree\":{"
	        "\"callStackPerThread\":true,\"callStacks\":["
	        "{\"callStackRootFrames\":[{\"address\":9}]},"
	        "{\"threadAttributed\":true,\"callStackRootFrames\":["
	        "{\"address\":1,\"subFrames\":[{\"address\":2,\"subFrames\":["
	        "{\"address\":3,\"binaryName\":\"dyld\"}]}]}]}]}}]}");

	(void)state;
	assert_int_equal(report->thread_count, 2);
	assert_int_equal(report->tree_count, 0);
	assert_false(report->threads[0]->crashed);
	assert_true(report->threads[1]->crashed);
	assert_true(report->has_triggered_thread);
	assert_int_equal(report->triggered_thread, 1);
	assert_string_equal(addresses(&arena, &report->threads[1]->stack),
	                    "1 2 3");
	assert_false(report->threads[1]->stack.all_return_addresses);
	assert_int_equal(report->note_count, 0);
}

static void start_images_tell_the_direction(void **state)
{
	static const struct {
		const char *key;
		const char *names[3];
		const char *addresses;
		const char *note;
	} cases[] = {
		{ "crash", { "A", "B", "dyld" }, "1 2 3", NULL },
		{ "crash",
		  { "libsystem_pthread.dylib", "B", "C" },
		  "3 2 1",
		  "the stacks stand the other way round: read outermost frame "
		  "first" },
		{ "crash",
		  { "A", "B", "C" },
		  "1 2 3",
		  "nothing tells where the stacks begin: read innermost frame "
		  "first" },
		{ "crash",
		  { "dyld", "B", "dyld" },
		  "1 2 3",
		  "nothing tells where the stacks begin: read innermost frame "
		  "first" },
		{ "hang", { "dyld", "B", "C" }, "1 2 3", NULL },
		{ "hang",
		  { "A", "B", "libdyld.dylib" },
		  "3 2 1",
		  "the stacks stand the other way round: read innermost frame "
		  "first" },
		{ "hang",
		  { "A", "B", "C" },
		  "1 2 3",
		  "nothing tells where the stacks begin: read outermost frame "
		  "first" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str frames = { 0 };
		SCOPED(str_release) struct str json = { 0 };
		const struct report *report;

		add_chain(&frames, cases[i].names, 3);
		str_addf(&json,
		         "{\"%sDiagnostics\":[{\"callStackTree\":{"
		         "\"callStacks\":"
		         "[{\"callStackRootFrames\":[%s]}]}}]}",
		         cases[i].key, str_cstr(&frames));
		report = parse(&arena, str_cstr(&json));
		assert_string_equal(
		        addresses(&arena, report->thread_count
		                                  ? &report->threads[0]->stack
		                                  : &report->trees[0]->frames),
		        cases[i].addresses);
		if (cases[i].note)
			assert_note(report, "callStackTree", cases[i].note);
		else
			assert_int_equal(report->note_count, 0);
	}
}

static void samples_become_a_tree(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse(
	        &arena,
	        "{\"cpuExceptionDiagnostics\":[{\"callStackTree\":{"
	        "\"callStackPerThread\":false,\"callStacks\":[{"
	        "\"callStackRootFrames\":["
	        "{\"address\":1,\"binaryName\":\"dyld\",\"sampleCount\":20,"
	        "\"subFrames\":[{\"address\":2,\"sampleCount\":14,"
	        "\"subFrames\":[{\"address\":3,\"sampleCount\":9}]},"
	        "{\"address\":4,\"sampleCount\":6,\"subFrames\":[]}]}]}]}}]}");

	(void)state;
	assert_int_equal(report->thread_count, 0);
	assert_int_equal(report->tree_count, 1);
	assert_null(report->trees[0]->title);
	assert_string_equal(tree_text(&arena, report->trees[0]),
	                    "0:1*20 1:2*14 2:3*9! 1:4*6!");
	assert_true(report->trees[0]->frames.all_return_addresses);
	assert_int_equal(report->note_count, 0);
}

static void a_leaf_first_tree_is_turned_round(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	// Two leaves, 10 and 11, called by 5 in turn called by 1; 10 was also
	// called by 6, and once its samples exceed those of its callers.
	const struct report *report = parse(
	        &arena,
	        "{\"hangDiagnostics\":[{\"callStackTree\":{"
	        "\"callStackPerThread\":true,\"callStacks\":[{"
	        "\"threadAttributed\":true,\"callStackRootFrames\":["
	        "{\"address\":10,\"sampleCount\":8,\"subFrames\":["
	        "{\"address\":5,\"sampleCount\":5,\"subFrames\":["
	        "{\"address\":1,\"sampleCount\":5,\"binaryName\":\"dyld\"}]},"
	        "{\"address\":6,\"sampleCount\":3,\"subFrames\":["
	        "{\"address\":1,\"sampleCount\":3,\"binaryName\":\"dyld\"}]}]},"
	        "{\"address\":11,\"sampleCount\":2,\"subFrames\":["
	        "{\"address\":5,\"sampleCount\":2,\"subFrames\":["
	        "{\"address\":1,\"sampleCount\":4,\"binaryName\":\"dyld\"}]}]}]"
	        "}]}}]}");

	(void)state;
	assert_int_equal(report->tree_count, 1);
	assert_string_equal(report->trees[0]->title, "Thread 0");
	assert_true(report->trees[0]->attributed);
	assert_string_equal(tree_text(&arena, report->trees[0]),
	                    "0:1*12 1:5*9 2:10*5! 2:11*4! 1:6*3 2:10*3!");
}

static void branches_make_a_tree_of_any_stack(void **state)
{
	static const char *const roots[] = {
		"{\"address\":1},{\"address\":2}",
		"{\"address\":1,\"subFrames\":[{\"address\":2},{\"address\":3}]"
		"}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(roots); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str json = { 0 };
		const struct report *report;

		str_addf(&json,
		         "{\"callStackPerThread\":true,\"callStacks\":[{"
		         "\"callStackRootFrames\":[%s]}]}",
		         roots[i]);
		report = parse(&arena, str_cstr(&json));
		assert_int_equal(report->tree_count, 1);
		assert_int_equal(report->thread_count, 0);
		assert_null(report->origin);
	}
}

// Images

static void images_come_from_frames(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse(
	        &arena,
	        "{\"crashDiagnostics\":[{\"diagnosticMetaData\":{"
	        "\"bundleIdentifier\":\"com.example.demo\","
	        "\"platformArchitecture\":\"arm64\"},"
	        "\"callStackTree\":{\"callStacks\":[{\"callStackRootFrames\":["
	        "{\"binaryUUID\":\"" UUID_A "\",\"binaryName\":\"Demo\","
	        "\"address\":4362076172,\"offsetIntoBinaryTextSegment\":2060,"
	        "\"subFrames\":[{\"binaryUUID\":\"" UUID_A "\","
	        "\"address\":4362076444,\"offsetIntoBinaryTextSegment\":2332,"
	        "\"subFrames\":[{\"binaryUUID\":\"" UUID_B "\","
	        "\"binaryName\":\"dyld\",\"address\":7294998852,"
	        "\"offsetIntoBinaryTextSegment\":88388}]}]}]}]}}]}");
	const struct report_frame *frames = report->threads[0]->stack.frames;

	(void)state;
	assert_int_equal(report->image_count, 2);
	assert_string_equal(report->images[0].name, "Demo");
	assert_true(report->images[0].base == 4362074112);
	assert_int_equal(report->images[0].size, 2333);
	assert_string_equal(report->images[0].arch, "arm64");
	assert_int_equal(frames[0].image, 0);
	assert_int_equal(frames[0].image_offset, 2060);
	assert_int_equal(frames[1].image, 0);
	assert_int_equal(frames[1].image_offset, 2332);
	assert_int_equal(frames[2].image, 1);
	assert_string_equal(report->process.name, "Demo");
	assert_true(report_image_is_app(report, &report->images[0]));
	assert_false(report_image_is_app(report, &report->images[1]));
}

static void an_image_without_a_name_is_the_apps(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse(
	        &arena, "{\"callStacks\":[{\"callStackRootFrames\":["
	                "{\"binaryUUID\":\"" UUID_A "\",\"address\":7294998852,"
	                "\"offsetIntoBinaryTextSegment\":88388}]}]}");

	(void)state;
	assert_int_equal(report->image_count, 1);
	assert_null(report->images[0].name);
	assert_true(report_image_is_app(report, &report->images[0]));
}

/** iOS 14 writes the load address in place of the offset. */
static void load_addresses_are_told_from_offsets(void **state)
{
	static const struct {
		uint64_t address;
		uint64_t value;
		uint64_t offset;
		const char *note; ///< NULL: an offset
		bool placed;
	} cases[] = {
		{ 0x10083e050, 41040, 41040, NULL, true },
		{ 0x10083e050, 0x100834000, 41040,
		  "offsetIntoBinaryTextSegment holds load addresses, as iOS 14 "
		  "writes them, in 1 frames: their offsets were computed",
		  true },
		// An offset that is a page, and one that is nothing.
		{ 0x10083e000, 0xa000, 0xa000, NULL, true },
		{ 0x10083e000, 0x100834000, 0xa000,
		  "offsetIntoBinaryTextSegment holds load addresses, as iOS 14 "
		  "writes them, in 1 frames: their offsets were computed",
		  true },
		{ 0x1000, 0x2000, 0,
		  "offsetIntoBinaryTextSegment lies beyond the address in 1 "
		  "frames: they have no image",
		  false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str json = { 0 };
		const struct report *report;
		const struct report_frame *frame;

		str_addf(&json,
		         "{\"callStacks\":[{\"callStackRootFrames\":[{"
		         "\"binaryUUID\":\"" UUID_A "\",\"address\":%" PRIu64
		         ",\"offsetIntoBinaryTextSegment\":%" PRIu64 "}]}]}",
		         cases[i].address, cases[i].value);
		report = parse(&arena, str_cstr(&json));
		frame = &report->threads[0]->stack.frames[0];
		assert_int_equal(frame->image != REPORT_NO_IMAGE,
		                 cases[i].placed);
		assert_true(frame->image_offset == cases[i].offset);
		if (cases[i].note)
			assert_note(report, "callStackTree", cases[i].note);
		else
			assert_int_equal(report->note_count, 0);
	}
}

static void one_uuid_is_one_image_in_all_sessions(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parse(&arena,
	              "{\"diskWriteExceptionDiagnostics\":[{\"callStackTree\":{"
	              "\"callStacks\":[{\"callStackRootFrames\":["
	              "{\"binaryUUID\":\"" UUID_A "\",\"address\":4362076172,"
	              "\"offsetIntoBinaryTextSegment\":2060},"
	              "{\"binaryUUID\":\"" UUID_A "\",\"address\":4370464780,"
	              "\"offsetIntoBinaryTextSegment\":2060}]}]}}]}");
	const struct report_frame *frames = report->trees[0]->frames.frames;

	(void)state;
	assert_int_equal(report->image_count, 1);
	assert_int_equal(frames[1].image, 0);
	assert_int_equal(frames[1].image_offset, 2060);
	assert_note(report, "callStackTree",
	            "1 frames are of sessions that had their images at other "
	            "addresses: their offsets hold");
}

static void names_of_os_27_stand_apart(void **state)
{
	static const char *const infos[] = {
		"[{\"uuid\":\"" UUID_A "\",\"name\":\"Demo\"}]",
		"[{\"binaryUUID\":\"" UUID_A "\",\"binaryName\":\"Demo\"}]",
		"{\"" UUID_A "\":{\"name\":\"Demo\"}}",
		"{\"" UUID_A "\":\"Demo\"}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(infos); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str json = { 0 };
		const struct report *report;

		str_addf(&json,
		         "{\"crashDiagnostic\":{\"callStackTree\":{"
		         "\"callStackThreads\":[{\"threadAttributed\":true,"
		         "\"rootFrames\":[{\"binaryUUID\":\"" UUID_A
		         "\",\"address\":4362076172,"
		         "\"offsetIntoBinaryTextSegment\":2060}]}],"
		         "\"binaryInfo\":%s}}}",
		         infos[i]);
		report = parse(&arena, str_cstr(&json));
		assert_int_equal(report->thread_count, 1);
		assert_string_equal(report->images[0].name, "Demo");
		assert_string_equal(report->origin, "crashDiagnostic");
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
		  "callStackTree: callStacks", "expected an array, found 7" },
		{ "{\"callStacks\":{}}", "callStacks",
		  "expected an array, found an object" },
		{ "{\"callStacks\":[1]}", "callStacks[0]",
		  "expected an object, found 1" },
		{ "{\"callStacks\":[],\"callStackPerThread\":\"maybe\"}",
		  "callStackPerThread", "expected true or false, found text" },
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
		  "expected a whole number of 64 bits, found 1.5" },
		{ "{\"callStacks\":[{\"callStackRootFrames\":[{\"subFrames\":[{"
		  "\"binaryUUID\":\"x\"}]}]}]}",
		  "callStacks[0].callStackRootFrames[0].subFrames[0]."
		  "binaryUUID",
		  "expected a UUID, found 'x'" },
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

// The samples, changed in every way

static struct text load(struct file_data *file, const char *path)
{
	struct error *err = file_read(path, FILE_REPORT_LIMIT_BYTES, file);

	if (err)
		fail_msg("%s", error_message(err));
	return bytes_text(file->bytes);
}

/** Whatever comes of it: it is a report, or an error. */
static void read_any(struct text in)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct report *report = NULL;

	metrickit_parser.sniff(in);
	err = metrickit_parser.parse(in, &arena, &report);
	assert_true(!err == !!report);
}

static const char *const samples[] = {
	SAMPLES "metrickit-crash.json",
	SAMPLES "metrickit-hang.json",
	SAMPLES "metrickit-2027.json",
};

static void every_cut_of_the_samples_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		SCOPED(file_release) struct file_data file = { 0 };
		struct text text = load(&file, samples[i]);

		// Each byte of the first levels, then a step that is no
		// divisor of anything.
		for (size_t size = 0; size < text.size;
		     size += size < 2000 ? 1 : 37)
			read_any(text_first(text, size));
	}
}

/** Put @p put in place of the value that begins at @p at. */
static void swap_value(struct text text, size_t at, const char *put)
{
	SCOPED(str_release) struct str swapped = { 0 };
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(text_after(text, at), 0);

	json_pull_next(pull);
	json_pull_skip(pull);
	str_add_text(&swapped, text_first(text, at));
	str_add(&swapped, put);
	str_add_text(&swapped, text_after(text, at + json_pull_used(pull)));
	read_any(str_text(&swapped));
}

static void any_value_may_be_of_any_type(void **state)
{
	static const char *const values[] = { "null", "1",  "\"x\"", "true",
		                              "[]",   "{}", "[{}]",  "-1.5" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		SCOPED(file_release) struct file_data file = { 0 };
		struct text text = load(&file, samples[i]);
		size_t next = 0;

		// The first members of all kinds stand in the first levels.
		for (size_t at = 0; at < 6000;) {
			size_t colon = text_find(text_after(text, at), "\" : ");

			if (colon == TEXT_NOWHERE)
				break;
			at += colon + 4;
			swap_value(text, at,
			           values[next++ % ARRAY_SIZE(values)]);
			swap_value(text, at,
			           values[next++ % ARRAY_SIZE(values)]);
		}
		assert_true(next > 50);
	}
}

// Real payloads

struct expectation {
	const char *name;
	size_t reports;
	size_t threads; ///< of all reports
	size_t trees;
	size_t frames;
	size_t placed; ///< frames that lie in an image
};

static void count_stack(struct report_stack *stack, void *context)
{
	struct expectation *found = context;

	found->frames += stack->count;
	for (size_t i = 0; i < stack->count; i++)
		found->placed += stack->frames[i].image != REPORT_NO_IMAGE;
}

static void the_corpus_is_read(void **state)
{
	static const struct expectation cases[] = {
		{ "ChimeHQ__real_report.json", 2, 19, 0, 100, 100 },
		{ "ChimeHQ__xcode_simulated.json", 4, 1, 3, 4, 4 },
		{ "ChimeHQ__xcode_simulated_macOS_12.json", 4, 1, 3, 4, 4 },
		{ "getsentry__not-per-thread.json", 1, 0, 1, 14, 14 },
		{ "getsentry__per-thread-flamegraph.json", 1, 0, 1, 4, 4 },
		{ "getsentry__tree-real.json", 1, 16, 0, 92, 92 },
		{ "getsentry__tree-unknown-fields.json", 1, 1, 0, 3, 3 },
	};

	(void)state;
	if (access(CORPUS, F_OK)) {
		print_message("no corpus: skipped\n");
		skip();
	}
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(file_release) struct file_data file = { 0 };
		struct expectation found = { .name = cases[i].name };
		struct report *report = NULL;
		struct error *err;

		load(&file, arena_printf(&arena, CORPUS "%s", cases[i].name));
		err = parser_read(file.bytes, &arena, &report);
		if (err)
			fail_msg("%s: %s", cases[i].name, error_message(err));
		for (; report; report = report->next) {
			assert_string_equal(report->form, "metrickit");
			found.reports++;
			found.threads += report->thread_count;
			found.trees += report->tree_count;
			report_each_stack(report, count_stack, &found);
		}
		if (memcmp(&found.reports, &cases[i].reports,
		           sizeof(found) -
		                   offsetof(struct expectation, reports)) != 0)
			fail_msg("%s: %zu reports, %zu threads, %zu trees, "
			         "%zu frames, %zu placed",
			         found.name, found.reports, found.threads,
			         found.trees, found.frames, found.placed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(payloads_are_known_by_their_keys),
		cmocka_unit_test(each_diagnostic_is_a_report),
		cmocka_unit_test(a_payload_without_diagnostics_is_an_error),
		cmocka_unit_test(facts_have_their_places),
		cmocka_unit_test(durations_are_labelled),
		cmocka_unit_test(numbers_without_a_name_stay_numbers),
		cmocka_unit_test(an_exception_object_tells_what_was_thrown),
		cmocka_unit_test(a_crash_is_read_innermost_first),
		cmocka_unit_test(start_images_tell_the_direction),
		cmocka_unit_test(samples_become_a_tree),
		cmocka_unit_test(a_leaf_first_tree_is_turned_round),
		cmocka_unit_test(branches_make_a_tree_of_any_stack),
		cmocka_unit_test(images_come_from_frames),
		cmocka_unit_test(an_image_without_a_name_is_the_apps),
		cmocka_unit_test(load_addresses_are_told_from_offsets),
		cmocka_unit_test(one_uuid_is_one_image_in_all_sessions),
		cmocka_unit_test(names_of_os_27_stand_apart),
		cmocka_unit_test(wrapped_payloads_read_as_bare_ones),
		cmocka_unit_test(a_missing_comma_is_noted),
		cmocka_unit_test(stacks_may_be_two_thousand_deep),
		cmocka_unit_test(nested_texts_end),
		cmocka_unit_test(mistyped_members_are_noted_with_their_path),
		cmocka_unit_test(null_reads_as_absent),
		cmocka_unit_test(every_cut_of_the_samples_is_read),
		cmocka_unit_test(any_value_may_be_of_any_type),
		cmocka_unit_test(the_corpus_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
