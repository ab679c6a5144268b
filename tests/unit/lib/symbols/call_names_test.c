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
	struct gsym_answer answers[CALLS];
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
		found->answers[i] =
		        (struct gsym_answer){ .calls = call, .count = 1 };
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

static void assert_same(const struct symbol_call *a,
                        const struct symbol_call *b)
{
	for (size_t i = 0; i < CALLS; i++) {
		assert_string_equal(a[i].name, b[i].name);
		assert_string_equal(a[i].mangled, b[i].mangled);
		assert_string_equal(a[i].directory, b[i].directory);
		assert_string_equal(a[i].file, b[i].file);
		assert_int_equal(a[i].name_size, strlen(b[i].name));
		assert_int_equal(b[i].name_size, strlen(b[i].name));
		assert_int_equal(a[i].mangled_size, strlen(b[i].mangled));
		assert_int_equal(b[i].mangled_size, strlen(b[i].mangled));
		assert_int_equal(a[i].directory_size + b[i].file_size,
		                 strlen("/src") + strlen("pump.cpp"));
	}
}

static void check_prepared(size_t bytes, bool all)
{
	static struct found found;
	static struct symbol_call plain[CALLS], prepared[CALLS];
	SCOPED(arena_release) struct arena one = { 0 };
	SCOPED(arena_release) struct arena other = { 0 };
	struct printed_names printed[2] = { 0 };
	struct call_names first = { .printed = &printed[0] };
	struct call_names second = { .printed = &printed[1] };
	size_t charged, at_once;

	find(&found);
	charged = set_all(&first, &found, &one, plain);
	call_names_prepare(&second, found.answers, CALLS, 2, bytes, &other);
	at_once = other.total_bytes;
	// All but the one that is too long to be shown.
	assert_true(all == (printed[1].of_debug_info.count == NAMES - 1));
	assert_int_equal(set_all(&second, &found, &other, prepared), charged);
	assert_same(plain, prepared);
	assert_string_equal(prepared[7].name, "f0007()");
	assert_string_equal(prepared[NAMES + 7].mangled, "_Z5f0007v");
	// Little more than what is allowed is made before it is wanted.
	assert_true(at_once > 0);
	assert_true(at_once < bytes + bytes / 2);
	call_names_forget(&first);
	call_names_forget(&second);
	printed_names_release(&printed[0]);
	printed_names_release(&printed[1]);
	arena_release(&found.arena);
}

static void names_prepared_by_threads_are_the_same(void **state UNUSED)
{
	check_prepared((size_t)1 << 30, true);
}

static void too_many_names_are_left_for_later(void **state UNUSED)
{
	check_prepared(30000, false);
}

static void names_may_stay_as_the_linker_knows_them(void **state UNUSED)
{
	static struct found found;
	static struct symbol_call calls[CALLS];
	SCOPED(arena_release) struct arena arena = { 0 };
	struct printed_names printed = { 0 };
	struct call_names names = { .printed = &printed,
		                    .keeps_mangled = true };
	struct symbol_call call = { 0 };

	find(&found);
	call_names_prepare(&names, found.answers, CALLS, 2, (size_t)1 << 30,
	                   &arena);
	set_all(&names, &found, &arena, calls);
	assert_string_equal(calls[7].name, "_Z5f0007v");
	call_names_set_name(&names, text_from("__Z5pumpsv"), true, &arena,
	                    &call);
	assert_string_equal(call.name, "_Z5pumpsv");
	call_names_forget(&names);
	printed_names_release(&printed);
	arena_release(&found.arena);
}

/** What comes first of an image: few names, and one that is elsewhere, too. */
static void set_few(struct call_names *names, const struct found *found,
                    struct arena *arena, struct symbol_call *ret)
{
	call_names_prepare(names, found->answers, 2, 2, (size_t)1 << 30, arena);
	for (size_t i = 0; i < 2; i++)
		call_names_set(names, &found->calls[i], true, arena, ret);
	call_names_set_name(names, text_from("_Z5f0007v"), false, arena, ret);
}

static void a_small_batch_before_a_large_one_ends_nothing(void **state UNUSED)
{
	static struct found found;
	static struct symbol_call plain[CALLS], prepared[CALLS];
	SCOPED(arena_release) struct arena one = { 0 };
	SCOPED(arena_release) struct arena other = { 0 };
	struct printed_names printed[2] = { 0 };
	struct call_names first = { .printed = &printed[0] };
	struct call_names second = { .printed = &printed[1] };
	struct symbol_call early;

	find(&found);
	set_few(&first, &found, &one, &early);
	set_few(&second, &found, &other, &early);
	call_names_prepare(&second, found.answers, CALLS, 2, (size_t)1 << 30,
	                   &other);
	assert_int_equal(set_all(&second, &found, &other, prepared),
	                 set_all(&first, &found, &one, plain));
	assert_same(plain, prepared);
	assert_int_equal(printed[1].of_debug_info.count,
	                 printed[0].of_debug_info.count);
	assert_int_equal(printed[1].of_debug_info.count, NAMES);
	assert_ptr_equal(prepared[7].name, early.name);
	call_names_forget(&first);
	call_names_forget(&second);
	printed_names_release(&printed[0]);
	printed_names_release(&printed[1]);
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
		call_names_prepare(&names, found[i].answers, CALLS, 2,
		                   (size_t)1 << 30, &arena);
		set_all(&names, &found[i], &arena, calls[i]);
		call_names_forget(&names);
	}
	// The second file adds its one directory and file.
	assert_in_range(arena.total_bytes - before, 0, 64);
	assert_same(calls[0], calls[1]);
	for (size_t i = 0; i < CALLS; i++)
		assert_ptr_equal(calls[0][i].name, calls[1][i].name);
	printed_names_release(&printed);
	arena_release(&found[0].arena);
	arena_release(&found[1].arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_prepared_by_threads_are_the_same),
		cmocka_unit_test(too_many_names_are_left_for_later),
		cmocka_unit_test(a_small_batch_before_a_large_one_ends_nothing),
		cmocka_unit_test(a_name_of_two_files_is_printed_once),
		cmocka_unit_test(names_may_stay_as_the_linker_knows_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
