// SPDX-License-Identifier: MIT
#include "formatters/table/layout.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SHOWN          .place = LAYOUT_BESIDE
#define TITLE(columns) .title = (columns), .title_word = (columns)

/** Widths, with what is not in the row in brackets. */
static void assert_layout(struct layout_column *columns, size_t count,
                          size_t width, const char *expected)
{
	static const char *const places[] = {
		[LAYOUT_HIDDEN] = "[hidden]",
		[LAYOUT_BELOW] = "[below]",
		[LAYOUT_OUT] = "[out]",
	};
	SCOPED(str_release) struct str found = { 0 };

	layout_fit(columns, count, width);
	for (size_t i = 0; i < count; i++) {
		str_add(&found, i ? " " : "");
		if (columns[i].place == LAYOUT_BESIDE)
			str_addf(&found, "%zu", columns[i].width);
		else
			str_add(&found, places[columns[i].place]);
	}
	assert_string_equal(str_cstr(&found), expected);
}

static void what_fits_is_as_wide_as_it_is(void **state UNUSED)
{
	for (size_t width = 30; width < 80; width += 7) {
		struct layout_column columns[] = {
			{ TABLE_PATH, TITLE(4), .cell = 10, SHOWN },
			{ TABLE_NUMBER, TITLE(8), .cell = 4, SHOWN },
			{ TABLE_TEXT, TITLE(40), .cell = 40 },
			{ TABLE_PROSE, TITLE(3), .cell = 8, SHOWN },
		};

		assert_layout(columns, 4, width, "10 8 [hidden] 8");
	}
}

static void without_a_width_nothing_gives_way(void **state UNUSED)
{
	struct layout_column columns[] = {
		{ TABLE_BAR, TITLE(0), .cell = 24, SHOWN },
		{ TABLE_PATH, TITLE(4), .cell = 300, .turn = 1, SHOWN },
		{ TABLE_PROSE, TITLE(4), .cell = 900, SHOWN },
	};

	assert_layout(columns, 3, 0, "24 300 900");
}

static void bars_go_first_then_titles_are_wrapped(void **state UNUSED)
{
	struct layout_column columns[] = {
		{ TABLE_TEXT, TITLE(4), .cell = 10, SHOWN },
		{ TABLE_DECIMAL, .title = 13, .title_word = 9, .cell = 6,
		  SHOWN },
		{ TABLE_BAR, TITLE(0), .cell = 24, SHOWN },
	};

	assert_layout(columns, 3, 51, "10 13 24");
	assert_layout(columns, 3, 50, "10 13 [hidden]");
	assert_layout(columns, 3, 24, "10 9 [hidden]");
}

static void paths_names_and_prose_give_way_before_columns_do(
        void **state UNUSED)
{
	struct layout_column columns[] = {
		{ TABLE_PATH, TITLE(4), .cell = 50, SHOWN },
		{ TABLE_NUMBER, TITLE(3), .cell = 6, .turn = 1, SHOWN },
		{ TABLE_NAME, TITLE(3), .cell = 60, SHOWN },
		{ TABLE_PROSE, TITLE(3), .cell = 70, .cell_word = 12, SHOWN },
	};

	// Names get back what is left before the others.
	assert_layout(columns, 4, 80, "20 6 24 24");
	assert_layout(columns, 4, 90, "20 6 34 24");
	assert_layout(columns, 4, 130, "27 6 60 31");
}

static void identifiers_stay_whole_below_the_row(void **state UNUSED)
{
	struct layout_column columns[] = {
		{ TABLE_TEXT, TITLE(4), .cell = 20, .cell_word = 20, SHOWN },
		{ TABLE_TEXT, TITLE(4), .cell = 36, .cell_word = 36, SHOWN },
	};

	assert_layout(columns, 2, 58, "20 36");
	assert_layout(columns, 2, 57, "20 [below]");
}

static void what_can_be_spared_goes_in_its_turn(void **state UNUSED)
{
	const struct layout_column all[] = {
		{ TABLE_TEXT, TITLE(4), .cell = 20, SHOWN },
		{ TABLE_NUMBER, TITLE(3), .cell = 10, .turn = 2, SHOWN },
		{ TABLE_NUMBER, TITLE(3), .cell = 10, .turn = 1, SHOWN },
		{ TABLE_NUMBER, TITLE(3), .cell = 10, SHOWN },
	};
	static const struct {
		size_t width;
		const char *expected;
	} cases[] = {
		{ 56, "20 10 10 10" },
		{ 55, "20 10 [out] 10" },
		{ 44, "20 10 [out] 10" },
		{ 43, "20 [out] [out] 10" },
		{ 32, "20 [out] [out] 10" },
		// Now a word gives way, but a number never does.
		{ 30, "18 [out] [out] 10" },
		{ 12, "8 [out] [out] 10" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct layout_column columns[ARRAY_SIZE(all)];

		memcpy(columns, all, sizeof(all));
		assert_layout(columns, ARRAY_SIZE(all), cases[i].width,
		              cases[i].expected);
	}
}

static void sentences_go_below_their_row(void **state UNUSED)
{
	struct layout_column columns[] = {
		{ TABLE_TEXT, TITLE(4), .cell = 36, SHOWN },
		{ TABLE_PROSE, TITLE(8), .cell = 200, .cell_word = 10,
		  .turn = 1, SHOWN },
		{ TABLE_PROSE, TITLE(4), .cell = 22, .cell_word = 10, .turn = 2,
		  SHOWN },
	};

	assert_layout(columns, 3, 95, "36 40 15");
	assert_layout(columns, 3, 90, "36 [below] 22");
	// A few words are left out, as a word is.
	assert_layout(columns, 3, 40, "36 [below] [out]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_is_as_wide_as_it_is),
		cmocka_unit_test(without_a_width_nothing_gives_way),
		cmocka_unit_test(bars_go_first_then_titles_are_wrapped),
		cmocka_unit_test(
		        paths_names_and_prose_give_way_before_columns_do),
		cmocka_unit_test(identifiers_stay_whole_below_the_row),
		cmocka_unit_test(what_can_be_spared_goes_in_its_turn),
		cmocka_unit_test(sentences_go_below_their_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
