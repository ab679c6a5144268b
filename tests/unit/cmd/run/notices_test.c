// SPDX-License-Identifier: MIT
#include "cmd/run/missing_symbols.h"
#include "cmd/run/reports.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/symbolicate/symbolicate.h"
#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

/** A sink that keeps what it gets. */
struct collected {
	struct notice notices[8];
	size_t count;
	size_t finished; ///< how often progress has ended
	struct arena arena;
};

static void collect(const struct notice *notice, void *context)
{
	struct collected *collected = context;
	struct arena *arena = &collected->arena;

	assert_true(collected->count < ARRAY_SIZE(collected->notices));
	collected->notices[collected->count++] = (struct notice){
		.kind = notice->kind,
		.place = arena_strdup(arena, notice->place),
		.text = arena_strdup(arena, notice->text),
		.details = arena_strdup(arena, notice->details),
		.next = arena_strdup(arena, notice->next),
	};
}

static void count_ends(size_t done UNUSED, size_t total UNUSED,
                       const char *what, void *context)
{
	struct collected *collected = context;

	collected->finished += !what;
}

static void collected_release(struct collected *collected)
{
	arena_release(&collected->arena);
}

static void assert_text(const char *is, const char *expected)
{
	if (expected)
		assert_string_equal(is ? is : "(none)", expected);
	else
		assert_null(is);
}

static void assert_notice(const struct collected *collected, size_t index,
                          struct notice expected)
{
	const struct notice *notice = &collected->notices[index];

	assert_true(index < collected->count);
	assert_int_equal(notice->kind, expected.kind);
	assert_text(notice->place, expected.place);
	assert_text(notice->text, expected.text);
	assert_text(notice->details, expected.details);
	assert_text(notice->next, expected.next);
}

/** What `symbolicate` does with reports, without writing them. */
struct naming {
	struct symbol_search search;
	struct missing_symbols missing;
};

static void naming_release(struct naming *naming)
{
	symbol_search_release(&naming->search);
	missing_symbols_release(&naming->missing);
}

static void name_frames(struct report *const *reports, size_t count,
                        struct arena *arena, void *context)
{
	struct naming *naming = context;
	struct symbolicate_result result;

	symbol_search_begin(&naming->search, reports, count);
	symbolicate(reports, count, naming->search.store, DEMANGLE_SHORT, arena,
	            &result);
	missing_symbols_add(&naming->missing, &result, MISSING_LINES);
}

/** Read a file of the test's directory and collect what is to be said. */
static enum exit_status run(const char *operand, bool quiet,
                            struct collected *collected)
{
	const struct report_settings settings = {
		.run = { .jobs = 1, .quiet = quiet }, .format = "jsonl"
	};
	const struct symbol_paths paths = { .no_auto = true, .no_cache = true };
	const struct config config = { 0 };
	const struct notices notices = { .take = collect,
		                         .progress = count_ends,
		                         .context = collected };
	const struct command_line line = { .operands = &operand,
		                           .operand_count = 1,
		                           .config = &config,
		                           .notices = &notices };
	SCOPED(naming_release) struct naming naming = { 0 };
	SCOPED(report_run_release)
	struct report_run run = { .hook = name_frames,
		                  .context = &naming,
		                  .hook_only = true };
	enum exit_status status = report_run_init(&run, &line, &settings);

	if (status == EXIT_DONE)
		status = symbol_search_open(&naming.search, &line, &paths, 1,
		                            quiet);
	if (status != EXIT_DONE)
		return status;
	status = report_run_all(&run);
	if (!quiet)
		missing_symbols_notice(line.notices, &naming.missing,
		                       symbol_store_index(naming.search.store),
		                       true);
	return report_run_finish(&run, status);
}

#define TEXT_REPORT                                                          \
	"Incident Identifier: 00000000-0000-0000-0000-000000000001\n"        \
	"Process:             Demo [1]\n"                                    \
	"Path:                /private/var/containers/Bundle/Application/A/" \
	"Demo.app/Demo\n"                                                    \
	"Code Type:           ARM-64\n\n"                                    \
	"Exception Type:  EXC_CRASH (SIGABRT)\n"                             \
	"Triggered by Thread:  0\n\n"                                        \
	"Thread 0 Crashed:\n"                                                \
	"0   Demo   0x0000000100001000 0x100000000 + 4096\n\n"               \
	"Binary Images:\n"                                                   \
	"0x100000000 - 0x10000ffff Demo arm64  "                             \
	"<4c4c44bd555531448a18b1d7a14acc53> "                                \
	"/private/var/containers/Bundle/Application/A/Demo.app/Demo\n"

static void a_missing_dsym_is_a_notice(void **state UNUSED)
{
	SCOPED(collected_release) struct collected collected = { 0 };

	test_file_write_text("app.crash", TEXT_REPORT);
	assert_int_equal(run("app.crash", false, &collected), EXIT_DONE);
	assert_int_equal(collected.count, 1);
	assert_notice(
	        &collected, 0,
	        (struct notice){
	                .kind = NOTICE_MISSING_SYMBOLS,
	                .text = "1 image of the app has no usable dSYM",
	                .details = "  Demo  arm64  "
	                           "4C4C44BD-5555-3144-8A18-B1D7A14ACC53  "
	                           "1 frame\n",
	                .next = "  no --dsym was given: name a dSYM, an "
	                        ".xcarchive, or a directory of them\n"
	                        "  for details: apmtool missing app.crash\n",
	        });
	assert_true(collected.finished > 0);
}

#define DAMAGED                                                      \
	"{\"crash\":{\"error\":{\"type\":\"mach\"},\"threads\":[]}," \
	"\"report\":{\"id\":\"A\"},\"system\":{\"a\":NaN}}"

static void a_repair_is_a_notice(void **state UNUSED)
{
	SCOPED(collected_release) struct collected collected = { 0 };

	test_file_write_text("damaged.json", DAMAGED);
	assert_int_equal(run("damaged.json", false, &collected), EXIT_DONE);
	assert_int_equal(collected.count, 2);
	assert_notice(&collected, 0,
	              (struct notice){ .kind = NOTICE_WARNING,
	                               .place = "damaged.json: crash.threads",
	                               .text = "the report has no threads" });
	assert_notice(&collected, 1,
	              (struct notice){ .kind = NOTICE_WARNING,
	                               .place = "damaged.json: offset 0x52",
	                               .text = "NaN or Infinity read as "
	                                       "null" });
}

static void quiet_leaves_only_failures(void **state UNUSED)
{
	SCOPED(collected_release) struct collected collected = { 0 };

	test_file_write_text("app.crash", TEXT_REPORT);
	test_file_write_text("damaged.json", DAMAGED);
	assert_int_equal(run("app.crash", true, &collected), EXIT_DONE);
	assert_int_equal(run("damaged.json", true, &collected), EXIT_DONE);
	assert_int_equal(collected.count, 0);
	assert_int_equal(run("absent", true, &collected), EXIT_ALL_FAILED);
	assert_int_equal(collected.count, 1);
}

static void a_failing_input_is_a_notice(void **state UNUSED)
{
	SCOPED(collected_release) struct collected collected = { 0 };

	test_file_write_text("notes.txt", "hello\n");
	assert_int_equal(run("notes.txt", false, &collected), EXIT_ALL_FAILED);
	assert_int_equal(run("absent", false, &collected), EXIT_ALL_FAILED);
	assert_int_equal(collected.count, 2);
	assert_notice(&collected, 0,
	              (struct notice){ .kind = NOTICE_FAILURE,
	                               .place = "notes.txt",
	                               .text = "not a crash report, but text "
	                                       "of an unknown kind" });
	assert_notice(&collected, 1,
	              (struct notice){ .kind = NOTICE_FAILURE,
	                               .text = "cannot open 'absent': no such "
	                                       "file or directory" });
}

static void a_terminal_is_no_report(void **state UNUSED)
{
	SCOPED(collected_release) struct collected collected = { 0 };
	const struct notices notices = { .take = collect,
		                         .context = &collected };
	const struct command_line line = { .notices = &notices,
		                           .is_typed = true };
	SCOPED(inputs_release) struct inputs inputs = { 0 };

	assert_int_equal(inputs_gather(&line, NULL, false, &inputs),
	                 EXIT_USAGE);
	assert_int_equal(collected.count, 1);
	assert_notice(&collected, 0,
	              (struct notice){ .kind = NOTICE_FAILURE,
	                               .text = "no report given" });
}

static void without_a_sink_notices_are_dropped(void **state UNUSED)
{
	const struct command_line line = { .is_typed = true };
	SCOPED(inputs_release) struct inputs inputs = { 0 };

	assert_int_equal(inputs_gather(&line, NULL, false, &inputs),
	                 EXIT_USAGE);
	notice_progress_end(NULL);
}

#define IN_DIRECTORY(test)                                          \
	cmocka_unit_test_setup_teardown(test, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIRECTORY(a_missing_dsym_is_a_notice),
		IN_DIRECTORY(a_repair_is_a_notice),
		IN_DIRECTORY(quiet_leaves_only_failures),
		IN_DIRECTORY(a_failing_input_is_a_notice),
		cmocka_unit_test(a_terminal_is_no_report),
		cmocka_unit_test(without_a_sink_notices_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
