// SPDX-License-Identifier: MIT
#include "lib/model/page.h"
#include "tests/unit/formatters/rendered.h"

static const struct table_column columns[] = {
	{ "kind", "kind", TABLE_TEXT },
	{ "mib", "MiB", TABLE_DECIMAL },
	{ "share", "", TABLE_BAR },
};

struct rendered_page {
	const struct formatter *formatter;
	const struct page *page;
	struct format_options options;
};

static void render_page(struct out *out, const void *context)
{
	const struct rendered_page *what = context;

	what->formatter->page(what->page, &what->options, out);
}

static void assert_page(const struct rendered_page *what, const char *expected)
{
	SCOPED(mem_drop) char *text = render_with(render_page, what);

	assert_string_equal(text, expected);
}

static void add_row(struct table *table, struct arena *arena, const char *kind,
                    const char *mib, uint64_t part)
{
	struct table_cell *row = table_add_row(table, arena);

	table_set_text(&row[0], kind);
	table_set_text(&row[1], mib);
	table_set_bar(&row[2], part, (uint64_t)100 << 20);
}

static const struct table *make_table(struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){ .name = "memory",
		                 .columns = columns,
		                 .column_count = ARRAY_SIZE(columns) };
	add_row(table, arena, "wired", "100.0", (uint64_t)100 << 20);
	add_row(table, arena, "free", "12.5", (uint64_t)12 << 20);
	add_row(table, arena, "tiny", "0.0", 1);
	add_row(table, arena, "none", NULL, 0);
	return table;
}

/** A page with every part. */
static struct page *make_page(struct arena *arena)
{
	static const char *const notes[] = { "the log is truncated" };
	struct page *page = page_new(arena, "memory");

	page->title = "Memory of a device";
	page_add_verdict(page, arena, "Demo was killed");
	page_add_verdict(page, arena, "  it held \x1b[1m100 MiB");
	page_add_fact(page, arena, "model", NULL, "iPhone 11");
	page_add_fact(page, arena, "build", NULL, NULL);
	page_add_fact(page, arena, "limit", "limit", "90 MiB");
	page_add_fact(page, arena, "os", NULL, "iOS 16");
	page_add_table(page, arena, "Kinds", make_table(arena), "in MiB");
	page->notes = notes;
	page->note_count = 1;
	return page;
}

static void text_has_all_parts_from_top_to_bottom(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct rendered_page what = {
		.formatter = &text_formatter,
		.page = make_page(&arena),
	};

	assert_page(&what, "Memory of a device\n"
	                   "\n"
	                   "Demo was killed\n"
	                   "  it held \\x1b[1m100 MiB\n"
	                   "\n"
	                   "iPhone 11, iOS 16\n"
	                   "limit: 90 MiB\n"
	                   "\n"
	                   "Kinds\n"
	                   "kind     MiB\n"
	                   "wired  100.0\n"
	                   "free    12.5\n"
	                   "tiny     0.0\n"
	                   "none       -\n"
	                   "in MiB\n"
	                   "\n"
	                   "the log is truncated\n");
}

static void bars_and_headings_are_for_a_terminal(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct page *page = page_new(&arena, "memory");
	const struct rendered_page what = {
		.formatter = &text_formatter,
		.page = page,
		.options = { .terminal = true, .color = true },
	};

	page_add_verdict(page, &arena, "Demo was killed");
	page_add_table(page, &arena, "Kinds", make_table(&arena), NULL);
	assert_page(&what, "\x1b[1mDemo was killed\x1b[0m\n"
	                   "\n"
	                   "\x1b[1mKinds\x1b[0m\n"
	                   "kind     MiB  \n"
	                   "wired  100.0  ████████████████████████\n"
	                   "free    12.5  ███\n"
	                   "tiny     0.0  █\n"
	                   "none       -  \n");
}

static void a_table_without_rows_leaves_no_heading(void **state UNUSED)
{
	static const char *const notes[] = { "nothing was found" };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = { .columns = columns, .column_count = 3 };
	struct page *page = page_new(&arena, "memory");
	const struct rendered_page what = {
		.formatter = &text_formatter,
		.page = page,
	};

	assert_page(&what, "");
	page_add_table(page, &arena, "Kinds", &table, "in MiB");
	page->notes = notes;
	page->note_count = 1;
	assert_page(&what, "nothing was found\n");
}

static void json_leaves_out_what_is_drawn(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct rendered_page what = {
		.formatter = &jsonl_formatter,
		.page = make_page(&arena),
	};

	assert_page(
	        &what,
	        "{\"schema\":\"apmtool.page/1\",\"name\":\"memory\","
	        "\"title\":\"Memory of a device\","
	        "\"verdict\":[\"Demo was killed\","
	        "\"  it held \\u001b[1m100 MiB\"],"
	        "\"facts\":[{\"key\":\"model\",\"value\":\"iPhone 11\"},"
	        "{\"key\":\"limit\",\"label\":\"limit\",\"value\":\"90 MiB\"},"
	        "{\"key\":\"os\",\"value\":\"iOS 16\"}],"
	        "\"tables\":[{\"title\":\"Kinds\",\"table\":"
	        "{\"schema\":\"apmtool.table/1\",\"name\":\"memory\","
	        "\"columns\":[{\"key\":\"kind\",\"title\":\"kind\","
	        "\"kind\":\"text\"},{\"key\":\"mib\",\"title\":\"MiB\","
	        "\"kind\":\"decimal\"}],"
	        "\"rows\":[{\"kind\":\"wired\",\"mib\":100.0},"
	        "{\"kind\":\"free\",\"mib\":12.5},"
	        "{\"kind\":\"tiny\",\"mib\":0.0},"
	        "{\"kind\":\"none\",\"mib\":null}]},"
	        "\"note\":\"in MiB\"}],"
	        "\"notes\":[\"the log is truncated\"]}\n");
}

static void json_of_a_page_about_a_report_is_the_report(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct page *page = make_page(&arena);
	const struct rendered_page what = { .formatter = &json_formatter,
		                            .page = page };
	SCOPED(mem_drop) char *expected = NULL;

	report->format = "jetsam";
	page->report = report;
	expected = rendered(&json_formatter, report);
	assert_page(&what, expected);
}

static void csv_has_the_list_that_the_page_rests_on(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct page *page = make_page(&arena);
	const struct rendered_page what = { .formatter = &csv_formatter,
		                            .page = page };

	assert_page(&what, "");
	page->list = make_table(&arena);
	assert_page(&what, "kind,mib\r\n"
	                   "wired,100.0\r\n"
	                   "free,12.5\r\n"
	                   "tiny,0.0\r\n"
	                   "none,\r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_has_all_parts_from_top_to_bottom),
		cmocka_unit_test(bars_and_headings_are_for_a_terminal),
		cmocka_unit_test(a_table_without_rows_leaves_no_heading),
		cmocka_unit_test(json_leaves_out_what_is_drawn),
		cmocka_unit_test(json_of_a_page_about_a_report_is_the_report),
		cmocka_unit_test(csv_has_the_list_that_the_page_rests_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
