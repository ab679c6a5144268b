// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "tests/unit/formatters/rendered.h"

struct rendered_table {
	const struct formatter *formatter;
	const struct table *table;
	size_t columns;
};

static void render_table(struct out *out, const void *context)
{
	const struct rendered_table *what = context;

	what->formatter->table(
	        what->table,
	        &(const struct format_options){ .columns = what->columns },
	        out);
}

static void assert_table(const struct formatter *formatter,
                         const struct table *table, const char *expected)
{
	struct rendered_table what = {
		.formatter = formatter,
		.table = table,
	};
	SCOPED(mem_drop) char *text = render_with(render_table, &what);

	assert_string_equal(text, expected);
}

/** The same as text for a terminal. */
static void assert_fitted(const struct table *table, size_t columns,
                          const char *expected)
{
	struct rendered_table what = {
		.formatter = &text_formatter,
		.table = table,
		.columns = columns,
	};
	SCOPED(mem_drop) char *text = render_with(render_table, &what);

	assert_string_equal(text, expected);
}

static const struct table_column columns[] = {
	{ "name", "name", TABLE_TEXT }, { "count", "count", TABLE_NUMBER },
	{ "hidden", NULL, TABLE_TEXT }, { "base", "base", TABLE_ADDRESS },
	{ "app", "app", TABLE_BOOL },
};

/** Two rows; the second has only a name. */
static struct table make_table(struct arena *arena)
{
	struct table table = {
		.name = "things",
		.columns = columns,
		.column_count = ARRAY_SIZE(columns),
	};
	struct table_cell *row = table_add_row(&table, arena);

	table_set_text(&row[0], "Demo");
	table_set_number(&row[1], 1234);
	table_set_text(&row[2], "x");
	table_set_number(&row[3], 0x104000000);
	table_set_number(&row[4], 1);
	row = table_add_row(&table, arena);
	table_set_text(&row[0], "\xe6\x97\xa5\xe6\x9c\xac");
	return table;
}

static void text_aligns_columns_by_what_is_shown(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = make_table(&arena);

	assert_table(&text_formatter, &table,
	             "name  count         base  app\n"
	             "Demo   1234  0x104000000  yes\n"
	             "\xe6\x97\xa5\xe6\x9c\xac      -            -  -\n");
}

static void text_puts_the_summary_above(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = make_table(&arena);

	table.summary = "1 of 2 things";
	table.row_count = 1;
	assert_table(&text_formatter, &table,
	             "1 of 2 things\n"
	             "\n"
	             "name  count         base  app\n"
	             "Demo   1234  0x104000000  yes\n");
	table.row_count = 0;
	assert_table(&text_formatter, &table, "1 of 2 things\n");
}

static void text_shows_what_could_act_on_a_terminal(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = make_table(&arena);

	table.columns = &columns[0];
	table.column_count = 1;
	table.row_count = 1;
	table.cells[0].text = "a\tb\x1b[31m\nc";
	assert_table(&text_formatter, &table,
	             "name\n"
	             "a\\x09b\\x1b[31m\\x0ac\n");
}

/** A name of 64 columns pads the others, a wider one does not. */
static void assert_padding(size_t width)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str expected = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str blanks = { 0 };
	struct table table = make_table(&arena);

	str_add_repeat(&name, 'x', width);
	str_add_repeat(&blanks, ' ', 60);
	table.column_count = 2;
	table.cells = arena_array(&arena, 4, sizeof(*table.cells));
	table_set_text(&table.cells[0], str_cstr(&name));
	table_set_number(&table.cells[1], 1);
	table_set_text(&table.cells[2], "a");
	table_set_number(&table.cells[3], 2);
	if (width <= 64)
		str_addf(&expected, "name%s  count\n%s      1\na   %s      2\n",
		         str_cstr(&blanks), str_cstr(&name), str_cstr(&blanks));
	else
		str_addf(&expected, "name  count\n%s      1\na         2\n",
		         str_cstr(&name));
	assert_table(&text_formatter, &table, str_cstr(&expected));
}

static void text_does_not_pad_for_a_cell_of_a_broken_report(void **state UNUSED)
{
	assert_padding(64);
	assert_padding(65);
}

static const struct table_column fitted[] = {
	{ "file", "file", TABLE_PATH },
	{ "mib", "reference MiB", TABLE_DECIMAL },
	{ "key", "key", TABLE_STACK },
	{ "base", "base", TABLE_ADDRESS },
	{ "why", "why", TABLE_PROSE },
};

/** Two rows of all that can become narrower. */
static struct table make_fitted(struct arena *arena)
{
	static const char *const spare[] = { "why", "base", NULL };
	struct table table = {
		.name = "fitted",
		.columns = fitted,
		.column_count = ARRAY_SIZE(fitted),
		.spare = spare,
		.summary =
		        "a summary of which a short line has no room for all",
	};
	struct table_cell *row = table_add_row(&table, arena);

	table_set_text(&row[0], "samples/jetsam/trend/1.ips");
	table_set_text(&row[1], "2098.09375");
	table_set_text(&row[2], "start - main - run - -[Store imageNamed:] - "
	                        "read");
	table_set_number(&row[3], 0x104000000);
	table_set_text(&row[4], "it was caught just above its limit");
	row = table_add_row(&table, arena);
	table_set_text(&row[0], "\u76f8\u673a/e\u0301e\u0301.ips");
	table_set_text(&row[1], "1.5");
	table_set_text(&row[2], "read");
	return table;
}

static void text_fits_a_table_into_a_line(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = make_fitted(&arena);
	struct table_column some[ARRAY_SIZE(fitted)];

	table.columns++;
	table.column_count = 1;
	table.summary = NULL;
	table.row_count = 1;
	table.cells++;
	// Numbers and words stay whole in any line.
	assert_fitted(&table, 5, " reference\n       MiB\n2098.09375\n");
	table = make_fitted(&arena);
	memcpy(some, fitted, sizeof(some));
	some[3].title = some[4].title = NULL;
	table.columns = some;
	assert_fitted(&table, 79,
	              "a summary of which a short line has no room for all\n"
	              "\n"
	              "                       reference\n"
	              "file                         MiB  key\n"
	              "samples/…/1.ips       2098.09375  "
	              "start - … - run - -[Store imageNamed:] - read\n"
	              "相机/e\u0301e\u0301.ips                  1.5  read\n");
}

static void text_leaves_out_what_a_table_can_spare(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = make_fitted(&arena);

	assert_fitted(&table, 76,
	              "a summary of which a short line has no room for all\n"
	              "\n"
	              "                       reference\n"
	              "file                         MiB  key\n"
	              "samples/…/1.ips       2098.09375  "
	              "start - … - -[Store imageNamed:] - read\n"
	              "    why: it was caught just above its limit\n"
	              "相机/e\u0301e\u0301.ips                  1.5  read\n"
	              "columns that do not fit: base (--width=0 shows all)\n");
}

static void text_of_a_broken_report_is_shortened_on_a_terminal(
        void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	struct table table = make_table(&arena);

	str_add_repeat(&name, 'x', 100000);
	table_set_text(&table.cells[0], str_cstr(&name));
	table.row_count = 1;
	table.column_count = 2;
	assert_fitted(&table, 40,
	              "name                               count\n"
	              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…   1234\n");
}

static void json_has_every_column_in_every_row(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = make_table(&arena);

	table.columns = &columns[1];
	table.column_count = 4;
	table.cells = &table.cells[1];
	table.row_count = 1;
	table.cells[1].present = false;
	assert_table(&json_formatter, &table,
	             "{\n"
	             "  \"schema\": \"apmtool.table/1\",\n"
	             "  \"name\": \"things\",\n"
	             "  \"columns\": [\n"
	             "    {\n"
	             "      \"key\": \"count\",\n"
	             "      \"title\": \"count\",\n"
	             "      \"kind\": \"number\"\n"
	             "    },\n"
	             "    {\n"
	             "      \"key\": \"hidden\",\n"
	             "      \"kind\": \"text\"\n"
	             "    },\n"
	             "    {\n"
	             "      \"key\": \"base\",\n"
	             "      \"title\": \"base\",\n"
	             "      \"kind\": \"address\"\n"
	             "    },\n"
	             "    {\n"
	             "      \"key\": \"app\",\n"
	             "      \"title\": \"app\",\n"
	             "      \"kind\": \"bool\"\n"
	             "    }\n"
	             "  ],\n"
	             "  \"rows\": [\n"
	             "    {\n"
	             "      \"count\": 1234,\n"
	             "      \"hidden\": null,\n"
	             "      \"base\": \"0x104000000\",\n"
	             "      \"app\": true\n"
	             "    }\n"
	             "  ]\n"
	             "}\n");
}

static void csv_has_a_record_a_row(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = make_table(&arena);

	assert_table(&csv_formatter, &table,
	             "name,count,hidden,base,app\r\n"
	             "Demo,1234,x,0x104000000,yes\r\n"
	             "\xe6\x97\xa5\xe6\x9c\xac,,,,\r\n");
}

static void csv_quotes_and_disarms_cells(void **state UNUSED)
{
	static const struct {
		const char *in;
		const char *out;
	} cases[] = {
		{ "plain", "plain" },
		{ "a,b", "\"a,b\"" },
		{ "say \"hi\"", "\"say \"\"hi\"\"\"" },
		{ "two\nlines", "\"two\nlines\"" },
		{ "=1+1", "'=1+1" },
		{ "+1", "'+1" },
		{ "-[Demo run]", "'-[Demo run]" },
		{ "@SUM(A1)", "'@SUM(A1)" },
		{ "\t=1", "'\t=1" },
		{ "\r=1", "\"'\\x0d=1\"" },
		{ "over\rwritten", "\"over\\x0dwritten\"" },
		{ "two\r\nlines", "\"two\r\nlines\"" },
		{ "=a,\"b\"", "\"'=a,\"\"b\"\"\"" },
		{ "esc\x1b[0m", "esc\\x1b[0m" },
		{ "bad\xff", "bad\\xff" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str expected = { 0 };
		struct table table = make_table(&arena);

		table.column_count = 1;
		table.row_count = 1;
		table.cells[0].text = cases[i].in;
		str_addf(&expected, "name\r\n%s\r\n", cases[i].out);
		assert_table(&csv_formatter, &table, str_cstr(&expected));
	}
}

static const struct table_column marked[] = {
	{ "level", NULL, TABLE_TEXT },
	{ "file", NULL, TABLE_TEXT },
	{ "title", NULL, TABLE_TEXT },
	{ "message", "detail", TABLE_TEXT },
};

/** A table of one row. */
static struct table mark(struct arena *arena, const char *level,
                         const char *file, const char *title,
                         const char *message)
{
	struct table table = {
		.name = "marks",
		.columns = marked,
		.column_count = ARRAY_SIZE(marked),
	};
	struct table_cell *row = table_add_row(&table, arena);

	table_set_text(&row[0], level);
	table_set_text(&row[1], file);
	table_set_text(&row[2], title);
	table_set_text(&row[3], message);
	return table;
}

static void github_marks_rows_with_a_level(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table =
	        mark(&arena, "error", "a.crash", "no dSYM", "it is gone");

	assert_table(&github_formatter, &table,
	             "::error file=a.crash,title=no dSYM::it is gone\n");
	table = mark(&arena, "warning", NULL, NULL, "odd");
	assert_table(&github_formatter, &table, "::warning::odd\n");
	table = mark(&arena, NULL, "a.crash", "fine", "fine");
	assert_table(&github_formatter, &table, "");
	table = mark(&arena, "fatal\n::error::", "a.crash", "x", "x");
	assert_table(&github_formatter, &table, "");
}

static void github_escapes_what_a_runner_would_obey(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = mark(&arena, "error", "a,b:c.crash",
	                          "50%\r\n::stop",
	                          "a: b, 100%\n::set-env name=X::y\x1b[0m");

	assert_table(&github_formatter, &table,
	             "::error file=a%2Cb%3Ac.crash,"
	             "title=50%25%0D%0A%3A%3Astop::"
	             "a: b, 100%25%0A::set-env name=X::y\\x1b[0m\n");
}

static void github_notices_rows_of_any_other_table(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = make_table(&arena);

	assert_table(&github_formatter, &table,
	             "::notice::name: Demo, count: 1234, base: 0x104000000, "
	             "app: yes\n"
	             "::notice::name: \xe6\x97\xa5\xe6\x9c\xac\n");
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in: %s", part, text);
}

static void html_says_equal_levels_once_and_lists_as_they_are(
        void **state UNUSED)
{
	static const struct table_column lists[] = {
		{ "name", "name", TABLE_NAME },
		{ "levels", NULL, TABLE_LEVELS },
		{ "members", NULL, TABLE_LIST },
	};
	static const char *const texts[] = { "a", "a", "b" };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct table table = { .name = "things",
		               .columns = lists,
		               .column_count = ARRAY_SIZE(lists) };
	struct table_cell *row = table_add_row(&table, &arena);
	struct rendered_table what = { &html_formatter, &table, 0 };
	SCOPED(mem_drop) char *text = NULL;

	table_set_text(&row[0], "demo::ArchivedFeed::loadAll\nnext");
	table_set_list(&row[1], texts, ARRAY_SIZE(texts));
	table_set_list(&row[2], texts, ARRAY_SIZE(texts));
	text = render_with(render_table, &what);
	assert_has(text, "<dt>levels</dt><dd><bdi>a, b</bdi>");
	assert_has(text, "<dt>members</dt><dd><bdi>a, a, b</bdi>");
	assert_has(text, "demo::<wbr>ArchivedFeed::<wbr>loadAll\nnext");
	assert_table(&csv_formatter, &table,
	             "name,levels,members\r\n"
	             "\"demo::ArchivedFeed::loadAll\nnext\",\"a, a, b\",\"a, "
	             "a, b\"\r\n");
}

struct counted_maker {
	struct table_maker maker;
	size_t made;
};

static void make_counted(struct table_maker *maker, size_t row,
                         struct table_cell *cells)
{
	((struct counted_maker *)maker)->made++;
	table_set_text(&cells[0], arena_printf(&maker->arena, "row %zu", row));
	// Of the other row, nothing is left.
	if (!row)
		table_set_number(&cells[1], 7);
}

static void rows_are_made_when_they_are_read(void **state UNUSED)
{
	struct table_cell cells[ARRAY_SIZE(columns)];
	struct counted_maker counted = { .maker = { .make = make_counted,
		                                    .cells = cells } };
	const struct table table = {
		.columns = columns,
		.column_count = ARRAY_SIZE(columns),
		.maker = &counted.maker,
		.row_count = 2,
	};

	assert_table(&csv_formatter, &table,
	             "name,count,hidden,base,app\r\n"
	             "row 0,7,,,\r\n"
	             "row 1,,,,\r\n");
	assert_int_equal(counted.made, 2);
	assert_table(&text_formatter, &table,
	             "name   count  base  app\n"
	             "row 0      7     -  -\n"
	             "row 1      -     -  -\n");
	// To be measured, and to be printed.
	assert_int_equal(counted.made, 6);
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_aligns_columns_by_what_is_shown),
		cmocka_unit_test(text_puts_the_summary_above),
		cmocka_unit_test(text_shows_what_could_act_on_a_terminal),
		cmocka_unit_test(
		        text_does_not_pad_for_a_cell_of_a_broken_report),
		cmocka_unit_test(text_fits_a_table_into_a_line),
		cmocka_unit_test(text_leaves_out_what_a_table_can_spare),
		cmocka_unit_test(
		        text_of_a_broken_report_is_shortened_on_a_terminal),
		cmocka_unit_test(json_has_every_column_in_every_row),
		cmocka_unit_test(
		        html_says_equal_levels_once_and_lists_as_they_are),
		cmocka_unit_test(csv_has_a_record_a_row),
		cmocka_unit_test(csv_quotes_and_disarms_cells),
		cmocka_unit_test(github_marks_rows_with_a_level),
		cmocka_unit_test(github_escapes_what_a_runner_would_obey),
		cmocka_unit_test(github_notices_rows_of_any_other_table),
		cmocka_unit_test(rows_are_made_when_they_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
