// SPDX-License-Identifier: MIT
#include "lib/model/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add_image(struct report *report, struct arena *arena, uint64_t base,
                      uint64_t size, const char *name, const char *path)
{
	struct report_image *image = report_add_image(report, arena);

	image->base = base;
	image->size = size;
	image->name = name;
	image->path = path;
}

static struct report_frame *add_frame(struct report *report,
                                      struct arena *arena, uint64_t address)
{
	struct report_frame *frame =
	        report_add_frame(&report->exception_backtrace, arena);

	frame->address = address;
	return frame;
}

/** The image that report_place_frames() gives a lone frame at @p address. */
static size_t place(struct report *report, struct arena *arena,
                    uint64_t address, uint64_t *ret_offset)
{
	struct report_frame *frame = add_frame(report, arena, address);

	report_place_frames(report);
	if (ret_offset)
		*ret_offset = frame->image_offset;
	return frame->image;
}

static void an_offset_has_no_signature_on_arm64(void **state UNUSED)
{
	static const struct {
		const char *code_type;
		uint64_t address;
		size_t image;
		uint64_t offset;
	} cases[] = {
		{ "ARM-64", 0x100001010, 0, 0x1010 },
		{ "ARM-64", 0x3f8e000100001010, 0, 0x1010 },          // 47 bits
		{ "ARM-64", 0x00007f8100001010, 0, 0x1010 },          // 39 bits
		{ "ARM-64", 0x0000001100001010, 0, 0x1010 },          // 36 bits
		{ "ARM-64", 0xffff800100001010, REPORT_NO_IMAGE, 0 }, // kernel
		{ "X86-64", 0x3f8e000100001010, REPORT_NO_IMAGE, 0 },
		{ NULL, 0x3f8e000100001010, 0, 0x1010 },
		{ NULL, 0x00007f8100001010, REPORT_NO_IMAGE, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = report_new(&arena);
		struct report_frame *frame;

		add_image(report, &arena, 0x100000000, 0x10000, "Demo", NULL);
		report->code_type = cases[i].code_type;
		frame = add_frame(report, &arena, cases[i].address);
		report_place_frames(report);
		assert_true(frame->image == cases[i].image);
		assert_int_equal(frame->image_offset, cases[i].offset);
		assert_int_equal(frame->address, cases[i].address);
	}
}

static void an_image_may_say_what_the_code_type_does_not(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);

	add_image(report, &arena, 0x100000000, 0x10000, "Demo", NULL);
	report->images[0].arch = "arm64e";
	assert_int_equal(place(report, &arena, 0x3f8e000100001010, NULL), 0);
}

static void a_placed_frame_keeps_its_image(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_frame *frame;

	add_image(report, &arena, 0x1000, 0x1000, "a", NULL);
	add_image(report, &arena, 0x2000, 0x1000, "b", NULL);
	frame = add_frame(report, &arena, 0x1010);
	frame->image = 1;
	frame->image_offset = 7;
	report_place_frames(report);
	assert_int_equal(frame->image, 1);
	assert_int_equal(frame->image_offset, 7);
}

static void a_frame_that_no_image_covers_is_placed_by_its_base(
        void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_frame *frame;

	add_image(report, &arena, 0x1000, 0x10, "cut", NULL);
	frame = add_frame(report, &arena, 0x1800);
	frame->image_offset = 0x800;
	report_place_frames(report);
	assert_int_equal(frame->image, 0);
	assert_int_equal(frame->image_offset, 0x800);
}

static void count_stack(struct report_stack *stack, void *context)
{
	size_t *frames = context;

	*frames = *frames * 10 + stack->count;
}

static void every_stack_is_visited_in_order(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_stack *app = report_add_app_backtrace(report, &arena);
	struct report_thread *thread = report_add_thread(report, &arena);
	size_t frames = 0;

	add_frame(report, &arena, 1);
	for (unsigned i = 0; i < 2; i++)
		report_add_frame(app, &arena);
	for (unsigned i = 0; i < 3; i++)
		report_add_frame(&thread->stack, &arena);
	report_each_stack(report, count_stack, &frames);
	assert_int_equal(frames, 123);
}

static void an_image_of_the_app_is_identified_by_its_path(void **state UNUSED)
{
#define IOS_APP "/var/containers/Bundle/Application/0A/Demo.app/"
	static const struct {
		int platform;
		const char *report_path;
		const char *image_path;
		bool is_app;
	} cases[] = {
		{ 2, "/private" IOS_APP "Demo", IOS_APP "Demo", true },
		{ 2, "/private" IOS_APP "Demo",
		  IOS_APP "Frameworks/Kit.framework/Kit", true },
		{ 2, "/private" IOS_APP "PlugIns/Ext.appex/Ext",
		  IOS_APP "Frameworks/Kit.framework/Kit", true },
		{ 2, "/private" IOS_APP "Demo",
		  IOS_APP "Frameworks/libswiftCore.dylib", false },
		{ 2, "/private" IOS_APP "Demo", "/usr/lib/dyld", false },
		{ 2, "/private" IOS_APP "Demo", "/opt/tweak.dylib", false },
		{ 2, "/Developer/Agent", "/Developer/Agent", true },
		{ 1, "/Applications/Demo.app/Contents/MacOS/Demo",
		  "/Applications/Demo.app/Contents/Frameworks/a.dylib", true },
		{ 1, "/Applications/Demo.app/Contents/MacOS/Demo",
		  "/usr/local/lib/a.dylib", true },
		{ 1, "/Applications/Demo.app/Contents/MacOS/Demo",
		  "/System/Library/Frameworks/A.framework/A", false },
		{ 1, "/usr/bin/tool", "/usr/bin/tool", true },
		{ 1, "/usr/bin/tool", "cl_kernels", false },
		{ 0, "/Users/USER/*/Demo", "/Users/USER/*/Demo", true },
		{ 0, "/Users/USER/*/Demo", "/Users/USER/*/Kit.framework/Kit",
		  true },
		{ 0, "/Users/USER/*/Demo", "/Library/Apple/*/runtime", false },
		{ 1, "/private/tmp/*/demo", "*/demo", true },
		{ 0, NULL, IOS_APP "Demo", true },
		{ 0, NULL, "/usr/lib/dyld", false },
		{ 7, "/Users/USER/x/Demo.app/Demo",
		  "/Library/Runtimes/iOS.simruntime/Contents/UIKit", false },
		// Hidden paths of a simulator, whose system is on a volume.
		{ 7, "/Users/USER/x/Demo.app/Demo",
		  "/Volumes/VOLUME/*/UIKitCore.framework/UIKitCore", false },
		{ 0, "/Users/USER/*/CoreSimulator/Devices/1/Demo",
		  "/Volumes/VOLUME/*/libdispatch.dylib", false },
		{ 7, "/Users/USER/x/Demo.app/Demo",
		  "/Users/USER/*/Kit.framework/Kit", true },
		{ 7, "/Volumes/VOLUME/*/Demo.app/Demo",
		  "/Volumes/VOLUME/*/Kit.framework/Kit", true },
		{ 1, "/Applications/Demo.app/Contents/MacOS/Demo",
		  "/Volumes/VOLUME/*/plugin.dylib", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report report = { .platform = cases[i].platform,
			                 .path = cases[i].report_path };
		struct report_image image = { .path = cases[i].image_path };

		if (report_image_is_app(&report, &image) != cases[i].is_app)
			fail_msg("%s of %s", cases[i].image_path,
			         cases[i].report_path);
	}
}

static void without_a_path_the_name_of_the_process_counts(void **state UNUSED)
{
	struct report report = { .process = { .name = "Demo" } };
	struct report_image demo = { .name = "Demo" };
	struct report_image other = { .name = "UIKit" };

	assert_true(report_image_is_app(&report, &demo));
	assert_false(report_image_is_app(&report, &other));
}

static void an_image_is_called_as_its_frame_says(void **state UNUSED)
{
	struct report_image images[] = { { .name = "listed" } };
	const struct report report = { .images = images, .image_count = 1 };
	struct report_frame frame = { .image = 0 };

	assert_ptr_equal(report_frame_image(&report, &frame), images);
	assert_string_equal(report_frame_image_name(&report, &frame), "listed");
	frame.image_name = "said";
	assert_string_equal(report_frame_image_name(&report, &frame), "said");
	frame.image = REPORT_NO_IMAGE;
	assert_null(report_frame_image(&report, &frame));
	assert_string_equal(report_frame_image_name(&report, &frame), "said");
	frame.image_name = NULL;
	assert_null(report_frame_image_name(&report, &frame));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_offset_has_no_signature_on_arm64),
		cmocka_unit_test(an_image_may_say_what_the_code_type_does_not),
		cmocka_unit_test(a_placed_frame_keeps_its_image),
		cmocka_unit_test(
		        a_frame_that_no_image_covers_is_placed_by_its_base),
		cmocka_unit_test(an_image_is_called_as_its_frame_says),
		cmocka_unit_test(every_stack_is_visited_in_order),
		cmocka_unit_test(an_image_of_the_app_is_identified_by_its_path),
		cmocka_unit_test(without_a_path_the_name_of_the_process_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
