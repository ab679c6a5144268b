// SPDX-License-Identifier: MIT
#include "formatters/flame/functions.h"
#include "formatters/flame/gone.h"
#include "formatters/flame/graph.h"
#include "formatters/flame/markup.h"
#include "formatters/flame/rest.h"
#include "lib/base/base64.h"
#include "lib/base/limit.h"
#include "lib/text/gzip.h"
#include "tests/unit/lib/model/calltree_builder.h"

#define GOLDEN APMTOOL_SOURCE_DIR "/tests/unit/formatters/flame/golden/"

static void find_functions(const struct calltree *tree,
                           struct flame_functions *ret)
{
	const struct flame flame = {
		.tree = tree,
		.scale = calltree_scale_of(tree, DIFF_ABSOLUTE),
	};

	flame_functions_find(&flame, ret);
}

static void assert_function(const struct built_tree *built,
                            const struct flame_function *function,
                            const char *name, uint64_t self, uint64_t total)
{
	assert_string_equal(built->frames[function->frame].name, name);
	assert_int_equal(function->self, self);
	assert_int_equal(function->total, total);
}

/** `row name start+weight` of each box but the first, a line each. */
static void assert_boxes(const struct calltree *tree, double min_width,
                         const char *expected)
{
	const struct format_options options = { .min_width = min_width };
	SCOPED(flame_release) struct flame flame = { 0 };
	SCOPED(str_release) struct str text = { 0 };

	flame_lay_out(&flame, tree, &options);
	for (size_t i = 1; i < flame.count; i++) {
		const struct flame_box *box = &flame.boxes[i];

		str_addf(&text, "%u %s %u+%u\n", box->row,
		         calltree_frame_of(tree, box->node)->name,
		         (unsigned)box->start, (unsigned)box->weight);
	}
	assert_string_equal(str_cstr(&text), expected);
}

static void siblings_are_in_the_order_of_names_then_images(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	(void)state;
	BUILT_STACK(&built, 1, "main", "zeta");
	BUILT_STACK(&built, 2, "main", "alpha", "leaf");
	BUILT_STACK(&built, 4, "main", "Beta");
	BUILT_STACK(&built, 8, "main", "twin of UIKitCore");
	BUILT_STACK(&built, 16, "main", "twin of Demo");
	built.frames[built_frame(&built, "twin of UIKitCore")] =
	        (struct calltree_frame){ .name = "twin", .image = "UIKitCore" };
	built.frames[built_frame(&built, "twin of Demo")] =
	        (struct calltree_frame){ .name = "twin", .image = "Demo" };
	assert_boxes(&built.tree, 0,
	             "1 main 0+31\n"
	             "2 Beta 0+4\n"
	             "2 alpha 4+2\n"
	             "3 leaf 4+2\n"
	             "2 twin 6+16\n"
	             "2 twin 22+8\n"
	             "2 zeta 30+1\n");
}

/** Without an image first; what is alike in all keeps its order. */
static void siblings_of_one_name_keep_their_order(void **state)
{
	static const char *const names[] = { "1", "2", "3", "4" };
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	(void)state;
	BUILT_STACK(&built, 1, names[0]);
	BUILT_STACK(&built, 2, names[1]);
	BUILT_STACK(&built, 4, names[2]);
	BUILT_STACK(&built, 8, names[3]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		built.frames[built_frame(&built, names[i])] =
		        (struct calltree_frame){
			        .name = "twin",
			        .image = i < 2 ? "Demo" : NULL,
		        };
	assert_boxes(&built.tree, 0,
	             "1 twin 0+4\n"
	             "1 twin 4+8\n"
	             "1 twin 12+1\n"
	             "1 twin 13+2\n");
}

static void the_heaviest_sibling_comes_first_where_asked_for(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(flame_release) struct flame flame = { 0 };
	const struct format_options options = { .order = CALL_ORDER_WEIGHT };
	static const char *const order[] = { "main", "c", "a", "b", "side" };

	(void)state;
	BUILT_STACK(&built, 2, "main", "b");
	BUILT_STACK(&built, 1, "side");
	BUILT_STACK(&built, 2, "main", "a");
	BUILT_STACK(&built, 3, "main", "c");
	flame_lay_out(&flame, &built.tree, &options);
	assert_int_equal(flame.count, 1 + ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_string_equal(
		        calltree_frame_of(flame.tree, flame.boxes[i + 1].node)
		                ->name,
		        order[i]);
}

/** A tree of calls of @p weights, on this side or the other of each pair. */
static void build_gone(struct built_tree *built)
{
	struct calltree_weight before[8] = { 0 };
	static const char *const names[] = { "stays", "inner", "left",
		                             "left too" };
	static const uint64_t weights[] = { 4, 0, 9, 3 };

	BUILT_STACK(built, 5, "main", "stays");
	BUILT_STACK(built, 0, "main", "left", "inner");
	BUILT_STACK(built, 0, "main", "stays", "left too");
	for (uint32_t i = 1; i < built->tree.node_count; i++) {
		const char *name = calltree_frame_of(&built->tree, i)->name;

		before[i].samples = 16;
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (!strcmp(name, names[k]))
				before[i].samples = weights[k];
	}
	before[CALLTREE_ROOT].samples = 16;
	built_before(built, before, ARRAY_SIZE(before));
}

static void a_call_is_gone_where_its_caller_is_not(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	struct flame_gone gone;
	struct flame flame = { .tree = &built.tree };

	(void)state;
	build_gone(&built);
	flame_gone_find(&flame, &gone);
	assert_int_equal(gone.count, 2);
	assert_int_equal(gone.more, 0);
	assert_string_equal(calltree_frame_of(&built.tree, gone.nodes[0])->name,
	                    "left");
	assert_string_equal(calltree_frame_of(&built.tree, gone.nodes[1])->name,
	                    "left too");
}

static void twenty_calls_that_are_gone_are_listed(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	struct calltree_weight before[31] = { { .samples = 465 } };
	struct flame flame = { .tree = &built.tree };
	struct flame_gone gone;
	char names[30][3];

	(void)state;
	for (unsigned i = 0; i < 30; i++) {
		memcpy(names[i], (char[]){ (char)('a' + i), 0 }, 2);
		BUILT_STACK(&built, 0, names[i]);
		before[i + 1].samples = i + 1;
	}
	built_before(&built, before, ARRAY_SIZE(before));
	flame_gone_find(&flame, &gone);
	assert_int_equal(gone.count, FLAME_GONE_MOST);
	assert_int_equal(gone.more, 10);
	for (uint32_t i = 0; i < FLAME_GONE_MOST; i++)
		assert_int_equal(gone.nodes[i], 30 - i);
}

static void the_functions_that_changed_most_come_first(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	// all, heavy, grown, shrunk, same
	const struct calltree_weight before[] = {
		{ .samples = 100 },
		{ .samples = 60, .self_samples = 60 },
		{ .samples = 1, .self_samples = 1 },
		{ .samples = 25, .self_samples = 25 },
		{ .samples = 14, .self_samples = 14 },
	};
	struct flame_functions found;

	(void)state;
	BUILT_STACK(&built, 61, "heavy");
	BUILT_STACK(&built, 8, "grown");
	BUILT_STACK(&built, 0, "gone");
	BUILT_STACK(&built, 14, "same");
	built_before(&built, before, ARRAY_SIZE(before));
	find_functions(&built.tree, &found);
	assert_int_equal(found.self_count, 3);
	assert_function(&built, &found.by_self[0], "gone", 0, 0);
	assert_function(&built, &found.by_self[1], "grown", 8, 8);
	assert_function(&built, &found.by_self[2], "heavy", 61, 61);
	assert_int_equal(found.by_self[0].before_self, 25);
}

/** What is written of the frames that are not drawn. */
static void assert_rest(const struct calltree *tree, double min_width,
                        const char *expected)
{
	const struct format_options options = { .min_width = min_width };
	SCOPED(mem_drop)
	char *svg = rendered_tree(&svg_formatter, tree, &options);
	const char *start = strstr(svg, "<metadata");
	const char *end = strstr(svg, "</metadata>");

	if (!expected) {
		assert_null(start);
		return;
	}
	assert_non_null(start);
	assert_non_null(end);
	svg[end - svg] = 0;
	assert_string_equal(start, expected);
}

static void what_is_not_drawn_is_in_the_document(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	(void)state;
	BUILT_STACK(&built, 1, "main", "<narrow>", "leaf");
	BUILT_STACK(&built, 998, "main", "wide", "leaf");
	BUILT_STACK(&built, 1, "main", "leaf");
	built.frames[built_frame(&built, "<narrow>")].image = "UIKitCore";
	assert_rest(&built.tree, 0, NULL);
	// all, main, wide, leaf are drawn: 0 to 3.
	assert_rest(&built.tree, 12,
	            "<metadata class=\"rest\" data-left=\"0\">2\n"
	            "s2 &lt;narrow&gt;\nUIKitCore\n"
	            "s5 leaf\n\n"
	            "3 0 1\n"
	            "1 1 1\n"
	            "5 1 1\n");
	built.tree.nodes[CALLTREE_ROOT].reports = 3;
	built.tree.nodes[2].reports = built.tree.nodes[6].reports = 2;
	assert_rest(&built.tree, 12,
	            "<metadata class=\"rest\" data-left=\"0\">2 1\n"
	            "s2 &lt;narrow&gt;\nUIKitCore\n"
	            "s5 leaf\n\n"
	            "in 2 of 3 reports\n"
	            "3 0 1 1\n"
	            "1 1 1 0\n"
	            "5 1 1 1\n");
	built_tree_release(&built);
	built = (struct built_tree){ 0 };
	build_gone(&built);
	assert_rest(&built.tree, 0,
	            "<metadata class=\"rest\" data-left=\"0\">2\n"
	            "s4 left too\n\n"
	            "s2 left\n\n"
	            "1 0 0 3\n"
	            "3 1 0 9\n");
}

/** A root with so many callees, every third of which weighs twice as much. */
static char *svg_of_many(uint32_t count)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(mem_drop)
	struct calltree_frame *frames = mem_zalloc(count, sizeof(*frames));

	for (uint32_t i = 0; i < count; i++)
		frames[i].name = "<f>";
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = calltree_add(&tree, &i, 1);

		tree.nodes[node].self_samples = i % 3 ? 1 : 2;
	}
	calltree_sum(&tree);
	tree.frames = frames;
	tree.frame_count = count;
	return rendered_tree(&svg_formatter, &tree, NULL);
}

/** The packed part, unpacked. */
static void unpack_part(const char *svg, const char *head, struct gzip *ret)
{
	SCOPED(str_release) struct str packed = { 0 };
	const char *start = strstr(svg, head);
	struct error *err;
	struct text text;

	assert_non_null(start);
	text = text_from(start + strlen(head));
	assert_true(base64_decode(text_first(text, text_find_char(text, '<')),
	                          &packed));
	err = gzip_inflate(bytes_from_text(str_text(&packed)), (size_t)1 << 26,
	                   ret);
	assert_null(err);
}

static void of_many_frames_the_lighter_are_packed(void **state)
{
	SCOPED(mem_drop) char *svg = svg_of_many(FLAME_REST_MAX + 2);
	SCOPED(gzip_release) struct gzip part = { 0 };

	(void)state;
	assert_non_null(strstr(svg, "<metadata class=\"rest\" "
	                            "data-left=\"0\">100000\n"));
	unpack_part(svg, "<metadata class=\"packed\" data-count=\"2\">", &part);
	assert_memory_equal(part.bytes.data,
	                    "2\na1 &lt;f&gt;\n\na1 &lt;f&gt;\n\n"
	                    "100001 100000 1\n100002 100001 1\n",
	                    part.bytes.size);
	assert_null(strstr(svg, "summed"));
}

static void of_too_many_frames_the_lightest_are_summed_up(void **state)
{
	SCOPED(mem_drop) char *svg = svg_of_many(FLAME_PACKED_MAX + 7);
	SCOPED(gzip_release) struct gzip part = { 0 };
	struct text text;

	(void)state;
	assert_non_null(strstr(svg, "class=\"rest\" data-left=\"7\">"));
	unpack_part(svg, "class=\"packed\" data-count=\"400000\">", &part);
	text = bytes_text(part.bytes);
	assert_true(text_ends(text, "\n500001 -7 7\n"));
	assert_non_null(strstr(svg, "The lightest 7 are summed up as"));
}

static void what_is_too_narrow_is_left_out_with_all_it_calls(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(flame_release) struct flame flame = { 0 };
	const struct format_options options = { .min_width = 12 };

	(void)state;
	BUILT_STACK(&built, 1, "main", "narrow", "leaf");
	BUILT_STACK(&built, 990, "main", "wide");
	BUILT_STACK(&built, 9, "main", "b", "c");
	BUILT_STACK(&built, 10, "main", "z");
	// 12 px of 1200 are a hundredth: 10.1 of 1010 samples.
	assert_boxes(&built.tree, 12, "1 main 0+1010\n2 wide 0+990\n");
	flame_lay_out(&flame, &built.tree, &options);
	assert_int_equal(flame.narrow, 5);
	assert_int_equal(flame.rows, 3);
	assert_int_equal(flame.min_hundredths, 1200);
	assert_boxes(&built.tree, -1,
	             "1 main 0+1010\n2 b 0+9\n3 c 0+9\n2 narrow 9+1\n"
	             "3 leaf 9+1\n2 wide 10+990\n2 z 1000+10\n");
}

static void a_frame_as_wide_as_the_least_is_drawn(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	(void)state;
	BUILT_STACK(&built, 99, "a");
	BUILT_STACK(&built, 1, "b");
	assert_boxes(&built.tree, 12, "1 a 0+99\n1 b 99+1\n");
	assert_boxes(&built.tree, 12.01, "1 a 0+99\n");
}

static void a_tree_without_samples_has_no_boxes(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(flame_release) struct flame none = { 0 };
	SCOPED(flame_release) struct flame nothing = { 0 };
	const struct format_options options = { 0 };

	(void)state;
	flame_lay_out(&none, &built.tree, &options);
	assert_int_equal(none.count + none.narrow + none.rows, 0);
	BUILT_STACK(&built, 0, "main", "leaf");
	flame_lay_out(&nothing, &built.tree, &options);
	assert_int_equal(nothing.count + nothing.rows, 0);
	assert_int_equal(nothing.narrow, 2);
}

static void widths_are_costs_where_the_tree_shows_costs(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	(void)state;
	BUILT_STACK(&built, 3, "a");
	BUILT_STACK(&built, 1, "b");
	built.tree.by_cost = true;
	assert_boxes(&built.tree, 0, "1 a 0+150000\n1 b 150000+50000\n");
}

static void sums_beyond_64_bits_stay_within_their_caller(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(flame_release) struct flame flame = { 0 };
	const struct format_options options = { 0 };

	(void)state;
	BUILT_STACK(&built, UINT64_MAX - 1, "a");
	BUILT_STACK(&built, UINT64_MAX - 1, "b");
	flame_lay_out(&flame, &built.tree, &options);
	assert_int_equal(flame.count, 2);
	assert_int_equal(flame.narrow, 1);
	assert_true(flame.boxes[1].weight == UINT64_MAX - 1);
}

static void a_tree_of_many_levels_is_laid_out(void **state)
{
	enum { DEPTH = 100000 };
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(flame_release) struct flame flame = { 0 };
	static const struct calltree_frame frames[] = { { .name = "f" } };
	const struct format_options options = { 0 };
	struct flame_functions found;
	uint32_t node = CALLTREE_ROOT;

	(void)state;
	for (size_t i = 0; i < DEPTH; i++)
		node = calltree_child(&tree, node, 0);
	tree.nodes[node].self_samples = 7;
	calltree_sum(&tree);
	tree.frames = frames;
	tree.frame_count = 1;
	flame_lay_out(&flame, &tree, &options);
	assert_int_equal(flame.count, DEPTH + 1);
	assert_int_equal(flame.rows, DEPTH + 1);
	flame_functions_find(&flame, &found);
	assert_int_equal(found.by_total[0].total, 7);
	assert_int_equal(found.by_self[0].self, 7);
}

static void a_change_has_steps_of_its_scale(void **state)
{
	const struct calltree_scale all = { DIFF_SHARE, 100000, 100000 };
	const struct calltree_scale twice = { DIFF_SHARE, 200, 100 };
	const struct calltree_scale none = { DIFF_SHARE, 200, 0 };
	const struct calltree_scale numbers = { DIFF_ABSOLUTE, 200, 200 };

	static const struct {
		uint64_t now, before;
		int step;
	} cases[] = {
		{ 500, 500, 0 },      { 50099, 50000, 0 },  { 50100, 50000, 1 },
		{ 50000, 50100, -1 }, { 50499, 50000, 1 },  { 50500, 50000, 2 },
		{ 52000, 50000, 3 },  { 50000, 55000, -4 }, { 59999, 50000, 4 },
		{ 60000, 50000, 5 },  { 0, 100000, -5 },    { 100000, 0, 5 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(
		        flame_change(&all, cases[i].now, cases[i].before),
		        cases[i].step);
	// Twice the samples of twice as many: nothing changed.
	assert_int_equal(flame_change(&twice, 20, 10), 0);
	assert_int_equal(flame_change(&none, 20, 0), 5);
	assert_int_equal(flame_change(&numbers, 20, 10), 4);
	assert_int_equal(flame_change(&numbers, 10, 20), -4);
	assert_int_equal(flame_change(&numbers, 10, 10), 0);
}

static void a_shade_depends_on_the_name_alone(void **state)
{
	(void)state;
	assert_int_equal(flame_shade("main"), 4);
	assert_int_equal(flame_shade("-[UIView layoutSubviews]"), 1);
	assert_int_equal(flame_shade(""), 3);
}

static void numbers_look_alike_everywhere(void **state)
{
	SCOPED(str_release) struct str out = { 0 };

	(void)state;
	markup_add_count(&out, 0);
	str_add_char(&out, ' ');
	markup_add_count(&out, 999);
	str_add_char(&out, ' ');
	markup_add_count(&out, 1000);
	str_add_char(&out, ' ');
	markup_add_count(&out, UINT64_MAX);
	assert_string_equal(str_cstr(&out),
	                    "0 999 1,000 18,446,744,073,709,551,615");
	str_clear(&out);
	markup_add_percent(&out, 1205);
	str_add_char(&out, ' ');
	markup_add_ms(&out, 1234567);
	str_add_char(&out, ' ');
	markup_add_ms(&out, 2000);
	assert_string_equal(str_cstr(&out), "12.05 % 1,234.6 ms 2 ms");
}

static void a_function_that_calls_itself_holds_a_sample_once(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	struct flame_functions found;

	(void)state;
	BUILT_STACK(&built, 3, "main", "walk", "walk", "walk", "leaf");
	BUILT_STACK(&built, 2, "main", "walk", "walk");
	BUILT_STACK(&built, 1, "main", "other", "walk");
	find_functions(&built.tree, &found);
	assert_int_equal(found.total_count, 4);
	assert_function(&built, &found.by_total[0], "main", 0, 6);
	assert_function(&built, &found.by_total[1], "walk", 3, 6);
	assert_function(&built, &found.by_total[2], "leaf", 3, 3);
	assert_function(&built, &found.by_total[3], "other", 0, 1);
	assert_int_equal(found.self_count, 2);
	assert_function(&built, &found.by_self[0], "leaf", 3, 3);
	assert_function(&built, &found.by_self[1], "walk", 3, 6);
}

static void the_twenty_heaviest_functions_are_found(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	struct flame_functions found;
	char names[30][4];

	(void)state;
	for (unsigned i = 0; i < 30; i++) {
		names[i][0] = 'f';
		names[i][1] = (char)('0' + i / 10);
		names[i][2] = (char)('0' + i % 10);
		names[i][3] = 0;
		// 7 has no factor in common with 30: each weight once.
		BUILT_STACK(&built, 1 + i * 7 % 30, names[i]);
	}
	find_functions(&built.tree, &found);
	assert_int_equal(found.self_count, FLAME_FUNCTIONS_MOST);
	for (size_t i = 0; i < FLAME_FUNCTIONS_MOST; i++)
		assert_int_equal(found.by_self[i].self, 30 - i);
}

/** What is written but for styles and scripts, which are files. */
static char *without_assets(const char *written)
{
	static const struct {
		const char *text;
		const char *name;
	} assets[] = {
		{ flame_js_source, "{hash of flame.js}" },
		{ flame_css_source, "{hash of flame.css}" },
		{ page_css_source, "{hash of page.css}" },
		{ flame_css, "{flame.css}\n" },
		{ page_css, "{page.css}\n" },
		{ flame_js, "{flame.js}\n" },
		{ flame_svg_js, "{flame.js}\n" },
	};
	SCOPED(str_release) struct str out = { 0 };
	const char *rest = written;

	for (size_t i = 0; i < ARRAY_SIZE(assets); i++) {
		const char *at = strstr(rest, assets[i].text);

		if (!at)
			continue;
		str_add_bytes(&out, rest, (size_t)(at - rest));
		str_add(&out, assets[i].name);
		rest = at + strlen(assets[i].text);
	}
	str_add(&out, rest);
	return mem_strndup(out.data, out.size);
}

/** As the file says, which APMTOOL_ACCEPT in the environment rewrites. */
static void assert_golden(const struct formatter *formatter,
                          const struct calltree *tree,
                          const struct format_options *options,
                          const char *path)
{
	SCOPED(mem_drop)
	char *written = rendered_tree(formatter, tree, options);
	SCOPED(mem_drop) char *text = without_assets(written);
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(mem_drop) char *expected = NULL;

	if (getenv("APMTOOL_ACCEPT")) {
		FILE *golden = fopen(path, "w");

		assert_non_null(golden);
		fputs(text, golden);
		assert_int_equal(fclose(golden), 0);
	}
	assert_null(file_read(path, LIMIT_DEFAULT_REPORT, &file));
	expected = mem_strndup((const char *)file.bytes.data, file.bytes.size);
	assert_string_equal(text, expected);
}

static void build_tiny(struct built_tree *built)
{
	struct calltree_frame *frame;

	BUILT_STACK(built, 6, "main", "-[Feed <load>]", "read & wait");
	BUILT_STACK(built, 3, "main", "-[Feed <load>]");
	BUILT_STACK(built, 1, "main",
	            "a name of which there is no room for the whole text");
	frame = &built->frames[built_frame(built, "-[Feed <load>]")];
	frame->kind = CALLTREE_APP;
	frame->image = "Demo";
	frame->file = "Feed.m";
	frame->line = 42;
	built->frames[built_frame(built, "read & wait")].image =
	        "libsystem_kernel.dylib";
	built->tree.title = "Stalls of \"Demo\"";
}

static void a_small_tree_is_drawn_as_its_golden_file(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	(void)state;
	build_tiny(&built);
	assert_golden(&svg_formatter, &built.tree, NULL, GOLDEN "tiny.svg");
	assert_golden(&html_formatter, &built.tree, NULL, GOLDEN "tiny.html");
}

static void an_icicle_has_its_root_at_the_top(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	const struct format_options options = {
		.icicle = true,
		.width = 600,
		.min_width = 60,
		.title = "Another title",
	};

	(void)state;
	build_tiny(&built);
	BUILT_STACK(&built, 1, "too narrow");
	BUILT_STACK(&built, 20, "main");
	assert_golden(&svg_formatter, &built.tree, &options,
	              GOLDEN "icicle.svg");
}

static void a_comparison_shows_what_takes_more_and_what_less(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	uint32_t gone;

	(void)state;
	build_tiny(&built);
	gone = BUILT_STACK(&built, 0, "main", "gone");
	{
		// all, main, the feed, read, the long name, gone
		const struct calltree_weight before[] = {
			{ .samples = 20, .cost_us = 1000000 },
			{ .samples = 20, .cost_us = 1000000 },
			{ .samples = 20, .cost_us = 1000000 },
			{ .samples = 11,
			  .cost_us = 550000,
			  .self_samples = 11 },
			{ 0 },
			{ .samples = 1, .cost_us = 50000, .self_samples = 1 },
		};

		assert_int_equal(gone, ARRAY_SIZE(before) - 1);
		built_before(&built, before, ARRAY_SIZE(before));
		assert_golden(&svg_formatter, &built.tree, NULL,
		              GOLDEN "diff.svg");
		assert_golden(&html_formatter, &built.tree, NULL,
		              GOLDEN "diff.html");
	}
}

static void a_tree_without_samples_says_so(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	(void)state;
	assert_golden(&svg_formatter, &built.tree, NULL, GOLDEN "empty.svg");
}

static void a_picture_is_the_same_whatever_came_first(void **state)
{
	SCOPED(built_tree_release) struct built_tree one = { 0 };
	SCOPED(built_tree_release) struct built_tree other = { 0 };
	SCOPED(mem_drop) char *text = NULL;

	(void)state;
	BUILT_STACK(&one, 2, "main", "b", "c");
	BUILT_STACK(&one, 2, "main", "a");
	BUILT_STACK(&one, 1, "side", "c");
	BUILT_STACK(&other, 1, "side", "c");
	BUILT_STACK(&other, 2, "main", "a");
	BUILT_STACK(&other, 1, "main", "b", "c");
	BUILT_STACK(&other, 1, "main", "b", "c");
	text = rendered_tree(&html_formatter, &one.tree, NULL);
	assert_tree(&html_formatter, &other.tree, NULL, text);
}

static void assets_can_be_where_they_are_put(void **state)
{
	(void)state;
	assert_null(strstr(flame_js, "</script"));
	assert_null(strstr(flame_js, "<!--"));
	assert_null(strstr(flame_js, "]]>"));
	assert_null(strstr(flame_svg_js, "</script"));
	assert_null(strstr(flame_svg_js, "<!--"));
	assert_null(strstr(flame_svg_js, "]]>"));
	// There is no strip to be drawn in a picture by itself.
	assert_non_null(strstr(flame_js, "strip-row"));
	assert_null(strstr(flame_svg_js, "strip-row"));
	for (size_t i = 0; i < 2; i++) {
		const char *style = i ? page_css : flame_css;

		assert_null(strpbrk(style, "<&"));
		assert_null(strstr(style, "url("));
		assert_null(strstr(style, "@import"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        siblings_are_in_the_order_of_names_then_images),
		cmocka_unit_test(siblings_of_one_name_keep_their_order),
		cmocka_unit_test(
		        the_heaviest_sibling_comes_first_where_asked_for),
		cmocka_unit_test(a_call_is_gone_where_its_caller_is_not),
		cmocka_unit_test(twenty_calls_that_are_gone_are_listed),
		cmocka_unit_test(the_functions_that_changed_most_come_first),
		cmocka_unit_test(what_is_not_drawn_is_in_the_document),
		cmocka_unit_test(of_many_frames_the_lighter_are_packed),
		cmocka_unit_test(of_too_many_frames_the_lightest_are_summed_up),
		cmocka_unit_test(
		        what_is_too_narrow_is_left_out_with_all_it_calls),
		cmocka_unit_test(a_frame_as_wide_as_the_least_is_drawn),
		cmocka_unit_test(a_tree_without_samples_has_no_boxes),
		cmocka_unit_test(widths_are_costs_where_the_tree_shows_costs),
		cmocka_unit_test(sums_beyond_64_bits_stay_within_their_caller),
		cmocka_unit_test(a_tree_of_many_levels_is_laid_out),
		cmocka_unit_test(a_change_has_steps_of_its_scale),
		cmocka_unit_test(a_shade_depends_on_the_name_alone),
		cmocka_unit_test(numbers_look_alike_everywhere),
		cmocka_unit_test(
		        a_function_that_calls_itself_holds_a_sample_once),
		cmocka_unit_test(the_twenty_heaviest_functions_are_found),
		cmocka_unit_test(a_small_tree_is_drawn_as_its_golden_file),
		cmocka_unit_test(an_icicle_has_its_root_at_the_top),
		cmocka_unit_test(
		        a_comparison_shows_what_takes_more_and_what_less),
		cmocka_unit_test(a_tree_without_samples_says_so),
		cmocka_unit_test(a_picture_is_the_same_whatever_came_first),
		cmocka_unit_test(assets_can_be_where_they_are_put),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
