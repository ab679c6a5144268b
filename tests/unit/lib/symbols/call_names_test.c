// SPDX-License-Identifier: MIT
#include "lib/symbols/call_names.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NAMES 2000u
#define CALLS (NAMES * 2)

/** Names of an image, each found twice, and one that is longer than shown. */
struct found {
	struct arena arena;
	struct gsym_call calls[CALLS];
};

static void find(struct found *found)
{
	*found = (struct found){ 0 };
	for (unsigned i = 0; i < CALLS; i++) {
		struct gsym_call *call = &found->calls[i];

		*call = (struct gsym_call){ .directory = "/src",
			                    .file = "pump.cpp" };
		call->name = i < NAMES ? arena_printf(&found->arena,
		                                      "_Z%uf%04uv", 5u, i)
		                       : found->calls[i - NAMES].name;
	}
	// `f0000()` is printed in full, this one is not.
	found->calls[0].name = found->calls[NAMES].name = arena_printf(
	        &found->arena, "_Z%zu%0*u1v", limit_get(LIMIT_NAME) + 1,
	        (int)limit_get(LIMIT_NAME), 0u);
}

/** Set all calls; returns what they are charged for. */
static size_t set_all(struct call_names *names, const struct found *found,
                      struct arena *arena, struct symbol_call *calls)
{
	size_t before = arena->total_bytes;
	size_t bytes = 0;

	for (size_t i = 0; i < CALLS; i++)
		bytes += call_names_set(names, &found->calls[i], true, arena,
		                        &calls[i]);
	return bytes + arena->total_bytes - before;
}

static void each_call_has_the_name_of_its_function(void **state UNUSED)
{
	static struct found found;
	static struct symbol_call calls[CALLS];
	SCOPED(arena_release) struct arena arena = { 0 };
	struct printed_names printed = { 0 };
	struct call_names names = { .printed = &printed };

	find(&found);
	assert_true(set_all(&names, &found, &arena, calls) > 0);
	assert_int_equal(printed.of_debug_info.count, NAMES);
	for (size_t i = 0; i < CALLS; i++) {
		assert_int_equal(calls[i].name_size, strlen(calls[i].name));
		assert_int_equal(calls[i].mangled_size,
		                 strlen(calls[i].mangled));
		assert_string_equal(calls[i].directory, "/src");
		assert_int_equal(calls[i].directory_size, strlen("/src"));
		assert_string_equal(calls[i].file, "pump.cpp");
		assert_int_equal(calls[i].file_size, strlen("pump.cpp"));
		assert_ptr_equal(calls[i].name, calls[i % NAMES].name);
	}
	assert_string_equal(calls[7].name, "f0007()");
	assert_string_equal(calls[NAMES + 7].mangled, "_Z5f0007v");
	// Longer than it is shown.
	assert_in_range(calls[0].name_size, 1, limit_get(LIMIT_NAME));
	call_names_forget(&names);
	printed_names_release(&printed);
	arena_release(&found.arena);
}

static void names_may_stay_as_the_linker_knows_them(void **state UNUSED)
{
	static struct found found;
	static struct symbol_call calls[CALLS];
	SCOPED(arena_release) struct arena arena = { 0 };
	struct printed_names printed = { 0 };
	struct call_names names = { .printed = &printed,
		                    .form = DEMANGLE_NONE };
	struct symbol_call call = { 0 };

	find(&found);
	set_all(&names, &found, &arena, calls);
	assert_string_equal(calls[7].name, "_Z5f0007v");
	call_names_set_name(&names, text_from("__Z5pumpsv"), true, &arena,
	                    &call);
	assert_string_equal(call.name, "_Z5pumpsv");
	call_names_forget(&names);
	printed_names_release(&printed);
	arena_release(&found.arena);
}

/** Builds of one app have the same names, wherever they lie. */
static void a_name_of_two_files_is_printed_once(void **state UNUSED)
{
	static struct found found[2];
	static struct symbol_call calls[2][CALLS];
	SCOPED(arena_release) struct arena arena = { 0 };
	struct printed_names printed = { 0 };
	size_t before = 0;

	for (size_t i = 0; i < 2; i++) {
		struct call_names names = { .printed = &printed };

		find(&found[i]);
		before = arena.total_bytes;
		set_all(&names, &found[i], &arena, calls[i]);
		call_names_forget(&names);
	}
	// The second file adds its one directory and file.
	assert_in_range(arena.total_bytes - before, 0, 64);
	for (size_t i = 0; i < CALLS; i++)
		assert_ptr_equal(calls[0][i].name, calls[1][i].name);
	printed_names_release(&printed);
	arena_release(&found[0].arena);
	arena_release(&found[1].arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_call_has_the_name_of_its_function),
		cmocka_unit_test(a_name_of_two_files_is_printed_once),
		cmocka_unit_test(names_may_stay_as_the_linker_knows_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
