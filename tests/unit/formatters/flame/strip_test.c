// SPDX-License-Identifier: MIT
#include "formatters/flame/strip.h"
#include "lib/model/timeline.h"
#include "tests/unit/lib/model/calltree_builder.h"

/** Three nodes: a, b in it, c; and where their samples came. */
struct fixture {
	struct built_tree built;
	struct timeline timeline;
	uint32_t a, b, c;
};

static void fixture_begin(struct fixture *f)
{
	*f = (struct fixture){ 0 };
	f->a = BUILT_STACK(&f->built, 10, "a");
	f->b = BUILT_STACK(&f->built, 1, "a", "b");
	f->c = BUILT_STACK(&f->built, 989, "c");
	f->built.tree.timeline = &f->timeline;
}

static void fixture_end(struct fixture *f)
{
	built_tree_release(&f->built);
	timeline_release(&f->timeline);
}

static struct flame_strip measure(const struct fixture *f)
{
	const struct format_options options = { 0 };
	SCOPED(flame_release) struct flame flame = { 0 };
	struct flame_strip strip;

	flame_lay_out(&flame, &f->built.tree, &options);
	flame_strip_measure(&flame, &strip);
	return strip;
}

static void assert_strip(const struct fixture *f, const char *expected)
{
	const struct format_options options = { .min_width = 12 };
	SCOPED(mem_drop)
	char *html = rendered_tree(&html_formatter, &f->built.tree, &options);
	char *start = strstr(html, "<metadata class=\"strip-data\">");
	char *end = start ? strstr(start, "</metadata>") : NULL;

	if (!expected) {
		assert_null(start);
		assert_null(strstr(html, "id=\"flame-strip\""));
		return;
	}
	assert_non_null(end);
	assert_non_null(strstr(html, "id=\"flame-strip\""));
	*end = 0;
	assert_string_equal(strchr(start, '>') + 1, expected);
}

static void samples_are_listed_as_they_came(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	timeline_begin(&f.timeline, "<1>", true);
	timeline_add(&f.timeline, f.c, 900, 45000000);
	timeline_add(&f.timeline, f.b, 1, 50000);
	timeline_add(&f.timeline, f.a, 10, 500000);
	timeline_begin(&f.timeline, "a sum", false);
	timeline_add(&f.timeline, f.c, 80, 4000000);
	timeline_begin(&f.timeline, "2", true);
	timeline_add(&f.timeline, f.c, 9, 450000);
	timeline_add(&f.timeline, CALLTREE_ROOT, 3, 150000);
	// `b` is too narrow to be drawn, but in the document: all, a, c, b.
	assert_strip(&f, "&lt;1&gt;\n3\n2 900 45000000\n3 1 50000\n"
	                 "1 10 500000\n2\n2\n2 9 450000\n0 3 150000\n");
	assert_int_equal(measure(&f).unordered, 1);
	f.built.tree.by_cost = true;
	assert_strip(&f, "&lt;1&gt;\n3\n2 45000000 45000000\n"
	                 "3 50000 50000\n1 500000 500000\n2\n2\n"
	                 "2 450000 450000\n0 150000 150000\n");
	fixture_end(&f);
}

static void there_is_no_strip_where_nothing_changes_or_is_known(void **state)
{
	struct calltree_weight before[8] = { 0 };
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	timeline_begin(&f.timeline, "1", true);
	timeline_add(&f.timeline, f.c, 900, 1);
	timeline_begin(&f.timeline, "2", false);
	timeline_add(&f.timeline, f.a, 1, 1);
	timeline_add(&f.timeline, f.b, 1, 1);
	assert_strip(&f, NULL);
	timeline_begin(&f.timeline, "3", true);
	timeline_add(&f.timeline, f.a, 1, 1);
	timeline_add(&f.timeline, f.b, 1, 1);
	assert_int_equal(measure(&f).shown, 2);
	built_before(&f.built, before, ARRAY_SIZE(before));
	assert_strip(&f, NULL);
	f.built.tree.before = NULL;
	f.built.tree.timeline = NULL;
	assert_strip(&f, NULL);
	fixture_end(&f);
}

static void add_cells(struct fixture *f, size_t count)
{
	timeline_begin(&f->timeline, "t", true);
	for (size_t i = 0; i < count; i++)
		timeline_add(&f->timeline, i % 2 ? f->c : f->a, 1, 1);
}

static void a_strip_has_a_size_that_a_page_can_hold(void **state)
{
	struct flame_strip strip;
	struct fixture f;

	(void)state;
	fixture_begin(&f);
	for (size_t i = 0; i < FLAME_STRIP_TRACKS_MAX + 3; i++)
		add_cells(&f, 2);
	strip = measure(&f);
	assert_int_equal(strip.shown, FLAME_STRIP_TRACKS_MAX);
	assert_int_equal(strip.more, 3);
	assert_false(strip.is_cut);
	fixture_end(&f);
	fixture_begin(&f);
	add_cells(&f, FLAME_STRIP_CELLS_MAX - 1);
	add_cells(&f, 2);
	add_cells(&f, 1);
	strip = measure(&f);
	assert_int_equal(strip.shown, 1);
	assert_int_equal(strip.more, 2);
	assert_false(strip.is_cut);
	fixture_end(&f);
	fixture_begin(&f);
	add_cells(&f, FLAME_STRIP_CELLS_MAX + 1);
	strip = measure(&f);
	assert_int_equal(strip.shown, 1);
	assert_true(strip.is_cut);
	fixture_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_listed_as_they_came),
		cmocka_unit_test(
		        there_is_no_strip_where_nothing_changes_or_is_known),
		cmocka_unit_test(a_strip_has_a_size_that_a_page_can_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
