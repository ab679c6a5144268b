// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/deferred.h"

#include "lib/model/jetsam.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/** Groups and what waits for them. */
struct fixture {
	struct crash_groups groups;
	struct crash_deferred deferred;
};

static void release(struct fixture *fixture)
{
	crash_groups_release(&fixture->groups);
	crash_deferred_release(&fixture->deferred);
}

/** A report: its incident, how many frames it has, and what is innermost. */
struct sample {
	unsigned incident;
	bool truncated;
	size_t frames; ///< 0: no signature
	const char *name;
};

static const struct sample cut = { 1, true, 1, "cut" };
static const struct sample longer = { 1, true, 3, "longer" };
static const struct sample equal = { 1, true, 3, "equal" };
static const struct sample bare = { 1, true, 0, NULL };
static const struct sample whole = { 1, false, 2, "whole" };

/** As a grouping does. */
static bool take(struct fixture *fixture, const struct sample *sample)
{
	char incident[40];
	struct signature_frame frames[4] = { 0 };
	const char *core[] = { sample->name };
	struct signature signature = {
		.core = core,
		.core_count = 1,
		.frames = frames,
		.frame_count = sample->frames,
	};
	struct report report = {
		.incident = incident,
		.truncated = sample->truncated,
		.version = "1",
		.input = "a.ips",
	};
	bool is_held, is_new;

	(void)snprintf(incident, sizeof(incident),
	               "00000000-0000-0000-0000-%012X", sample->incident);
	is_held = crash_deferred_begin(&fixture->deferred, &fixture->groups,
	                               &report);
	is_new = !is_held &&
	         !crash_groups_is_duplicate(&fixture->groups, &report);
	if (!sample->frames) {
		if (is_new)
			crash_groups_add_unsigned(&fixture->groups);
		return is_held;
	}
	signature_hash(&signature, SIGNATURE_APM);
	if (is_held)
		crash_deferred_add(&fixture->deferred, &fixture->groups,
		                   &report, &signature);
	else
		crash_groups_add(&fixture->groups, &report, &signature, is_new);
	return is_held;
}

/** Truncated reports of other incidents, until no more are held. */
static size_t fill(struct fixture *fixture, size_t frames)
{
	struct sample sample = { 1000, true, frames, "fill" };
	size_t count = 0;

	while (take(fixture, &sample)) {
		sample.incident++;
		if (++count > 1000000)
			fail_msg("there is no limit");
	}
	return count;
}

/** Reports of the group of this name. */
static uint64_t count_of(const struct fixture *fixture, const char *name)
{
	for (uint32_t i = 0; i < fixture->groups.identities.count; i++)
		if (strcmp(fixture->groups.groups[i].text, name) == 0)
			return fixture->groups.groups[i].count;
	return 0;
}

static void expect_one(const struct sample *const *samples, size_t count,
                       const char *name)
{
	struct fixture fixture = { .groups.level = 1 };

	for (size_t i = 0; i < count; i++)
		(void)take(&fixture, samples[i]);
	crash_deferred_count(&fixture.deferred, &fixture.groups);
	assert_int_equal(fixture.groups.count, 1);
	assert_int_equal(fixture.groups.unsigned_count, 0);
	assert_int_equal(fixture.groups.duplicates, count - 1);
	assert_int_equal(fixture.groups.counted_twice, 0);
	if (name)
		assert_int_equal(count_of(&fixture, name), 1);
	release(&fixture);
}

/** In each order, by turns and backwards. */
static void expect_always(const struct sample *const *samples, size_t count,
                          const char *name)
{
	const struct sample *turned[4];

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++)
			turned[j] = samples[(i + j) % count];
		expect_one(turned, count, name);
		for (size_t j = 0; j < count; j++)
			turned[j] = samples[(i + count - j) % count];
		expect_one(turned, count, name);
	}
}

static void a_whole_report_counts_in_any_order(void **state UNUSED)
{
	const struct sample *const samples[] = { &cut, &whole, &longer, &bare };

	expect_always(samples, 4, "whole");
}

static void else_the_one_with_the_most_frames(void **state UNUSED)
{
	const struct sample *const samples[] = { &cut, &longer, &bare };

	expect_always(samples, 3, "longer");
}

static void of_equal_ones_it_is_always_the_same(void **state UNUSED)
{
	const struct sample *const one[] = { &longer, &equal };
	struct fixture fixture = { .groups.level = 1 };
	const char *name;

	(void)take(&fixture, &equal);
	(void)take(&fixture, &longer);
	crash_deferred_count(&fixture.deferred, &fixture.groups);
	name = count_of(&fixture, "equal") ? "equal" : "longer";
	expect_always(one, 2, name);
	release(&fixture);
}

static void no_whole_report_is_lost_beyond_the_limit(void **state UNUSED)
{
	struct fixture fixture = { .groups.level = 1 };
	uint64_t filled = fill(&fixture, 1);

	assert_false(take(&fixture, &cut));
	assert_false(take(&fixture, &longer)); // a duplicate
	assert_int_equal(fixture.groups.counted_twice, 0);
	assert_false(take(&fixture, &whole));
	assert_int_equal(fixture.groups.counted_twice, 1);
	assert_false(take(&fixture, &whole)); // and these
	assert_false(take(&fixture, &cut));
	crash_deferred_count(&fixture.deferred, &fixture.groups);
	assert_int_equal(fixture.groups.counted_twice, 1);
	assert_int_equal(count_of(&fixture, "whole"), 1);
	assert_int_equal(count_of(&fixture, "cut"), 1);
	assert_int_equal(count_of(&fixture, "longer"), 0);
	assert_int_equal(fixture.groups.duplicates, 3);
	// The one that found no room, too.
	assert_int_equal(count_of(&fixture, "fill"), filled + 1);
	release(&fixture);
}

static void a_whole_report_comes_first_beyond_the_limit(void **state UNUSED)
{
	struct fixture fixture = { .groups.level = 1 };

	(void)fill(&fixture, 1);
	assert_false(take(&fixture, &whole));
	assert_false(take(&fixture, &cut));
	assert_false(take(&fixture, &bare));
	crash_deferred_count(&fixture.deferred, &fixture.groups);
	assert_int_equal(count_of(&fixture, "whole"), 1);
	assert_int_equal(count_of(&fixture, "cut"), 0);
	assert_int_equal(fixture.groups.counted_twice, 0);
	release(&fixture);
}

static void a_held_report_gives_way_to_a_whole_one(void **state UNUSED)
{
	struct fixture fixture = { .groups.level = 1 };

	assert_true(take(&fixture, &longer));
	(void)fill(&fixture, 1);
	assert_false(take(&fixture, &whole));
	crash_deferred_count(&fixture.deferred, &fixture.groups);
	assert_int_equal(count_of(&fixture, "whole"), 1);
	assert_int_equal(count_of(&fixture, "longer"), 0);
	release(&fixture);
}

static void what_is_held_has_a_limit(void **state UNUSED)
{
	for (size_t frames = 0; frames < 2; frames++) {
		struct fixture fixture = { .groups.level = 1 };
		size_t count = fill(&fixture, frames);

		assert_true(fixture.deferred.arena.total_bytes +
		                    fixture.deferred.report_count *
		                            sizeof(void *) <=
		            CRASH_DEFERRED_BYTES + 1000);
		// With its pointer and its fingerprint.
		assert_true(count > 20000 &&
		            count < CRASH_DEFERRED_BYTES / 120);
		release(&fixture);
	}
}

static void a_log_of_many_kills_is_not_held(void **state UNUSED)
{
	struct fixture fixture = { .groups.level = 1 };
	struct jetsam jetsam = { .process_count = 1000000 };
	struct report report = {
		.incident = "00000000-0000-0000-0000-000000000001",
		.truncated = true,
		.jetsam = &jetsam,
	};

	assert_false(crash_deferred_begin(&fixture.deferred, &fixture.groups,
	                                  &report));
	jetsam.process_count = 1000;
	assert_true(crash_deferred_begin(&fixture.deferred, &fixture.groups,
	                                 &report));
	release(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_report_counts_in_any_order),
		cmocka_unit_test(else_the_one_with_the_most_frames),
		cmocka_unit_test(of_equal_ones_it_is_always_the_same),
		cmocka_unit_test(no_whole_report_is_lost_beyond_the_limit),
		cmocka_unit_test(a_whole_report_comes_first_beyond_the_limit),
		cmocka_unit_test(a_held_report_gives_way_to_a_whole_one),
		cmocka_unit_test(what_is_held_has_a_limit),
		cmocka_unit_test(a_log_of_many_kills_is_not_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
