// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/fold.h"
#include "lib/analysis/lag/groups.h"
#include "lib/analysis/lag/places.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SAMPLES APMTOOL_SOURCE_DIR "/samples"

// Two slices of samples/Demo.dSYM, as two builds of the app.
static const char build_a[] = "4C4C44BD-5555-3144-A18B-1D7A14ACC538";
static const char build_b[] = "4C4C4471-5555-3144-A165-859A782CD8BA";
// In main(), and in load(), inlined into take(), inlined into decode().
#define MAIN_A   0x8b4
#define DECODE_A 0xa10
#define MAIN_B   0x900

/** Some builders that work side by side, and what they make. */
struct bench {
	struct lag_fold_options options;
	struct lag_rules rules;
	struct symbol_store *store;
	struct lag_builder builders[2];
	struct arena arena;
};

static void bench_init(struct bench *bench, const char *yaml)
{
	if (yaml) {
		assert_null(lag_rules_parse(text_from(yaml), "rules.yml",
		                            &bench->rules));
		bench->options.rules = &bench->rules;
	}
	bench->options.has_store = true;
	bench->store =
	        symbol_store_new(&(struct symbol_store_options){ .jobs = 1 });
	assert_null(symbol_store_add_path(bench->store, SAMPLES));
	for (size_t i = 0; i < ARRAY_SIZE(bench->builders); i++)
		lag_builder_init(&bench->builders[i], &bench->options);
}

static void bench_release(struct bench *bench)
{
	for (size_t i = 0; i < ARRAY_SIZE(bench->builders); i++)
		lag_builder_release(&bench->builders[i]);
	symbol_store_free(bench->store);
	lag_rules_release(&bench->rules);
	arena_release(&bench->arena);
}

/** A report of one sample, of an image that was loaded at @p base. */
static void add(struct bench *bench, size_t builder, const char *build,
                uint64_t base, const uint64_t *offsets, size_t count)
{
	struct lag_report report;
	struct profile_image *image;
	uint32_t frames[4];

	lag_report_init(&report, &bench->builders[builder].names);
	report.input = "stalls.jsonl";
	image = profile_images_add(&report.profile.images);
	image->base = base;
	image->name = "Demo";
	image->path = "/var/Demo.app/Demo";
	assert_true(uuid_parse(text_from(build), &image->uuid));
	for (size_t i = 0; i < count; i++) {
		const struct profile_frame frame = {
			.address = base + offsets[i],
			.symbol = INTERN_NONE,
			.image = INTERN_NONE,
			.is_pc = i == count - 1,
		};

		frames[i] = profile_frame(&report.profile, &frame);
	}
	profile_add(&report.profile, frames, count, 1, 50000);
	lag_builder_add(&bench->builders[builder], &report);
	lag_report_release(&report);
}

static void name_all(struct bench *bench)
{
	struct lag_builder *builders[] = { &bench->builders[0],
		                           &bench->builders[1] };

	for (size_t i = 0; i < ARRAY_SIZE(builders); i++) {
		lag_builder_name(builders[i], bench->store);
		lag_builder_finish(builders[i]);
	}
}

/** The heaviest stack of a hang, outermost first. */
static const char *stack_of(struct bench *bench, size_t builder, size_t hang)
{
	const struct lag_builder *from = &bench->builders[builder];
	const struct lag_hang *found = &from->hangs[hang];
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < found->stack_count; i++)
		str_addf(&text, "%s%s", i ? " > " : "",
		         from->functions.frames[found->stack[i]].name);
	return arena_text(&bench->arena, str_text(&text));
}

#define DECODE "demo::Feed::decode(demo::Entry const&)"
#define TAKE   "unsigned short demo::Reader::take<unsigned short>()"
#define LOAD                                                          \
	"unsigned short demo::Reader::load<unsigned short>(unsigned " \
	"char const*)"

static void equal_code_of_two_builds_meets_by_symbol(void **state UNUSED)
{
	static const uint64_t a[] = { MAIN_A };
	static const uint64_t b[] = { MAIN_B };
	SCOPED(bench_release)
	struct bench bench = { .options.wants_hangs = true };
	SCOPED(lag_groups_release) struct lag_groups groups = { 0 };

	bench_init(&bench, NULL);
	add(&bench, 0, build_a, 0x104d00000, a, 1);
	add(&bench, 0, build_a, 0x104d04000, a, 1);
	add(&bench, 1, build_b, 0x104d00000, b, 1);
	assert_true(lag_builder_wants_names(&bench.builders[0]));
	name_all(&bench);
	assert_false(lag_builder_wants_names(&bench.builders[0]));
	lag_groups_add(&groups, &bench.builders[0], NULL);
	lag_groups_add(&groups, &bench.builders[1], NULL);
	assert_int_equal(groups.identities.count, 1);
	assert_int_equal(groups.kinds[SAMPLE_KIND_STALL].reports, 3);
	assert_string_equal(stack_of(&bench, 0, 0), "main");
	assert_string_equal(stack_of(&bench, 1, 0), "main");
	// Met at two addresses.
	assert_false(bench.builders[0].functions.frames[0].has_address);
}

static void an_image_is_opened_once_for_all_reports(void **state UNUSED)
{
	static const uint64_t offsets[] = { MAIN_A, DECODE_A };
	SCOPED(bench_release)
	struct bench bench = { .options.wants_hangs = true };

	bench_init(&bench, NULL);
	for (uint64_t i = 0; i < 8; i++)
		add(&bench, i % 2, build_a, 0x104d00000 + 0x4000 * i, offsets,
		    1 + i % 2);
	name_all(&bench);
	add(&bench, 0, build_a, 0x104d00000, offsets, 2);
	name_all(&bench);
	assert_int_equal(symbol_store_opened(bench.store), 1);
	assert_int_equal(bench.builders[0].hang_count, 5);
	assert_string_equal(stack_of(&bench, 0, 4),
	                    "main > " DECODE " > " TAKE " > " LOAD);
}

static void rules_see_inlined_calls_one_by_one(void **state UNUSED)
{
	static const struct {
		const char *yaml;
		const char *stack;
	} cases[] = {
		{ "rules:\n- {symbol: '*::take<*', action: ignore}\n",
		  "main > " DECODE " > " LOAD },
		{ "rules:\n- {symbol: '*::take<*', action: cut-below}\n",
		  "main > " DECODE " > " TAKE },
		{ "rules:\n- {image: Demo, action: cut-below}\n", "main" },
	};
	static const uint64_t offsets[] = { MAIN_A, DECODE_A };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(bench_release)
		struct bench bench = { .options.wants_hangs = true };

		bench_init(&bench, cases[i].yaml);
		add(&bench, 0, build_a, 0x104d00000, offsets, 2);
		name_all(&bench);
		assert_string_equal(stack_of(&bench, 0, 0), cases[i].stack);
	}
}

static void code_of_no_symbol_file_is_image_and_offset(void **state UNUSED)
{
	static const char other[] = "31239AD3-26CE-32DF-B01B-3EB5703FAC81";
	static const uint64_t offsets[] = { MAIN_A };
	SCOPED(bench_release)
	struct bench bench = { .options.wants_hangs = true };

	bench_init(&bench, NULL);
	add(&bench, 0, other, 0x104d00000, offsets, 1);
	name_all(&bench);
	assert_string_equal(stack_of(&bench, 0, 0), "Demo + 2228");
	assert_int_equal(symbol_store_opened(bench.store), 0);
}

// Frames that name an image, and have no address there.
static void the_first_image_of_a_name_is_meant_among_many(void **state UNUSED)
{
	enum { COUNT = 40000 };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(intern_release) struct intern names = { 0 };
	SCOPED(profile_functions_release)
	struct profile_functions functions = { 0 };
	SCOPED(mem_drop)
	uint32_t *places_of = mem_zalloc(COUNT, sizeof(*places_of));
	struct lag_report report;
	struct lag_places places;

	lag_places_init(&places, &names, &functions);
	lag_report_init(&report, &names);
	for (size_t i = 0; i < COUNT; i++) {
		struct profile_image *image =
		        profile_images_add(&report.profile.images);

		// Of each name two; the first ones of some are the app's.
		image->name = arena_printf(&arena, "i%zu", i % (COUNT / 2));
		image->own = i < COUNT / 4;
	}
	for (size_t i = 0; i < COUNT; i++) {
		const struct profile_frame frame = {
			.symbol = intern_add(&names, text_from("f")),
			.image = intern_add(
			        &names, text_from(arena_printf(&arena, "i%zu",
			                                       COUNT - 1 - i))),
		};

		profile_frame(&report.profile, &frame);
	}
	lag_report_place(&report);
	lag_places_add(&places, &report, places_of);
	for (size_t i = 0; i < COUNT; i++) {
		struct lag_calls calls =
		        lag_places_calls(&places, places_of[i]);
		const struct calltree_frame *frame =
		        &functions.frames[calls.items[0].function];

		assert_int_equal(calls.count, 1);
		assert_string_equal(frame->name, "f");
		assert_int_equal(frame->kind == CALLTREE_APP,
		                 COUNT - 1 - i < COUNT / 4);
	}
	lag_report_release(&report);
	lag_places_release(&places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_code_of_two_builds_meets_by_symbol),
		cmocka_unit_test(an_image_is_opened_once_for_all_reports),
		cmocka_unit_test(rules_see_inlined_calls_one_by_one),
		cmocka_unit_test(code_of_no_symbol_file_is_image_and_offset),
		cmocka_unit_test(the_first_image_of_a_name_is_meant_among_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
