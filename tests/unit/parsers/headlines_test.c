/*
 * A headline of a failure is never left out and never lost: every input of the
 * samples and of the tests, and what is beside the project, is read, and each
 * line that the table of headlines knows is in a report.
 */
#include "lib/base/file.h"
#include "lib/base/file_walk.h"
#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/darwin/headline.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct counts {
	size_t headlines;
	size_t lost;
};

static bool has_line(const struct report *report, const char *message)
{
	for (; report; report = report->next) {
		for (size_t i = 0; i < report->line_count; i++)
			if (report->lines[i].text &&
			    strstr(report->lines[i].text, message))
				return true;
		for (size_t i = 0; i < report->section_count; i++)
			if (strstr(report->sections[i].text, message))
				return true;
	}
	return false;
}

/** What follows a blank or a backslash may have been joined or decoded. */
static void check_text(struct text in, const struct report *report,
                       const char *path, struct counts *counts)
{
	struct headline headline;
	struct text line;

	while (text_next_line(&in, &line)) {
		SCOPED(str_release) struct str message = { 0 };

		if (!headline_find(line, &headline) || headline.needs_frames)
			continue;
		str_add_text(&message, text_first(headline.message, 40));
		counts->headlines++;
		if (has_line(report, str_cstr(&message)))
			continue;
		printf("%s: lost '%s'\n", path, str_cstr(&message));
		counts->lost++;
	}
}

static struct error *check_file(const struct file_found *found, void *context)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct report *report = NULL;
	struct text text;

	err = file_read(found->path, LIMIT_DEFAULT_REPORT, &file);
	text = bytes_text(file.bytes);
	// JSON has its own; sources and what tests expect quote them.
	if (err || text.size > ((size_t)4 << 20) ||
	    text_find_char(text_first(text, 4096), '\0') != TEXT_NOWHERE ||
	    text_starts(text_trim_left(text), "{") ||
	    text_ends(text_from(found->path), ".md"))
		return NULL;
	err = read_reports(file.bytes, &arena, &report);
	if (report)
		check_text(text, report, found->path, context);
	return NULL;
}

static struct counts check(const char *path)
{
	struct counts counts = { 0 };
	struct error *err = file_walk(path, check_file, &counts, NULL);

	// What is beside the project may not be there.
	error_free(err);
	printf("%s: %zu headlines\n", path, counts.headlines);
	return counts;
}

static void no_input_loses_a_headline(void **state UNUSED)
{
	static const char *const own[] = {
		APMTOOL_SOURCE_DIR "/samples",
		APMTOOL_SOURCE_DIR "/tests/fuzz/corpus/crash_text",
		APMTOOL_SOURCE_DIR "/tests/fuzz/corpus/runtime_trace",
		APMTOOL_SOURCE_DIR "/tests/fuzz/corpus/repair",
	};
	static const char *const near[] = {
		APMTOOL_SOURCE_DIR "/../shared/corpus",
		APMTOOL_SOURCE_DIR "/../shared/faults",
	};
	size_t headlines = 0;

	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		struct counts counts = check(own[i]);

		assert_int_equal(counts.lost, 0);
		headlines += counts.headlines;
	}
	assert_true(headlines >= 20);
	for (size_t i = 0; i < ARRAY_SIZE(near); i++)
		assert_int_equal(check(near[i]).lost, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_input_loses_a_headline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
