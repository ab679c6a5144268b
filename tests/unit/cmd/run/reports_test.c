#include "cmd/run/reports.h"
#include "parsers/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define REPORT                                                       \
	"{\"crash\":{\"error\":{\"type\":\"mach\"},\"threads\":[]}," \
	"\"report\":{\"id\":\"A\"},\"system\":{}}\n"

/** Inputs that were parsed: the linker has this called instead. */
static size_t parsed_count;

struct error *__real_parser_read(struct bytes in, struct arena *arena,
                                 struct report **ret);
struct error *__wrap_parser_read(struct bytes in, struct arena *arena,
                                 struct report **ret);

struct error *__wrap_parser_read(struct bytes in, struct arena *arena,
                                 struct report **ret)
{
	parsed_count++;
	return __real_parser_read(in, arena, ret);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_report_of_a_stream_is_parsed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
