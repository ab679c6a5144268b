// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/symbolicate.h"

#include "lib/analysis/symbolicate/mismatch.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/out.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLES   APMTOOL_SOURCE_DIR "/samples"
#define LOAD      0x102fe0000u
#define DEMO_PATH "/private/var/containers/Bundle/Application/X/Demo.app/Demo"

// The arm64 slice of samples/Demo.dSYM.
static const char demo_uuid[] = "4C4C44BD-5555-3144-A18B-1D7A14ACC538";

struct fixture {
	struct symbol_store *store;
	struct arena arena;
	struct report *report;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct report_image *image;

	f->store =
	        symbol_store_new(&(struct symbol_store_options){ .jobs = 1 });
	f->report = report_new(&f->arena);
	f->report->path = DEMO_PATH;
	f->report->process.name = "Demo";
	image = report_add_image(f->report, &f->arena);
	image->name = "Demo";
	image->path = DEMO_PATH;
	image->arch = "arm64";
	image->base = LOAD;
	image->size = 0x8000;
	assert_true(
	        uuid_parse(text_from("4C4C44BD-5555-3144-A18B-1D7A14ACC538"),
	                   &image->uuid));
	report_add_thread(f->report, &f->arena)->crashed = true;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	symbol_store_free(f->store);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static void use_samples(struct fixture *f)
{
	assert_null(symbol_store_add_path(f->store, SAMPLES));
}

static struct report_frame *add_frame(struct fixture *f, uint64_t offset)
{
	struct report_frame *frame =
	        report_add_frame(&f->report->threads[0]->stack, &f->arena);

	frame->image = 0;
	frame->image_offset = offset;
	frame->address = LOAD + offset;
	return frame;
}

static struct report_frame *frame_at(struct fixture *f, size_t index)
{
	return &f->report->threads[0]->stack.frames[index];
}

static struct report_call *name_by_device(struct fixture *f,
                                          struct report_frame *frame,
                                          const char *symbol)
{
	frame->calls = arena_array(&f->arena, 1, sizeof(*frame->calls));
	frame->calls[0].symbol = symbol;
	frame->call_count = 1;
	frame->source = REPORT_SOURCE_REPORT;
	return frame->calls;
}

static void frame_0_is_a_program_counter_and_the_next_ones_return(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;

	// The same address twice: the first byte of Feed::process.
	add_frame(f, 0xa80);
	add_frame(f, 0xa80);
	use_samples(f);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_string_equal(frame_at(f, 0)->calls[0].symbol,
	                    "demo::Feed::process(demo::Entry const&)");
	assert_string_equal(
	        frame_at(f, 1)->calls[frame_at(f, 1)->call_count - 1].symbol,
	        "demo::Feed::decode(demo::Entry const&)");
	// The offset that is printed is that of the address itself.
	assert_int_equal(frame_at(f, 0)->calls[0].symbol_offset, 0);
}

/** Name the frame at main + 0x10 as the device did; what becomes of it? */
static const struct report_call *name_main(struct fixture *f,
                                           const char *symbol, uint64_t offset)
{
	struct report_frame *frame = add_frame(f, 0x890);
	struct report_call *call = name_by_device(f, frame, symbol);
	struct symbolicate_result result;

	call->has_symbol_offset = true;
	call->symbol_offset = offset;
	use_samples(f);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_int_equal(frame->source, REPORT_SOURCE_DWARF);
	assert_true(frame->calls[frame->call_count - 1].has_line);
	return &frame->calls[frame->call_count - 1];
}

static void a_name_of_the_device_stays_where_it_says_more(void **state)
{
	assert_string_equal(name_main(*state, "main(argc:argv:)", 0x10)->symbol,
	                    "main(argc:argv:)");
}

static void a_name_that_is_left_mangled_does_not_say_less(void **state)
{
	static const char printed[] = "demo::Feed::process(demo::Entry const&)";
	struct fixture *f = *state;
	struct report_frame *frame = add_frame(f, 0xa80);
	struct report_call *call = name_by_device(f, frame, printed);
	struct symbolicate_result result;

	call->has_symbol_offset = true;
	symbol_store_free(f->store);
	f->store = symbol_store_new(
	        &(struct symbol_store_options){ .form = DEMANGLE_NONE });
	use_samples(f);
	symbolicate(&f->report, 1, f->store, DEMANGLE_NONE, &f->arena, &result);
	assert_string_equal(frame->calls[frame->call_count - 1].symbol,
	                    "_ZN4demo4Feed7processERKNS_5EntryE");
}

static void a_name_of_another_function_does_not_stay(void **state)
{
	assert_string_equal(name_main(*state, "main(argc:argv:)", 0x14)->symbol,
	                    "main");
}

static void a_name_of_the_device_that_says_no_more_gives_way(void **state)
{
	assert_string_equal(name_main(*state, "$s4mainyyF", 0x10)->symbol,
	                    "main");
}

static void a_frame_after_a_signal_trampoline_is_a_program_counter(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;

	add_frame(f, 0x880);
	add_frame(f, 0xa80)->is_pc = true;
	use_samples(f);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_string_equal(frame_at(f, 1)->calls[0].symbol,
	                    "demo::Feed::process(demo::Entry const&)");
}

static void every_address_of_an_exception_backtrace_returns(void **state)
{
	struct fixture *f = *state;
	struct report_frame *frame;
	struct symbolicate_result result;

	frame = report_add_frame(&f->report->exception_backtrace, &f->arena);
	frame->image = 0;
	frame->image_offset = 0xa80;
	use_samples(f);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_string_equal(frame->calls[frame->call_count - 1].symbol,
	                    "demo::Feed::decode(demo::Entry const&)");
}

static void debug_info_replaces_what_the_device_said(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;

	name_by_device(f, add_frame(f, 0x9fc), "_mh_execute_header");
	use_samples(f);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_int_equal(frame_at(f, 0)->source, REPORT_SOURCE_DWARF);
	assert_string_equal(frame_at(f, 0)->calls[0].symbol,
	                    "demo::Feed::decode(demo::Entry const&)");
	assert_string_equal(frame_at(f, 0)->calls[0].path,
	                    "/src/Demo/feed.cpp");
	assert_string_equal(f->report->images[0].symbols, "found");
}

/** samples/Plain.dylib has symbols and no debug info. */
static void a_bare_symbol_does_not_replace_a_line(void **state)
{
	struct fixture *f = *state;
	struct report_call *call;
	const struct uuid_entry *entries;
	struct symbolicate_result result;
	size_t count;

	call = name_by_device(f, add_frame(f, 0x264), "load");
	call->file = "load.c";
	call->line = 9;
	call->has_line = true;
	name_by_device(f, add_frame(f, 0x264), "load");
	use_samples(f);
	entries = uuid_index_all(symbol_store_index(f->store), &count);
	for (size_t i = 0; i < count; i++)
		if (text_ends(text_from(entries[i].path), "Plain.dylib"))
			f->report->images[0].uuid = entries[i].uuid;
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_string_equal(frame_at(f, 0)->calls[0].symbol, "load");
	assert_int_equal(frame_at(f, 0)->calls[0].line, 9);
	assert_int_equal(frame_at(f, 0)->source, REPORT_SOURCE_REPORT);
	// A name without a line gives way.
	assert_string_equal(frame_at(f, 1)->calls[0].symbol, "plain_load");
	assert_int_equal(frame_at(f, 1)->source, REPORT_SOURCE_SYMTAB);
	assert_int_equal(result.images[0].named_count, 1);
	assert_int_equal(result.images[0].lineless_count, 1);
}

static void a_frame_that_nothing_names_keeps_the_devices_name(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;

	name_by_device(f, add_frame(f, 0x9fc), "decode");
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_int_equal(frame_at(f, 0)->source, REPORT_SOURCE_REPORT);
	assert_string_equal(frame_at(f, 0)->calls[0].symbol, "decode");
	assert_string_equal(f->report->images[0].symbols, "missing");
	assert_int_equal(result.images[0].named_count, 0);
}

static void an_app_image_without_its_dsym_is_reported(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;

	add_frame(f, 0x9fc);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_int_equal(result.count, 1);
	assert_int_equal(result.images[0].lineless_count, 1);
	assert_true(symbolicate_image_needs_dsym(&result.images[0]));
}

static void a_system_image_without_symbols_is_not_reported(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;

	f->report->images[0].path = "/usr/lib/dyld";
	f->report->images[0].name = "dyld";
	add_frame(f, 0x9fc);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_false(symbolicate_image_needs_dsym(&result.images[0]));
}

static void an_app_image_whose_frames_have_lines_needs_nothing(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;
	struct report_call *call;

	call = name_by_device(f, add_frame(f, 0x9fc), "decode");
	call->file = "feed.cpp";
	call->line = 9;
	call->has_line = true;
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_false(symbolicate_image_needs_dsym(&result.images[0]));
}

static void a_frame_outside_every_image_is_left_alone(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;

	add_frame(f, 0)->image = REPORT_NO_IMAGE;
	use_samples(f);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_int_equal(result.count, 0);
	assert_int_equal(frame_at(f, 0)->source, REPORT_SOURCE_NONE);
}

/** An image with a frame, of a UUID with this first byte; 0: it has none. */
static void add_image_and_frame(struct report *report, uint8_t uuid,
                                struct arena *arena)
{
	struct report_image *image = report_add_image(report, arena);
	struct report_frame *frame;

	image->name = "Demo";
	image->uuid.bytes[0] = uuid;
	frame = report_add_frame(&report->threads[0]->stack, arena);
	frame->image = report->image_count - 1;
}

static void images_are_in_the_order_of_their_uuids_and_of_reports(void **state)
{
	// The second report has its last image first, and two without a UUID.
	static const uint8_t uuids[2][4] = { { 7, 0, 9, 3 }, { 0, 7, 2, 0 } };
	static const struct {
		uint8_t uuid;
		size_t report, image;
	} expected[] = { { 0, 0, 1 }, { 0, 1, 0 }, { 0, 1, 3 }, { 2, 1, 2 },
		         { 3, 0, 3 }, { 7, 0, 0 }, { 7, 1, 1 }, { 9, 0, 2 } };
	struct fixture *f = *state;
	struct report *reports[2];
	struct symbolicate_result result;
	struct report_stack *stack;

	for (size_t i = 0; i < ARRAY_SIZE(reports); i++) {
		reports[i] = arena_alloc(&f->arena, sizeof(*reports[i]));
		report_add_thread(reports[i], &f->arena);
		for (size_t k = 0; k < ARRAY_SIZE(uuids[i]); k++)
			add_image_and_frame(reports[i], uuids[i][k], &f->arena);
	}
	stack = &reports[1]->threads[0]->stack;
	stack->frames[0].image = 3;
	stack->frames[3].image = 0;
	symbolicate(reports, ARRAY_SIZE(reports), f->store, DEMANGLE_SHORT,
	            &f->arena, &result);
	assert_int_equal(result.count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < result.count; i++) {
		const struct symbolicate_image *image = &result.images[i];

		assert_int_equal(image->image->uuid.bytes[0], expected[i].uuid);
		assert_ptr_equal(image->report, reports[expected[i].report]);
		assert_ptr_equal(image->image,
		                 &image->report->images[expected[i].image]);
		assert_int_equal(image->frame_count, 1);
		assert_int_equal(image->result->status, SYMBOL_FILE_MISSING);
	}
}

/** Copies of a sample's dSYM that differ in their UUID, as builds do. */
static void write_builds(char directory[], struct uuid *uuids, size_t count)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct uuid original;
	uint8_t *copy;
	size_t at;

	assert_non_null(mkdtemp(directory));
	assert_true(uuid_parse(text_from(demo_uuid), &original));
	assert_null(file_read(SAMPLES "/Demo.dSYM/Contents/Resources/DWARF/"
	                              "Demo",
	                      (size_t)1 << 20, &file));
	copy = (uint8_t *)mem_strndup((const char *)file.bytes.data,
	                              file.bytes.size);
	for (at = 0; memcmp(copy + at, original.bytes, 16) != 0; at++)
		assert_true(at + 16 < file.bytes.size);
	for (size_t i = 0; i < count; i++) {
		SCOPED(str_release) struct str path = { 0 };
		struct error *err;
		struct out *out;

		uuids[i] = original;
		uuids[i].bytes[0] = (uint8_t)i;
		memcpy(copy + at, uuids[i].bytes, 16);
		str_addf(&path, "%s/Demo-%zu", directory, i);
		err = out_open(str_cstr(&path), &out);
		assert_null(err);
		out_add_bytes(out, copy, file.bytes.size);
		assert_null(out_close(out));
	}
	free(copy);
}

static void remove_builds(const char *directory, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		SCOPED(str_release) struct str path = { 0 };

		str_addf(&path, "%s/Demo-%zu", directory, i);
		unlink(str_cstr(&path));
	}
	rmdir(directory);
}

static struct report *report_of_build(struct arena *arena,
                                      const struct uuid *uuid, size_t number)
{
	struct report *report = report_new(arena);
	struct report_image *image = report_add_image(report, arena);
	struct report_stack *stack = &report_add_thread(report, arena)->stack;

	report->path = DEMO_PATH;
	image->path = DEMO_PATH;
	image->name = "Demo";
	image->base = LOAD;
	image->size = 0x8000;
	image->uuid = *uuid;
	for (size_t i = 0; i < 20; i++) {
		struct report_frame *frame = report_add_frame(stack, arena);

		frame->image = 0;
		frame->image_offset = 0x884 + (number * 7 + i * 4) % 0x560;
		frame->address = LOAD + frame->image_offset;
	}
	return report;
}

static void two_thousand_reports_open_five_dsyms_once_each(void **state)
{
	enum { REPORTS = 2000, BUILDS = 5, BATCH = 250 };
	struct fixture *f = *state;
	char directory[] = "/tmp/apmtool-test.XXXXXX";
	struct uuid uuids[BUILDS];
	struct report *reports[BATCH];
	struct symbolicate_result result;

	write_builds(directory, uuids, BUILDS);
	assert_null(symbol_store_add_path(f->store, directory));
	for (size_t first = 0; first < REPORTS; first += BATCH) {
		SCOPED(arena_release) struct arena arena = { 0 };

		for (size_t i = 0; i < BATCH; i++)
			reports[i] = report_of_build(
			        &arena, &uuids[(first + i) % BUILDS],
			        first + i);
		symbol_store_trim(f->store);
		symbolicate(reports, BATCH, f->store, DEMANGLE_SHORT, &arena,
		            &result);
		assert_int_equal(result.count, BATCH);
		for (size_t i = 0; i < result.count; i++)
			assert_int_equal(result.images[i].named_count, 20);
	}
	assert_int_equal(symbol_store_opened(f->store), BUILDS);
	remove_builds(directory, BUILDS);
}

/** The demo image as one of another build, which @p file shall name. */
static void allow(struct fixture *f, struct mismatches *mismatches,
                  const char *file)
{
	SCOPED(str_release) struct str option = { 0 };
	struct symbolicate_result result;

	f->report->images[0].uuid.bytes[0] ^= 1;
	str_addf(&option, "4D4C44BD-5555-3144-A18B-1D7A14ACC538=%s", file);
	assert_null(mismatches_add(mismatches, str_cstr(&option)));
	mismatches_apply(mismatches, &f->report, 1, f->store, &f->arena);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
}

static void a_file_of_another_build_is_marked(void **state)
{
	SCOPED(mismatches_release) struct mismatches mismatches = { 0 };
	struct fixture *f = *state;
	struct report_image *image = &f->report->images[0];

	add_frame(f, 2716);
	name_by_device(f, add_frame(f, 2716), "device_name");
	allow(f, &mismatches, SAMPLES "/Demo.dSYM");
	assert_string_equal(frame_at(f, 0)->calls[0].symbol,
	                    "demo::Feed::process(demo::Entry const&)"
	                    " [UUID mismatch]");
	assert_int_equal(frame_at(f, 0)->source, REPORT_SOURCE_DWARF_MISMATCH);
	assert_string_equal(frame_at(f, 1)->calls[0].symbol, "device_name");
	assert_int_equal(frame_at(f, 1)->source, REPORT_SOURCE_REPORT);
	assert_string_equal(image->symbols, "mismatch");
	image->uuid.bytes[0] ^= 1;
	assert_true(uuid_equal(&image->symbols_uuid, &image->uuid));
	assert_int_equal(f->report->note_count, 1);
	assert_null(mismatch_refusal(&mismatches.items[0]));
}

static void a_file_of_another_processor_is_refused(void **state)
{
	SCOPED(mismatches_release) struct mismatches mismatches = { 0 };
	struct fixture *f = *state;

	// Text of a Mac says the architecture of the process only.
	f->report->images[0].arch = NULL;
	f->report->code_type = "ARM";
	f->report->images[0].name = NULL;
	add_frame(f, 2716);
	allow(f, &mismatches, SAMPLES "/Demo.dSYM");
	assert_string_equal(mismatch_refusal(&mismatches.items[0]),
	                    "it has no slice for ARM, which the image needs");
	assert_int_equal(frame_at(f, 0)->source, REPORT_SOURCE_NONE);
	assert_int_equal(f->report->note_count, 0);
}

static void the_code_type_is_used_where_there_is_no_architecture(void **state)
{
	SCOPED(mismatches_release) struct mismatches mismatches = { 0 };
	struct fixture *f = *state;

	f->report->images[0].arch = NULL;
	f->report->code_type = "ARM-64";
	add_frame(f, 2716);
	allow(f, &mismatches, SAMPLES "/Demo.dSYM");
	assert_int_equal(frame_at(f, 0)->source, REPORT_SOURCE_DWARF_MISMATCH);
}

static void a_file_of_the_same_build_is_not_replaced(void **state)
{
	SCOPED(mismatches_release) struct mismatches mismatches = { 0 };
	struct fixture *f = *state;
	struct symbolicate_result result;

	use_samples(f);
	add_frame(f, 2716);
	assert_null(mismatches_add(&mismatches,
	                           "4c4c44bd55553144a18b1d7a14acc538=" SAMPLES
	                           "/Plain.dylib"));
	mismatches_apply(&mismatches, &f->report, 1, f->store, &f->arena);
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_int_equal(frame_at(f, 0)->source, REPORT_SOURCE_DWARF);
	assert_non_null(mismatch_refusal(&mismatches.items[0]));
}

static void the_right_build_replaces_what_another_said(void **state)
{
	struct fixture *f = *state;
	struct symbolicate_result result;
	struct report_call *theirs;

	use_samples(f);
	theirs = name_by_device(f, add_frame(f, 2716), "_main [UUID mismatch]");
	theirs->has_symbol_offset = true;
	theirs->symbol_offset = 28;
	symbolicate(&f->report, 1, f->store, DEMANGLE_SHORT, &f->arena,
	            &result);
	assert_string_equal(frame_at(f, 0)->calls[0].symbol,
	                    "demo::Feed::process(demo::Entry const&)");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(frame_0_is_a_program_counter_and_the_next_ones_return),
		TEST(a_name_of_the_device_stays_where_it_says_more),
		TEST(a_name_that_is_left_mangled_does_not_say_less),
		TEST(a_name_of_another_function_does_not_stay),
		TEST(a_name_of_the_device_that_says_no_more_gives_way),
		TEST(a_frame_after_a_signal_trampoline_is_a_program_counter),
		TEST(every_address_of_an_exception_backtrace_returns),
		TEST(debug_info_replaces_what_the_device_said),
		TEST(a_bare_symbol_does_not_replace_a_line),
		TEST(a_frame_that_nothing_names_keeps_the_devices_name),
		TEST(an_app_image_without_its_dsym_is_reported),
		TEST(a_system_image_without_symbols_is_not_reported),
		TEST(an_app_image_whose_frames_have_lines_needs_nothing),
		TEST(a_frame_outside_every_image_is_left_alone),
		TEST(images_are_in_the_order_of_their_uuids_and_of_reports),
		TEST(a_file_of_another_build_is_marked),
		TEST(a_file_of_another_processor_is_refused),
		TEST(the_code_type_is_used_where_there_is_no_architecture),
		TEST(a_file_of_the_same_build_is_not_replaced),
		TEST(the_right_build_replaces_what_another_said),
		TEST(two_thousand_reports_open_five_dsyms_once_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
