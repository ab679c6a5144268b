// SPDX-License-Identifier: MIT
#include "tests/unit/formatters/rendered.h"

static struct report_frame *add_named(struct report_tree *tree,
                                      struct arena *arena, size_t depth,
                                      uint64_t samples, const char *symbol)
{
	struct report_frame *frame =
	        report_add_node(tree, arena, depth, samples);

	frame->image = 0;
	frame->image_offset = 16;
	frame->address = 0x1010;
	frame->call_count = symbol ? 1 : 0;
	frame->calls = arena_array(arena, 2, sizeof(*frame->calls));
	frame->calls[0].symbol = symbol;
	return frame;
}

/** main calls work, into which helper was inlined, and that an address. */
static struct report *sample(struct arena *arena)
{
	struct report *report = report_new(arena);
	struct report_image *image = report_add_image(report, arena);
	struct report_tree *tree = report_add_tree(report, arena);
	struct report_frame *frame;

	report->format = "metrickit";
	report->kind = "hang report";
	image->base = 0x1000;
	image->size = 0x100;
	image->name = "Demo";
	add_named(tree, arena, 0, 20, "main");
	frame = add_named(tree, arena, 1, 15, "helper");
	frame->call_count = 2;
	frame->calls[0].file = "work.c";
	frame->calls[0].line = 7;
	frame->calls[0].has_line = true;
	frame->calls[0].line_borrowed = true;
	frame->calls[1].symbol = "work";
	frame->calls[1].symbol_offset = 4;
	frame->calls[1].has_symbol_offset = true;
	add_named(tree, arena, 2, 5, NULL);
	add_named(tree, arena, 1, 1, "idle");
	return report;
}

static void assert_tree(const struct report *report, enum text_style style,
                        const char *expected)
{
	SCOPED(mem_drop) char *text = rendered_style(style, report);
	const char *tree = strstr(text, "\nCall tree");

	assert_non_null(tree);
	if (strncmp(tree, expected, strlen(expected)) != 0)
		fail_msg("%s", tree);
}

static void calls_are_below_their_callers(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	assert_tree(
	        sample(&arena), TEXT_STYLE_FULL,
	        "\nCall tree, 20 samples:\n"
	        "20 100.0%  main (in Demo)\n"
	        "15  75.0%    work (in Demo) + 4\n"
	        "15  75.0%      helper (in Demo) (work.c:7, near) [inlined]\n"
	        " 5  25.0%        0x1010 (in Demo) 0x1000 + 16\n"
	        " 1   5.0%    idle (in Demo)\n\n");
}

static void other_styles_show_addresses(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = sample(&arena);

	assert_tree(report, TEXT_STYLE_RAW,
	            "\nCall tree, 20 samples:\n"
	            "20 100.0%  0x1010 (in Demo) 0x1000 + 16\n"
	            "15  75.0%    0x1010 (in Demo) 0x1000 + 16\n"
	            " 5  25.0%      0x1010 (in Demo) 0x1000 + 16\n");
	assert_tree(report, TEXT_STYLE_SIDE_BY_SIDE,
	            "\nCall tree, 20 samples:\n"
	            "20 100.0%  0x1010 (in Demo) 0x1000 + 16 (main)\n"
	            "15  75.0%    0x1010 (in Demo) 0x1000 + 16 (work + 4)\n"
	            " 5  25.0%      0x1010 (in Demo) 0x1000 + 16\n");
	// The image is not the app's: its names are Apple's own.
	assert_tree(report, TEXT_STYLE_PARTIAL,
	            "\nCall tree, 20 samples:\n"
	            "20 100.0%  main (in Demo)\n");
}

static void the_thread_that_is_blamed_comes_first(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_tree *tree = report_add_tree(report, &arena);

	tree->title = "Thread 0";
	report_add_node(tree, &arena, 0, 0)->address = 1;
	tree = report_add_tree(report, &arena);
	tree->title = "Thread 1";
	tree->attributed = true;
	report_add_node(tree, &arena, 0, 1)->address = 2;
	assert_tree(report, TEXT_STYLE_FULL,
	            "\nCall tree of Thread 1 (attributed), 1 sample:\n"
	            "1 100.0%  0x2 (in ??\?)\n"
	            "\nCall tree of Thread 0:\n"
	            "0x1 (in ??\?)\n");
}

static void indentation_has_an_end(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_tree *tree = report_add_tree(report, &arena);
	SCOPED(mem_drop) char *text = NULL;

	for (size_t i = 0; i < 200; i++)
		report_add_node(tree, &arena, i, 0)->address = i;
	text = rendered(&text_formatter, report);
	assert_non_null(strstr(text, "                [61] 0x3d (in ??\?)\n"));
	assert_null(strstr(text, "[60]"));
	assert_true(strlen(text) < 200 * 200);
}

static void a_level_left_out_is_no_level(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_tree *tree = report_add_tree(report, &arena);

	report_add_node(tree, &arena, 7, 0)->address = 1;
	report_add_node(tree, &arena, 9, 0)->address = 2;
	assert_tree(report, TEXT_STYLE_FULL,
	            "\nCall tree:\n"
	            "0x1 (in ??\?)\n"
	            "  0x2 (in ??\?)\n");
}

static void json_has_the_same_levels(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = sample(&arena);

	assert_rendered_holds(&json_formatter, report,
	                      "\"trees\": [\n"
	                      "    {\n"
	                      "      \"attributed\": false,\n"
	                      "      \"nodes\": [\n"
	                      "        {\n"
	                      "          \"depth\": 0,\n"
	                      "          \"samples\": 20,\n");
	assert_rendered_holds(&json_formatter, report,
	                      "\"depth\": 3,\n"
	                      "          \"samples\": 5,\n");
	assert_rendered_holds(&json_formatter, report,
	                      "          \"symbol\": \"helper\",\n"
	                      "          \"symbol_offset\": null,\n"
	                      "          \"file\": \"work.c\",\n"
	                      "          \"line\": 7,\n"
	                      "          \"line_borrowed\": true,\n"
	                      "          \"inline\": true,\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_below_their_callers),
		cmocka_unit_test(other_styles_show_addresses),
		cmocka_unit_test(the_thread_that_is_blamed_comes_first),
		cmocka_unit_test(indentation_has_an_end),
		cmocka_unit_test(a_level_left_out_is_no_level),
		cmocka_unit_test(json_has_the_same_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
