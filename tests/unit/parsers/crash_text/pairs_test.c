// SPDX-License-Identifier: MIT
/*
 * Apple's systems wrote some crashes twice: as JSON, and translated to text.
 * Our layout of the one must be the other, line by line. The files are not
 * part of the project: where they are not beside it, nothing is tested.
 */
#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "parsers/reader.h"
#include "tests/unit/formatters/rendered.h"

#define CORPUS APMTOOL_SOURCE_DIR "/../shared/corpus/"

struct pair {
	const char *json;
	const char *text;
	size_t missing; ///< lines of Apple's that we do not print
	size_t added;   ///< lines of ours that Apple does not print
};

static const struct pair pairs[] = {
	{ "ips-crash/inket__ios-crash-in-ips-format.ips",
	  "apple-crash/inket__ios-crash-without-json-header.crash", 0, 0 },
	{ "ips-crash/inket__2022-08__ios-crash.ips",
	  "apple-crash/inket__2022-08__ios-crash.crash", 0, 0 },
	{ "ips-crash/inket__2022-08__single-target-crash.ips",
	  "apple-crash/inket__2022-08__single-target-crash.crash", 0, 0 },
	{ "ips-crash/inket__2022-08__multi-target-crash.ips",
	  "apple-crash/inket__2022-08__multi-target-crash.crash", 0, 0 },
	// A symbol with a newline in it: Apple breaks the line there.
	{ "ips-crash/lapfelix__source.ips", "ips-crash/lapfelix__target.txt", 2,
	  1 },
};

/** The next line that is not empty, without blanks at its end. */
static bool next_line(struct text *rest, struct text *line)
{
	while (text_next_line(rest, line)) {
		*line = text_trim_right(*line);
		if (line->size)
			return true;
	}
	return false;
}

static size_t count_lines(struct text text)
{
	struct text line;
	size_t count = 0;

	while (next_line(&text, &line))
		count++;
	return count;
}

/** Lines of @p text that are in @p other too, in the same order. */
static size_t count_common(struct text text, struct text other)
{
	struct text line;
	size_t count = 0;

	while (next_line(&text, &line)) {
		struct text rest = other;
		struct text candidate;

		while (next_line(&rest, &candidate)) {
			if (!text_equal(line, candidate))
				continue;
			other = rest;
			count++;
			break;
		}
	}
	return count;
}

static struct text text_of(const struct file_data *file)
{
	return (struct text){ (const char *)file->bytes.data,
		              file->bytes.size };
}

/** Of a file in three parts, the translation: it ends with `EOF`. */
static struct text translated_part(struct text text)
{
	size_t title = text_find(text, "Translated Report");
	size_t end = text_find(text, "\nEOF\n");

	if (title == TEXT_NOWHERE || end == TEXT_NOWHERE)
		return text;
	text = text_after(text_first(text, end + 5), title);
	return text_after(text, text_find(text, "\n\n"));
}

static void our_text_is_that_of_apple(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		const struct pair *pair = &pairs[i];
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(file_release) struct file_data json = { 0 };
		SCOPED(file_release) struct file_data apple = { 0 };
		SCOPED(mem_drop) char *ours = NULL;
		SCOPED(str_release) struct str path = { 0 };
		struct report *report = NULL;
		struct text theirs;
		size_t common;

		str_addf(&path, CORPUS "%s", pair->json);
		assert_null(file_read(path.data, LIMIT_DEFAULT_REPORT, &json));
		str_clear(&path);
		str_addf(&path, CORPUS "%s", pair->text);
		assert_null(file_read(path.data, LIMIT_DEFAULT_REPORT, &apple));
		assert_null(reader_read(&ips_reader, text_of(&json), &arena,
		                        &report));
		ours = rendered(&text_formatter, report);
		theirs = translated_part(text_of(&apple));
		common = count_common(theirs, text_from(ours));
		print_message("%s: %zu lines\n", pair->text, common);
		assert_int_equal(count_lines(theirs) - common, pair->missing);
		assert_int_equal(count_lines(text_from(ours)) - common,
		                 pair->added);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_text_is_that_of_apple),
	};

	if (!file_is_directory(CORPUS)) {
		puts("skipped: no corpus beside the project");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
