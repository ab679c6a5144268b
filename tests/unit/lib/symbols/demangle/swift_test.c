#include "lib/symbols/demangle/swift.h"

#include "lib/base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TABLE APMTOOL_SOURCE_DIR "/tests/unit/lib/symbols/demangle/swift.txt"

/** The text up to ` | `, which is taken, or the rest. */
static struct text cut(struct text *line)
{
	size_t at = text_find(*line, " | ");
	struct text cell = *line;

	if (at == TEXT_NOWHERE) {
		*line = TEXT_NONE;
		return cell;
	}
	*line = text_after(*line, at + 3);
	return text_first(cell, at);
}

static void check(struct text name, bool brief, struct text wanted)
{
	SCOPED(str_release) struct str printed = { 0 };

	if (!swift_demangle(name, brief, &printed)) {
		assert_int_equal(printed.size, 0);
		str_add_text(&printed, name);
	}
	if (!text_equal(str_text(&printed), wanted))
		fail_msg("%.*s: wanted '%.*s', printed '%s'", TEXT_ARGS(name),
		         TEXT_ARGS(wanted), str_cstr(&printed));
}

static void each_rule_of_the_grammar_prints_both_forms(void **state)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct text rest;
	struct text line;
	size_t count = 0;

	(void)state;
	assert_null(file_read(TABLE, FILE_REPORT_LIMIT_BYTES, &file));
	rest = (struct text){ (const char *)file.bytes.data, file.bytes.size };
	while (text_next_line(&rest, &line)) {
		struct text name;

		if (!line.size || line.data[0] == '#')
			continue;
		name = cut(&line);
		check(name, false, cut(&line));
		check(name, true, line);
		count++;
	}
	assert_true(count > 150);
}

/** @p times @p part behind @p start. */
static void check_refused(const char *start, const char *part, size_t times)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str printed = { 0 };

	str_add(&name, start);
	for (size_t i = 0; i < times; i++)
		str_add(&name, part);
	assert_false(swift_demangle(str_text(&name), false, &printed));
	assert_int_equal(printed.size, 0);
}

static void bombs_are_no_names(void **state)
{
	(void)state;
	check_refused("$s1aC", "A2000a", 50);    // repeats
	check_refused("$sSi", "Sg", 20000);      // depth
	check_refused("_Tt", "G", 5000);         // descent
	check_refused("_TtT", "T", 20000);       // nodes
	check_refused("$s4main1AVy", "AaAAG", 30); // doubling
	check_refused("$s", "x", SWIFT_NAME_MAX); // length
}

/** A tuple of two of the type before it, @p times: 2^times names. */
static void doubled_types_stop_at_the_limit(void **state)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str printed = { 0 };

	(void)state;
	str_add(&name, "$s1a1bVySi_SitG");
	for (size_t i = 0; i < 24; i++)
		str_addf(&name, "A%c_A%ct1a1c%cVyG", (char)('a' + i),
		         (char)('A' + i), 'a');
	assert_false(swift_demangle(str_text(&name), false, &printed));
}

static void every_cut_of_a_name_is_read_without_harm(void **state)
{
	static const char name[] =
	        "$s8Checkout4sort_2byq_x_q_tAA4RankRzSHR_r0_lFSi_SSTg5";

	(void)state;
	for (size_t i = 0; i < sizeof(name); i++) {
		SCOPED(str_release) struct str printed = { 0 };
		struct text cut_name = { name, i };

		if (!swift_demangle(cut_name, true, &printed))
			assert_int_equal(printed.size, 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_of_the_grammar_prints_both_forms),
		cmocka_unit_test(bombs_are_no_names),
		cmocka_unit_test(doubled_types_stop_at_the_limit),
		cmocka_unit_test(every_cut_of_a_name_is_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
