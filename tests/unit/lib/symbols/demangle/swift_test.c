// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift.h"

#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/symbols/demangle/swift_printer.h"

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

/** Call @p visit for each line of the table: its name and the rest. */
static size_t each_case(void (*visit)(struct text name, struct text forms))
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct text rest;
	struct text line;
	size_t count = 0;

	assert_null(file_read(TABLE, LIMIT_DEFAULT_REPORT, &file));
	rest = (struct text){ (const char *)file.bytes.data, file.bytes.size };
	while (text_next_line(&rest, &line)) {
		struct text name;

		if (!line.size || line.data[0] == '#')
			continue;
		name = cut(&line);
		visit(name, line);
		count++;
	}
	return count;
}

static void check_forms(struct text name, struct text forms)
{
	check(name, false, cut(&forms));
	check(name, true, forms);
}

static void each_rule_of_the_grammar_prints_both_forms(void **state)
{
	(void)state;
	assert_true(each_case(check_forms) > 450);
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
	check_refused("$s1aC", "A2000a", 50);      // repeats
	check_refused("$sSi", "Sg", 20000);        // depth
	check_refused("_Tt", "G", 5000);           // descent
	check_refused("_TtT", "T", 20000);         // nodes
	check_refused("$s4main1AVy", "AaAAG", 30); // doubling
	check_refused("$s", "x", SWIFT_NAME_MAX);  // length
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

/** It is a name, or nothing is printed. */
static void check_answer(struct text name, bool brief)
{
	SCOPED(str_release) struct str printed = { 0 };

	if (swift_demangle(name, brief, &printed))
		assert_in_range(printed.size, 1, SWIFT_PRINTED_MAX);
	else
		assert_int_equal(printed.size, 0);
}

/** What it says of itself is words, or nothing. */
static void check_parts(struct text name)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct name_parts parts = { 0 };

	swift_describe(name, &arena, &parts);
	assert_false(parts.kind && !*parts.kind);
	assert_false(parts.module && !*parts.module);
	assert_false(parts.context && !*parts.context);
	assert_false(parts.base && !*parts.base);
}

/** A table's name, cut behind each byte and with each byte changed. */
static void damage(struct text name, struct text forms)
{
	static const unsigned char flips[] = { 1, 2, 4, 32 };
	char damaged[1024];
	struct text whole = { damaged, name.size };

	(void)forms;
	assert_true(name.size <= sizeof(damaged));
	memcpy(damaged, name.data, name.size);
	check_parts(name);
	for (size_t i = 0; i < name.size; i++) {
		check_answer(text_first(name, i), true);
		for (size_t k = 0; k < ARRAY_SIZE(flips); k++) {
			damaged[i] = (char)(name.data[i] ^ flips[k]);
			check_answer(whole, k % 2);
			damaged[i] = name.data[i];
		}
	}
}

static void damaged_names_are_read_without_harm(void **state)
{
	(void)state;
	each_case(damage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_of_the_grammar_prints_both_forms),
		cmocka_unit_test(bombs_are_no_names),
		cmocka_unit_test(doubled_types_stop_at_the_limit),
		cmocka_unit_test(damaged_names_are_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
