// SPDX-License-Identifier: MIT
/**
 * What the tests of parsers share: reading a text that must be read, and
 * finding what came of it. Include cmocka's headers first.
 */
#ifndef APMTOOL_TESTS_UNIT_PARSED_H
#define APMTOOL_TESTS_UNIT_PARSED_H

#include "parsers/reader.h"

#include <string.h>

/** What one parser makes of a text that is its own. */
static UNUSED struct report *parsed(const struct reader *parser,
                                    const char *text, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err;

	assert_true(reader_sniff(parser, text_from(text)));
	err = reader_read(parser, text_from(text), arena, &report);
	if (err)
		fail_msg("%s", error_message(err));
	return report;
}

/** The value of the field with this label; NULL: there is none. */
static UNUSED const char *field(const struct report *report, const char *label)
{
	for (size_t i = 0; i < report->field_count; i++)
		if (!strcmp(report->fields[i].label, label))
			return report->fields[i].value;
	return NULL;
}

static UNUSED void assert_note(const struct report *report, const char *place,
                               const char *text)
{
	for (size_t i = 0; i < report->note_count; i++)
		if (!strcmp(report->notes[i].place, place) &&
		    !strcmp(report->notes[i].text, text))
			return;
	for (size_t i = 0; i < report->note_count; i++)
		print_message("%s: %s\n", report->notes[i].place,
		              report->notes[i].text);
	fail_msg("no note '%s: %s'", place, text);
}

#endif
