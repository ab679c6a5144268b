// SPDX-License-Identifier: MIT
/**
 * What a formatter writes, as a string to compare.
 */
#ifndef APMTOOL_TESTS_UNIT_RENDERED_H
#define APMTOOL_TESTS_UNIT_RENDERED_H

#include "formatters/formatter.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef void (*render_function)(struct out *out, const void *context);

/** All that @p render writes. Free with free(). */
static UNUSED char *render_with(render_function render, const void *context)
{
	char path[] = "/tmp/apmtool-rendered-XXXXXX";
	SCOPED(file_release) struct file_data written = { 0 };
	struct out *out = NULL;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_null(out_open(path, &out));
	render(out, context);
	assert_null(out_close(out));
	assert_null(file_read(path, LIMIT_DEFAULT_REPORT, &written));
	unlink(path);
	return mem_strndup((const char *)written.bytes.data,
	                   written.bytes.size);
}

struct rendered_report {
	const struct formatter *formatter;
	const struct report *report;
	struct format_options options;
};

static void render_report(struct out *out, const void *context)
{
	const struct rendered_report *what = context;

	what->formatter->report(what->report, &what->options, out);
}

/** @p report in a format. Free with free(). */
static UNUSED char *rendered(const struct formatter *formatter,
                             const struct report *report)
{
	struct rendered_report what = {
		.formatter = formatter,
		.report = report,
	};

	return render_with(render_report, &what);
}

/** @p report as text in a style. Free with free(). */
static UNUSED char *rendered_style(enum text_style style,
                                   const struct report *report)
{
	struct rendered_report what = {
		.formatter = &text_formatter,
		.report = report,
		.options = { .style = style },
	};

	return render_with(render_report, &what);
}

static UNUSED void assert_rendered(const struct formatter *formatter,
                                   const struct report *report,
                                   const char *expected)
{
	SCOPED(mem_drop) char *text = rendered(formatter, report);

	assert_string_equal(text, expected);
}

static UNUSED void assert_rendered_holds(const struct formatter *formatter,
                                         const struct report *report,
                                         const char *expected)
{
	SCOPED(mem_drop) char *text = rendered(formatter, report);

	if (!strstr(text, expected))
		fail_msg("'%s' is not in:\n%s", expected, text);
}

#endif
