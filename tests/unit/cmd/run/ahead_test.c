// SPDX-License-Identifier: MIT
#include "cmd/run/ahead.h"
#include "lib/base/parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define REPORTS    500
#define LONG_BYTES (AHEAD_BYTES + 1)

static atomic_int formatting;
static atomic_int formatted;

/** Its number; some take long, and some are long. */
static void format_number(const struct report *report,
                          const struct format_options *options UNUSED,
                          struct out *out)
{
	formatting++;
	if (report->number % 16 == 3)
		usleep(500);
	out_addf(out, "%zu", report->number);
	for (size_t i = 0; report->number % 50 == 7 && i < LONG_BYTES; i++)
		out_add(out, ".");
	formatted++;
	formatting--;
}

static const struct formatter numbers = { .name = "numbers",
	                                  .report = format_number };
static const struct documents documents = { .formatter = &numbers };

struct printing {
	struct ahead ahead;
	struct report reports[REPORTS];
	struct report *list[REPORTS];
	size_t count;
	size_t wanted; ///< of them, to be printed
};

static void print_all(void *context)
{
	struct printing *printing = context;

	ahead_begin(&printing->ahead, printing->list, printing->count,
	            &documents);
	for (size_t i = 0; i < printing->wanted; i++) {
		const struct str *text = out_str(ahead_next(&printing->ahead));
		size_t number = 0;

		for (size_t k = 0; k < text->size && text->data[k] != '.'; k++)
			number = number * 10 + (size_t)(text->data[k] - '0');
		assert_int_equal(number, i + 1);
		assert_int_equal(text->size > LONG_BYTES, number % 50 == 7);
	}
	// Whoever has all to format does it now.
	if (printing->wanted < printing->count)
		usleep(100000);
	ahead_close(&printing->ahead);
}

static void help(size_t index UNUSED, void *context)
{
	struct printing *printing = context;

	ahead_help(&printing->ahead);
}

static void print_with(struct printing *printing, unsigned jobs, size_t count,
                       size_t wanted)
{
	for (size_t i = 0; i < count; i++) {
		printing->reports[i].number = i + 1;
		printing->list[i] = &printing->reports[i];
	}
	printing->count = count;
	printing->wanted = wanted;
	ahead_open(&printing->ahead, jobs);
	parallel_each_beside(jobs - 1, jobs, help, printing, print_all,
	                     printing);
	assert_int_equal(formatting, 0);
}

static void reports_come_in_their_order(void **state UNUSED)
{
	static struct printing printing;

	for (unsigned jobs = 2; jobs <= 8; jobs += 3) {
		ahead_init(&printing.ahead);
		formatted = 0;
		print_with(&printing, jobs, REPORTS, REPORTS);
		assert_int_equal(formatted, REPORTS);
		// The same memory serves the next reports.
		print_with(&printing, jobs, 17, 17);
		assert_int_equal(formatted, REPORTS + 17);
		ahead_release(&printing.ahead);
	}
}

static void only_some_are_formatted_ahead(void **state UNUSED)
{
	static struct printing printing;

	ahead_init(&printing.ahead);
	formatted = 0;
	print_with(&printing, 4, REPORTS, 1);
	assert_in_range(formatted, 1, 4 * AHEAD_REPORTS);
	ahead_release(&printing.ahead);
}

static void one_report_or_job_is_not_formatted_ahead(void **state UNUSED)
{
	static struct printing printing;

	ahead_init(&printing.ahead);
	formatted = 0;
	print_with(&printing, 4, 1, 0);
	ahead_open(&printing.ahead, 4);
	ahead_begin(&printing.ahead, printing.list, 1, &documents);
	assert_null(ahead_next(&printing.ahead));
	ahead_close(&printing.ahead);
	ahead_release(&printing.ahead);

	ahead_init(&printing.ahead);
	ahead_open(&printing.ahead, 1);
	ahead_begin(&printing.ahead, printing.list, REPORTS, &documents);
	assert_null(ahead_next(&printing.ahead));
	ahead_close(&printing.ahead);
	ahead_help(&printing.ahead);
	ahead_release(&printing.ahead);
	assert_int_equal(formatted, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_come_in_their_order),
		cmocka_unit_test(only_some_are_formatted_ahead),
		cmocka_unit_test(one_report_or_job_is_not_formatted_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
