// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/image_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** A report whose images have UUIDs of these first bytes; 0: it has none. */
static struct report *report_of(const uint8_t *uuids, size_t count,
                                struct arena *arena)
{
	struct report *report = arena_alloc(arena, sizeof(*report));

	for (size_t i = 0; i < count; i++)
		report_add_image(report, arena)->uuid.bytes[0] = uuids[i];
	return report;
}

static void an_image_is_listed_once_for_each_report(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct symbol_store *store =
	        symbol_store_new(&(struct symbol_store_options){ .jobs = 1 });
	struct image_list list = { .store = store };
	struct symbolicate_result result;
	struct report *first = report_of((uint8_t[]){ 1, 2 }, 2, &arena);
	struct report *second = report_of((uint8_t[]){ 2 }, 1, &arena);

	image_list_begin(&list, first);
	assert_int_equal(image_list_find(&list, 1), 0);
	assert_int_equal(image_list_find(&list, 1), 0);
	image_list_begin(&list, second);
	assert_int_equal(image_list_find(&list, 0), 1);
	assert_int_equal(list.count, 2);
	// And the store was asked for it once.
	assert_int_equal(list.build_count, 1);
	assert_int_equal(list.builds[0].count, 2);
	assert_false(image_list_has_file(&list, &list.items[1]));
	image_list_sort(&list, &arena, &result);
	// One without frames is not listed.
	assert_int_equal(result.count, 2);
	assert_ptr_equal(result.images[0].image, &first->images[1]);
	assert_ptr_equal(result.images[1].image, &second->images[0]);
	image_list_release(&list);
	symbol_store_free(store);
}

static void nothing_is_listed_of_nothing(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct image_list list = { 0 };
	struct symbolicate_result result;

	image_list_begin(&list, report_of(NULL, 0, &arena));
	image_list_sort(&list, &arena, &result);
	assert_int_equal(result.count, 0);
	image_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_is_listed_once_for_each_report),
		cmocka_unit_test(nothing_is_listed_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
