// SPDX-License-Identifier: MIT
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/text/json/pull.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLES APMTOOL_SOURCE_DIR "/samples/"
#define CORPUS  APMTOOL_SOURCE_DIR "/../shared/corpus/metrickit/"

// The samples, changed in every way

static struct text load(struct file_data *file, const char *path)
{
	struct error *err = file_read(path, LIMIT_DEFAULT_REPORT, file);

	if (err)
		fail_msg("%s", error_message(err));
	return bytes_text(file->bytes);
}

/** Whatever comes of it: it is a report, or an error. */
static void read_any(struct text in)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct report *report = NULL;

	reader_sniff(&metrickit_reader, in);
	err = reader_read(&metrickit_reader, in, &arena, &report);
	assert_true(!err == !!report);
}

static const char *const samples[] = {
	SAMPLES "metrickit-crash.json",
	SAMPLES "metrickit-hang.json",
	SAMPLES "metrickit-2027.json",
};

static void every_truncation_of_the_samples_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		SCOPED(file_release) struct file_data file = { 0 };
		struct text text = load(&file, samples[i]);

		// Each byte of the first levels, then a step that is no
		// divisor of anything.
		for (size_t size = 0; size < text.size;
		     size += size < 2000 ? 1 : 37)
			read_any(text_first(text, size));
	}
}

/** Put @p put in place of the value that begins at @p at. */
static void swap_value(struct text text, size_t at, const char *put)
{
	SCOPED(str_release) struct str swapped = { 0 };
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(text_after(text, at), 0);

	json_pull_next(pull);
	json_pull_skip(pull);
	str_add_text(&swapped, text_first(text, at));
	str_add(&swapped, put);
	str_add_text(&swapped, text_after(text, at + json_pull_used(pull)));
	read_any(str_text(&swapped));
}

static void any_value_may_be_of_any_type(void **state)
{
	static const char *const values[] = { "null", "1",  "\"x\"", "true",
		                              "[]",   "{}", "[{}]",  "-1.5" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		SCOPED(file_release) struct file_data file = { 0 };
		struct text text = load(&file, samples[i]);
		size_t next = 0;

		// The first members of all kinds are in the first levels.
		for (size_t at = 0; at < 6000;) {
			size_t colon = text_find(text_after(text, at), "\" : ");

			if (colon == TEXT_NOWHERE)
				break;
			at += colon + 4;
			swap_value(text, at,
			           values[next++ % ARRAY_SIZE(values)]);
			swap_value(text, at,
			           values[next++ % ARRAY_SIZE(values)]);
		}
		assert_true(next > 50);
	}
}

// Real payloads

struct expectation {
	const char *name;
	size_t reports;
	size_t threads; ///< of all reports
	size_t trees;
	size_t frames;
	size_t placed; ///< frames that lie in an image
};

static void count_stack(struct report_stack *stack, void *context)
{
	struct expectation *found = context;

	found->frames += stack->count;
	for (size_t i = 0; i < stack->count; i++)
		found->placed += stack->frames[i].image != REPORT_NO_IMAGE;
}

static void the_corpus_is_read(void **state)
{
	static const struct expectation cases[] = {
		{ "ChimeHQ__real_report.json", 2, 19, 0, 100, 100 },
		{ "ChimeHQ__xcode_simulated.json", 4, 1, 3, 4, 4 },
		{ "ChimeHQ__xcode_simulated_macOS_12.json", 4, 1, 3, 4, 4 },
		{ "getsentry__not-per-thread.json", 1, 0, 1, 14, 14 },
		{ "getsentry__per-thread-flamegraph.json", 1, 0, 1, 4, 4 },
		{ "getsentry__tree-real.json", 1, 16, 0, 92, 92 },
		{ "getsentry__tree-unknown-fields.json", 1, 1, 0, 3, 3 },
	};

	(void)state;
	if (access(CORPUS, F_OK)) {
		print_message("no corpus: skipped\n");
		skip();
	}
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(file_release) struct file_data file = { 0 };
		struct expectation found = { .name = cases[i].name };
		struct report *report = NULL;
		struct error *err;

		load(&file, arena_printf(&arena, CORPUS "%s", cases[i].name));
		err = read_reports(file.bytes, &arena, &report);
		if (err)
			fail_msg("%s: %s", cases[i].name, error_message(err));
		for (; report; report = report->next) {
			assert_string_equal(report->format, "metrickit");
			found.reports++;
			found.threads += report->thread_count;
			found.trees += report->tree_count;
			report_each_stack(report, count_stack, &found);
		}
		if (memcmp(&found.reports, &cases[i].reports,
		           sizeof(found) -
		                   offsetof(struct expectation, reports)) != 0)
			fail_msg("%s: %zu reports, %zu threads, %zu trees, "
			         "%zu frames, %zu placed",
			         found.name, found.reports, found.threads,
			         found.trees, found.frames, found.placed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_truncation_of_the_samples_is_read),
		cmocka_unit_test(any_value_may_be_of_any_type),
		cmocka_unit_test(the_corpus_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
