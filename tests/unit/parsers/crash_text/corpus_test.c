// SPDX-License-Identifier: MIT
/*
 * Real reports, where they are beside the project: each must come back line
 * for line, and agree with what another parser of the field found in it.
 */
#include "lib/base/file.h"
#include "lib/base/file_walk.h"
#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "parsers/reader.h"
#include "tests/unit/lib/model/report_lines.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CORPUS APMTOOL_SOURCE_DIR "/../shared/corpus/apple-crash"

static struct error *check_lines(const struct file_found *found, void *context)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str expected = { 0 };
	SCOPED(str_release) struct str lines = { 0 };
	struct report *report = NULL;
	size_t *count = context;
	struct error *err;
	struct text rest;
	struct text line;

	if (text_ends(text_from(found->path), ".snap"))
		return NULL;
	err = file_read(found->path, LIMIT_DEFAULT_REPORT, &file);
	if (!err)
		err = read_reports(file.bytes, &arena, &report);
	if (err)
		return error_prefix(err, "%s", found->path);
	assert_string_equal(report->format, "crash-text");
	rest = bytes_text(file.bytes);
	while (text_next_line(&rest, &line)) {
		str_add_text(&expected, line);
		str_add_char(&expected, '\n');
	}
	add_report_lines(report, &lines);
	if (!text_equal(str_text(&expected), str_text(&lines)))
		fail_msg("%s: lines differ", found->path);
	(*count)++;
	return NULL;
}

static void every_line_of_real_reports_comes_back(void **state UNUSED)
{
	SCOPED(error_drop) struct error *err = NULL;
	size_t count = 0;

	err = file_walk(CORPUS, check_lines, &count, NULL);
	if (err)
		fail_msg("%s", error_message(err));
	printf("%zu reports came back\n", count);
	assert_true(count >= 40);
}

/** Find the next line of a snapshot (YAML) with @p key, and its value. */
static bool next_value(struct text *rest, const char *key, struct text *ret)
{
	struct text line;

	while (text_next_line(rest, &line)) {
		line = text_trim(line);
		text_take(&line, "- ");
		if (!text_take(&line, key))
			continue;
		line = text_trim(line);
		if (text_take(&line, "\""))
			line = text_first(line, line.size - 1);
		*ret = line;
		return true;
	}
	return false;
}

static void check_addresses(const struct report *report, struct text rest)
{
	struct text value;
	uint64_t address;

	for (size_t i = 0; i < report->thread_count; i++) {
		const struct report_stack *stack = &report->threads[i]->stack;

		for (size_t k = 0; k < stack->count; k++) {
			// Inlined calls are frames of their own there.
			size_t lines = stack->frames[k].line_count;

			for (; lines; lines--) {
				assert_true(next_value(
				        &rest, "instruction_addr:", &value));
				assert_true(number_hex(value, &address));
				assert_int_equal(stack->frames[k].address,
				                 address);
			}
		}
	}
	assert_false(next_value(&rest, "instruction_addr:", &value));
}

static void check_threads(const struct report *report, struct text rest)
{
	struct text value;
	uint64_t number;

	for (size_t i = 0; i < report->thread_count; i++) {
		assert_true(next_value(&rest, "id:", &value));
		assert_true(number_decimal(value, &number));
		assert_int_equal(report->threads[i]->number, number);
		assert_true(next_value(&rest, "crashed:", &value));
		assert_int_equal(report->threads[i]->crashed,
		                 text_is(value, "true"));
	}
	assert_false(next_value(&rest, "crashed:", &value));
}

static void check_image(const struct report_image *image, struct text *rest)
{
	struct text value;
	struct uuid uuid;
	uint64_t number;

	assert_true(next_value(rest, "addr:", &value));
	assert_true(number_hex(value, &number));
	assert_int_equal(image->base, number);
	// That parser leaves the last byte out.
	assert_true(next_value(rest, "size:", &value));
	assert_true(number_decimal(value, &number));
	assert_int_equal(image->size, number + 1);
	assert_true(next_value(rest, "uuid:", &value));
	assert_true(uuid_parse(value, &uuid));
	assert_true(uuid_equal(&image->uuid, &uuid));
	assert_true(next_value(rest, "name:", &value));
	assert_true(text_is(value,
	                    image->bundle_id ? image->bundle_id : image->name));
	assert_true(next_value(rest, "path:", &value));
	assert_true(text_is(value, image->path));
}

static void check_images(const struct report *report, struct text rest)
{
	struct text value;

	for (size_t i = 0; i < report->image_count; i++)
		check_image(&report->images[i], &rest);
	assert_false(next_value(&rest, "addr:", &value));
}

static void check_snapshot(const char *name)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(file_release) struct file_data truth = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	struct text text;
	size_t threads;
	size_t images;

	assert_null(file_read(arena_printf(&arena, CORPUS "/%s.txt", name),
	                      LIMIT_DEFAULT_REPORT, &file));
	assert_null(file_read(
	        arena_printf(&arena, CORPUS "/%s.expected.snap", name),
	        LIMIT_DEFAULT_REPORT, &truth));
	assert_null(read_reports(file.bytes, &arena, &report));
	text = bytes_text(truth.bytes);
	threads = text_find(text, "\nthreads:");
	images = text_find(text, "\nbinary_images:");
	assert_true(threads < images && images < text.size);
	check_threads(report, text_after(text_first(text, images), threads));
	check_addresses(report, text_after(text_first(text, images), threads));
	check_images(report, text_after(text, images));
}

static void another_parser_finds_the_same(void **state UNUSED)
{
	static const char *const names[] = {
		"getsentry__handcrafted",
		"getsentry__spaces",
		"getsentry__XCDYouTubeKit-54",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		check_snapshot(names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_of_real_reports_comes_back),
		cmocka_unit_test(another_parser_finds_the_same),
	};

	if (!file_is_directory(CORPUS)) {
		puts("skipped: no corpus beside the project");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
