// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/stacker.h"
#include "lib/analysis/lag/stacks.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/** What a test reads and folds. */
struct fixture {
	struct arena arena;
	struct intern names;
	struct lag_report lag;
	struct report *report;
};

static void fixture_begin(struct fixture *f)
{
	*f = (struct fixture){ 0 };
	lag_report_init(&f->lag, &f->names);
	f->report = report_new(&f->arena);
}

static void fixture_end(struct fixture *f)
{
	lag_report_release(&f->lag);
	intern_release(&f->names);
	arena_release(&f->arena);
}

static struct report_call *name(struct fixture *f, struct report_frame *frame,
                                const char *symbol)
{
	frame->calls = arena_alloc(&f->arena, sizeof(*frame->calls));
	frame->calls[0].symbol = symbol;
	frame->call_count = 1;
	frame->source = REPORT_SOURCE_REPORT;
	return frame->calls;
}

static struct report_tree *add_tree(struct fixture *f, const char *title)
{
	struct report_tree *tree = report_add_tree(f->report, &f->arena);

	tree->title = title;
	return tree;
}

static struct report_frame *add_node(struct fixture *f,
                                     struct report_tree *tree, size_t depth,
                                     uint64_t samples, const char *symbol)
{
	struct report_frame *frame =
	        report_add_node(tree, &f->arena, depth, samples);

	frame->address = 16 * tree->frames.count;
	name(f, frame, symbol);
	return frame;
}

static struct report_thread *add_thread(struct fixture *f, uint64_t number,
                                        const char *inner, const char *outer)
{
	struct report_thread *thread = report_add_thread(f->report, &f->arena);
	const char *const symbols[] = { inner, outer };

	thread->number = number;
	for (size_t i = 0; i < 2; i++) {
		struct report_frame *frame =
		        report_add_frame(&thread->stack, &f->arena);

		frame->address = 16 * (i + 1);
		name(f, frame, symbols[i]);
	}
	return thread;
}

static void add_frame_name(const struct fixture *f, uint32_t number,
                           struct str *text)
{
	const struct profile_frame *frame;

	if (number < PROFILE_FRAME) {
		str_add(text, intern_cstr(&f->names, number));
		return;
	}
	frame = &f->lag.profile.frames.items[number - PROFILE_FRAME];
	if (frame->symbol != INTERN_NONE)
		str_add(text, intern_cstr(&f->names, frame->symbol));
	else
		str_addf(text, "0x%" PRIx64, frame->address);
	if (frame->is_pc)
		str_add_char(text, '*');
}

/** `a;b* 12/600000` for each stack, as they were added; microseconds. */
static const char *stacks(struct fixture *f, enum lag_threads threads)
{
	SCOPED(str_release) struct str text = { 0 };
	uint32_t frames[64];

	lag_stacks_add(f->report, threads, &f->lag);
	for (uint32_t i = 1; i < f->lag.profile.stacks.node_count; i++) {
		const struct calltree_node *node =
		        &f->lag.profile.stacks.nodes[i];

		if (!node->self_samples)
			continue;
		assert_true(node->depth <= ARRAY_SIZE(frames));
		calltree_stack(&f->lag.profile.stacks, i, frames);
		str_add(&text, text.size ? ", " : "");
		for (uint32_t k = 0; k < node->depth; k++) {
			str_add(&text, k ? ";" : "");
			add_frame_name(f, frames[k], &text);
		}
		str_addf(&text, " %" PRIu64 "/%" PRIu64, node->self_samples,
		         node->self_cost_us);
	}
	return arena_text(&f->arena, str_text(&text));
}

static void assert_lag_note(const struct lag_report *lag, const char *place,
                            const char *text)
{
	for (size_t i = 0; i < lag->note_count && i < LAG_NOTES; i++)
		if (!strcmp(lag->notes[i].place, place) &&
		    !strcmp(lag->notes[i].text, text))
			return;
	for (size_t i = 0; i < lag->note_count && i < LAG_NOTES; i++)
		print_message("%s: %s\n", lag->notes[i].place,
		              lag->notes[i].text);
	fail_msg("no note %s: %s", place, text);
}

static void samples_count_where_they_end(void **state)
{
	struct fixture f;
	struct report_tree *tree;

	(void)state;
	fixture_begin(&f);
	tree = add_tree(&f, NULL);
	add_node(&f, tree, 0, 20, "start");
	add_node(&f, tree, 1, 17, "main");
	add_node(&f, tree, 2, 12, "hang")->is_pc = true;
	add_node(&f, tree, 1, 3, "idle");
	f.report->sample_interval_us = 10000;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN),
	                    "start;main 5/50000, start;main;hang* 12/120000, "
	                    "start;idle 3/30000");
	assert_int_equal(f.lag.profile.sample_count, 20);
	assert_int_equal(f.lag.interval_us, 10000);
	assert_true(f.lag.profile.from_nodes);
	fixture_end(&f);
}

static void a_sample_without_interval_has_no_cost(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, 2, "a");
	// In proportion: a microsecond per sample.
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 2/2");
	assert_int_equal(f.lag.interval_us, 0);
	assert_int_equal(f.lag.cost_origin, COST_UNKNOWN);
	assert_int_equal(f.lag.note_count, 1);
	assert_string_equal(f.lag.notes[0].place, "cost");
	assert_string_equal(f.lag.notes[0].text,
	                    "the report does not say how long it took");
	fixture_end(&f);
}

static void an_unread_time_is_not_assumed(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, 2, "a");
	f.report->sampled_unread = true;
	// In proportion: a microsecond per sample.
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 2/2");
	assert_int_equal(f.lag.cost_origin, COST_UNKNOWN);
	assert_int_equal(f.lag.note_count, 0);
	fixture_end(&f);
}

static void samples_of_a_known_time_share_it(void **state)
{
	struct fixture f;
	struct report_tree *tree;

	(void)state;
	fixture_begin(&f);
	tree = add_tree(&f, "com.apple.main-thread");
	add_node(&f, tree, 0, 0, "start");
	add_node(&f, tree, 1, 3, "a");
	add_node(&f, tree, 1, 1, "b");
	add_node(&f, add_tree(&f, NULL), 0, 8, "other");
	f.report->sampled_us = 2000000;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN),
	                    "start;a 3/1500000, start;b 1/500000");
	assert_int_equal(f.lag.cost_origin, COST_RECORDED);
	assert_int_equal(f.lag.note_count, 0);
	fixture_end(&f);

	// What was sampled may be a part of it.
	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, 2, "a");
	f.report->sampled_us = 2000000;
	f.report->sample_interval_us = 1000;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 2/2000000");
	assert_int_equal(f.lag.cost_origin, COST_RECORDED);
	fixture_end(&f);

	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, 2, "a");
	f.report->sample_interval_us = 1000;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 2/2000");
	assert_int_equal(f.lag.cost_origin, COST_MEASURED);
	fixture_end(&f);

	// Thirds: nothing is lost.
	fixture_begin(&f);
	tree = add_tree(&f, NULL);
	add_node(&f, tree, 0, 1, "a");
	add_node(&f, tree, 0, 1, "b");
	add_node(&f, tree, 0, 1, "c");
	f.report->sampled_us = 100;
	f.report->sampled_at_least = true;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN),
	                    "a 1/33, b 1/33, c 1/34");
	assert_int_equal(f.lag.cost_origin, COST_AT_LEAST);
	fixture_end(&f);
}

static void each_kind_has_its_unit(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, 2, "a");
	f.report->sample_kind = SAMPLE_KIND_DISK;
	f.report->sampled_us = 5000000;
	f.report->written_bytes = 1200000000;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 2/1200000000");
	assert_int_equal(f.lag.cost_origin, COST_RECORDED);
	fixture_end(&f);

	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, 2, "a");
	f.report->sample_kind = SAMPLE_KIND_WAKEUPS;
	f.report->wakeup_count = 45001;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 2/45001");
	fixture_end(&f);

	// No time is a number of bytes.
	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, 2, "a");
	f.report->sample_kind = SAMPLE_KIND_DISK;
	f.report->sampled_us = 5000000;
	f.report->sample_interval_us = 1000;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 2/2");
	assert_int_equal(f.lag.cost_origin, COST_UNKNOWN);
	fixture_end(&f);

	// Sampled time is not CPU time for certain.
	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, 2, "a");
	f.report->sample_kind = SAMPLE_KIND_CPU;
	f.report->sample_interval_us = 1000;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 2/2000");
	assert_int_equal(f.lag.cost_origin, COST_ASSUMED);
	fixture_end(&f);
}

static void a_tree_without_counts_is_a_sample_a_leaf(void **state)
{
	struct fixture f;
	struct report_tree *tree;

	(void)state;
	fixture_begin(&f);
	tree = add_tree(&f, NULL);
	add_node(&f, tree, 0, 0, "a");
	add_node(&f, tree, 1, 0, "b");
	add_node(&f, tree, 1, 0, "c");
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a;b 1/1, a;c 1/1");
	fixture_end(&f);
}

static void calls_that_exceed_their_caller_are_truncated(void **state)
{
	struct fixture f;
	struct report_tree *tree;

	(void)state;
	fixture_begin(&f);
	tree = add_tree(&f, NULL);
	add_node(&f, tree, 0, 5, "a");
	add_node(&f, tree, 1, 4, "b");
	add_node(&f, tree, 1, 4, "c");
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a;b 4/4, a;c 1/1");
	assert_int_equal(f.lag.profile.sample_count, 5);
	assert_lag_note(&f.lag, "trees",
	                "1 call has more samples than the caller has left: "
	                "reduced to those");
	fixture_end(&f);
}

static void a_caller_without_samples_has_those_of_its_calls(void **state)
{
	struct fixture f;
	struct report_tree *tree;

	(void)state;
	fixture_begin(&f);
	tree = add_tree(&f, NULL);
	add_node(&f, tree, 0, 0, "a");
	add_node(&f, tree, 1, 4, "b");
	add_node(&f, tree, 1, 0, "c");
	add_node(&f, tree, 2, 3, "d");
	f.report->sample_interval_us = 50000;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN),
	                    "a;b 4/200000, a;c;d 3/150000");
	assert_int_equal(f.lag.note_count, 0);
	fixture_end(&f);
}

static void a_level_that_was_left_out_hangs_below_the_last(void **state)
{
	struct fixture f;
	struct report_tree *tree;

	(void)state;
	fixture_begin(&f);
	tree = add_tree(&f, NULL);
	add_node(&f, tree, 3, 2, "a");
	add_node(&f, tree, 9, 1, "b");
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "a 1/1, a;b 1/1");
	fixture_end(&f);
}

static void the_main_thread_is_known_by_its_title_or_by_blame(void **state)
{
	static const struct {
		const char *titles[3];
		int attributed; ///< index; -1: none
		const char *stacks;
	} cases[] = {
		{ { "Thread_1 DispatchQueue_1: com.apple.main-thread",
		    "Thread_2", "Thread_3" },
		  -1,
		  "a 1/1" },
		{ { "Demo [5] Thread 0x9",
		    "Demo [5] Thread 0x8 DispatchQueue "
		    "\"com.apple.main-thread\"(1)",
		    "Thread 0" },
		  0,
		  "b 2/2" },
		{ { "Thread_7: Main Thread", NULL, NULL }, 2, "a 1/1" },
		{ { "Thread 0", "Thread 1", "Thread 2" }, 1, "b 2/2" },
		{ { "Thread 0", "Thread 1", "Thread 2" }, -1, "a 1/1" },
		{ { NULL, "Stack 1", "Thread 00" }, -1, "a 1/1, b 2/2, c 3/3" },
	};
	static const char *const names[] = { "a", "b", "c" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture f;

		fixture_begin(&f);
		for (size_t k = 0; k < 3; k++) {
			struct report_tree *tree =
			        add_tree(&f, cases[i].titles[k]);

			tree->attributed = cases[i].attributed == (int)k;
			add_node(&f, tree, 0, k + 1, names[k]);
		}
		assert_string_equal(stacks(&f, LAG_THREADS_MAIN),
		                    cases[i].stacks);
		fixture_end(&f);
	}
}

static void the_main_thread_is_that_of_the_process_that_is_meant(void **state)
{
	static const char *const titles[] = {
		"Demo [61] Thread 0x1 DispatchQueue "
		"\"com.apple.main-thread\"(1)",
		"Demo [612] Thread 0x2",
		"Demo [612] Thread 0x3 DispatchQueue "
		"\"com.apple.main-thread\"(1)",
		"Widget [7] Thread 0x4 DispatchQueue "
		"\"com.apple.main-thread\"(1)",
	};
	static const char *const names[] = { "a", "b", "c", "d" };
	static const struct report_process_ref processes[] = {
		{ "Demo", 61, true },
		{ "Demo", 612, true },
		{ "Demo", 612, true },
		{ "Widget", 7, true },
	};
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		struct report_tree *tree = add_tree(&f, titles[i]);

		add_node(&f, tree, 0, i + 1, names[i]);
		tree->process = processes[i];
	}
	f.report->process.name = "Demo";
	f.report->process.pid = 612;
	f.report->process.has_pid = true;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "c 3/3");
	lag_report_clear(&f.lag);
	assert_null(lag_stacks_unclear(f.report));
	// The main threads of others are idle, for all that is known.
	f.report->process.pid = 613;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "");
	assert_string_equal(lag_stacks_unclear(f.report),
	                    "it has no samples of the process that its header "
	                    "names");
	fixture_end(&f);
}

static void all_threads_are_all_trees(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	add_node(&f, add_tree(&f, "Thread 0"), 0, 1, "a");
	add_node(&f, add_tree(&f, "Thread 1"), 0, 2, "b");
	assert_string_equal(stacks(&f, LAG_THREADS_ALL), "a 1/1, b 2/2");
	fixture_end(&f);
}

static void threads_are_kept_apart_below_their_names(void **state)
{
	static const char *const titles[][2] = {
		{ "Thread_4711 DispatchQueue_1: com.apple.main-thread (serial)",
		  "com.apple.main-thread" },
		{ "Thread_4715: com.example.demo.scaler",
		  "com.example.demo.scaler" },
		{ "Demo [612] Thread 0x12 DispatchQueue \"a queue\"(1)",
		  "Demo: a queue" },
		{ "Demo [612] Thread 0x126b Thread name \"scaler\"",
		  "Demo: scaler" },
		{ "Demo [612] Thread 0x77", "Demo [612] Thread 0x77" },
		{ "Demo [614]", "Demo [614]" },
		{ "DispatchQueue \"open", "open" },
		{ "", "thread" },
		{ NULL, "thread" },
	};
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		assert_string_equal(lag_tree_name(&f.arena, titles[i][0]),
		                    titles[i][1]);
	add_node(&f, add_tree(&f, titles[0][0]), 0, 1, "a");
	add_node(&f, add_tree(&f, titles[1][0]), 0, 2, "a");
	assert_string_equal(stacks(&f, LAG_THREADS_SPLIT),
	                    "com.apple.main-thread;a 1/1, "
	                    "com.example.demo.scaler;a 2/2");
	fixture_end(&f);
	fixture_begin(&f);
	add_thread(&f, 0, "poll", "main")->queue = "com.apple.main-thread";
	add_thread(&f, 7, "poll", "work");
	assert_string_equal(stacks(&f, LAG_THREADS_SPLIT),
	                    "com.apple.main-thread;main;poll* 1/1, "
	                    "Thread 7;work;poll* 1/1");
	fixture_end(&f);
}

static void the_heaviest_stack_counts_as_often_as_it_repeats(void **state)
{
	struct fixture f;
	struct report_thread *heaviest;

	(void)state;
	fixture_begin(&f);
	add_thread(&f, 0, "poll", "main")->queue = "com.apple.main-thread";
	heaviest = add_thread(&f, 0, "hang", "main");
	heaviest->name = "HandledThread";
	heaviest->stack.frames[0].repeat_count = 17;
	heaviest->stack.frames[1].repeat_count = 20;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "main;hang* 17/17");
	assert_false(f.lag.profile.from_nodes);
	fixture_end(&f);
}

static void without_trees_the_main_thread_is_meant(void **state)
{
	struct fixture f;
	struct report_thread *thread;

	(void)state;
	fixture_begin(&f);
	add_thread(&f, 4, "a", "z")->crashed = true;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "z;a* 1/1");
	lag_report_clear(&f.lag);
	add_thread(&f, 0, "b", "z");
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "z;b* 1/1");
	lag_report_clear(&f.lag);
	thread = add_thread(&f, 3, "c", "z");
	thread->queue = "com.apple.main-thread";
	thread->stack.all_return_addresses = true;
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "z;c 1/1");
	lag_report_clear(&f.lag);
	assert_string_equal(stacks(&f, LAG_THREADS_ALL),
	                    "z;a* 1/1, z;b* 1/1, z;c 1/1");
	fixture_end(&f);
}

static void a_report_without_such_a_stack_gives_none(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	assert_false(lag_stacks_add(f.report, LAG_THREADS_ALL, &f.lag));
	add_thread(&f, 5, "a", "b");
	report_add_thread(f.report, &f.arena);
	add_tree(&f, "Thread 0");
	assert_false(lag_stacks_add(f.report, LAG_THREADS_MAIN, &f.lag));
	assert_true(lag_stacks_add(f.report, LAG_THREADS_ALL, &f.lag));
	fixture_end(&f);
}

static void only_a_limit_of_time_or_writes_makes_a_crash_a_sample(void **state)
{
	static const struct {
		const char *type;
		const char *subtype;
		enum sample_kind kind;
	} cases[] = {
		{ NULL, NULL, SAMPLE_KIND_NONE },
		{ "EXC_BAD_ACCESS", "CPU", SAMPLE_KIND_NONE },
		{ "EXC_RESOURCE", NULL, SAMPLE_KIND_NONE },
		{ "EXC_RESOURCE", "MEMORY", SAMPLE_KIND_NONE },
		{ "EXC_RESOURCE", "CPU", SAMPLE_KIND_CPU },
		{ "EXC_RESOURCE", "CPU_FATAL", SAMPLE_KIND_CPU },
		{ "EXC_RESOURCE", "WAKEUPS", SAMPLE_KIND_WAKEUPS },
		{ "EXC_RESOURCE", "IO", SAMPLE_KIND_DISK },
	};
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		f.report->exception.type = cases[i].type;
		f.report->exception.subtype = cases[i].subtype;
		assert_int_equal(lag_stacks_kind(f.report), cases[i].kind);
	}
	f.report->sample_kind = SAMPLE_KIND_LAUNCH;
	assert_int_equal(lag_stacks_kind(f.report), SAMPLE_KIND_LAUNCH);
	fixture_end(&f);
}

static void the_thread_that_used_the_time_is_judged(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	add_thread(&f, 0, "idle", "main");
	add_thread(&f, 21, "busy", "start");
	f.report->has_triggered_thread = true;
	f.report->triggered_thread = 21;
	f.report->exception.type = "EXC_RESOURCE";
	f.report->exception.subtype = "CPU";
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "start;busy* 1/1");
	fixture_end(&f);
}

static void inlined_calls_that_are_listed_are_frames(void **state)
{
	struct fixture f;
	struct report_frame *frame;
	struct report_call *calls;

	(void)state;
	fixture_begin(&f);
	frame = add_node(&f, add_tree(&f, NULL), 0, 1, "");
	calls = frame->calls = arena_array(&f.arena, 3, sizeof(*calls));
	calls[0].symbol = "innermost";
	calls[1].symbol = NULL;
	calls[2].symbol = "real";
	frame->call_count = 3;
	frame->image_name = "Demo";
	assert_string_equal(stacks(&f, LAG_THREADS_MAIN), "real;innermost 1/1");
	// A symbol file would list them again: they have no address.
	assert_int_equal(f.lag.profile.frames.count, 2);
	assert_int_equal(f.lag.profile.frames.items[0].address, 0);
	assert_string_equal(
	        intern_cstr(&f.names, f.lag.profile.frames.items[0].image),
	        "Demo");
	fixture_end(&f);
}

static void frames_lie_where_their_offset_says(void **state)
{
	struct fixture f;
	struct report_image *image;
	struct report_frame *frame;

	(void)state;
	fixture_begin(&f);
	image = report_add_image(f.report, &f.arena);
	image->base = 0x10000;
	image->size = 0x1000;
	image->name = "Demo";
	image->path = "/Demo.app/Demo";
	image->arch = "arm64";
	image->own = true;
	report_add_image(f.report, &f.arena)->base = 0x20000;
	frame = add_node(&f, add_tree(&f, NULL), 0, 1, "a");
	frame->address = 0x5678;
	frame->image = 0;
	frame->image_offset = 0x678;
	stacks(&f, LAG_THREADS_MAIN);
	lag_report_place(&f.lag);
	assert_int_equal(f.lag.profile.frames.items[0].address, 0x10678);
	assert_int_equal(f.lag.profile.frames.items[0].placed, 0);
	assert_int_equal(f.lag.profile.images.count, 2);
	assert_string_equal(f.lag.profile.images.items[0].path,
	                    "/Demo.app/Demo");
	assert_true(f.lag.profile.images.items[0].own);
	assert_string_equal(f.lag.profile.images.items[1].name, "???");
	assert_string_equal(f.lag.arch, "arm64");
	fixture_end(&f);
}

static void facts_and_notes_are_carried_over(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	f.report->incident = "I";
	f.report->process.name = "Demo";
	f.report->identifier = "com.example.demo";
	f.report->version = "2.1";
	f.report->build = "210";
	f.report->path = "/Demo.app/Demo";
	f.report->os_version = "iOS 16.0";
	f.report->hardware_model = "iPhone14,2";
	f.report->code_type = "ARM-64";
	report_add_note(f.report, &f.arena, "line 3", "cut");
	add_thread(&f, 0, "a", "b");
	stacks(&f, LAG_THREADS_MAIN);
	assert_string_equal(f.lag.id, "I");
	assert_string_equal(f.lag.app, "Demo 2.1 (210)");
	assert_string_equal(f.lag.app_path, "/Demo.app/Demo");
	assert_string_equal(f.lag.os, "iOS 16.0");
	assert_string_equal(f.lag.device, "iPhone14,2");
	assert_string_equal(f.lag.arch, "ARM-64");
	assert_lag_note(&f.lag, "line 3", "cut");
	fixture_end(&f);
}

static void an_app_is_called_by_its_name_and_build(void **state)
{
	static const struct {
		const char *name, *identifier, *version, *build, *app;
	} cases[] = {
		{ "Demo", NULL, NULL, NULL, "Demo" },
		{ "Demo", NULL, "2.1", NULL, "Demo 2.1" },
		{ "Demo", "id", "2.1 (210)", NULL, "Demo 2.1 (210)" },
		{ "Demo", "id", "2.1", "1", "Demo 2.1 (1)" },
		{ "Demo", "id", "210", "210", "Demo 210" },
		{ NULL, "com.example", "2.1", "210", "com.example 2.1 (210)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture f;

		fixture_begin(&f);
		f.report->process.name = cases[i].name;
		f.report->identifier = cases[i].identifier;
		f.report->version = cases[i].version;
		f.report->build = cases[i].build;
		add_thread(&f, 0, "a", "b");
		stacks(&f, LAG_THREADS_MAIN);
		assert_string_equal(f.lag.app, cases[i].app);
		fixture_end(&f);
	}
}

static void the_middle_of_a_deep_stack_is_left_out(void **state)
{
	const size_t depth = 3 * LAG_STACK_FRAMES;
	struct fixture f;
	struct report_tree *tree;
	SCOPED(mem_drop) uint32_t *frames = NULL;

	(void)state;
	fixture_begin(&f);
	tree = add_tree(&f, NULL);
	for (size_t i = 0; i < depth; i++)
		report_add_node(tree, &f.arena, i, 1)->address = i + 1;
	assert_true(lag_stacks_add(f.report, LAG_THREADS_MAIN, &f.lag));
	assert_int_equal(f.lag.profile.stacks.node_count, 1 + LAG_STACK_FRAMES);
	frames = mem_zalloc(LAG_STACK_FRAMES, sizeof(*frames));
	calltree_stack(&f.lag.profile.stacks, LAG_STACK_FRAMES, frames);
	assert_int_equal(
	        f.lag.profile.frames.items[frames[0] - PROFILE_FRAME].address,
	        1);
	assert_int_equal(
	        f.lag.profile.frames
	                .items[frames[LAG_STACK_FRAMES - 1] - PROFILE_FRAME]
	                .address,
	        depth);
	assert_lag_note(&f.lag, "stacks",
	                "1 deeper than 4096 frames: the middle is dropped");
	fixture_end(&f);
}

static void huge_counts_cost_what_damage_may_cost(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	add_node(&f, add_tree(&f, NULL), 0, UINT64_MAX, "a");
	f.report->sample_interval_us = UINT64_MAX;
	assert_true(lag_stacks_add(f.report, LAG_THREADS_MAIN, &f.lag));
	assert_int_equal(f.lag.profile.sample_count, UINT64_MAX);
	assert_int_equal(f.lag.profile.cost_us, LAG_COST_US_MAX);
	fixture_end(&f);
}

// Samples

/** Fold all reports of a file and check what must hold for each. */
static size_t fold_file(const char *path)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(intern_release) struct intern names = { 0 };
	SCOPED(lag_report_release) struct lag_report lag;
	SCOPED(file_release) struct file_data file = { 0 };
	struct report *report = NULL;
	struct error *err = file_read(path, LIMIT_DEFAULT_REPORT, &file);
	size_t count = 0;

	lag_report_init(&lag, &names);
	if (!err)
		err = read_reports(file.bytes, &arena, &report);
	if (err) {
		error_free(err);
		return 0;
	}
	for (; report; report = report->next) {
		uint64_t total = 0;

		lag_report_clear(&lag);
		if (!lag_stacks_add(report, LAG_THREADS_MAIN, &lag)) {
			assert_int_equal(lag.profile.sample_count, 0);
			continue;
		}
		count++;
		lag_report_place(&lag);
		calltree_sum(&lag.profile.stacks);
		for (uint32_t i = 0; i < lag.profile.stacks.node_count; i++)
			total += lag.profile.stacks.nodes[i].self_samples;
		assert_int_equal(total, lag.profile.sample_count);
		assert_int_equal(
		        lag.profile.stacks.nodes[CALLTREE_ROOT].samples, total);
		assert_true(lag.profile.cost_us >= total);
	}
	return count;
}

static void every_sample_that_holds_stacks_can_be_folded(void **state)
{
	static const struct {
		const char *name;
		size_t reports;
	} cases[] = {
		{ "lag/matrix-lag.json", 1 },
		{ "lag/matrix-power.json", 1 },
		{ "metrickit-hang.json", 2 },
		{ "metrickit-2027.json", 2 },
		{ "metrickit-crash.json", 1 },
		{ "kscrash-mach.json", 1 },
		{ "kscrash-exception.json", 1 },
		{ "kscrash-recrash.json", 2 },
		{ "demo.crash", 1 },
		{ "demo.crash.gz", 1 },
		{ "demo.ips", 1 },
		{ "demo.plcrash", 1 },
		{ "demo-glued.txt", 3 },
		{ "cpu-resource.ips", 1 },
		{ "jetsam/limit.ips", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str path = { 0 };
		size_t found;

		str_addf(&path, "%s/samples/%s", APMTOOL_SOURCE_DIR,
		         cases[i].name);
		found = fold_file(str_cstr(&path));
		if (found != cases[i].reports)
			fail_msg("%s: %zu", cases[i].name, found);
	}
}

static void other_samples_do_no_harm(void **state)
{
	SCOPED(str_release) struct str path = { 0 };
	DIR *builder = opendir(APMTOOL_SOURCE_DIR "/samples");
	const struct dirent *entry;

	(void)state;
	assert_non_null(builder);
	while ((entry = readdir(builder))) {
		str_clear(&path);
		str_addf(&path, "%s/samples/%s", APMTOOL_SOURCE_DIR,
		         entry->d_name);
		fold_file(str_cstr(&path));
	}
	closedir(builder);
}

static void the_stacks_of_matrix_are_those_of_its_ring(void **state)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	assert_null(file_read(APMTOOL_SOURCE_DIR "/samples/lag/matrix-lag.json",
	                      LIMIT_DEFAULT_REPORT, &file));
	assert_null(read_reports(file.bytes, &f.arena, &f.report));
	stacks(&f, LAG_THREADS_MAIN);
	assert_int_equal(f.lag.profile.sample_count, 20);
	// It blocks for two seconds before it is dumped.
	assert_int_equal(f.lag.profile.cost_us, 2000000);
	assert_string_equal(f.lag.app, "Demo 2.1 (210)");
	assert_string_equal(f.lag.arch, "arm64");
	// The first stack is the deepest and the most frequent.
	assert_int_equal(f.lag.profile.stacks.nodes[19].self_samples, 12);
	assert_int_equal(f.lag.profile.stacks.nodes[19].depth, 19);
	fixture_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_count_where_they_end),
		cmocka_unit_test(a_sample_without_interval_has_no_cost),
		cmocka_unit_test(each_kind_has_its_unit),
		cmocka_unit_test(an_unread_time_is_not_assumed),
		cmocka_unit_test(samples_of_a_known_time_share_it),
		cmocka_unit_test(a_tree_without_counts_is_a_sample_a_leaf),
		cmocka_unit_test(calls_that_exceed_their_caller_are_truncated),
		cmocka_unit_test(
		        a_caller_without_samples_has_those_of_its_calls),
		cmocka_unit_test(
		        a_level_that_was_left_out_hangs_below_the_last),
		cmocka_unit_test(
		        the_main_thread_is_known_by_its_title_or_by_blame),
		cmocka_unit_test(
		        the_main_thread_is_that_of_the_process_that_is_meant),
		cmocka_unit_test(all_threads_are_all_trees),
		cmocka_unit_test(threads_are_kept_apart_below_their_names),
		cmocka_unit_test(
		        the_heaviest_stack_counts_as_often_as_it_repeats),
		cmocka_unit_test(without_trees_the_main_thread_is_meant),
		cmocka_unit_test(a_report_without_such_a_stack_gives_none),
		cmocka_unit_test(
		        only_a_limit_of_time_or_writes_makes_a_crash_a_sample),
		cmocka_unit_test(the_thread_that_used_the_time_is_judged),
		cmocka_unit_test(inlined_calls_that_are_listed_are_frames),
		cmocka_unit_test(frames_lie_where_their_offset_says),
		cmocka_unit_test(facts_and_notes_are_carried_over),
		cmocka_unit_test(an_app_is_called_by_its_name_and_build),
		cmocka_unit_test(the_middle_of_a_deep_stack_is_left_out),
		cmocka_unit_test(huge_counts_cost_what_damage_may_cost),
		cmocka_unit_test(every_sample_that_holds_stacks_can_be_folded),
		cmocka_unit_test(other_samples_do_no_harm),
		cmocka_unit_test(the_stacks_of_matrix_are_those_of_its_ring),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
