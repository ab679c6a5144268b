// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/log_images.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct log_given_image image_of(const char *name, uint8_t build,
                                       uint64_t base)
{
	return (struct log_given_image){
		.uuid.bytes[0] = build,
		.has_base = base != 0,
		.base = base,
		.size = base ? 0x8000 : 0,
		.name = text_from(name),
	};
}

static void add(struct log_images *images, uint64_t pid, uint64_t at,
                const char *name, uint8_t build, uint64_t base)
{
	struct log_given_image image = image_of(name, build, base);

	log_images_add(images, pid, at, &image);
}

/** The build of the image that an address is in; 0: none. */
static unsigned find(struct log_images *images, uint64_t pid, uint64_t at,
                     const char *name, uint64_t address)
{
	struct log_wanted wanted = { .image = text_from(name),
		                     .address = address };
	struct log_place place;

	return log_images_find(images, pid, at, &wanted, &place)
	               ? place.image->uuid.bytes[0]
	               : 0;
}

/** The same of a frame that says its load address. */
static unsigned find_offset(struct log_images *images, const char *name,
                            uint64_t address, uint64_t offset)
{
	struct log_wanted wanted = { .image = text_from(name),
		                     .address = address,
		                     .has_offset = true,
		                     .offset = offset };
	struct log_place place;

	if (!log_images_find(images, 0, 9, &wanted, &place))
		return 0;
	assert_int_equal(place.offset, offset);
	return place.image->uuid.bytes[0];
}

static void a_frame_lies_in_the_image_of_its_name(void **state UNUSED)
{
	struct log_images images = { 0 };

	add(&images, 0, 1, "Demo", 1, 0x10000);
	add(&images, 0, 2, "Kit", 2, 0x20000);
	assert_int_equal(find(&images, 0, 9, "Demo", 0x10001), 1);
	assert_int_equal(find(&images, 0, 9, "Kit", 0x20001), 2);
	assert_int_equal(find(&images, 0, 9, "Kit", 0x10001), 0);
	assert_int_equal(find(&images, 0, 9, "Demo", 0x18000), 0);
	assert_int_equal(find(&images, 0, 9, "Other", 0x10001), 0);
	log_images_release(&images);
}

static void a_list_that_contradicts_replaces_the_one_before(void **state UNUSED)
{
	struct log_images images = { 0 };

	add(&images, 0, 1, "Demo", 1, 0x10000);
	add(&images, 0, 2, "Kit", 2, 0x20000);
	add(&images, 0, 3, "Demo", 1, 0x10000);
	assert_int_equal(find(&images, 0, 9, "Kit", 0x20001), 2);
	add(&images, 0, 4, "Demo", 1, 0x30000);
	assert_int_equal(find(&images, 0, 9, "Demo", 0x10001), 0);
	assert_int_equal(find(&images, 0, 9, "Kit", 0x20001), 0);
	assert_int_equal(find(&images, 0, 9, "Demo", 0x30001), 1);
	// Another image at the same place.
	add(&images, 0, 5, "Other", 3, 0x30000);
	assert_int_equal(find(&images, 0, 9, "Demo", 0x30001), 0);
	log_images_release(&images);
}

static void processes_have_lists_of_their_own(void **state UNUSED)
{
	struct log_images images = { 0 };

	add(&images, 7, 1, "Demo", 1, 0x10000);
	add(&images, 8, 2, "Demo", 2, 0x10000);
	assert_int_equal(find(&images, 7, 9, "Demo", 0x10001), 1);
	assert_int_equal(find(&images, 8, 9, "Demo", 0x10001), 2);
	assert_int_equal(find(&images, 9, 9, "Demo", 0x10001), 0);
	log_images_begin(&images, 7, 10);
	assert_int_equal(find(&images, 7, 11, "Demo", 0x10001), 0);
	log_images_release(&images);
}

static void a_list_of_no_process_is_of_one(void **state UNUSED)
{
	struct log_images images = { 0 };

	add(&images, 0, 1, "Demo", 1, 0x10000);
	assert_int_equal(find(&images, 7, 9, "Demo", 0x10001), 1);
	assert_int_equal(find(&images, 8, 9, "Demo", 0x10001), 0);
	assert_int_equal(find(&images, 7, 9, "Demo", 0x10001), 1);
	log_images_release(&images);
}

static void a_frame_may_contradict_its_list(void **state UNUSED)
{
	struct log_images images = { 0 };

	add(&images, 0, 1, "Demo", 1, 0x10000);
	assert_int_equal(find_offset(&images, "Demo", 0x10001, 1), 1);
	assert_int_equal(find_offset(&images, "Demo", 0x10001, 2), 0);
	// Without a load address there is nothing to contradict.
	add(&images, 0, 2, "Kit", 2, 0);
	assert_int_equal(find_offset(&images, "Kit", 0x50001, 1), 2);
	assert_int_equal(find(&images, 0, 9, "Kit", 0x50001), 0);
	log_images_release(&images);
}

static void a_list_counts_for_what_is_before_it(void **state UNUSED)
{
	struct log_images images = { .keeps_all = true };

	log_images_note_frame(&images, 0, 1);
	add(&images, 0, 10, "Demo", 1, 0x10000);
	log_images_note_frame(&images, 0, 20);
	add(&images, 0, 30, "Demo", 1, 0x20000);
	log_images_rewind(&images);
	assert_int_equal(find(&images, 0, 1, "Demo", 0x10001), 1);
	// The lists follow the frames, so this frame is of the next one.
	assert_int_equal(find(&images, 0, 20, "Demo", 0x10001), 0);
	assert_int_equal(find(&images, 0, 20, "Demo", 0x20001), 1);
	log_images_release(&images);
}

static void what_came_first_makes_room(void **state UNUSED)
{
	struct log_images images = { 0 };

	for (uint64_t pid = 1; pid <= 3 * LOG_PROCESSES_MAX; pid++)
		add(&images, pid, pid, "Demo", 1, 0x10000);
	assert_int_equal(images.process_count, LOG_PROCESSES_MAX);
	assert_true(images.list_count <= LOG_PROCESSES_MAX + 1);
	assert_int_equal(find(&images, 1, 0, "Demo", 0x10001), 0);
	assert_int_equal(
	        find(&images, 3 * LOG_PROCESSES_MAX, 0, "Demo", 0x10001), 1);
	log_images_release(&images);
}

static void given_images_need_one_build_of_a_name(void **state UNUSED)
{
	struct log_images images = { .keeps_all = true };
	struct log_wanted wanted = { .image = text_from("Demo"),
		                     .address = 0x90001,
		                     .has_offset = true,
		                     .offset = 1 };
	struct log_place place;

	add(&images, 0, 1, "Demo", 1, 0x10000);
	add(&images, 0, 2, "Demo", 1, 0x20000);
	assert_true(log_images_find_given(&images, &wanted, &place));
	assert_int_equal(place.offset, 1);
	add(&images, 0, 3, "Demo", 2, 0x30000);
	assert_false(log_images_find_given(&images, &wanted, &place));
	log_images_release(&images);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_lies_in_the_image_of_its_name),
		cmocka_unit_test(
		        a_list_that_contradicts_replaces_the_one_before),
		cmocka_unit_test(processes_have_lists_of_their_own),
		cmocka_unit_test(a_list_of_no_process_is_of_one),
		cmocka_unit_test(a_frame_may_contradict_its_list),
		cmocka_unit_test(a_list_counts_for_what_is_before_it),
		cmocka_unit_test(what_came_first_makes_room),
		cmocka_unit_test(given_images_need_one_build_of_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
