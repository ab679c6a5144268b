// SPDX-License-Identifier: MIT
#include "parsers/members.h"

#include "lib/base/file.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// README.txt, a.ips, demo.crash, demo.plcrash, demo.crash.gz and broken.ips.
#define SEVERAL APMTOOL_SOURCE_DIR "/tests/cli/symbolicate/zip/several.zip"
#define LIMIT   ((size_t)64 << 20)

/** A report is what is larger than 100 bytes. */
static struct error *read_file(struct bytes in, size_t *left_bytes UNUSED,
                               struct sink *sink)
{
	if (in.size < 100)
		return error_new(ERROR_UNSUPPORTED, "small");
	sink_report(sink, report_new(sink->arena));
	report_add_note(sink->first, sink->arena, "line 1", "a note");
	return NULL;
}

static struct error *read_nothing(struct bytes in UNUSED,
                                  size_t *left_bytes UNUSED,
                                  struct sink *sink UNUSED)
{
	return error_new(ERROR_UNSUPPORTED, "nothing");
}

static struct error *read_archive(struct bytes in, size_t limit_bytes,
                                  member_read read, struct arena *arena,
                                  struct report **ret)
{
	struct sink sink = { .arena = arena };
	struct error *err = members_read(in, limit_bytes, read, &sink);

	*ret = sink.first;
	return err;
}

static const struct report *read_several(size_t limit_bytes,
                                         struct arena *arena)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct report *report = NULL;

	assert_null(file_read(SEVERAL, LIMIT, &file));
	assert_null(read_archive(file.bytes, limit_bytes, read_file, arena,
	                         &report));
	return report;
}

static void assert_note(const struct report *report, size_t index,
                        const char *place, const char *text)
{
	assert_true(index < report->note_count);
	assert_string_equal(report->notes[index].place, place);
	assert_string_equal(report->notes[index].text, text);
}

static void reports_say_which_file_they_are(void **state UNUSED)
{
	static const char *const members[] = {
		"logs/demo.crash",
		"logs/demo.plcrash",
		"logs/demo.crash.gz",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read_several(LIMIT, &arena);

	assert_note(report, 0, "logs/demo.crash: line 1", "a note");
	assert_note(report, 1, "zip", "left out: logs/a.ips: small");
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		assert_string_equal(report->member, members[i]);
		if (i + 1 < ARRAY_SIZE(members))
			report = report->next;
	}
	assert_null(report->next);
	assert_int_equal(report->note_count, 2);
	assert_note(report, 1, "logs/broken.ips", "left out: small");
}

static void the_limit_is_of_all_files_together(void **state UNUSED)
{
	SCOPED(file_release) struct file_data crash = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	assert_null(file_read(APMTOOL_SOURCE_DIR "/samples/demo.crash", LIMIT,
	                      &crash));
	report = read_several(crash.bytes.size + 100, &arena);
	assert_string_equal(report->member, "logs/demo.crash");
	assert_null(report->next);
	assert_true(report->truncated);
	assert_string_equal(report->notes[1].place, "logs/demo.plcrash");
	assert_memory_equal(report->notes[1].text, "left out: the files of a",
	                    24);
}

/** As if each file unpacked to all that is left. */
static struct error *read_greedily(struct bytes in, size_t *left_bytes,
                                   struct sink *sink)
{
	struct error *err = read_file(in, left_bytes, sink);

	if (!err)
		*left_bytes = 0;
	return err;
}

static void what_files_unpack_to_counts_too(void **state UNUSED)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;

	assert_null(file_read(SEVERAL, LIMIT, &file));
	assert_null(read_archive(file.bytes, LIMIT, read_greedily, &arena,
	                         &report));
	assert_null(report->next);
	assert_true(report->truncated);
	assert_note(report, 2, "zip",
	            "3 files were not read: those before them unpack to "
	            "64 MB");
}

/** All but one are damaged. */
static struct error *read_plcrash(struct bytes in, size_t *left_bytes UNUSED,
                                  struct sink *sink)
{
	if (!text_starts(bytes_text(in), "plcrash"))
		return error_new(ERROR_FORMAT, "damaged");
	sink_report(sink, report_new(sink->arena));
	return NULL;
}

static void files_before_the_first_report_are_counted(void **state UNUSED)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;

	assert_null(file_read(SEVERAL, LIMIT, &file));
	assert_null(
	        read_archive(file.bytes, LIMIT, read_plcrash, &arena, &report));
	assert_note(report, 2, "zip",
	            "left out: logs/README.txt: damaged; and 2 more");
}

static void an_archive_without_a_report_says_why(void **state UNUSED)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct report *report = NULL;

	assert_null(file_read(SEVERAL, LIMIT, &file));
	err = read_archive(file.bytes, LIMIT, read_nothing, &arena, &report);
	assert_int_equal(error_code(err), ERROR_UNSUPPORTED);
	assert_string_equal(error_message(err),
	                    "a zip archive of 6 files without a report: "
	                    "logs/a.ips: nothing");
	assert_null(report);
}

/** Files with records: no reports, and two that are damaged. */
static struct error *read_records(struct bytes in, size_t *left_bytes UNUSED,
                                  struct sink *sink)
{
	if (in.size < 100)
		return error_new(ERROR_FORMAT, "damaged");
	sink_notice(sink, NOTICE_WARNING, "line 2", "a note");
	return NULL;
}

static void add_notice(const struct notice *notice, const struct sink *sink)
{
	str_addf(sink->context, "%s%s: %s\n",
	         notice->kind == NOTICE_FAILURE ? "failed: " : "",
	         notice->place ? notice->place : "-", notice->text);
}

static void without_a_report_the_sink_gets_notices(void **state UNUSED)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str notices = { 0 };
	struct sink sink = { .arena = &arena,
		             .notice = add_notice,
		             .context = &notices };

	assert_null(file_read(SEVERAL, LIMIT, &file));
	assert_null(members_read(file.bytes, LIMIT, read_records, &sink));
	assert_null(sink.first);
	assert_null(sink.member);
	assert_string_equal(
	        str_cstr(&notices),
	        "logs/demo.crash: line 2: a note\n"
	        "logs/demo.plcrash: line 2: a note\n"
	        "logs/demo.crash.gz: line 2: a note\n"
	        "failed: -: logs/README.txt: damaged; and 2 more\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_say_which_file_they_are),
		cmocka_unit_test(the_limit_is_of_all_files_together),
		cmocka_unit_test(what_files_unpack_to_counts_too),
		cmocka_unit_test(files_before_the_first_report_are_counted),
		cmocka_unit_test(an_archive_without_a_report_says_why),
		cmocka_unit_test(without_a_report_the_sink_gets_notices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
