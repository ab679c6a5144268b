// SPDX-License-Identifier: MIT
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

/** What is printed of a VM region. */
static void assert_shown(const struct str *text, const char *first,
                         const char *rest)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str expected = { 0 };
	struct out *out = out_memory();
	struct report_view view;

	read_region(&view, &arena, str_cstr(text));
	view.out = out;
	view_add_end(&view);
	str_addf(&expected, "><bdi>%s</bdi>%s</dd>", first, rest);
	if (!strstr(str_cstr(out_str(out)), str_cstr(&expected)))
		fail_msg("'%s' is not in:\n%s", str_cstr(&expected),
		         str_cstr(out_str(out)));
	out_abandon(out);
	str_release(&view.line);
	str_release(&view.id);
	arena_release(&view.arena);
}

static void a_value_of_many_lines_is_folded(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str first = { 0 };

	for (int i = 0; i < 29; i++)
		str_add(&text, "a\n");
	str_add(&text, "z");
	assert_shown(&text, str_cstr(&text), "");

	str_add_char(&text, '\n');
	str_add_text(&first, str_text(&text));
	str_add(&text, "<b>\nc");
	assert_shown(&text, str_cstr(&first),
	             "<details><summary>2 more lines</summary>"
	             "<bdi>&lt;b&gt;\nc</bdi></details>");
}

static void a_long_line_is_folded_between_characters(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str first = { 0 };

	str_add_repeat(&first, 'a', 3999);
	str_add_text(&text, str_text(&first));
	str_add(&text, "\u00e9b");
	assert_shown(&text, str_cstr(&first),
	             "<details><summary>3 more bytes</summary>"
	             "<bdi>\u00e9b</bdi></details>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_without_a_label_continues_the_value),
		cmocka_unit_test(a_value_of_many_lines_takes_its_size_once),
		cmocka_unit_test(a_value_of_many_lines_is_folded),
		cmocka_unit_test(a_long_line_is_folded_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
