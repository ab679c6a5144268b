// SPDX-License-Identifier: MIT
#include "lib/model/profile/lag.h"

#include "tests/unit/lib/analysis/lag/hang.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint32_t frame_at(struct lag_report *report, uint64_t address)
{
	return profile_frame(&report->profile,
	                     &(struct profile_frame){ .address = address,
	                                              .symbol = INTERN_NONE,
	                                              .image = INTERN_NONE });
}

static void add_image(struct lag_report *report, const char *name,
                      uint64_t base, uint64_t size)
{
	struct profile_image *image =
	        profile_images_add(&report->profile.images);

	image->name = name;
	image->base = base;
	image->size = size;
}

/** Name of the image that an address falls into, or `-`. */
static const char *place(struct lag_report *report, uint64_t address)
{
	uint32_t number = frame_at(report, address) - PROFILE_FRAME;
	uint32_t placed;

	lag_report_place(report);
	placed = report->profile.frames.items[number].placed;
	return placed == PROFILE_NO_IMAGE
	               ? "-"
	               : report->profile.images.items[placed].name;
}

static void equal_frames_get_one_number(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	struct profile_frame frame = { .address = 0x1000,
		                       .symbol = 3,
		                       .image = INTERN_NONE };

	assert_int_equal(profile_frame(&report->profile, &frame),
	                 PROFILE_FRAME);
	assert_int_equal(profile_frame(&report->profile, &frame),
	                 PROFILE_FRAME);
	frame.symbol = 4;
	assert_int_equal(profile_frame(&report->profile, &frame),
	                 PROFILE_FRAME + 1);
	frame.image = 0;
	assert_int_equal(profile_frame(&report->profile, &frame),
	                 PROFILE_FRAME + 2);
	frame.is_pc = true;
	assert_int_equal(profile_frame(&report->profile, &frame),
	                 PROFILE_FRAME + 3);
	frame.address++;
	assert_int_equal(profile_frame(&report->profile, &frame),
	                 PROFILE_FRAME + 4);
	frame.placed = 7;
	assert_int_equal(profile_frame(&report->profile, &frame),
	                 PROFILE_FRAME + 5);
}

// Quadratic time would be minutes.
static void many_symbols_at_one_address_take_no_time(void **state)
{
	struct hang *hang = *state;
	struct profile_frame frame = { .image = INTERN_NONE };

	for (uint32_t i = 0; i < 300000; i++) {
		frame.symbol = i;
		assert_int_equal(profile_frame(&hang->report.profile, &frame),
		                 PROFILE_FRAME + i);
	}
}

static void samples_are_counted_where_they_end(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	uint32_t frames[] = { 1, 2, 3 };

	assert_int_equal(profile_add(&report->profile, frames, 3, 1, 50000), 3);
	assert_int_equal(profile_add(&report->profile, frames, 2, 4, 80000), 2);
	assert_int_equal(profile_add(&report->profile, frames, 3, 1, 50000), 3);
	assert_int_equal(profile_add(&report->profile, frames, 0, 1, 50000),
	                 CALLTREE_ROOT);
	assert_int_equal(report->profile.sample_count, 6);
	assert_int_equal(report->profile.cost_us, 180000);
	assert_int_equal(report->profile.stacks.nodes[3].self_samples, 2);
	assert_int_equal(report->profile.stacks.nodes[3].self_cost_us, 100000);
	assert_int_equal(report->profile.stacks.nodes[3].newest, 3);
	assert_int_equal(report->profile.stacks.nodes[2].self_samples, 4);
	assert_int_equal(report->profile.stacks.nodes[2].newest, 2);
	assert_int_equal(report->profile.stacks.nodes[0].self_samples, 0);
}

// A node of a tree may cost more than those it calls, and count as often.
static void time_without_samples_is_counted_as_time(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	uint32_t frames[] = { 1, 2 };

	profile_add(&report->profile, frames, 2, 3, 100000);
	profile_add(&report->profile, frames, 1, 0, 50000);
	calltree_sum(&report->profile.stacks);
	assert_int_equal(report->profile.cost_us, 150000);
	assert_int_equal(report->profile.sample_count, 3);
	assert_int_equal(report->profile.stacks.nodes[1].cost_us, 150000);
	assert_int_equal(report->profile.stacks.nodes[1].samples, 3);
	assert_int_equal(report->profile.stacks.nodes[1].newest, 0);
	assert_int_equal(report->profile.best_run.frame, 2);
}

static void sums_do_not_overflow(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	uint32_t frames[] = { 1 };

	profile_add(&report->profile, frames, 1, UINT64_MAX, UINT64_MAX);
	profile_add(&report->profile, frames, 1, 2, 2);
	assert_true(report->profile.sample_count == UINT64_MAX);
	assert_true(report->profile.cost_us == UINT64_MAX);
	assert_true(report->profile.stacks.nodes[1].self_samples == UINT64_MAX);
	assert_true(report->profile.stacks.nodes[1].self_cost_us == UINT64_MAX);
	assert_true(report->profile.best_run.samples == UINT64_MAX);
	report->profile.sequence = UINT32_MAX;
	profile_add(&report->profile, frames, 1, 1, 1);
	assert_true(report->profile.stacks.nodes[1].newest == UINT32_MAX);
}

static void the_longest_run_and_the_newest_of_them_are_known(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	static const uint32_t tops[] = { 5, 5, 6, 6, 5, 7, 5, 6, 6, 8 };
	uint32_t frames[2] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(tops); i++) {
		frames[0] = i == 8; // another caller, the same run
		frames[1] = tops[i];
		profile_add(&report->profile, frames, 2, 1, 1);
	}
	assert_int_equal(report->profile.best_run.samples, 2);
	assert_int_equal(report->profile.best_run.frame, 6);
	assert_int_equal(
	        report->profile.stacks.nodes[report->profile.best_run.node]
	                .newest,
	        9);
	assert_int_equal(report->profile.run.frame, 8);
}

static void a_cleared_report_is_a_new_one(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	uint32_t frames[1];

	// A large one, then small ones, with tables of both kinds.
	for (unsigned round = 0; round < 40; round++) {
		uint32_t count = round % 10 ? 5 : 5000;

		for (uint32_t i = 0; i < count; i++) {
			frames[0] = frame_at(report, 0x1000 + i * 4 + round);
			assert_int_equal(frames[0], PROFILE_FRAME + i);
			assert_int_equal(
			        profile_add(&report->profile, frames, 1, 1, 1),
			        i + 1);
		}
		add_image(report, "a", 0x1000, 0);
		lag_report_place(report);
		assert_int_equal(report->profile.frames.items[count - 1].placed,
		                 0);
		lag_report_note(report, "line 1", "wrong");
		report->id = arena_strdup(&report->arena, "id");
		report->profile.from_nodes = true;
		report->interval_us = 7;
		report->line = 3;
		report->input = "file";
		lag_report_clear(report);
		assert_int_equal(report->profile.stacks.node_count, 0);
		assert_int_equal(report->profile.frames.count, 0);
		assert_int_equal(report->profile.images.count, 0);
		assert_int_equal(report->note_count, 0);
		assert_int_equal(report->profile.sample_count, 0);
		assert_int_equal(report->profile.cost_us, 0);
		assert_int_equal(report->profile.sequence, 0);
		assert_int_equal(report->interval_us, 0);
		assert_int_equal(report->line, 0);
		assert_int_equal(report->profile.best_run.samples, 0);
		assert_int_equal(report->profile.run.samples, 0);
		assert_null(report->id);
		assert_false(report->profile.from_nodes);
		assert_string_equal(report->input, "file");
		assert_ptr_equal(report->profile.strings, &hang->names);
	}
}

static void notes_are_copied_and_counted_beyond_their_number(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	char place_text[] = "line 1";

	for (size_t i = 0; i < LAG_NOTES + 5; i++)
		lag_report_note(report, place_text, "wrong");
	place_text[0] = 'x';
	assert_int_equal(report->note_count, LAG_NOTES + 5);
	assert_string_equal(report->notes[LAG_NOTES - 1].place, "line 1");
	assert_string_equal(report->notes[0].text, "wrong");
}

// Placing

static void a_signed_address_loses_its_signature(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;

	// None has a size: the last one must not reach up to all signatures.
	add_image(report, "a", 0x104d00000, 0);
	add_image(report, "b", 0x1a0000000, 0);
	assert_string_equal(place(report, 0x9a3f000104d0c92c), "a");
	assert_int_equal(report->profile.frames.items[0].address, 0x104d0c92c);
	assert_string_equal(place(report, 0x0012000000000000 | 0x1a0001234),
	                    "b");
	assert_int_equal(report->profile.frames.items[1].address, 0x1a0001234);
}

static uint32_t named_at(struct hang *hang, const char *image, uint64_t address)
{
	return profile_frame(&hang->report.profile,
	                     &(struct profile_frame){
	                             .address = address,
	                             .symbol = INTERN_NONE,
	                             .image = intern_add(&hang->names,
	                                                 text_from(image)),
	                     }) -
	       PROFILE_FRAME;
}

static void a_frames_own_image_counts_where_none_covers_it(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	uint32_t covered = named_at(hang, "b", 0x1010);
	uint32_t beyond = named_at(hang, "a", 0x6000);
	uint32_t signed_one = named_at(hang, "a", 0x9a3f000000006000);
	uint32_t unknown = named_at(hang, "z", 0x6000);
	uint32_t below = named_at(hang, "b", 0x1f00);

	add_image(report, "a", 0x5000, 0x100);
	add_image(report, "b", 0x2000, 0x100);
	add_image(report, "a", 0x1000, 0x100);
	lag_report_place(report);
	assert_int_equal(report->profile.frames.items[covered].placed, 2);
	// Of two images of the name, the nearer.
	assert_int_equal(report->profile.frames.items[beyond].placed, 0);
	assert_int_equal(report->profile.frames.items[signed_one].placed, 0);
	assert_int_equal(report->profile.frames.items[signed_one].address,
	                 0x6000);
	assert_int_equal(report->profile.frames.items[unknown].placed,
	                 PROFILE_NO_IMAGE);
	// Of that name, but where in it is not known.
	assert_int_equal(report->profile.frames.items[below].placed, 1);
	assert_false(report->profile.frames.items[below].has_offset);
	assert_true(report->profile.frames.items[beyond].has_offset);
}

static void a_frame_that_came_with_its_image_keeps_it(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;
	const struct profile_frame frame = { .address = 0x1010,
		                             .symbol = INTERN_NONE,
		                             .image = INTERN_NONE,
		                             .placed = 1 };

	report->profile.is_placed = true;
	add_image(report, "a", 0x1000, 0x100);
	add_image(report, "b", 0x1000, 0x1000);
	profile_frame(&report->profile, &frame);
	lag_report_place(report);
	assert_int_equal(report->profile.frames.items[0].placed, 1);
}

static void frames_outside_of_every_image_are_noted_once(void **state)
{
	struct hang *hang = *state;
	struct lag_report *report = &hang->report;

	// Without images, nothing lies outside of them.
	frame_at(report, 0x9000);
	lag_report_place(report);
	assert_int_equal(report->note_count, 0);
	add_image(report, "a", 0x1000, 0x100);
	frame_at(report, 0x1010);
	named_at(hang, "z", 0x6000);
	lag_report_place(report);
	assert_int_equal(report->note_count, 1);
	assert_string_equal(report->notes[0].place, "dyld_images");
	assert_string_equal(report->notes[0].text,
	                    "a frame lies outside all images, at 0x9000");
	frame_at(report, 0x800);
	lag_report_place(report);
	assert_string_equal(report->notes[1].text,
	                    "2 frames lie outside all images, the first at "
	                    "0x9000");
}

static void a_new_image_has_an_empty_name(void **state)
{
	struct hang *hang = *state;

	assert_string_equal(
	        profile_images_add(&hang->report.profile.images)->name, "");
	profile_images_add(&hang->report.profile.images)->base = 1;
	lag_report_place(&hang->report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_HANG(equal_frames_get_one_number),
		IN_HANG(many_symbols_at_one_address_take_no_time),
		IN_HANG(samples_are_counted_where_they_end),
		IN_HANG(time_without_samples_is_counted_as_time),
		IN_HANG(sums_do_not_overflow),
		IN_HANG(the_longest_run_and_the_newest_of_them_are_known),
		IN_HANG(a_cleared_report_is_a_new_one),
		IN_HANG(notes_are_copied_and_counted_beyond_their_number),
		IN_HANG(a_signed_address_loses_its_signature),
		IN_HANG(a_frames_own_image_counts_where_none_covers_it),
		IN_HANG(a_frame_that_came_with_its_image_keeps_it),
		IN_HANG(frames_outside_of_every_image_are_noted_once),
		IN_HANG(a_new_image_has_an_empty_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
