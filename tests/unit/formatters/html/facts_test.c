#include "formatters/html/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct view_fact *find(const struct report_view *view,
                                    const char *label)
{
	for (size_t i = 0; i < view->fact_count; i++)
		if (!strcmp(view->facts[i].label, label))
			return &view->facts[i];
	fail_msg("there is no fact '%s'", label);
	return NULL;
}

static void read_region(struct report_view *view, struct arena *arena,
                        const char *text)
{
	struct report *report = report_new(arena);

	report->exception.type = "EXC_BAD_ACCESS";
	report_add_section(report, arena, "VM Region Info", text);
	*view = (struct report_view){ .report = report, .number = 1 };
	view_read_facts(view);
}

static void a_line_without_a_label_continues_the_value(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report_view view;

	read_region(&view, &arena, "0x0 is not in any region.\n  none\n\nlast");
	assert_string_equal(find(&view, "VM Region Info")->value,
	                    "0x0 is not in any region.\n  none\nlast");
	assert_string_equal(find(&view, "Exception Type")->value,
	                    "EXC_BAD_ACCESS");
	arena_release(&view.arena);
}

static void a_value_of_many_lines_takes_its_size_once(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	struct report_view view;

	for (int i = 0; i < 2000; i++)
		str_add(&text, "0x0 is not in any region.\n");
	str_add(&text, "last");
	read_region(&view, &arena, str_cstr(&text));
	assert_string_equal(find(&view, "VM Region Info")->value,
	                    str_cstr(&text));
	assert_true(view.arena.total_bytes < 2 * text.size);
	arena_release(&view.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_without_a_label_continues_the_value),
		cmocka_unit_test(a_value_of_many_lines_takes_its_size_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
