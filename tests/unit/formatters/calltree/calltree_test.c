// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "tests/unit/lib/model/calltree_builder.h"

#define HEADER "\nsamples    share    ms  function"

/** A node list as lag monitors upload it, with names. */
static void add_example(struct built_tree *built)
{
	BUILT_STACK(built, 1, "main", "-[Store load]");
	BUILT_STACK(built, 23, "main", "-[Store load]", "read");
	BUILT_STACK(built, 6, "main", "-[Store draw]");
}

static struct calltree_frame *frame(struct built_tree *built, const char *name)
{
	return &built->frames[built_frame(built, name)];
}

// folded

static void folded_has_a_line_a_stack_that_samples_ended_in(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	add_example(&built);
	assert_tree(&folded_formatter, &built.tree, NULL,
	            "main;-[Store draw] 6\n"
	            "main;-[Store load] 1\n"
	            "main;-[Store load];read 23\n");
}

static void folded_counts_microseconds_where_costs_are_shown(
        void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	add_example(&built);
	built.tree.by_cost = true;
	built.tree.nodes[2].self_cost_us = 0;
	built.tree.nodes[3].self_cost_us = 1150001;
	assert_tree(&folded_formatter, &built.tree, NULL,
	            "main;-[Store draw] 300000\n"
	            "main;-[Store load];read 1150001\n");
}

static void folded_of_no_tree_is_empty(void **state UNUSED)
{
	struct calltree none = { 0 };

	assert_tree(&folded_formatter, &none, NULL, "");
}

static void folded_is_ordered_by_frames(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 1, "a b");
	BUILT_STACK(&built, 2, "b");
	BUILT_STACK(&built, 3, "a", "z");
	BUILT_STACK(&built, 4, "a", "b", "c");
	BUILT_STACK(&built, 5, "a");
	// By bytes, `a b` would precede `a;b`.
	assert_tree(&folded_formatter, &built.tree, NULL,
	            "a 5\n"
	            "a;b;c 4\n"
	            "a;z 3\n"
	            "a b 1\n"
	            "b 2\n");
}

static void folded_adds_up_stacks_of_equal_names(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 1, "start", "first", "x");
	BUILT_STACK(&built, 2, "start", "second", "x");
	BUILT_STACK(&built, 4, "start", "second", "x", "y");
	BUILT_STACK(&built, 8, "start", "first", "x", "b");
	BUILT_STACK(&built, 16, "start", "between", "x");
	// One symbol, found in two images.
	frame(&built, "first")->name = "same";
	frame(&built, "second")->name = "same";
	assert_tree(&folded_formatter, &built.tree, NULL,
	            "start;between;x 16\n"
	            "start;same;x 3\n"
	            "start;same;x;b 8\n"
	            "start;same;x;y 4\n");
}

static void folded_keeps_names_from_breaking_lines(void **state UNUSED)
{
	static const struct {
		const char *name;
		const char *written;
	} cases[] = {
		{ "a;b", "a:b" },
		{ "a\nb", "a\\x0ab" },
		{ "a\r", "a\\x0d" },
		{ "a\tb", "a b" },
		{ "a\x1b[0m", "a\\x1b[0m" },
		{ "\xe2\x80\xae"
		  "a",
		  "\\u{202e}a" },
		{ "bad\xff", "bad\\xff" },
		{ "", "[unknown]" },
		// These would be read as a second number.
		{ "Demo + 51500", "Demo+51500" },
		{ "Block 12", "Block_12" },
		{ "v 1.5", "v_1.5" },
		{ "a\t7", "a_7" },
		// These would not.
		{ "12", "12" },
		{ "a12", "a12" },
		{ "0x104d0c92c", "0x104d0c92c" },
		{ "a + b", "a + b" },
		{ "-[A b:c]", "-[A b:c]" },
		{ "\xe6\x97\xa5", "\xe6\x97\xa5" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(built_tree_release) struct built_tree built = { 0 };
		SCOPED(str_release) struct str expected = { 0 };

		BUILT_STACK(&built, 3, "main", "x");
		frame(&built, "x")->name = cases[i].name;
		str_addf(&expected, "main;%s 3\n", cases[i].written);
		assert_tree(&folded_formatter, &built.tree, NULL,
		            str_cstr(&expected));
	}
}

static void folded_has_the_older_number_first(void **state UNUSED)
{
	static const struct calltree_weight before[] = {
		{ .samples = 9 },
		{ .samples = 9 },
		{ .samples = 7, .self_samples = 0 },
		{ .samples = 7, .self_samples = 7 },
		{ .samples = 2, .self_samples = 2 },
	};
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	add_example(&built);
	built.tree.nodes[4].self_samples = 0;
	built_before(&built, before, ARRAY_SIZE(before));
	assert_tree(&folded_formatter, &built.tree, NULL,
	            "main;-[Store draw] 2 0\n"
	            "main;-[Store load] 0 1\n"
	            "main;-[Store load];read 7 23\n");
}

// Random trees

struct random {
	uint64_t state;
};

static unsigned draw(struct random *random, unsigned below)
{
	random->state = random->state * 6364136223846793005u + 1;
	return (unsigned)(random->state >> 33) % below;
}

static const char *const names[] = {
	"a", "a b", "ab", "b", "B", "\xe6\x97\xa5", "-[A b]", "0x1",
};

/** Collapsed the plain way: every stack is a line, equal lines are one. */
struct lines {
	struct str stacks[200];
	uint64_t counts[200];
	size_t count;
};

static void lines_release(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		str_release(&lines->stacks[i]);
}

static void lines_add(struct lines *lines, struct text stack, uint64_t count)
{
	size_t at = 0;

	while (at < lines->count &&
	       !text_equal(str_text(&lines->stacks[at]), stack))
		at++;
	if (at == lines->count) {
		lines->count++;
		str_add_text(&lines->stacks[at], stack);
	}
	lines->counts[at] += count;
}

static void add_random_stack(struct random *random, struct built_tree *built,
                             struct lines *lines)
{
	const char *stack[8] = { 0 };
	size_t depth = 1 + draw(random, ARRAY_SIZE(stack) - 1);
	uint64_t samples = 1 + draw(random, 5);
	SCOPED(str_release) struct str line = { 0 };

	for (size_t i = 0; i < depth; i++) {
		stack[i] = names[draw(random, ARRAY_SIZE(names))];
		str_addf(&line, "%s%s", i ? ";" : "", stack[i]);
	}
	built_add(built, samples, stack);
	lines_add(lines, str_text(&line), samples);
}

/** Add the line `a;b;c 12` to a tree, as a reader would. */
static void read_folded_line(struct text line, struct built_tree *built,
                             char *scratch)
{
	const char *stack[9] = { 0 };
	size_t blank = text_find_last_char(line, ' ');
	uint64_t count = 0;

	assert_true(number_decimal(text_after(line, blank + 1), &count));
	memcpy(scratch, line.data, blank);
	scratch[blank] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(stack) - 1 && scratch; i++) {
		char *end = strchr(scratch, ';');

		if (end)
			*end = '\0';
		for (size_t n = 0; n < ARRAY_SIZE(names); n++)
			if (!strcmp(names[n], scratch))
				stack[i] = names[n];
		assert_non_null(stack[i]);
		scratch = end ? end + 1 : NULL;
	}
	built_add(built, count, stack);
}

static void folded_is_what_a_plain_collapse_gives(void **state UNUSED)
{
	struct random random = { 1 };

	for (unsigned round = 0; round < 40; round++) {
		SCOPED(built_tree_release) struct built_tree built = { 0 };
		SCOPED(lines_release) struct lines lines = { 0 };
		SCOPED(mem_drop) char *written = NULL;
		unsigned count = 1 + draw(&random, 150);
		struct text rest, line;
		size_t seen = 0;

		for (unsigned i = 0; i < count; i++)
			add_random_stack(&random, &built, &lines);
		written = rendered_tree(&folded_formatter, &built.tree, NULL);
		for (rest = text_from(written); text_next_line(&rest, &line);
		     seen++) {
			size_t blank = text_find_last_char(line, ' ');
			struct text stack = text_first(line, blank);
			uint64_t samples = 0;
			size_t at = 0;

			assert_true(number_decimal(text_after(line, blank + 1),
			                           &samples));
			while (at < lines.count &&
			       !text_equal(str_text(&lines.stacks[at]), stack))
				at++;
			assert_true(at < lines.count);
			assert_int_equal(samples, lines.counts[at]);
		}
		assert_int_equal(seen, lines.count);
	}
}

static void folded_lines_read_again_give_the_same_tree(void **state UNUSED)
{
	struct random random = { 2 };

	for (unsigned round = 0; round < 40; round++) {
		SCOPED(built_tree_release) struct built_tree built = { 0 };
		SCOPED(built_tree_release) struct built_tree again = { 0 };
		SCOPED(lines_release) struct lines lines = { 0 };
		SCOPED(mem_drop) char *first = NULL;
		SCOPED(mem_drop) char *second = NULL;
		unsigned count = 1 + draw(&random, 150);
		char scratch[256];
		struct text rest, line;

		for (unsigned i = 0; i < count; i++)
			add_random_stack(&random, &built, &lines);
		first = rendered_tree(&folded_formatter, &built.tree, NULL);
		for (rest = text_from(first); text_next_line(&rest, &line);)
			read_folded_line(line, &again, scratch);
		second = rendered_tree(&folded_formatter, &again.tree, NULL);
		assert_string_equal(first, second);
		assert_int_equal(built.tree.node_count, again.tree.node_count);
		assert_int_equal(built.tree.nodes[0].samples,
		                 again.tree.nodes[0].samples);
	}
}

// speedscope

#define SPEEDSCOPE_HEAD                                                       \
	"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"" \
	",\"exporter\":\"apmtool " APMTOOL_VERSION "\",\"name\":"

static void speedscope_has_a_sample_a_stack(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	add_example(&built);
	built_frame(&built, "never called");
	frame(&built, "main")->image = "Demo";
	frame(&built, "read")->image = "libsystem_kernel.dylib";
	frame(&built, "-[Store load]")->image = "Demo";
	frame(&built, "-[Store load]")->file = "Store.m";
	frame(&built, "-[Store load]")->line = 12;
	built.tree.title = "a \"title\"";
	assert_tree(&speedscope_formatter, &built.tree, NULL,
	            SPEEDSCOPE_HEAD
	            "\"a \\\"title\\\"\",\"activeProfileIndex\":0,"
	            "\"shared\":{\"frames\":[\n"
	            "{\"name\":\"main\",\"file\":\"Demo\","
	            "\"image\":\"Demo\"},"
	            "{\"name\":\"-[Store load]\",\"file\":\"Store.m\","
	            "\"line\":12,\"image\":\"Demo\"},"
	            "{\"name\":\"read\",\"file\":\"libsystem_kernel.dylib\","
	            "\"image\":\"libsystem_kernel.dylib\"},"
	            "{\"name\":\"-[Store draw]\"}]},\"profiles\":["
	            "{\"type\":\"sampled\",\"name\":\"a \\\"title\\\"\","
	            "\"unit\":\"none\",\"startValue\":0,\"samples\":[\n"
	            "[0,1],\n"
	            "[0,1,2],\n"
	            "[0,3]],\"weights\":[1,23,6],\"endValue\":30}]}\n");
}

static void speedscope_shows_the_older_tree_second(void **state UNUSED)
{
	static const struct calltree_weight before[] = {
		{ .cost_us = 7 },
		{ .cost_us = 7, .self_cost_us = 7 },
		{ .cost_us = 0 },
	};
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 2, "main", "read");
	built.tree.by_cost = true;
	built_before(&built, before, ARRAY_SIZE(before));
	assert_tree(&speedscope_formatter, &built.tree, NULL,
	            SPEEDSCOPE_HEAD
	            "\"call tree\",\"activeProfileIndex\":0,"
	            "\"shared\":{\"frames\":[\n"
	            "{\"name\":\"main\"},{\"name\":\"read\"}]},\"profiles\":["
	            "{\"type\":\"sampled\",\"name\":\"after\","
	            "\"unit\":\"milliseconds\",\"startValue\":0,\"samples\":[\n"
	            "[0,1]],\"weights\":[100],\"endValue\":100},"
	            "{\"type\":\"sampled\",\"name\":\"before\","
	            "\"unit\":\"milliseconds\",\"startValue\":0,\"samples\":[\n"
	            "[0]],\"weights\":[0.007],\"endValue\":0.007}]}\n");
}

static void speedscope_of_no_tree_is_a_profile_without_samples(
        void **state UNUSED)
{
	struct calltree none = { 0 };

	assert_tree(&speedscope_formatter, &none, NULL,
	            SPEEDSCOPE_HEAD
	            "\"call tree\",\"activeProfileIndex\":0,"
	            "\"shared\":{\"frames\":[]},\"profiles\":["
	            "{\"type\":\"sampled\",\"name\":\"call tree\","
	            "\"unit\":\"none\",\"startValue\":0,\"samples\":[],"
	            "\"weights\":[],\"endValue\":0}]}\n");
}

// nodes

static void nodes_are_the_list_of_lag_monitors(void **state UNUSED)
{
	static const uint64_t addresses[] = { 0x104d0824f, 0x104d09111,
		                              0x1a0001234, 0x104d0a222 };
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	add_example(&built);
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
		built.frames[i].address = addresses[i];
		built.frames[i].has_address = true;
		built.frames[i].is_symbol = false;
	}
	assert_tree(&nodes_formatter, &built.tree, NULL,
	            "[{\"depth\":0,\"count\":30,\"costTime\":1500,"
	            "\"methodAddress\":\"0x104d0824f\"},\n"
	            " {\"depth\":1,\"count\":24,\"costTime\":1200,"
	            "\"methodAddress\":\"0x104d09111\"},\n"
	            " {\"depth\":2,\"count\":23,\"costTime\":1150,"
	            "\"methodAddress\":\"0x1a0001234\"},\n"
	            " {\"depth\":1,\"count\":6,\"costTime\":300,"
	            "\"methodAddress\":\"0x104d0a222\"}]\n");
}

static void nodes_name_what_has_a_name(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 1, "main", "Demo + 51500", "a \"b\"\n");
	frame(&built, "main")->has_address = true;
	frame(&built, "main")->address = 16;
	frame(&built, "Demo + 51500")->is_symbol = false;
	built.tree.nodes[1].cost_us = 1250;
	built.tree.nodes[2].cost_us = 50;
	built.tree.nodes[3].cost_us = 0;
	assert_tree(&nodes_formatter, &built.tree, NULL,
	            "[{\"depth\":0,\"count\":1,\"costTime\":1.25,"
	            "\"methodAddress\":\"0x10\",\"symbol\":\"main\"},\n"
	            " {\"depth\":1,\"count\":1,\"costTime\":0.05,"
	            "\"symbol\":\"Demo + 51500\"},\n"
	            " {\"depth\":2,\"count\":1,\"costTime\":0,"
	            "\"symbol\":\"a \\\"b\\\"\\n\"}]\n");
}

/** One stack, @p depth times the same function. */
static void add_deep(struct built_tree *built, uint32_t depth)
{
	uint32_t *frames = mem_zalloc(depth, sizeof(*frames));
	uint32_t node;

	built_frame(built, "f");
	node = calltree_add(&built->tree, frames, depth);
	built->tree.nodes[node].self_samples = 1;
	calltree_sum(&built->tree);
	free(frames);
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

static void nodes_end_at_a_hundred_levels(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(mem_drop) char *text = NULL;

	add_deep(&built, 4096);
	text = rendered_tree(&nodes_formatter, &built.tree, NULL);
	assert_int_equal(count_of(text, "\n"), 100);
	assert_non_null(strstr(text, "{\"depth\":99,"));
	assert_null(strstr(text, "{\"depth\":100,"));
}

static void nodes_of_no_tree_are_an_empty_list(void **state UNUSED)
{
	struct calltree none = { 0 };

	assert_tree(&nodes_formatter, &none, NULL, "[]\n");
}

// json, csv

static void json_has_a_line_a_node(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 2, "main", "0x10");
	BUILT_STACK(&built, 1, "main");
	frame(&built, "main")->kind = CALLTREE_APP;
	frame(&built, "main")->image = "Demo";
	frame(&built, "main")->file = "main.m";
	frame(&built, "main")->path = "Demo/main.m";
	frame(&built, "main")->line = 7;
	frame(&built, "main")->line_borrowed = true;
	frame(&built, "0x10")->is_symbol = false;
	frame(&built, "0x10")->has_address = true;
	frame(&built, "0x10")->address = 16;
	assert_tree(&json_formatter, &built.tree, NULL,
	            "{\n"
	            "  \"schema\": \"apmtool.calltree/1\",\n"
	            "  \"measure\": \"samples\",\n"
	            "  \"unit\": \"ms\",\n"
	            "  \"cost_origin\": \"measured\",\n"
	            "  \"samples_unit\": \"samples\",\n"
	            "  \"samples\": 3,\n"
	            "  \"cost_ms\": 150,\n"
	            "  \"nodes\": [\n"
	            "    {\"depth\":0,\"name\":\"main\",\"is_symbol\":true,"
	            "\"image\":\"Demo\",\"kind\":\"app\",\"address\":null,"
	            "\"file\":\"main.m\",\"path\":\"Demo/main.m\",\"line\":7,"
	            "\"line_borrowed\":true,"
	            "\"samples\":3,\"self_samples\":1,"
	            "\"cost_ms\":150,\"self_cost_ms\":50},\n"
	            "    {\"depth\":1,\"name\":\"0x10\",\"is_symbol\":false,"
	            "\"image\":null,\"kind\":\"system\",\"address\":\"0x10\","
	            "\"file\":null,\"line\":null,"
	            "\"samples\":2,\"self_samples\":2,"
	            "\"cost_ms\":100,\"self_cost_ms\":100}\n"
	            "  ]\n"
	            "}\n");
}

static const struct calltree_weight one_before[] = {
	{ .samples = 5, .cost_us = 250000 },
	{ .samples = 5,
	  .self_samples = 4,
	  .cost_us = 250000,
	  .self_cost_us = 200500 },
};

static void json_lines_have_the_older_numbers(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 1, "main");
	built.tree.title = "Demo";
	built.tree.by_cost = true;
	built_before(&built, one_before, ARRAY_SIZE(one_before));
	assert_tree(&jsonl_formatter, &built.tree, NULL,
	            "{\"schema\":\"apmtool.calltree/1\",\"title\":\"Demo\","
	            "\"measure\":\"cost\",\"unit\":\"ms\","
	            "\"cost_origin\":\"measured\","
	            "\"samples_unit\":\"samples\","
	            "\"samples\":1,\"cost_ms\":50,"
	            "\"before\":{\"samples\":5,\"cost_ms\":250},\"nodes\":["
	            "{\"depth\":0,\"name\":\"main\",\"is_symbol\":true,"
	            "\"image\":null,\"kind\":\"system\",\"address\":null,"
	            "\"file\":null,\"line\":null,"
	            "\"samples\":1,\"self_samples\":1,"
	            "\"cost_ms\":50,\"self_cost_ms\":50,"
	            "\"before\":{\"samples\":5,\"self_samples\":4,"
	            "\"cost_ms\":250,\"self_cost_ms\":200.5}}]}\n");
}

static void json_of_no_tree_has_no_nodes(void **state UNUSED)
{
	struct calltree none = { 0 };

	assert_tree(
	        &jsonl_formatter, &none, NULL,
	        "{\"schema\":\"apmtool.calltree/1\",\"measure\":\"samples\","
	        "\"unit\":\"ms\",\"cost_origin\":\"measured\","
	        "\"samples_unit\":\"samples\","
	        "\"samples\":0,\"cost_ms\":0,\"nodes\":[]}\n");
}

static void csv_has_a_record_a_node(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 1, "-[A b]", "a,b");
	frame(&built, "-[A b]")->kind = CALLTREE_APP;
	frame(&built, "-[A b]")->image = "Demo";
	frame(&built, "-[A b]")->file = "b.m";
	frame(&built, "-[A b]")->path = "Demo/b.m";
	frame(&built, "-[A b]")->line = 3;
	frame(&built, "a,b")->has_address = true;
	frame(&built, "a,b")->address = 16;
	assert_tree(&csv_formatter, &built.tree, NULL,
	            "depth,name,image,kind,address,file,line,"
	            "samples,self_samples,cost_ms,self_cost_ms,"
	            "cost,self_cost,unit,cost_origin,path\r\n"
	            "0,'-[A b],Demo,app,,b.m,3,1,0,50,0,50,0,ms,measured,"
	            "Demo/b.m\r\n"
	            "1,\"a,b\",,system,0x10,,,1,1,50,50,50,50,ms,measured,"
	            "\r\n");
}

static void csv_has_columns_of_the_older_tree(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 1, "main");
	built_before(&built, one_before, ARRAY_SIZE(one_before));
	assert_tree(&csv_formatter, &built.tree, NULL,
	            "depth,name,image,kind,address,file,line,"
	            "samples,self_samples,cost_ms,self_cost_ms,"
	            "before_samples,before_self_samples,"
	            "before_cost_ms,before_self_cost_ms,"
	            "cost,self_cost,unit,cost_origin,path\r\n"
	            "0,main,,system,,,,1,1,50,50,5,4,250,200.5,50,50,ms,"
	            "measured,\r\n");
}

// text

static void text_says_the_answer_first(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 24, "main", "-[Store load]", "read");
	BUILT_STACK(&built, 6, "main", "-[Store draw]");
	assert_tree(&text_formatter, &built.tree, NULL,
	            "30 samples, 1500 ms: heaviest path "
	            "main → -[Store load] → read (80 %)\n" HEADER "\n"
	            "     30  100.0 %  1500  main\n"
	            "     24   80.0 %  1200  ├─ -[Store load]\n"
	            "     24   80.0 %  1200  │  read\n"
	            "      6   20.0 %   300  └─ -[Store draw]\n");
}

static void text_ends_the_path_where_it_splits(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 1, "a", "x");
	BUILT_STACK(&built, 1, "a", "y");
	BUILT_STACK(&built, 1, "a", "z");
	BUILT_STACK(&built, 2, "b");
	built.tree.title = "De\x1bmo";
	built.tree.nodes[0].cost_us = 0;
	assert_tree(&text_formatter, &built.tree, NULL,
	            "De\\x1bmo: 5 samples: heaviest path a (60 %)\n"
	            "\nsamples    share  function\n"
	            "      3   60.0 %  ├─ a\n"
	            "      1   20.0 %  │  ├─ x\n"
	            "      1   20.0 %  │  ├─ y\n"
	            "      1   20.0 %  │  └─ z\n"
	            "      2   40.0 %  └─ b\n");
}

static void text_shortens_a_long_path_in_the_middle(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(mem_drop) char *text = NULL;

	BUILT_STACK(&built, 1, "a", "b", "c", "d", "e", "f");
	text = rendered_tree(&text_formatter, &built.tree, NULL);
	assert_non_null(strstr(text, " a → b → c → d → e → f (100 %)\n"));
	free(text);
	BUILT_STACK(&built, 9, "a", "b", "c", "d", "e", "f", "g");
	text = rendered_tree(&text_formatter, &built.tree, NULL);
	assert_non_null(strstr(text, " a → … → d → e → f → g (90 %)\n"));
}

static void text_aligns_images_by_what_is_shown(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 2, "main", "\xe6\x97\xa5\xe6\x9c\xac");
	BUILT_STACK(&built, 1, "main", "e\xcc\x81");
	BUILT_STACK(&built, 1, "none");
	frame(&built, "main")->image = "Demo";
	frame(&built, "\xe6\x97\xa5\xe6\x9c\xac")->image = "A";
	frame(&built, "e\xcc\x81")->image = "B";
	assert_tree(&text_formatter, &built.tree, NULL,
	            "4 samples, 200 ms: heaviest path "
	            "main → \xe6\x97\xa5\xe6\x9c\xac (50 %)\n"
	            "\nsamples    share   ms  function    image\n"
	            "      3   75.0 %  150  ├─ main     Demo\n"
	            "      2   50.0 %  100  │  ├─ \xe6\x97\xa5\xe6\x9c\xac  A\n"
	            "      1   25.0 %   50  │  └─ e\xcc\x81     B\n"
	            "      1   25.0 %   50  └─ none\n");
}

/** A function of 64 columns moves the images, a wider one does not. */
static void text_moves_no_image_for_a_very_long_name(void **state UNUSED)
{
	static const char name[] = "12345678901234567890123456789012"
	                           "345678901234567890123456789012345";

	for (size_t width = 64; width <= 65; width++) {
		SCOPED(built_tree_release) struct built_tree built = { 0 };
		SCOPED(str_release) struct str line = { 0 };
		SCOPED(mem_drop) char *text = NULL;

		BUILT_STACK(&built, 1, "main", name + 65 - width);
		frame(&built, "main")->image = "Demo";
		text = rendered_tree(&text_formatter, &built.tree, NULL);
		str_add(&line, "  main");
		// As wide as the longer name, or as the title.
		str_add_repeat(&line, ' ', width == 64 ? 60 : 4);
		str_add(&line, "  Demo\n");
		assert_non_null(strstr(text, str_cstr(&line)));
	}
}

static void text_shows_what_is_just_heavy_enough(void **state UNUSED)
{
	const struct format_options options = { .min_percent = 5 };
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 950, "a");
	BUILT_STACK(&built, 50, "b");
	BUILT_STACK(&built, 0, "c");
	built.tree.nodes[3].self_samples = 0;
	assert_tree(&text_formatter, &built.tree, &options,
	            "1000 samples, 50000 ms: heaviest path a (95 %)\n"
	            "\nsamples    share     ms  function\n"
	            "    950   95.0 %  47500  ├─ a\n"
	            "     50    5.0 %   2500  └─ b\n"
	            "\n1 of 3 calls are below 5 % and not shown\n");
}

/** A path goes on with a call that holds half of its caller, or more. */
static void text_follows_a_path_down_to_its_half(void **state UNUSED)
{
	static const struct {
		uint64_t heavy, light;
		const char *path;
	} cases[] = {
		{ 2, 1, ": heaviest path a → x (66.7 %)\n" },
		{ 2, 2, ": heaviest path a → x (40 %)\n" },
		{ 3, 3, ": heaviest path a (100 %)\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(built_tree_release) struct built_tree built = { 0 };
		SCOPED(mem_drop) char *text = NULL;

		BUILT_STACK(&built, cases[i].light, "a", "y");
		BUILT_STACK(&built, cases[i].heavy, "a", "x");
		if (i)
			BUILT_STACK(&built, i, i == 1 ? "b" : "a");
		text = rendered_tree(&text_formatter, &built.tree, NULL);
		assert_non_null(strstr(text, cases[i].path));
	}
}

static void text_folds_what_is_light(void **state UNUSED)
{
	const struct format_options options = { .min_percent = 5 };
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 90, "main", "heavy");
	BUILT_STACK(&built, 1, "main", "heavy", "noise");
	BUILT_STACK(&built, 3, "main", "x", "x");
	BUILT_STACK(&built, 4, "main", "y");
	BUILT_STACK(&built, 2, "main", "z");
	// What `heavy` calls is too light even for a line of its own.
	assert_tree(&text_formatter, &built.tree, &options,
	            "100 samples, 5000 ms: heaviest path "
	            "main → heavy (91 %)\n" HEADER "\n"
	            "    100  100.0 %  5000  main\n"
	            "     91   91.0 %  4550  ├─ heavy\n"
	            "      9    9.0 %   450  └─ … 3 more\n"
	            "\n5 of 7 calls are below 5 % and not shown\n");
}

static void text_draws_bars_on_a_terminal(void **state UNUSED)
{
	const struct format_options options = { .terminal = true };
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 5, "a");
	BUILT_STACK(&built, 2, "b");
	BUILT_STACK(&built, 1, "c");
	assert_tree(&text_formatter, &built.tree, &options,
	            "8 samples, 400 ms: heaviest path a (62.5 %)\n"
	            "\nsamples    share               ms  function\n"
	            "      5   62.5 %  ██████▎     250  ├─ a\n"
	            "      2   25.0 %  ██▌         100  ├─ b\n"
	            "      1   12.5 %  █▎           50  └─ c\n");
}

static void text_sets_the_app_apart_in_color(void **state UNUSED)
{
	const struct format_options options = { .color = true };
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 1, "a");
	BUILT_STACK(&built, 1, "b");
	frame(&built, "b")->kind = CALLTREE_APP;
	frame(&built, "b")->image = "Demo";
	assert_tree(&text_formatter, &built.tree, &options,
	            "2 samples, 100 ms: heaviest path a (50 %)\n"
	            "\nsamples    share   ms  function  image\n"
	            "      1   50.0 %   50  \x1b[2m├─ \x1b[0ma\n"
	            "      1   50.0 %   50  \x1b[2m└─ \x1b[0m"
	            "\x1b[1mb\x1b[0m      \x1b[2mDemo\x1b[0m\n");
}

static void text_shows_what_changed(void **state UNUSED)
{
	static const struct calltree_weight before[] = {
		{ .samples = 10, .cost_us = 500000 },
		{ .samples = 2, .cost_us = 100000 },
		{ .samples = 1, .cost_us = 50000 },
		{ .samples = 7, .cost_us = 350000, .self_samples = 7 },
	};
	const struct format_options options = { .min_percent = 1 };
	const struct format_options shares = { .min_percent = 1,
		                               .diff = DIFF_SHARE };
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	BUILT_STACK(&built, 18, "a");
	BUILT_STACK(&built, 2, "b");
	BUILT_STACK(&built, 0, "gone");
	built_before(&built, before, ARRAY_SIZE(before));
	assert_tree(&text_formatter, &built.tree, &options,
	            "20 samples, 1000 ms (before: 10 samples, 500 ms): "
	            "heaviest path a (90 %)\n"
	            "\nsamples    share  change    ms  function\n"
	            "     18   90.0 %     +16   900  ├─ a\n"
	            "      2   10.0 %      +1   100  ├─ b\n"
	            "      0    0.0 %      -7     0  └─ gone\n");
	// 20 samples of what 3 were before: with the 7, these were 66.7.
	assert_tree(&text_formatter, &built.tree, &shares,
	            "20 samples, 1000 ms (before: 10 samples, 500 ms): "
	            "heaviest path a (90 %)\n"
	            "\nsamples    share  change    ms  function\n"
	            "     18   90.0 %    +6.9   900  ├─ a\n"
	            "      2   10.0 %    -7.0   100  ├─ b\n"
	            "      0    0.0 %   -70.0     0  └─ gone\n");
}

static void text_rounds_costs_but_not_to_nothing(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(mem_drop) char *text = NULL;

	BUILT_STACK(&built, 1, "a");
	BUILT_STACK(&built, 1, "b");
	BUILT_STACK(&built, 1, "c");
	BUILT_STACK(&built, 1, "d");
	BUILT_STACK(&built, 1, "e");
	BUILT_STACK(&built, 1, "f");
	built.tree.nodes[1].cost_us = 1;
	built.tree.nodes[2].cost_us = 1500;
	built.tree.nodes[3].cost_us = 0;
	built.tree.nodes[4].cost_us = 1499;
	built.tree.nodes[5].cost_us = 999;
	built.tree.nodes[6].cost_us = 1000;
	text = rendered_tree(&text_formatter, &built.tree, NULL);
	assert_non_null(strstr(text, " 16.7 %   <1  ├─ a\n"));
	assert_non_null(strstr(text, " 16.7 %    2  ├─ b\n"));
	assert_non_null(strstr(text, " 16.7 %    0  ├─ c\n"));
	assert_non_null(strstr(text, " 16.7 %    1  ├─ d\n"));
	assert_non_null(strstr(text, " 16.7 %   <1  ├─ e\n"));
	assert_non_null(strstr(text, " 16.7 %    1  └─ f\n"));
}

static void text_escapes_names(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(mem_drop) char *text = NULL;

	BUILT_STACK(&built, 1, "a\tb\x1b[31m\n");
	built.frames[0].image = "D\x1b";
	text = rendered_tree(&text_formatter, &built.tree, NULL);
	assert_non_null(strstr(text, "  a\\x09b\\x1b[31m\\x0a  D\\x1b\n"));
}

static void text_of_no_tree_says_so(void **state UNUSED)
{
	struct calltree none = { 0 };

	assert_tree(&text_formatter, &none, NULL, "no samples\n");
}

/** A tree that branches at each of @p depth levels. */
static void add_comb(struct built_tree *built, unsigned depth)
{
	uint32_t side = built_frame(built, "side");
	uint32_t down = built_frame(built, "down");
	uint32_t node = CALLTREE_ROOT;

	for (unsigned i = 0; i < depth; i++) {
		uint32_t leaf = calltree_child(&built->tree, node, side);

		built->tree.nodes[leaf].self_samples = 1;
		node = calltree_child(&built->tree, node, down);
	}
	built->tree.nodes[node].self_samples = 1;
	calltree_sum(&built->tree);
}

static void text_indents_no_further_than_sixty_branches(void **state UNUSED)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(mem_drop) char *text = NULL;

	add_comb(&built, 3000);
	text = rendered_tree(&text_formatter, &built.tree, NULL);
	assert_int_equal(count_of(text, "\n"), 3 + 2 * 3000);
	assert_null(strstr(text, "[60] "));
	assert_non_null(strstr(text, "├─ [61] down\n"));
	assert_non_null(strstr(text, "└─ [3000] side\n"));
	assert_true(strlen(text) < 3000 * 2 * 400);
}

static void no_format_minds_a_stack_of_4096_frames(void **state UNUSED)
{
	static const struct format_options options = { .min_percent = 1 };

	for (size_t i = 0; formatters[i]; i++) {
		SCOPED(built_tree_release) struct built_tree built = { 0 };
		SCOPED(mem_drop) char *text = NULL;

		if (!formatters[i]->calltree)
			continue;
		add_deep(&built, 4096);
		text = rendered_tree(formatters[i], &built.tree, &options);
		// Packed, it is short, and no text.
		assert_true(strlen(text) > 1000 ||
		            formatters[i] == &pprof_formatter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        folded_has_a_line_a_stack_that_samples_ended_in),
		cmocka_unit_test(
		        folded_counts_microseconds_where_costs_are_shown),
		cmocka_unit_test(folded_of_no_tree_is_empty),
		cmocka_unit_test(folded_is_ordered_by_frames),
		cmocka_unit_test(folded_adds_up_stacks_of_equal_names),
		cmocka_unit_test(folded_keeps_names_from_breaking_lines),
		cmocka_unit_test(folded_has_the_older_number_first),
		cmocka_unit_test(folded_is_what_a_plain_collapse_gives),
		cmocka_unit_test(folded_lines_read_again_give_the_same_tree),
		cmocka_unit_test(speedscope_has_a_sample_a_stack),
		cmocka_unit_test(speedscope_shows_the_older_tree_second),
		cmocka_unit_test(
		        speedscope_of_no_tree_is_a_profile_without_samples),
		cmocka_unit_test(nodes_are_the_list_of_lag_monitors),
		cmocka_unit_test(nodes_name_what_has_a_name),
		cmocka_unit_test(nodes_end_at_a_hundred_levels),
		cmocka_unit_test(nodes_of_no_tree_are_an_empty_list),
		cmocka_unit_test(json_has_a_line_a_node),
		cmocka_unit_test(json_lines_have_the_older_numbers),
		cmocka_unit_test(json_of_no_tree_has_no_nodes),
		cmocka_unit_test(csv_has_a_record_a_node),
		cmocka_unit_test(csv_has_columns_of_the_older_tree),
		cmocka_unit_test(text_says_the_answer_first),
		cmocka_unit_test(text_ends_the_path_where_it_splits),
		cmocka_unit_test(text_shortens_a_long_path_in_the_middle),
		cmocka_unit_test(text_aligns_images_by_what_is_shown),
		cmocka_unit_test(text_moves_no_image_for_a_very_long_name),
		cmocka_unit_test(text_shows_what_is_just_heavy_enough),
		cmocka_unit_test(text_follows_a_path_down_to_its_half),
		cmocka_unit_test(text_folds_what_is_light),
		cmocka_unit_test(text_draws_bars_on_a_terminal),
		cmocka_unit_test(text_sets_the_app_apart_in_color),
		cmocka_unit_test(text_shows_what_changed),
		cmocka_unit_test(text_rounds_costs_but_not_to_nothing),
		cmocka_unit_test(text_escapes_names),
		cmocka_unit_test(text_of_no_tree_says_so),
		cmocka_unit_test(text_indents_no_further_than_sixty_branches),
		cmocka_unit_test(no_format_minds_a_stack_of_4096_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
