// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/parsers/metrickit/metrickit_read.h"

#define UUID_A "4C4C44BD-5555-3144-A18B-1D7A14ACC538"
#define UUID_B "FA7F4362-2E2B-3A0C-8F9F-74D0495A5EEF"

/** A tree: `0:1*20 1:2*14! …`, depth, address, samples, exact. */
static const char *tree_text(struct arena *arena,
                             const struct report_tree *tree)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < tree->frames.count; i++)
		str_addf(&text, "%s%u:%" PRIu64 "*%" PRIu64 "%s", i ? " " : "",
		         tree->calls.nodes[i + 1].depth - 1,
		         tree->frames.frames[i].address,
		         tree->calls.nodes[i + 1].samples,
		         tree->frames.frames[i].is_pc ? "!" : "");
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

static void start_images_show_the_direction(void **state)
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
		  "the stacks are in reverse order: read outermost frame "
		  "first" },
		{ "crash",
		  { "A", "B", "C" },
		  "1 2 3",
		  "the root of the stacks is not clear: read innermost frame "
		  "first" },
		{ "crash",
		  { "dyld", "B", "dyld" },
		  "1 2 3",
		  "the root of the stacks is not clear: read innermost frame "
		  "first" },
		{ "hang", { "dyld", "B", "C" }, "1 2 3", NULL },
		{ "hang",
		  { "A", "B", "libdyld.dylib" },
		  "3 2 1",
		  "the stacks are in reverse order: read innermost frame "
		  "first" },
		{ "hang",
		  { "A", "B", "C" },
		  "1 2 3",
		  "the root of the stacks is not clear: read outermost frame "
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
static void load_addresses_are_distinguished_from_offsets(void **state)
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
	            "1 frame is from a session with other load addresses: "
	            "its offset is used");
}

static void names_of_os_27_are_apart(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crash_is_read_innermost_first),
		cmocka_unit_test(start_images_show_the_direction),
		cmocka_unit_test(samples_become_a_tree),
		cmocka_unit_test(a_leaf_first_tree_is_turned_round),
		cmocka_unit_test(branches_make_a_tree_of_any_stack),
		cmocka_unit_test(images_come_from_frames),
		cmocka_unit_test(an_image_without_a_name_is_the_apps),
		cmocka_unit_test(load_addresses_are_distinguished_from_offsets),
		cmocka_unit_test(one_uuid_is_one_image_in_all_sessions),
		cmocka_unit_test(names_of_os_27_are_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
