// SPDX-License-Identifier: MIT
#include "cmd/run/reports.h"
#include "parsers/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define REPORT                                                       \
	"{\"crash\":{\"error\":{\"type\":\"mach\"},\"threads\":[]}," \
	"\"report\":{\"id\":\"A\"},\"system\":{}}\n"

/** Inputs that were parsed: the linker has this called instead. */
static atomic_size_t parsed_count;

struct error *__real_read_input(struct bytes in, struct sink *sink);
struct error *__wrap_read_input(struct bytes in, struct sink *sink);

struct error *__wrap_read_input(struct bytes in, struct sink *sink)
{
	parsed_count++;
	return __real_read_input(in, sink);
}

static void count_reports(struct report *const *reports UNUSED, size_t count,
                          struct arena *arena UNUSED, void *context)
{
	*(size_t *)context += count;
}

/** Standard input is a pipe that holds @p in. */
static void put_in_stdin(const char *in)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], in, strlen(in)), strlen(in));
	close(ends[1]);
	assert_int_equal(dup2(ends[0], 0), 0);
	close(ends[0]);
}

static void each_report_of_a_stream_is_parsed_once(void **state UNUSED)
{
	static const struct report_settings settings = {
		.run = { .jobs = 1, .quiet = true }, .format = "jsonl"
	};
	static const char *const operands[] = { "-" };
	const struct config config = { 0 };
	const struct command_line line = { .operands = operands,
		                           .operand_count = 1,
		                           .config = &config };
	size_t seen = 0;
	SCOPED(report_run_release)
	struct report_run run = { .hook = count_reports,
		                  .context = &seen,
		                  .hook_only = true };

	put_in_stdin(REPORT REPORT REPORT);
	assert_int_equal(report_run_init(&run, &line, &settings), EXIT_DONE);
	parsed_count = 0;
	assert_int_equal(report_run_all(&run), EXIT_DONE);
	assert_int_equal(seen, 3);
	assert_int_equal(parsed_count, 3);
}

/** As many files as fill several batches, and what the hook saw of them. */
#define FILES 600

struct seen {
	const struct report_run *run;
	char folder[32];
	size_t reports;
	size_t hooks;
	bool read_on; ///< more was read while a hook was at work
};

static void wait_for_more(size_t parsed)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < 10000 && parsed_count <= parsed; i++)
		nanosleep(&pause, NULL);
}

/** The inputs come in their order; those of the next batch are read. */
static void see_batch(struct report *const *reports, size_t count,
                      struct arena *arena UNUSED, void *context)
{
	struct seen *seen = context;
	char name[64];

	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s/%04zu.json", seen->folder,
		         seen->reports + i);
		assert_string_equal(reports[i]->input, name);
	}
	seen->hooks++;
	seen->reports += count;
	if (seen->run->run.jobs > 1 && seen->reports < FILES) {
		wait_for_more(seen->reports);
		seen->read_on |= parsed_count > seen->reports;
	}
}

static void write_files(const char *folder, bool remove_them)
{
	char name[64];

	for (size_t i = 0; i < FILES; i++) {
		FILE *file;

		snprintf(name, sizeof(name), "%s/%04zu.json", folder, i);
		if (remove_them) {
			unlink(name);
			continue;
		}
		file = fopen(name, "w");
		assert_non_null(file);
		fputs(REPORT, file);
		fclose(file);
	}
}

static void read_folder(unsigned jobs, struct seen *seen)
{
	const struct report_settings settings = {
		.run = { .jobs = jobs, .quiet = true }, .format = "jsonl"
	};
	const char *const operands[] = { seen->folder };
	const struct config config = { 0 };
	const struct command_line line = { .operands = operands,
		                           .operand_count = 1,
		                           .config = &config };
	SCOPED(report_run_release)
	struct report_run run = { .hook = see_batch,
		                  .context = seen,
		                  .hook_only = true };

	seen->run = &run;
	parsed_count = 0;
	assert_int_equal(report_run_init(&run, &line, &settings), EXIT_DONE);
	assert_int_equal(report_run_all(&run), EXIT_DONE);
	assert_int_equal(seen->reports, FILES);
	assert_int_equal(parsed_count, FILES);
}

static void the_next_batch_is_read_while_a_hook_works(void **state UNUSED)
{
	struct seen one = { .folder = "/tmp/reports_test.XXXXXX" };
	struct seen two;

	assert_non_null(mkdtemp(one.folder));
	two = one;
	write_files(one.folder, false);
	read_folder(1, &one);
	read_folder(2, &two);
	write_files(one.folder, true);
	rmdir(one.folder);
	assert_int_equal(one.hooks, 3);
	assert_int_equal(two.hooks, 3);
	assert_false(one.read_on);
	assert_true(two.read_on);
	// Beside the last batch, nothing is left to read.
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_batch_is_read_while_a_hook_works),
		cmocka_unit_test(each_report_of_a_stream_is_parsed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
