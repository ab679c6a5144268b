// SPDX-License-Identifier: MIT
#include "parsers/input/stream.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define LINE_A "{\"report\":{},\"crash\":{}}\n"
#define LINE_B "{\"crash\":{}}\n"
#define TEXT   "Incident Identifier: A\nException Type: X\n\nBinary Images:\n"
#define HEADER "{\"app_name\":\"Demo\",\"bug_type\":\"309\"}\n"
#define BODY   "{\n  \"threads\" : [\n    {}\n  ]\n}\n"
#define CONSOLE                                                      \
	"-----\nTranslated Report (Full Report Below)\n-----\n" TEXT \
	"\nFull Report\n-----\n\n"

/** Pieces end at `|` in @p marked; what is behind the last is not given. */
static void assert_pieces(const char *marked, bool is_end)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(str_release) struct str found = { 0 };
	struct text rest, piece;

	for (const char *at = marked; *at; at++)
		if (*at != '|')
			str_add_char(&in, *at);
	rest = str_text(&in);
	while ((piece = stream_piece(rest, is_end)).size) {
		str_add_text(&found, piece);
		str_add_char(&found, '|');
		rest = text_after(rest, piece.size);
	}
	str_add_text(&found, rest);
	assert_string_equal(str_cstr(&found), marked);
}

static void a_line_of_json_is_a_piece(void **state UNUSED)
{
	assert_pieces(LINE_A "|" LINE_B "|", false);
	assert_pieces(LINE_A "|\n \n" LINE_B "|\n", false);
	assert_pieces(" {\"crash\":{}} \r\n|" LINE_A "|", false);
	assert_pieces("[{},{}]\n|\"text\"\n|", false);
}

static void other_lines_go_together(void **state UNUSED)
{
	assert_pieces(LINE_A "|" TEXT "\n" TEXT "|" LINE_B "|", false);
	assert_pieces(LINE_A "|" BODY "|" LINE_B "|", false);
	assert_pieces(LINE_A "|{\"crash\":{\"a\n|" LINE_B "|", false);
	assert_pieces(TEXT "[Demo start]\n\"quoted\"\n  {}\n|" LINE_A "|",
	              false);
}

static void an_array_goes_together(void **state UNUSED)
{
	assert_pieces("[\n{},\n{}\n]\n|" LINE_A "|", false);
	assert_pieces("[\n{},\n{}\n", false);
	assert_pieces("[Demo start]\n|" LINE_A "|", false);
}

static void a_header_goes_with_its_body(void **state UNUSED)
{
	assert_pieces(HEADER BODY "|" LINE_A "|", false);
	assert_pieces(HEADER "\n{\"threads\":[]}\n|" LINE_A "|", false);
	assert_pieces(HEADER "|" HEADER BODY "|" HEADER TEXT "|" LINE_A "|",
	              false);
	assert_pieces(TEXT "|" HEADER BODY "|" LINE_A "|", false);
	assert_pieces(CONSOLE HEADER BODY "|" LINE_A "|", false);
	assert_pieces(CONSOLE HEADER "{\"threads\":[]}\n|" LINE_A "|", false);
}

static void what_may_go_on_is_given_at_the_end(void **state UNUSED)
{
	static const char *const open[] = { TEXT, HEADER, HEADER BODY, "{\n" };

	for (size_t i = 0; i < ARRAY_SIZE(open); i++) {
		SCOPED(str_release) struct str marked = { 0 };

		assert_pieces(open[i], false);
		str_addf(&marked, "%s|", open[i]);
		assert_pieces(str_cstr(&marked), true);
	}
	assert_pieces("{}|", true);
	assert_pieces("", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_of_json_is_a_piece),
		cmocka_unit_test(other_lines_go_together),
		cmocka_unit_test(an_array_goes_together),
		cmocka_unit_test(a_header_goes_with_its_body),
		cmocka_unit_test(what_may_go_on_is_given_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
