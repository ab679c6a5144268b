// SPDX-License-Identifier: MIT
/*
 * The `junit` format: rows of a table as tests, in XML for CI servers; see
 * formatter.h for the columns. A row marked as error is a failure; others are
 * passed tests.
 */
#include "formatters/formatter.h"
#include "formatters/table/marks.h"
#include "lib/base/xml.h"

#include <inttypes.h>

static void add_attribute(struct str *out, const char *name, struct text value)
{
	str_addf(out, " %s=\"", name);
	xml_add_text(out, value);
	str_add_char(out, '"');
}

/** The name of the test: the row's identity, else its first cell. */
static void add_name(const struct table *table, size_t row, struct str *out)
{
	static const char *const keys[] = { "title", "signature", "key" };
	SCOPED(str_release) struct str name = { 0 };
	size_t i = 0;

	while (i < ARRAY_SIZE(keys) && !mark_value(table, row, keys[i], &name))
		i++;
	if (i == ARRAY_SIZE(keys))
		mark_value(table, row, table->columns[0].key, &name);
	add_attribute(out, "name", str_text(&name));
}

/** JUnit's format has a type for each failure. */
static void add_failure(const struct table *table, size_t row, struct str *out)
{
	SCOPED(str_release) struct str message = { 0 };
	SCOPED(str_release) struct str type = { 0 };

	mark_add_message(table, row, &message);
	if (!mark_value(table, row, "status", &type))
		str_add(&type, "failure");
	str_add(out, "      <failure");
	add_attribute(out, "message", str_text(&message));
	add_attribute(out, "type", str_text(&type));
	str_add(out, "/>\n");
}

static void add_test(const struct table *table, size_t row, struct str *out)
{
	str_add(out, "    <testcase");
	add_name(table, row, out);
	add_attribute(out, "classname", text_from(table->name));
	if (mark_level_of(table, row) != MARK_ERROR) {
		str_add(out, "/>\n");
		return;
	}
	str_add(out, ">\n");
	add_failure(table, row, out);
	str_add(out, "    </testcase>\n");
}

static void junit_table(const struct table *table,
                        const struct format_options *options UNUSED,
                        struct out *out)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str counts = { 0 };
	size_t failures = 0;

	for (size_t row = 0; row < table->row_count; row++)
		failures += mark_level_of(table, row) == MARK_ERROR;
	str_addf(&counts, " tests=\"%zu\" failures=\"%zu\" errors=\"0\"",
	         table->row_count, failures);
	str_addf(&text,
	         "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	         "<testsuites%s>\n"
	         "  <testsuite name=\"apmtool %s\"%s>\n",
	         str_cstr(&counts), table->name, str_cstr(&counts));
	for (size_t row = 0; row < table->row_count; row++) {
		add_test(table, row, &text);
		out_add_bytes(out, text.data, text.size);
		str_clear(&text);
	}
	str_add(&text, "  </testsuite>\n</testsuites>\n");
	out_add_bytes(out, text.data, text.size);
}

const struct formatter junit_formatter = {
	.name = "junit",
	.summary = "tests for CI servers: rows that are errors fail",
	.extension = "xml",
	.table = junit_table,
};
