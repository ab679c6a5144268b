// SPDX-License-Identifier: MIT
/*
 * One report in several formats: whatever two formats can both say must come
 * back from either of them. The reports are built from seeds.
 */
#include "parsers/reader.h"
#include "tests/unit/formatters/rendered.h"
#include "tests/unit/lib/model/report_builder.h"
#include "tests/unit/read_reports.h"

#define SEEDS 150

static struct report *read_text(const char *text, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err =
	        read_reports((struct bytes){ .data = (const uint8_t *)text,
	                                     .size = strlen(text) },
	                     arena, &report);

	if (err)
		fail_msg("%s in:\n%s", error_message(err), text);
	return report;
}

/** A file that was read, to be written from the model, not given back. */
static struct report *forget_text(struct report *report)
{
	report->raw = TEXT_NONE;
	return report;
}

static void assert_same(const char *a, const char *b, uint64_t seed,
                        const char *what)
{
	size_t at = 0;

	if (!strcmp(a, b))
		return;
	while (a[at] && a[at] == b[at])
		at++;
	for (size_t i = 0; i < 100 && at && a[at - 1] != '\n'; i++)
		at--;
	fail_msg("seed %u, %s: expected\n%.400s\nfound\n%.400s", (unsigned)seed,
	         what, a + at, b + at);
}

static void ips_says_what_the_model_says(void **state UNUSED)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *model = report_build(&arena, seed);
		SCOPED(mem_drop) char *ips = rendered(&ips_formatter, model);
		SCOPED(mem_drop)
		char *text = rendered(&text_formatter, model);
		struct report *again = read_text(ips, &arena);
		SCOPED(mem_drop) char *given = rendered(&ips_formatter, again);
		SCOPED(mem_drop)
		char *written = rendered(&ips_formatter, forget_text(again));
		SCOPED(mem_drop)
		char *translated = rendered(&text_formatter, again);

		assert_int_equal(again->note_count, 0);
		assert_same(ips, given, seed, "given back");
		assert_same(ips, written, seed, "written again");
		assert_same(text, translated, seed, "translated");
	}
}

static void text_says_what_the_model_says(void **state UNUSED)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *model = report_build(&arena, seed);
		SCOPED(mem_drop) char *ips = rendered(&ips_formatter, model);
		SCOPED(mem_drop)
		char *text = rendered(&text_formatter, model);
		struct report *again = read_text(text, &arena);
		SCOPED(mem_drop)
		char *same = rendered(&text_formatter, again);
		SCOPED(mem_drop)
		char *written = rendered(&ips_formatter, again);

		assert_same(text, same, seed, "given back");
		assert_same(ips, written, seed, "as .ips");
	}
}

static void every_style_reads_back_as_itself(void **state UNUSED)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		for (int style = TEXT_STYLE_FULL; style <= TEXT_STYLE_RAW;
		     style++) {
			SCOPED(arena_release) struct arena arena = { 0 };
			struct report *model = report_build(&arena, seed);
			SCOPED(mem_drop)
			char *once =
			        rendered_style((enum text_style)style, model);
			SCOPED(mem_drop)
			char *twice = rendered_style((enum text_style)style,
			                             read_text(once, &arena));

			assert_same(once, twice, seed, "style");
		}
	}
}

/** Raw text of a report is the same, whichever style it was read from. */
static void no_style_loses_an_address(void **state UNUSED)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *model = report_build(&arena, seed);
		SCOPED(mem_drop)
		char *raw = rendered_style(TEXT_STYLE_RAW, model);

		for (int style = TEXT_STYLE_FULL; style < TEXT_STYLE_RAW;
		     style++) {
			SCOPED(mem_drop)
			char *text =
			        rendered_style((enum text_style)style, model);
			SCOPED(mem_drop)
			char *again = rendered_style(TEXT_STYLE_RAW,
			                             read_text(text, &arena));

			assert_same(raw, again, seed, "raw");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ips_says_what_the_model_says),
		cmocka_unit_test(text_says_what_the_model_says),
		cmocka_unit_test(every_style_reads_back_as_itself),
		cmocka_unit_test(no_style_loses_an_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
