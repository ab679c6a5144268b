// SPDX-License-Identifier: MIT
#include "lib/model/profile/functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void add(struct profile_functions *functions, const char *symbol,
                enum calltree_kind kind, enum calltree_evidence evidence)
{
	profile_functions_add(functions,
	                      &(struct profile_place){ .symbol = symbol,
	                                               .kind = kind,
	                                               .evidence = evidence });
}

static void functions_that_are_forgotten_are_counted_once(void **state UNUSED)
{
	struct profile_functions first = { 0 };
	struct profile_functions second = { 0 };
	struct profile_met met = { 0 };

	add(&first, "a", CALLTREE_APP, CALLTREE_BY_DEFAULT);
	add(&first, "b", CALLTREE_SYSTEM, CALLTREE_BY_SYMBOL);
	profile_met_add(&met, &first);
	add(&second, "b", CALLTREE_SYSTEM, CALLTREE_BY_SYMBOL);
	add(&second, "c", CALLTREE_SYSTEM, CALLTREE_BY_SYMBOL);
	profile_met_add(&met, &second);
	profile_functions_release(&first);
	profile_met_join(&met, &first);
	assert_int_equal(first.elsewhere[CALLTREE_BY_DEFAULT], 1);
	assert_int_equal(first.elsewhere[CALLTREE_BY_SYMBOL], 2);
	profile_met_release(&met);
	profile_functions_release(&second);
}

static void what_was_known_of_them_is_said_of_those_that_stay(
        void **state UNUSED)
{
	struct profile_functions met_first = { 0 };
	struct profile_functions functions = { 0 };
	struct profile_met met = { 0 };
	bool is_app;

	add(&met_first, "a", CALLTREE_APP, CALLTREE_BY_DEFAULT);
	add(&met_first, "b", CALLTREE_SYSTEM, CALLTREE_BY_SYMBOL);
	profile_met_add(&met, &met_first);
	add(&met_first, "c", CALLTREE_SYSTEM, CALLTREE_BY_DEFAULT);
	// Joined, as those of a run are: without whose they are.
	profile_functions_join(&functions, &met_first, 1);
	profile_functions_join(&functions, &met_first, 2);
	functions.frames[0].evidence = CALLTREE_BY_DEFAULT;
	profile_met_join(&met, &functions);
	assert_int_equal(functions.frames[0].evidence, CALLTREE_BY_SYMBOL);
	assert_int_equal(functions.frames[1].evidence, CALLTREE_BY_DEFAULT);
	is_app = functions.frames[0].kind == CALLTREE_APP;
	assert_false(is_app);
	assert_int_equal(functions.elsewhere[CALLTREE_BY_SYMBOL], 0);
	assert_int_equal(functions.elsewhere[CALLTREE_BY_DEFAULT], 1);
	profile_met_release(&met);
	profile_functions_release(&functions);
	profile_functions_release(&met_first);
}

static void a_function_of_the_app_stays_one(void **state UNUSED)
{
	struct profile_functions before = { 0 };
	struct profile_functions now = { 0 };
	struct profile_functions functions = { 0 };
	struct profile_met met = { 0 };

	add(&before, "a", CALLTREE_APP, CALLTREE_BY_DEFAULT);
	profile_met_add(&met, &before);
	add(&now, "a", CALLTREE_SYSTEM, CALLTREE_BY_IMAGE);
	profile_functions_join(&functions, &now, 0);
	profile_met_join(&met, &functions);
	assert_int_equal(functions.frames[0].kind, CALLTREE_APP);
	assert_int_equal(functions.frames[0].evidence, CALLTREE_BY_IMAGE);
	profile_met_release(&met);
	profile_functions_release(&functions);
	profile_functions_release(&now);
	profile_functions_release(&before);
}

/** Where a function is, as some inputs have it. */
static void add_at(struct profile_functions *functions, const char *path,
                   const char *file, uint32_t line)
{
	profile_functions_add(functions,
	                      &(struct profile_place){ .symbol = "a",
	                                               .file = file,
	                                               .path = path,
	                                               .line = line });
}

static void assert_place(struct profile_functions *functions, const char *path,
                         const char *file, uint32_t line)
{
	const struct calltree_frame *frame = &functions->frames[0];

	assert_string_equal(frame->file, file);
	if (path)
		assert_string_equal(frame->path, path);
	else
		assert_null(frame->path);
	assert_int_equal(frame->line, line);
	profile_functions_release(functions);
}

static void its_place_does_not_depend_on_the_order_of_inputs(
        void **state UNUSED)
{
	struct profile_functions functions = { 0 };

	add_at(&functions, "/x/b.c", "b.c", 1);
	add_at(&functions, "/y/a.c", "a.c", 9);
	add_at(&functions, "/x/a.c", "a.c", 7);
	add_at(&functions, "/x/a.c", "a.c", 5);
	assert_place(&functions, "/x/a.c", "a.c", 5);
	add_at(&functions, "/x/a.c", "a.c", 5);
	add_at(&functions, "/x/a.c", "a.c", 7);
	add_at(&functions, "/y/a.c", "a.c", 3);
	add_at(&functions, "/x/b.c", "b.c", 1);
	assert_place(&functions, "/x/a.c", "a.c", 5);
}

static void the_path_is_that_of_the_file(void **state UNUSED)
{
	struct profile_functions functions = { 0 };

	// One that says it is better than one that does not.
	add_at(&functions, NULL, "a.c", 3);
	add_at(&functions, "/x/a.c", "a.c", 5);
	add_at(&functions, NULL, "a.c", 1);
	assert_place(&functions, "/x/a.c", "a.c", 5);
	// Another file takes its own with it, even if it is not known.
	add_at(&functions, "/x/b.c", "b.c", 5);
	add_at(&functions, NULL, "a.c", 2);
	assert_place(&functions, NULL, "a.c", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_that_are_forgotten_are_counted_once),
		cmocka_unit_test(
		        what_was_known_of_them_is_said_of_those_that_stay),
		cmocka_unit_test(a_function_of_the_app_stays_one),
		cmocka_unit_test(
		        its_place_does_not_depend_on_the_order_of_inputs),
		cmocka_unit_test(the_path_is_that_of_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
