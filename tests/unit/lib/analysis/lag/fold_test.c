// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/fold.h"
#include "lib/analysis/lag/groups.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DEPTH_MAX 16

#define RULES                       \
	"rules:\n"                  \
	"  - symbol: trampoline\n"  \
	"    action: ignore\n"      \
	"  - symbol: vendor_read\n" \
	"    action: system\n"      \
	"  - symbol: pause\n"       \
	"    action: cut-below\n"

/** A builder, a report of it that is being made, and groups of its hangs. */
struct bench {
	struct lag_fold_options options;
	struct lag_builder builder;
	struct lag_report report;
	struct lag_groups groups;
	struct lag_rules rules;
	struct arena arena;
	const struct table *table;
};

static void bench_init(struct bench *bench)
{
	bench->options.wants_hangs = true;
	lag_builder_init(&bench->builder, &bench->options);
	lag_report_init(&bench->report, &bench->builder.names);
	bench->report.input = "stalls.jsonl";
}

static void bench_release(struct bench *bench)
{
	table_release(bench->table);
	lag_report_release(&bench->report);
	lag_builder_release(&bench->builder);
	lag_groups_release(&bench->groups);
	lag_rules_release(&bench->rules);
	arena_release(&bench->arena);
}

/** A stack of symbols, `main;load;read`, that took @p ms. */
static void add(struct bench *bench, const char *stack, uint64_t samples,
                uint64_t ms)
{
	struct text rest = text_from(stack);
	uint32_t frames[DEPTH_MAX];
	size_t count = 0;

	while (rest.size) {
		size_t end = text_find_char(rest, ';');
		struct text name = text_first(rest, end);

		frames[count++] = intern_add(&bench->builder.names, name);
		rest = text_after(rest, name.size + 1);
	}
	profile_add(&bench->report.profile, frames, count, samples, ms * 1000);
}

static void end_report(struct bench *bench)
{
	lag_builder_add(&bench->builder, &bench->report);
	if (!bench->builder.options->has_store)
		lag_builder_finish(&bench->builder);
	lag_report_clear(&bench->report);
}

/** The table of all that was counted, in place of the last one. */
static const struct table *show(struct bench *bench,
                                const struct lag_table_options *options)
{
	table_release(bench->table);
	bench->table = lag_groups_table(&bench->groups, options, &bench->arena);
	return bench->table;
}

static const struct table *count(struct bench *bench)
{
	static const struct lag_table_options all = { 0 };

	lag_groups_add(&bench->groups, &bench->builder, NULL);
	lag_builder_clear_hangs(&bench->builder);
	return show(bench, &all);
}

static const char *text_at(const struct table *table, size_t row,
                           const char *key)
{
	const struct table_cell *cell =
	        table_cell(table, row, table_column(table, key));

	return cell->present ? cell->text : NULL;
}

static uint64_t number_at(const struct table *table, size_t row,
                          const char *key)
{
	return table_cell(table, row, table_column(table, key))->number;
}

// One report

static void the_founding_example_gives_its_stack(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	struct table *table;

	bench_init(&bench);
	add(&bench, "func1;func2;func3;func4;func5", 1, 50);
	add(&bench, "func1;func2;func3;func4;func6", 2, 100);
	add(&bench, "func1;func2;func3;func4;func7", 1, 50);
	add(&bench, "func1;func2;func3;func4", 3, 150);
	add(&bench, "func1;func2;func3;func4;func8", 1, 50);
	bench.report.id = "founding";
	end_report(&bench);

	assert_int_equal(bench.builder.hang_count, 1);
	table = lag_reports_table(&bench.arena);
	lag_reports_add(table, &bench.builder, &(bool){ false }, &bench.arena);
	assert_string_equal(text_at(table, 0, "id"), "founding");
	assert_string_equal(text_at(table, 0, "point_stack"),
	                    "func1 - func2 - func3 - func4");
	assert_int_equal(number_at(table, 0, "point_count"), 3);
	assert_int_equal(number_at(table, 0, "samples"), 8);
	assert_string_equal(text_at(table, 0, "cost_ms"), "400");
	assert_int_equal(number_at(table, 0, "nodes"), 8);
	// func6 takes 100 of 400 ms: less than 1.1/4, so the walk ends above.
	assert_string_equal(text_at(table, 0, "key"), "func4");
	assert_string_equal(text_at(table, 0, "kind"), "app");
	assert_string_equal(text_at(table, 0, "class2"), "func3 - func4");
	assert_string_equal(text_at(table, 0, "class4"),
	                    "func1 - func2 - func3 - func4");
	table_release(table);
}

static void steps_show_which_clause_failed(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { .options.explain = true };
	struct table *table;
	size_t left_out = 0;

	bench_init(&bench);
	add(&bench, "main;load", 12, 600);
	add(&bench, "main;draw", 8, 400);
	end_report(&bench);
	table = lag_explain_table(&bench.arena);
	lag_explain_add(table, &bench.builder, &left_out, &bench.arena);

	assert_int_equal(table->row_count, 3);
	assert_string_equal(text_at(table, 0, "function"), "main");
	assert_string_equal(text_at(table, 0, "verdict"), "taken");
	assert_null(text_at(table, 0, "fair_share_ms"));
	assert_string_equal(text_at(table, 1, "function"), "load");
	assert_string_equal(text_at(table, 1, "fair_share_ms"), "550");
	assert_string_equal(text_at(table, 1, "fifth_ms"), "200");
	assert_string_equal(text_at(table, 1, "verdict"), "key");
	assert_string_equal(text_at(table, 2, "function"), "draw");
	assert_false(number_at(table, 2, "over_fair_share"));
	assert_true(number_at(table, 2, "over_fifth"));
	assert_string_equal(text_at(table, 2, "verdict"), "failed");
}

static void steps_without_end_are_counted(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { .options.explain = true };
	struct table *table;
	size_t left_out = 0;
	char stack[32];

	bench_init(&bench);
	for (int i = 0; i < LAG_STEPS; i++) {
		snprintf(stack, sizeof(stack), "main;f%d", i);
		add(&bench, stack, 1, 50);
	}
	// It comes last, and is where the walk goes on.
	add(&bench, "main;load;wait", LAG_STEPS, LAG_STEPS * 50);
	end_report(&bench);
	table = lag_explain_table(&bench.arena);
	lag_explain_add(table, &bench.builder, &left_out, &bench.arena);
	assert_int_equal(left_out, 1);
	assert_int_equal(table->row_count, LAG_STEPS + 2);
	assert_string_equal(text_at(table, LAG_STEPS, "function"), "load");
	assert_string_equal(text_at(table, LAG_STEPS + 1, "verdict"), "key");
	assert_string_equal(table->summary,
	                    "1 failed call is not shown; of each report, the "
	                    "first 10000 steps and the calls taken are");
}

static void a_report_without_samples_is_no_hang(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;

	bench_init(&bench);
	end_report(&bench);
	table = count(&bench);
	assert_int_equal(table->row_count, 0);
	assert_int_equal(bench.groups.empty, 1);
	assert_string_equal(table->summary, "0 hangs, 0 ms");
}

static void where_no_call_stands_out_there_is_no_key(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;

	bench_init(&bench);
	add(&bench, "main;load", 20, 1000);
	add(&bench, "thread_start;work", 19, 950);
	end_report(&bench);
	table = count(&bench);
	assert_string_equal(text_at(table, 0, "key"), "(no call stands out)");
	assert_int_equal(number_at(table, 0, "reports"), 1);
	assert_string_equal(text_at(table, 0, "class2"), "main - load");
	assert_int_equal(bench.groups.empty, 0);
}

// Images

static uint32_t frame_at(struct bench *bench, uint64_t address)
{
	const struct profile_frame frame = {
		.address = address,
		.symbol = INTERN_NONE,
		.image = INTERN_NONE,
	};

	return profile_frame(&bench->report.profile, &frame);
}

/** A frame without an address. */
static uint32_t named_frame(struct bench *bench, const char *image,
                            const char *symbol)
{
	const struct profile_frame frame = {
		.symbol = intern_add(&bench->builder.names, text_from(symbol)),
		.image = intern_add(&bench->builder.names, text_from(image)),
	};

	return profile_frame(&bench->report.profile, &frame);
}

static void add_image(struct bench *bench, uint64_t base, const char *name,
                      const char *path)
{
	struct profile_image *image =
	        profile_images_add(&bench->report.profile.images);

	image->base = base;
	image->name = name;
	image->path = path;
	memset(image->uuid.bytes, name[0], sizeof(image->uuid.bytes));
}

/** main, then a function of the app, then one of the system. */
static void add_loaded(struct bench *bench, uint64_t slide)
{
	uint32_t frames[] = {
		frame_at(bench, 0x100001000 + slide),
		frame_at(bench, 0x100002000 + slide),
		frame_at(bench, 0x1a0003000 + slide),
	};

	add_image(bench, 0x1a0000000 + slide, "UIKitCore",
	          "/System/Library/Frameworks/UIKitCore.framework/UIKitCore");
	add_image(bench, 0x100000000 + slide, "Demo",
	          "/var/containers/Bundle/Application/1/Demo.app/Demo");
	bench->report.app = "Demo";
	profile_add(&bench->report.profile, frames, 3, 1, 50000);
	end_report(bench);
}

static void equal_code_at_other_addresses_meets(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;

	bench_init(&bench);
	add_loaded(&bench, 0);
	add_loaded(&bench, 0x4000);
	table = count(&bench);
	assert_int_equal(table->row_count, 1);
	// The deepest frame of the app, by offset: never the address.
	assert_string_equal(text_at(table, 0, "key"), "Demo + 8192");
	assert_string_equal(text_at(table, 0, "image"), "Demo");
	assert_string_equal(text_at(table, 0, "kind"), "app");
	assert_int_equal(number_at(table, 0, "reports"), 2);
	assert_string_equal(text_at(table, 0, "class2"),
	                    "Demo + 8192 - UIKitCore + 12288");
}

static void a_frame_without_address_lies_in_the_image_it_names(
        void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;
	uint32_t frames[3];

	bench_init(&bench);
	frames[0] = named_frame(&bench, "UIKitCore", "start");
	frames[1] = named_frame(&bench, "Demo", "-[Store load]");
	frames[2] = named_frame(&bench, "Unlisted", "wait");
	// As a version is often reported along with the name.
	bench.report.app = "Demo 2.1 (210)";
	add_image(&bench, 0x1a0000000, "UIKitCore",
	          "/System/Library/Frameworks/UIKitCore.framework/UIKitCore");
	add_image(&bench, 0x100000000, "Demo",
	          "/var/containers/Bundle/Application/1/Demo.app/Demo");
	profile_add(&bench.report.profile, frames, 3, 1, 50000);
	end_report(&bench);
	table = count(&bench);
	assert_string_equal(text_at(table, 0, "key"), "-[Store load]");
	assert_string_equal(text_at(table, 0, "kind"), "app");
	assert_string_equal(text_at(table, 0, "image"), "Demo");
}

static void a_symbol_is_the_same_with_and_without_its_image(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;
	uint32_t frame;

	bench_init(&bench);
	frame = named_frame(&bench, "UIKitCore", "work");
	add_image(&bench, 0x1a0000000, "UIKitCore",
	          "/System/Library/Frameworks/UIKitCore.framework/UIKitCore");
	profile_add(&bench.report.profile, &frame, 1, 1, 50000);
	end_report(&bench);
	add(&bench, "work", 1, 50);
	end_report(&bench);
	table = count(&bench);
	assert_int_equal(table->row_count, 1);
	assert_int_equal(number_at(table, 0, "reports"), 2);
	assert_string_equal(text_at(table, 0, "kind"), "app");
}

static void a_hang_outside_of_the_app_is_the_systems(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;
	uint32_t frame;

	bench_init(&bench);
	frame = frame_at(&bench, 0x1a0003000);
	add_image(&bench, 0x1a0000000, "UIKitCore",
	          "/System/Library/Frameworks/UIKitCore.framework/UIKitCore");
	profile_add(&bench.report.profile, &frame, 1, 1, 50000);
	end_report(&bench);
	table = count(&bench);
	assert_string_equal(text_at(table, 0, "kind"), "system");
	assert_string_equal(text_at(table, 0, "key"), "UIKitCore + 12288");
}

// Groups

static void groups_are_ranked_by_cost_with_a_running_share(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;

	bench_init(&bench);
	for (int i = 0; i < 3; i++) {
		add(&bench, "main;load", 10, 500);
		bench.report.device = i ? "iPhone14,2" : "iPhone12,1";
		end_report(&bench);
	}
	add(&bench, "main;draw", 10, 400);
	end_report(&bench);
	add(&bench, "main;save", 2, 100);
	bench.report.id = "last";
	end_report(&bench);
	table = count(&bench);

	assert_int_equal(table->row_count, 3);
	assert_string_equal(text_at(table, 0, "key"), "load");
	assert_string_equal(text_at(table, 0, "share"), "75.00");
	assert_string_equal(text_at(table, 0, "cost_ms"), "1500");
	assert_string_equal(text_at(table, 0, "devices"),
	                    "iPhone14,2 (2), iPhone12,1 (1)");
	assert_string_equal(text_at(table, 0, "example"), "stalls.jsonl");
	assert_string_equal(text_at(table, 1, "running_share"), "95.00");
	assert_string_equal(text_at(table, 2, "running_share"), "100.00");
	assert_string_equal(text_at(table, 2, "example"), "last");
	assert_string_equal(table->summary,
	                    "5 hangs, 2000 ms: 2 of 3 groups cause 95.00 %");
}

static void small_groups_can_be_left_out(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct lag_table_options five = { .min_share = 500 };
	const struct lag_table_options one = { .top = 1 };
	const struct table *table;

	bench_init(&bench);
	add(&bench, "main;load", 19, 950);
	end_report(&bench);
	add(&bench, "main;draw", 1, 50);
	end_report(&bench);
	count(&bench);
	table = show(&bench, &five);
	assert_int_equal(table->row_count, 2);
	table = show(&bench, &one);
	assert_int_equal(table->row_count, 1);
	assert_string_equal(table->summary,
	                    "2 hangs, 1000 ms: 1 of 2 groups causes 95.00 %; "
	                    "1 not shown");
}

static void a_class_is_the_innermost_frames(void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench bench = { .groups.by = LAG_BY_CLASS2 };
	const struct table *table;

	bench_init(&bench);
	add(&bench, "main;load;lock;wait", 1, 50);
	end_report(&bench);
	add(&bench, "main;save;lock;wait", 1, 50);
	end_report(&bench);
	table = count(&bench);
	assert_int_equal(table->row_count, 1);
	assert_string_equal(text_at(table, 0, "key"), "lock - wait");
	assert_int_equal(number_at(table, 0, "class4_count"), 2);
	// Of two that are as frequent, the first that came.
	assert_string_equal(text_at(table, 0, "class4"),
	                    "main - load - lock - wait");
}

// Annealing

/** A report of @p session whose only stack is @p stack. */
static void add_hang(struct bench *bench, const char *session,
                     const char *stack)
{
	add(bench, stack, 1, 50);
	bench->report.session = session;
	end_report(bench);
}

static void equal_hangs_that_follow_each_other_are_one(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;

	bench_init(&bench);
	add_hang(&bench, "a", "main;load");
	add_hang(&bench, "b", "main;load"); // another session
	add_hang(&bench, "a", "main;load"); // a repeat
	add_hang(&bench, "a", "main;draw"); // something else between
	add_hang(&bench, "a", "main;load");
	table = count(&bench);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].repeats, 1);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].reports, 4);
	assert_string_equal(text_at(table, 0, "key"), "load");
	assert_int_equal(number_at(table, 0, "reports"), 3);
	assert_string_equal(text_at(table, 0, "cost_ms"), "200");
	assert_string_equal(table->summary,
	                    "4 hangs (and 1 repeat), 250 ms: 1 of 2 groups "
	                    "causes 80.00 %");
}

static void sessions_are_remembered_from_one_batch_to_the_next(
        void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };

	bench_init(&bench);
	add_hang(&bench, "a", "main;load");
	count(&bench);
	add_hang(&bench, "a", "main;load");
	count(&bench);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].repeats, 1);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].reports, 1);
}

static void nameless_sessions_and_single_frames_are_never_joined(
        void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };

	bench_init(&bench);
	add_hang(&bench, NULL, "main;load");
	add_hang(&bench, NULL, "main;load");
	add_hang(&bench, "", "main;load");
	add_hang(&bench, "", "main;load");
	add_hang(&bench, "a", "main");
	add_hang(&bench, "a", "main");
	count(&bench);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].repeats, 0);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].reports, 6);
}

static void many_sessions_are_distinguished(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	char session[32];

	bench_init(&bench);
	for (int i = 0; i < 2000; i++) {
		snprintf(session, sizeof(session), "session %d", i % 1000);
		add_hang(&bench, session, "main;load");
	}
	count(&bench);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].reports, 1000);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].repeats, 1000);
}

static void add_named(struct bench *bench, const char *image,
                      const char *symbol)
{
	uint32_t frames[] = {
		named_frame(bench, image, "main"),
		named_frame(bench, image, symbol),
	};

	profile_add(&bench->report.profile, frames, 2, 1, 50000);
	bench->report.session = "s";
	end_report(bench);
}

static void symbols_of_one_image_are_different_hangs(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };

	bench_init(&bench);
	add_named(&bench, "Demo", "load");
	add_named(&bench, "Demo", "draw");
	add_named(&bench, "Demo", "draw");
	count(&bench);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].reports, 2);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].repeats, 1);
}

// Rules

static void use_rules(struct bench *bench, const char *yaml)
{
	struct error *err =
	        lag_rules_parse(text_from(yaml), "rules.yml", &bench->rules);

	if (err)
		fail_msg("%s", error_message(err));
	bench->options.rules = &bench->rules;
	bench_init(bench);
}

static void rules_say_whose_code_it_is_and_what_is_left_out(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };
	const struct table *table;

	use_rules(&bench, RULES);
	add(&bench, "main;trampoline;load;vendor_read", 10, 500);
	end_report(&bench);
	add(&bench, "main;pause;spin;spin", 1, 50);
	end_report(&bench);
	table = count(&bench);
	// vendor_read is the system's: the key is the app's call above it.
	assert_string_equal(text_at(table, 0, "key"), "load");
	assert_string_equal(text_at(table, 0, "class4"),
	                    "main - load - vendor_read");
	assert_string_equal(text_at(table, 1, "key"), "pause");
	assert_string_equal(text_at(table, 1, "class4"), "main - pause");
}

static void a_stack_that_is_all_left_out_is_no_hang(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };

	use_rules(&bench, RULES);
	add(&bench, "trampoline", 10, 500);
	end_report(&bench);
	count(&bench);
	assert_int_equal(bench.groups.kinds[SAMPLE_KIND_STALL].reports, 0);
	assert_int_equal(bench.groups.empty, 1);
}

static void add_at(struct bench *bench, uint64_t base, const char *name,
                   const char *path)
{
	uint32_t frame = frame_at(bench, base + 16);

	add_image(bench, base, name, path);
	memset(bench->report.profile.images.items[0].uuid.bytes, 7,
	       sizeof(struct uuid));
	profile_add(&bench->report.profile, &frame, 1, 1, 50000);
	end_report(bench);
}

static void a_rule_sees_the_path_of_each_report(void **state UNUSED)
{
	static const char yaml[] = "rules:\n"
	                           "  - path: /opt/*\n"
	                           "    action: business\n";
	SCOPED(bench_release) struct bench bench = { 0 };

	use_rules(&bench, yaml);
	add_at(&bench, 0x1000, "Demo", "/usr/Demo");
	add_at(&bench, 0x1000, "Demo", "/opt/Demo");
	assert_false(bench.builder.hangs[0].is_app);
	assert_true(bench.builder.hangs[1].is_app);
}

static void steps_of_a_trimmed_tree_tell_what_they_were_judged_by(
        void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench bench = {
		.options.explain = true,
		.options.max_nodes = 1,
	};
	struct table *table;
	size_t left_out = 0;

	bench_init(&bench);
	add(&bench, "main", 10, 500);
	// It goes, and what it took ends at no call.
	add(&bench, "tick", 1, 4);
	end_report(&bench);
	table = lag_explain_table(&bench.arena);
	lag_explain_add(table, &bench.builder, &left_out, &bench.arena);
	assert_int_equal(table->row_count, 1);
	assert_string_equal(text_at(table, 0, "parent_cost_ms"), "500");
	assert_string_equal(text_at(table, 0, "fifth_ms"), "100");
	assert_string_equal(text_at(table, 0, "verdict"), "key");
}

// The tree of all

static void a_build_is_one_under_all_its_names(void **state UNUSED)
{
	static const char *const names[] = { "Zeta", "Alpha" };

	for (size_t first = 0; first < 2; first++) {
		SCOPED(bench_release) struct bench bench = { 0 };
		const struct table *table;

		bench_init(&bench);
		add_at(&bench, 0x1000, names[first], NULL);
		add_at(&bench, 0x1000, names[!first], NULL);
		table = count(&bench);
		assert_int_equal(table->row_count, 1);
		assert_int_equal(number_at(table, 0, "reports"), 2);
		assert_string_equal(text_at(table, 0, "key"), "Alpha + 16");
		assert_string_equal(text_at(table, 0, "image"), "Alpha");
	}
}

static void an_address_is_reported_where_all_reports_have_it(
        void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench bench = {
		.options.wants_total = true,
	};
	SCOPED(profile_functions_release)
	struct profile_functions functions = { 0 };
	SCOPED(calltree_release) struct calltree tree = { 0 };

	bench_init(&bench);
	bench.options.wants_hangs = false;
	add_at(&bench, 0x1000, "Demo", NULL);
	assert_true(bench.builder.functions.frames[0].has_address);
	add_at(&bench, 0x2000, "Demo", NULL);
	assert_false(bench.builder.functions.frames[0].has_address);
	lag_total_join(&tree, &functions, &bench.builder);
	assert_false(functions.frames[0].has_address);
}

static void the_total_is_of_trimmed_trees(void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench bench = {
		.options.wants_total = true,
		.options.max_nodes = 2,
	};

	bench_init(&bench);
	bench.options.wants_hangs = false;
	add(&bench, "main;load", 10, 500);
	add(&bench, "main;load;read", 1, 4);
	end_report(&bench);
	// No samples: what was trimmed before is not counted again.
	end_report(&bench);
	assert_int_equal(bench.builder.total.node_count, 3);
	calltree_sum(&bench.builder.total);
	assert_int_equal(bench.builder.total.nodes[0].samples, 11);
}

/** Large enough that its nodes are moved, if they can be. */
static void add_large(struct bench *bench, const char *name)
{
	char stack[64];

	for (int i = 0; i < 5000; i++) {
		snprintf(stack, sizeof(stack), "main;%s%d_", name, i);
		add(bench, stack, 1, 1);
	}
	end_report(bench);
}

static void a_large_report_becomes_the_total_and_others_are_added(
        void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench bench = {
		.options.wants_total = true,
	};
	const struct calltree *total = &bench.builder.total;

	bench_init(&bench);
	bench.options.wants_hangs = false;
	// Their numbers are not those of the functions.
	intern_add(&bench.builder.names, text_from("nobody"));
	add_large(&bench, "load");
	assert_int_equal(total->node_count, 5002);
	assert_string_equal(
	        bench.builder.functions.frames[total->nodes[2].frame].name,
	        "load0_");
	assert_int_equal(total->nodes[CALLTREE_ROOT].reports, 1);
	add_large(&bench, "load");
	assert_int_equal(total->node_count, 5002);
	assert_int_equal(total->nodes[1].reports, 2);
	assert_int_equal(total->nodes[5001].reports, 2);
	assert_int_equal(total->nodes[5001].self_samples, 2);
	add_large(&bench, "read");
	assert_int_equal(total->node_count, 10002);
}

static void a_large_report_of_one_function_is_folded(void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench bench = {
		.options.wants_total = true,
	};

	bench_init(&bench);
	bench.options.wants_hangs = false;
	// The same call in as many versions of Swift.
	add_large(&bench, "$s4Demo3runyyFTY");
	assert_int_equal(bench.builder.total.node_count, 3);
	assert_int_equal(bench.builder.total.nodes[2].self_samples, 5000);
}

static void a_large_report_has_its_heaviest_stack(void **state UNUSED)
{
	SCOPED(bench_release) struct bench bench = { 0 };

	bench_init(&bench);
	add(&bench, "main;load7_;read", 9, 9);
	add_large(&bench, "load");
	assert_int_equal(bench.builder.hang_count, 1);
	assert_int_equal(bench.builder.hangs[0].stack_count, 3);
	assert_int_equal(bench.builder.hangs[0].heaviest_samples, 9);
	assert_int_equal(bench.builder.hangs[0].node_count, 5002);
}

static void the_order_of_a_total_is_not_that_of_the_reports(void **state UNUSED)
{
	static const char *const stacks[] = { "main;load", "draw",
		                              "main;copy" };

	for (size_t first = 0; first < ARRAY_SIZE(stacks); first++) {
		SCOPED(bench_release)
		struct bench bench = {
			.options.wants_total = true,
		};
		SCOPED(profile_functions_release)
		struct profile_functions functions = { 0 };
		SCOPED(calltree_release) struct calltree tree = { 0 };
		SCOPED(str_release) struct str names = { 0 };

		bench_init(&bench);
		for (size_t i = 0; i < ARRAY_SIZE(stacks); i++)
			add(&bench, stacks[(first + i) % ARRAY_SIZE(stacks)], 1,
			    50);
		end_report(&bench);
		lag_total_join(&tree, &functions, &bench.builder);
		lag_total_sort(&tree, &functions);
		for (uint32_t i = tree.nodes[0].first_child; i;
		     i = tree.nodes[i].next_sibling) {
			str_addf(&names, "%s(",
			         functions.frames[tree.nodes[i].frame].name);
			for (uint32_t k = tree.nodes[i].first_child; k;
			     k = tree.nodes[k].next_sibling)
				str_addf(&names, "%s ",
				         functions.frames[tree.nodes[k].frame]
				                 .name);
			str_add(&names, ")");
		}
		assert_string_equal(str_cstr(&names), "draw()main(copy load )");
	}
}

/** Functions that fit into a total of four nodes with its root. */
static void add_first(struct bench *bench)
{
	add(bench, "main;load", 1, 50);
	add(bench, "read", 1, 50);
}

/** What `draw` calls is not looked for below `main`. */
static void add_beyond(struct bench *bench)
{
	add(bench, "main;draw;load", 4, 200);
	add(bench, "main;load;copy", 64, 3200);
	add(bench, "draw;read", 16, 800);
}

static void assert_full(const struct calltree *total)
{
	assert_int_equal(total->node_count, 4);
	assert_true(total->full);
	assert_int_equal(total->nodes[1].self_samples, 4);
	assert_int_equal(total->nodes[2].self_samples, 65);
	assert_int_equal(total->nodes[3].self_samples, 1);
}

static void in_a_full_total_stacks_end_at_the_deepest_function(
        void **state UNUSED)
{
	// With hangs, the tree of each report is joined to the total.
	for (int hangs = 0; hangs < 2; hangs++) {
		SCOPED(bench_release)
		struct bench bench = {
			.options.wants_total = true,
		};

		bench_init(&bench);
		bench.options.wants_hangs = hangs;
		bench.builder.total.node_limit = 4;
		add_first(&bench);
		add_beyond(&bench);
		end_report(&bench);
		assert_full(&bench.builder.total);
	}
}

static void a_total_that_is_taken_is_the_one_that_is_joined(void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench bench = {
		.options.wants_total = true,
	};
	SCOPED(profile_functions_release)
	struct profile_functions functions = { 0 };
	SCOPED(calltree_release) struct calltree tree = { 0 };

	bench_init(&bench);
	bench.options.wants_hangs = false;
	add(&bench, "main;load", 10, 500);
	end_report(&bench);
	assert_true(lag_total_take(&tree, &functions, &bench.builder));
	assert_int_equal(bench.builder.total.node_count, 0);
	assert_int_equal(profile_functions_count(&bench.builder.functions), 0);
	assert_int_equal(tree.node_count, 3);
	assert_string_equal(functions.frames[0].name, "main");
	assert_string_equal(functions.identities.texts[1].data, "sload");
	// A second one is not the first.
	assert_false(lag_total_take(&tree, &functions, &bench.builder));
}

static void totals_that_join_may_be_full(void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench one = {
		.options.wants_total = true,
	};
	SCOPED(bench_release)
	struct bench two = {
		.options.wants_total = true,
	};
	SCOPED(profile_functions_release)
	struct profile_functions functions = { 0 };
	SCOPED(calltree_release) struct calltree tree = { 0 };

	bench_init(&one);
	bench_init(&two);
	add_first(&one);
	end_report(&one);
	add_beyond(&two);
	end_report(&two);
	lag_total_join(&tree, &functions, &one.builder);
	tree.node_limit = 4;
	lag_total_join(&tree, &functions, &two.builder);
	assert_full(&tree);
}

static void totals_of_two_builders_join_by_function(void **state UNUSED)
{
	SCOPED(bench_release)
	struct bench one = {
		.options.wants_total = true,
	};
	SCOPED(bench_release)
	struct bench two = {
		.options.wants_total = true,
	};
	SCOPED(profile_functions_release)
	struct profile_functions functions = { 0 };
	SCOPED(calltree_release) struct calltree tree = { 0 };

	bench_init(&one);
	bench_init(&two);
	add(&one, "main;load", 1, 50);
	end_report(&one);
	add(&two, "other", 1, 50);
	add(&two, "main;load", 2, 100);
	end_report(&two);
	lag_total_join(&tree, &functions, &one.builder);
	lag_total_join(&tree, &functions, &two.builder);
	calltree_sum(&tree);
	assert_int_equal(tree.node_count, 4);
	assert_int_equal(tree.nodes[CALLTREE_ROOT].samples, 4);
	assert_string_equal(functions.frames[tree.nodes[1].frame].name, "main");
	assert_int_equal(tree.nodes[1].samples, 3);
	assert_int_equal(tree.nodes[1].cost_us, 150000);
}

static void add_with_id(struct bench *bench, const char *id, unsigned ms)
{
	add(bench, "main;load", 1, ms);
	bench->report.id = id;
	lag_builder_add(&bench->builder, &bench->report);
	lag_report_clear(&bench->report);
}

static void a_report_that_was_sent_twice_counts_once(void **state UNUSED)
{
	SCOPED(fingerprints_release) struct fingerprints seen = { 0 };
	SCOPED(bench_release) struct bench bench = { 0 };
	struct lag_builder *builder = &bench.builder;

	bench_init(&bench);
	add_with_id(&bench, "a", 50);
	add_with_id(&bench, "b", 100);
	assert_false(lag_builder_wants_names(builder));
	assert_int_equal(builder->pending_count, 2);
	assert_int_equal(builder->pending_nodes, 6);
	assert_int_equal(builder->hang_count, 0);

	assert_int_equal(lag_builder_drop_repeated(builder, &seen), 0);
	lag_builder_finish(builder);
	assert_int_equal(builder->pending_count, 0);
	assert_int_equal(builder->pending_nodes, 0);
	assert_int_equal(builder->hang_count, 2);
	assert_int_equal(builder->hangs[0].cost_us, 50000);
	assert_int_equal(builder->hangs[1].cost_us, 100000);

	// The ids of an earlier block, and of the same block.
	add_with_id(&bench, "a", 150);
	add_with_id(&bench, "c", 200);
	add_with_id(&bench, "c", 250);
	assert_int_equal(lag_builder_drop_repeated(builder, &seen), 2);
	lag_builder_finish(builder);
	assert_int_equal(builder->hang_count, 3);
	assert_int_equal(builder->hangs[2].cost_us, 200000);

	// Without an id, none is like another.
	add_with_id(&bench, "", 300);
	add_with_id(&bench, "", 300);
	assert_int_equal(lag_builder_drop_repeated(builder, &seen), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_founding_example_gives_its_stack),
		cmocka_unit_test(steps_show_which_clause_failed),
		cmocka_unit_test(steps_without_end_are_counted),
		cmocka_unit_test(a_report_without_samples_is_no_hang),
		cmocka_unit_test(where_no_call_stands_out_there_is_no_key),
		cmocka_unit_test(equal_code_at_other_addresses_meets),
		cmocka_unit_test(
		        a_frame_without_address_lies_in_the_image_it_names),
		cmocka_unit_test(
		        a_symbol_is_the_same_with_and_without_its_image),
		cmocka_unit_test(a_hang_outside_of_the_app_is_the_systems),
		cmocka_unit_test(
		        groups_are_ranked_by_cost_with_a_running_share),
		cmocka_unit_test(small_groups_can_be_left_out),
		cmocka_unit_test(a_class_is_the_innermost_frames),
		cmocka_unit_test(equal_hangs_that_follow_each_other_are_one),
		cmocka_unit_test(
		        sessions_are_remembered_from_one_batch_to_the_next),
		cmocka_unit_test(
		        nameless_sessions_and_single_frames_are_never_joined),
		cmocka_unit_test(many_sessions_are_distinguished),
		cmocka_unit_test(
		        rules_say_whose_code_it_is_and_what_is_left_out),
		cmocka_unit_test(a_stack_that_is_all_left_out_is_no_hang),
		cmocka_unit_test(symbols_of_one_image_are_different_hangs),
		cmocka_unit_test(a_rule_sees_the_path_of_each_report),
		cmocka_unit_test(a_build_is_one_under_all_its_names),
		cmocka_unit_test(
		        an_address_is_reported_where_all_reports_have_it),
		cmocka_unit_test(
		        steps_of_a_trimmed_tree_tell_what_they_were_judged_by),
		cmocka_unit_test(the_total_is_of_trimmed_trees),
		cmocka_unit_test(
		        a_large_report_becomes_the_total_and_others_are_added),
		cmocka_unit_test(a_large_report_of_one_function_is_folded),
		cmocka_unit_test(a_large_report_has_its_heaviest_stack),
		cmocka_unit_test(
		        the_order_of_a_total_is_not_that_of_the_reports),
		cmocka_unit_test(
		        in_a_full_total_stacks_end_at_the_deepest_function),
		cmocka_unit_test(totals_that_join_may_be_full),
		cmocka_unit_test(
		        a_total_that_is_taken_is_the_one_that_is_joined),
		cmocka_unit_test(totals_of_two_builders_join_by_function),
		cmocka_unit_test(a_report_that_was_sent_twice_counts_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
